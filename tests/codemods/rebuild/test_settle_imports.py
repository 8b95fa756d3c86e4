"""The names of a rebuilt function: bound, imported, dropped, or reported."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.codes import CODES
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.names.function_names import function_names
from omni_codemods.rebase.method import rebase_method
from omni_codemods.rebuild.settle_imports import Needs, Rebuilt, settle_imports


def function(body: str) -> str:
    """A function whose body is the one line, or the lines, *body*."""
    return f"def run(self):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"


def settle(
    head: str,
    new: str,
    target_head: str = "",
    *,
    old: str = "pass",
    upstream: str | None = None,
    base: str | None = None,
    module: str | None = "up.runner",
    tail: str = "",
) -> Needs:
    """Settle the file *head* + the function *new* + *tail*; the upstream has the same function."""
    text = head + function(new) + tail
    theirs = function(new if upstream is None else upstream)
    rebuilt = Rebuilt(
        function(old),
        (function(new),) * 2,
        head.count("\n") + 1,
        function(old if base is None else base),
        theirs,
    )
    return settle_imports(text, rebuilt, target_head + theirs, module)


def head_of(needs: Needs) -> str:
    return needs.text.partition("def run")[0]


def codes(needs: Needs) -> list[str]:
    return [f.code for f in needs.findings]


# -- added ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target_head", "use", "expected"),
    [
        ("import torch\n", "torch.f()", "import torch\n"),
        ("import torch as t\n", "t.f()", "import torch as t\n"),
        ("from m import a\n", "a()", "from m import a\n"),
        ("from m import a as b\n", "b()", "from m import a as b\n"),
        ("from .m import a\n", "a()", "from up.m import a\n"),
        ("from . import m\n", "m()", "from up import m\n"),
        ("LIMIT = 1\n", "LIMIT", "from up.runner import LIMIT\n"),
        ("def helper(): ...\n", "helper()", "from up.runner import helper\n"),
        ("class K: ...\n", "K()", "from up.runner import K\n"),
    ],
)
def test_a_missing_name_comes_from_the_target(target_head: str, use: str, expected: str) -> None:
    needs = settle("", use, target_head)
    assert [i.render() for i in needs.added] == [expected.strip()]
    assert expected in head_of(needs)
    assert needs.findings == ()


@pytest.mark.parametrize(
    ("head", "use", "target_head"),
    [
        ("import torch\n", "torch.f()", "import torch\n"),
        ("from other import a\n", "a()", "from m import a\n"),
        ("def a(): ...\n", "a()", "from m import a\n"),
        ("try:\n    import a\nexcept E:\n    a = None\n", "a()", "from m import a\n"),
        ("a: int = 1\n", "a", "from m import a\n"),
        ("", "a = 1\nreturn a", "from m import a\n"),
        ("", "import a\nreturn a", "from m import a\n"),
        ("", "return len(self)", "from m import len\n"),
        ("", "return self.a", "from m import a\n"),
        ("", "return 'a'", "from m import a\n"),
        ("", "f = lambda a: a", "from m import a\n"),
    ],
)
def test_what_is_bound_needs_nothing(head: str, use: str, target_head: str) -> None:
    needs = settle(head, use, target_head)
    assert needs == Needs(head + function(use))


def test_a_name_in_a_quoted_annotation_is_needed() -> None:
    needs = settle("", "x: 'A' = f()", "from m import A, f\n")
    assert [i.render() for i in needs.added] == ["from m import A", "from m import f"]


@pytest.mark.parametrize(
    ("use", "needed"),
    [
        ("x: 'A' = f()", True),
        ("self.x: list['A'] = f()", True),
        ("x: list[\n    'A'\n] = f()", True),
        ("def g(a: 'A'): return f(a)", True),
        ("def g() -> 'A': return f()", True),
        ("f({'k': 'A', f: 'A'})", False),
        ("f(\n    {\n        f: 'A',\n    }\n)", False),
        ("try:\n    f('A', 'A')\nfinally: f(['A', 'A'])", False),
        ("x = f[1:'A']", False),
    ],
)
def test_strings_are_names_in_annotations_alone(use: str, needed: bool) -> None:
    needs = settle("", use, "from m import A, f\n")
    assert ("from m import A" in [i.render() for i in needs.added]) is needed


@pytest.mark.parametrize("annotated", ["batch: 'A'", "batch: list['A'] | None = None"])
def test_a_quoted_name_in_the_header_is_needed(annotated: str) -> None:
    found = function_names(f"    def run(self, {annotated}):\n        g('B', 'C')\n")
    assert found.free == {"A", "g"}


GUARDED = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from t import T\n"
LATER = "from __future__ import annotations\n"


@pytest.mark.parametrize(
    ("head", "use", "expected"),
    [
        ("import os\n", "x: T = f()", "\nif TYPE_CHECKING:\n    from t import T\n"),
        ("import os\n", "x: 'T' = f()", "\nif TYPE_CHECKING:\n    from t import T\n"),
        ("", "x: T = f()", "\nif TYPE_CHECKING:\n    from t import T\n"),
        (GUARDED.replace("T\n", "S\n"), "x: T = f()", "    from t import S\n    from t import T\n"),
        (LATER, "def g(a: T) -> T: ...", "\nif TYPE_CHECKING:\n    from t import T\n"),
        ("", "def g(a: 'T'): ...", "\nif TYPE_CHECKING:\n    from t import T\n"),
    ],
)
def test_what_only_type_checkers_import_upstream(head: str, use: str, expected: str) -> None:
    needs = settle(head, use, GUARDED + "f = 1\n")
    assert expected in head_of(needs)
    added = [i.render() for i in needs.added]
    assert "from t import T" in added
    assert ("from typing import TYPE_CHECKING" in added) is ("TYPE_CHECKING" not in head)
    assert head_of(needs).count("import TYPE_CHECKING") == 1
    assert needs.findings == ()


@pytest.mark.parametrize(
    ("head", "use"),
    [
        ("", "def g(a: T): ..."),  # evaluated where the def is
        ("", "return T()"),
        (LATER, "x: T = T()"),
        (LATER, "return isinstance(self, T)"),
    ],
)
def test_what_the_code_itself_reads_is_imported_plainly(head: str, use: str) -> None:
    needs = settle(head, use, GUARDED)
    assert "\nfrom t import T\n" in f"\n{head_of(needs)}"
    assert "TYPE_CHECKING" not in needs.text


def test_a_guard_that_is_there_under_another_name_is_not_imported() -> None:
    head = "import typing\nif typing.TYPE_CHECKING:\n    import a\n"
    needs = settle(head, "x: T = f()", GUARDED + "f = 1\n")
    assert [i.render() for i in needs.added] == ["from up.runner import f", "from t import T"]


def test_what_only_type_checkers_import_goes_above_the_hunks_too() -> None:
    hunk = "<<<<<<< local\n    a()\n||||||| base\n=======\n    x: T = 1\n>>>>>>> target\n"
    text = f"import os\n\n\ndef run(self):\n{hunk}"
    sides = (function("a()"), function("x: T = 1"))
    rebuilt = Rebuilt(function("a()"), sides, 4, function("pass"), sides[1])
    needs = settle_imports(text, rebuilt, GUARDED + sides[1], "up.runner")
    assert needs.text.startswith("import os\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:")
    assert needs.text.endswith(f"\n\n\ndef run(self):\n{hunk}")


def test_what_the_upstream_imports_plainly_stays_plain() -> None:
    needs = settle(LATER, "x: T = f", "from t import T, f\n")
    assert "TYPE_CHECKING" not in needs.text


def test_conditional_imports_are_not_repeated() -> None:
    needs = settle("", "a()", "try:\n    from m import a\nexcept E:\n    a = None\n")
    assert needs.added == () or needs.added[0].module == "up.runner"


def test_two_names_of_one_module_share_a_statement() -> None:
    needs = settle("from m import a\n", "a(), b(), c()", "from m import a, b, c\n")
    assert head_of(needs) == "from m import a, b, c\n"


# -- reported -------------------------------------------------------------------------------


def test_a_relative_import_without_the_module_is_a_finding() -> None:
    needs = settle("", "\na()", "from .m import a\n", module=None)
    assert needs.added == ()
    (finding,) = needs.findings
    assert (finding.code, finding.line, finding.column) == ("OP401", 3, 4)
    assert finding.severity is Severity.ERROR
    assert "the upstream module defines it" in finding.message


def test_a_definition_without_the_module_is_a_finding() -> None:
    assert codes(settle("", "LIMIT", "LIMIT = 1\n", module=None)) == ["OP401"]


def test_a_name_of_local_s_own_code_that_nothing_binds() -> None:
    needs = settle("", "mine()", upstream="pass")
    assert codes(needs) == ["OP401"]
    assert "nothing here binds it" in needs.findings[0].message


def test_a_name_that_was_unbound_before_is_no_news() -> None:
    assert codes(settle("", "mine()", old="mine()", upstream="pass")) == []


def test_a_name_that_the_upstream_leaves_unbound_is_no_news() -> None:
    assert codes(settle("", "theirs()")) == []


def test_a_star_import_here_may_bind_anything() -> None:
    assert codes(settle("from m import *\n", "mine()", upstream="pass")) == []


def test_a_star_import_there_is_not_silent() -> None:
    needs = settle("", "theirs()", "from m import *\n")
    assert needs.added or codes(needs) == ["OP401"]


def test_a_variable_that_the_upstream_renamed() -> None:
    needs = settle(
        "",
        "states = self.model(a)\nself.feed(hidden)",
        old="hidden = self.model(a)\nself.feed(hidden)",
        base="hidden = self.model(a)",
        upstream="states = self.model(a)",
    )
    (finding,) = needs.findings
    assert (finding.code, finding.line, finding.column) == ("OP402", 3, 14)
    assert "reads hidden" in finding.message
    assert "write states" in finding.hint


def test_a_variable_that_the_upstream_removed() -> None:
    needs = settle("", "feed(x)", "feed = 1\n", old="x = 1\nfeed(x)", base="x = 1", upstream="pass")
    (finding,) = needs.findings
    assert finding.code == "OP402"
    assert "write" not in finding.hint


def test_a_variable_that_is_bound_elsewhere_is_fine() -> None:
    needs = settle("", "x = 2\nreturn x", old="x = 1\nreturn x", base="x = 1", upstream="x = 2")
    assert needs.findings == ()


# -- removed --------------------------------------------------------------------------------


def removed(head: str, new: str, old: str, tail: str = "") -> str:
    needs = settle(head, new, head, old=old, upstream=new, tail=tail)
    assert needs.findings == ()
    return head_of(needs)


def test_an_import_goes_with_its_last_use() -> None:
    assert removed("import a\nimport b\n", "b()", "a(), b()") == "import b\n"
    assert removed("from m import a, b\n", "b()", "a(), b()") == "from m import b\n"


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("import a\n", "def other(): a()\n"),
        ("import a\n", "x: a\n"),
        ("import a\n", "def other(x: 'a.B'): ...\n"),
        ("import a\n", "__all__ = ['a']\n"),
        ("import a\n", "y = 'a'\n"),
        ("import a\n", "@a\nclass K: ...\n"),
        ("import a  # noqa: F401\n", ""),
        ("if X:\n    import a\n", ""),
        ("try:\n    import a\nexcept E:\n    pass\n", ""),
        ("a = 1\n", ""),
    ],
)
def test_an_import_that_is_used_or_kept_stays(head: str, tail: str) -> None:
    assert removed(head, "pass", "a()", tail) == head


def test_an_import_that_the_function_never_used_stays() -> None:
    assert removed("import unused\n", "pass", "a()") == "import unused\n"


# -- conflicts ------------------------------------------------------------------------------


HUNK = "<<<<<<< local\n    {}\n||||||| base\n    c()\n=======\n    {}\n>>>>>>> target\n"


def hunked(head: str, local: str, target: str, target_head: str, old: str = "pass") -> Needs:
    text = f"{head}def run(self):\n{HUNK.format(local, target)}"
    sides = (function(local), function(target))
    rebuilt = Rebuilt(function(old), sides, head.count("\n") + 1, function(old), function(target))
    return settle_imports(text, rebuilt, target_head + function(target), "up.runner")


def test_with_a_conflict_both_sides_are_bound() -> None:
    needs = hunked("import z\n", "a()", "b()", "from m import a, b\n")
    assert [i.render() for i in needs.added] == ["from m import a", "from m import b"]
    assert needs.text == (
        "import z\nfrom m import a, b\ndef run(self):\n" + HUNK.format("a()", "b()")
    )


def test_with_a_conflict_what_no_side_reads_is_removed() -> None:
    needs = hunked("import a\nimport b\n", "b()", "c()", "c = 1\nb = 1\n", old="a()")
    assert [one.render() for one in needs.removed] == ["import a"]
    assert head_of(needs).startswith("import b\n")


def test_what_does_not_parse_is_left_alone() -> None:
    rebuilt = Rebuilt("", ("", ""), 1, "", "")
    assert settle_imports("def f(:\n", rebuilt, "x = 1\n", None) == Needs("def f(:\n")


# -- the codes ------------------------------------------------------------------------------


BASE = """class R:
    def run(self, batch):
        hidden = self.model(batch)
        return hidden
"""


def rebased(local: str, target: str) -> tuple[Finding, ...]:
    return rebase_method(local=local, base=BASE, target=target, method="run").findings


def test_the_two_codes_are_in_the_registry_and_come_out_of_a_rebase() -> None:
    fence = "        # ---- Omni-new ----\n"
    block = f"{fence}        self.talker.feed(hidden, fresh)\n{fence}"
    local = BASE.replace("        return", f"{block}        return")
    target = BASE.replace("hidden", "states")
    found = rebased(local, target)
    assert {f.code for f in found} == {"OP402"}
    assert {f.code for f in found} <= set(CODES)
    (finding,) = (f for f in found if "hidden" in f.message)
    assert (finding.line, finding.column) == (5, 25)
    assert rebased(local, BASE) == ()
