"""Listing, adding and removing the imports of a module."""

from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omni_codemods.findings.errors import SourceError
from omni_codemods.names.imports import (
    BoundImport,
    Import,
    add_imports,
    module_imports,
    remove_imports,
)


def check_add(before: str, after: str, *imports: Import) -> None:
    before, after = textwrap.dedent(before), textwrap.dedent(after)
    assert add_imports(before, imports) == after
    assert add_imports(after, imports) == after
    if "\n" in before:
        crlf = before.replace("\n", "\r\n")
        assert add_imports(crlf, imports) == after.replace("\n", "\r\n")


def check_remove(before: str, after: str, *imports: Import) -> None:
    before, after = textwrap.dedent(before), textwrap.dedent(after)
    assert remove_imports(before, imports) == after
    assert remove_imports(after, imports) == after
    crlf = before.replace("\n", "\r\n")
    assert remove_imports(crlf, imports) == after.replace("\n", "\r\n")


def test_listing() -> None:
    text = textwrap.dedent(
        """
        import os, a.b as ab
        from ..utils import x as y  # noqa: F401
        if TYPE_CHECKING:
            from t import T
        elif other:
            import o
        try:
            import fast
        except ImportError:
            import slow

        def f():
            import hidden
        class A:
            import hidden
        """
    )
    assert module_imports(text) == (
        BoundImport(Import("os"), "os", 2, "", False),
        BoundImport(Import("a.b", None, "ab"), "ab", 2, "", False),
        BoundImport(Import("..utils", "x", "y"), "y", 3, "", True),
        BoundImport(Import("t", "T"), "T", 5, "type-checking", False),
        BoundImport(Import("o"), "o", 7, "if", False),
        BoundImport(Import("fast"), "fast", 9, "try", False),
        BoundImport(Import("slow"), "slow", 11, "try", False),
    )


def test_join_a_sorted_list_on_one_line() -> None:
    check_add(
        "from vllm.a import Alpha, Gamma\n",
        "from vllm.a import Alpha, Beta, Gamma\n",
        Import("vllm.a", "Beta"),
    )


def test_join_an_unsorted_list_at_its_end() -> None:
    check_add(
        "from vllm.a import zeta, alpha, delta\n",
        "from vllm.a import zeta, alpha, delta, beta\n",
        Import("vllm.a", "beta"),
    )


def test_constants_classes_functions_sort_as_isort_does() -> None:
    check_add(
        "from vllm.a import MAX, Alpha, beta\n",
        "from vllm.a import MAX, MIN, Alpha, Gamma, alpha, beta\n",
        Import("vllm.a", "alpha"),
        Import("vllm.a", "Gamma"),
        Import("vllm.a", "MIN"),
    )


def test_join_a_list_of_lines_keeps_comments_and_style() -> None:
    check_add(
        """
        from vllm.a import (
            Alpha,  # first
            # about gamma
            Gamma,  # last
        )
        """,
        """
        from vllm.a import (
            Alpha,  # first
            # about gamma
            Beta,
            Gamma,  # last
            zeta as z,
        )
        """,
        Import("vllm.a", "Beta"),
        Import("vllm.a", "zeta", "z"),
    )


def test_join_a_list_of_lines_without_a_last_comma() -> None:
    check_add(
        "from a import (\n    b,\n    c  # c\n)\n",
        "from a import (\n    b,\n    c,  # c\n    d\n)\n",
        Import("a", "d"),
    )


def test_new_line_among_its_package() -> None:
    check_add(
        """
        import os

        from vllm.a import x
        from vllm.c import z
        from zoo import w
        """,
        """
        import os

        from vllm.a import x
        from vllm.b import y
        from vllm.c import z
        from zoo import w
        """,
        Import("vllm.b", "y"),
    )


def test_new_line_after_the_last_import() -> None:
    check_add("import os\n\nx = 1\n", "import os\nimport sys\n\nx = 1\n", Import("sys"))


def test_new_lines_of_one_module_are_one_statement() -> None:
    check_add(
        "import os\n",
        "import os\n\nfrom b import B, a\n",
        Import("b", "a"),
        Import("b", "B"),
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "import os\n"),
        ("x = 1\n", "import os\nx = 1\n"),
        ('"""Doc."""\n', '"""Doc."""\nimport os\n'),
        ("# licence\n\nx = 1\n", "# licence\nimport os\n\nx = 1\n"),
        ("#!/usr/bin/env python\n", "#!/usr/bin/env python\nimport os\n"),
        (
            '"""Doc."""\nfrom __future__ import annotations\n\nx = 1\n',
            '"""Doc."""\nfrom __future__ import annotations\nimport os\n\nx = 1\n',
        ),
    ],
)
def test_no_import_yet(before: str, after: str) -> None:
    check_add(before, after, Import("os"))


def test_no_final_newline() -> None:
    assert add_imports("import os", [Import("sys")]) == "import os\nimport sys"


def test_never_below_the_first_use() -> None:
    check_add(
        """
        import a
        X = b.c(a)
        import d
        from m import n
        """,
        """
        import a
        import b
        X = b.c(a)
        import d
        from m import n
        """,
        Import("b"),
    )
    check_add(
        "import a\n@deco\ndef f(): ...\nfrom m import n\n",
        "import a\nfrom m import deco\n@deco\ndef f(): ...\nfrom m import n\n",
        Import("m", "deco"),
    )


def test_present_imports_are_not_doubled() -> None:
    text = "import os\nfrom a import b as c, d\nimport x.y\n"
    same = [Import("os"), Import("a", "b", "c"), Import("a", "d"), Import("x.y")]
    assert add_imports(text, same) == text
    assert add_imports(text, [Import("a", "b")]) == text.replace("c, d", "c, b, d")


def test_an_import_for_type_checkers_only_is_not_enough() -> None:
    text = "import os\nif TYPE_CHECKING:\n    from a import b\n"
    assert add_imports(text, [Import("a", "b")]) == (
        "import os\n\nfrom a import b\nif TYPE_CHECKING:\n    from a import b\n"
    )


def test_relative_modules_and_star() -> None:
    check_add("from ..a import b\n", "from ..a import b, c\n", Import("..a", "c"))
    check_add("from a import *\n", "from a import *\nfrom a import c\n", Import("a", "c"))


def test_remove_one_name() -> None:
    check_remove("from a import b, c, d\n", "from a import b, d\n", Import("a", "c"))
    check_remove("from a import b, c\n", "from a import b\n", Import("a", "c"))
    check_remove("from a import b, c as d\n", "from a import b\n", Import("a", "c", "d"))
    check_remove("import a, b, c  # x\n", "import a, c  # x\n", Import("b"))
    check_remove("import a, b\n", "import b\n", Import("a"))


@pytest.mark.parametrize(("gone", "left"), [("a", "import b, c"), ("c", "import a, b")])
def test_remove_one_of_several_modules(gone: str, left: str) -> None:
    assert remove_imports("import a, b, c\n", [Import(gone)]) == f"{left}\n"


def test_remove_from_a_list_of_lines() -> None:
    check_remove(
        """
        from a import (
            # about b
            b,  # own comment of b
            c,  # own comment of c
            d,
        )
        """,
        """
        from a import (
            # about b
            c,  # own comment of c
        )
        """,
        Import("a", "b"),
        Import("a", "d"),
    )
    check_remove(
        "from a import (\n    b,\n    c\n)\n", "from a import (\n    b\n)\n", Import("a", "c")
    )


def test_remove_a_statement_with_its_comment() -> None:
    check_remove(
        "# about all\nimport os  # own\n# about x\nimport x\n",
        "# about all\n# about x\nimport x\n",
        Import("os"),
    )
    check_remove("import os\n", "", Import("os"))
    assert remove_imports("x = 1\nimport os", [Import("os")]) == "x = 1\n"


def test_remove_beside_other_statements() -> None:
    check_remove("import os; x = 1\n", "x = 1\n", Import("os"))
    check_remove("x = 1; import os\n", "x = 1; pass\n", Import("os"))


def test_remove_for_type_checkers_leaves_a_suite() -> None:
    check_remove(
        "if TYPE_CHECKING:\n    from a import b\n    from c import d\n",
        "if TYPE_CHECKING:\n    pass\n    from c import d\n",
        Import("a", "b"),
    )


def test_remove_leaves_conditional_imports_and_other_aliases() -> None:
    text = (
        "try:\n    import os\nexcept ImportError:\n    import os\n"
        "if x:\n    import os\nimport os as o\ndef f():\n    import os\n"
    )
    assert remove_imports(text, [Import("os"), Import("os", None, "p")]) == text


def test_text_that_does_not_parse() -> None:
    for call in (
        module_imports,
        lambda text: add_imports(text, []),
        lambda t: remove_imports(t, []),
    ):
        with pytest.raises(SourceError):
            call("import (")


_MODULES = ("a", "a.b", "vllm.x", "..rel", ".")
_NAMES = ("Alpha", "beta", "GAMMA", "delta")
values = st.one_of(
    st.builds(
        Import, st.sampled_from(_MODULES), st.sampled_from(_NAMES), st.sampled_from((None, "alias"))
    ),
    st.builds(Import, st.sampled_from(_MODULES[:3]), st.none(), st.sampled_from((None, "al"))),
)


@st.composite
def statements(draw: st.DrawFn) -> str:
    """One import statement in some layout, with comments."""
    found = draw(values)
    end = draw(st.sampled_from(("", "  # own", "; x = 1")))
    if found.name is None:
        return found.render() + end
    names = draw(st.lists(st.sampled_from(_NAMES), min_size=1, max_size=4, unique=True))
    layout = draw(st.sampled_from(("plain", "paren", "lines", "comments", "hanging", "slashes")))
    head = f"from {found.module} import "
    if layout == "plain":
        return head + ", ".join(names) + end
    if layout == "slashes":
        return head + ", \\\n  ".join(names) + end
    if layout == "paren":
        return f"{head}({', '.join(names)},)" + end
    if layout == "hanging":
        return head + "(" + ",\n      ".join(names) + ")" + end
    comment = "  # own" if layout == "comments" else ""
    lines = "".join(f"    # above\n    {name},{comment}\n" for name in names)
    return f"{head}(\n{lines})" + end


@st.composite
def modules(draw: st.DrawFn) -> str:
    """A module with imports here and there."""
    parts = draw(
        st.lists(
            st.one_of(
                statements(),
                st.sampled_from(("", "# comment", "y = 1", "def f():\n    import a\n")),
                statements().map(lambda s: "if TYPE_CHECKING:\n" + textwrap.indent(s, "    ")),
                statements().map(
                    lambda s: f"try:\n{textwrap.indent(s, '    ')}\nfinally:\n    z = 2"
                ),
            ),
            max_size=6,
        )
    )
    head = draw(st.sampled_from(("", '"""Doc."""\n', "from __future__ import annotations\n")))
    return head + "\n".join(parts) + draw(st.sampled_from(("", "\n")))


def bound(text: str, *blocks: str) -> set[Import]:
    return {found.value for found in module_imports(text) if found.block in blocks}


def other_code(text: str) -> list[str]:
    tree = ast.parse(text)
    return [
        ast.dump(node)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.FunctionDef, ast.Constant))
    ]


@given(modules(), st.lists(values, max_size=4))
def test_adding_binds_what_was_asked_and_nothing_else_changes(
    text: str, wanted: list[Import]
) -> None:
    result = add_imports(text, wanted)
    assert bound(result, "") == bound(text, "") | set(wanted)
    assert bound(result, "try", "type-checking") == bound(text, "try", "type-checking")
    assert other_code(result) == other_code(text)
    assert add_imports(result, wanted) == result
    assert text.count("#") == result.count("#")


@given(modules(), st.data())
def test_removing_unbinds_what_was_asked_and_nothing_else_changes(
    text: str, data: st.DataObject
) -> None:
    present = sorted(bound(text, "", "try", "type-checking"), key=str)
    gone = data.draw(st.lists(st.sampled_from(present), unique=True)) if present else []
    result = remove_imports(text, gone)
    assert bound(result, "") == bound(text, "") - set(gone)
    assert bound(result, "type-checking") == bound(text, "type-checking") - set(gone)
    assert bound(result, "try") == bound(text, "try")
    assert other_code(result) == other_code(text)
    assert remove_imports(result, gone) == result
    assert result.count("# comment") == text.count("# comment")
    if not gone:
        assert result == text


SECTIONS = (
    "import os\nimport time\n\nimport torch\nfrom vllm.config import A\n\nfrom mine.a import f\n"
)


@pytest.mark.parametrize(
    ("value", "before", "after"),
    [
        (Import("re"), SECTIONS, SECTIONS.replace("import time", "import re\nimport time")),
        (
            Import("torch.profiler", "record"),
            SECTIONS,
            SECTIONS.replace("import torch\n", "import torch\nfrom torch.profiler import record\n"),
        ),
        (
            Import("mine.b", "g"),
            SECTIONS,
            SECTIONS + "from mine.b import g\n",
        ),
        (Import(".near", "n"), SECTIONS, SECTIONS + "\nfrom .near import n\n"),
        (Import("re"), "import torch\n", "import re\n\nimport torch\n"),
        (Import("torch"), "import os\n", "import os\n\nimport torch\n"),
        (
            Import("vllm.config", "A"),
            "import os\n\nfrom mine.a import f\n",
            "import os\n\nfrom vllm.config import A\n\nfrom mine.a import f\n",
        ),
    ],
)
def test_a_new_line_goes_where_isort_has_it(value: Import, before: str, after: str) -> None:
    check_add(before, after, value)


def test_a_line_stays_within_the_length_of_the_files_lines() -> None:
    long = "from engine.worker.runner import a_first_rather_long_name, a_second_one"
    broken = (
        "from engine.worker.runner import (\n    a_first_rather_long_name,\n    a_second_one,\n"
        "    a_third_longer_name,\n)\n"
    )
    check_add(f"{long}\n", broken, Import("engine.worker.runner", "a_third_longer_name"))
    wide = f"{long}\nx = {'1' * 110}\n"
    check_add(
        wide,
        wide.replace("a_second_one", "a_second_one, a_third_longer_name"),
        Import("engine.worker.runner", "a_third_longer_name"),
    )
