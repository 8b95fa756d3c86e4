"""What a name means: scopes, shadows, rebinding, conditional and repeated imports."""

from __future__ import annotations

import sys

import pytest

from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate

SYMBOL = "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n"
NEW = "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper\n"


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


@pytest.mark.parametrize(
    "shadow",
    [
        "def f(CUDAGraphWrapper):\n    return CUDAGraphWrapper\n",
        "def f(*CUDAGraphWrapper):\n    return CUDAGraphWrapper\n",
        "def f(**CUDAGraphWrapper):\n    return CUDAGraphWrapper\n",
        "def f(*, CUDAGraphWrapper=1):\n    return CUDAGraphWrapper\n",
        "f = lambda CUDAGraphWrapper: CUDAGraphWrapper\n",
        "def f():\n    CUDAGraphWrapper = 1\n    return CUDAGraphWrapper\n",
        "def f():\n    for CUDAGraphWrapper in x:\n        CUDAGraphWrapper()\n",
        "def f():\n    with x as CUDAGraphWrapper:\n        CUDAGraphWrapper()\n",
        "def f():\n    try:\n        g()\n    except E as CUDAGraphWrapper:\n        CUDAGraphWrapper()\n",  # noqa: E501
        "def f():\n    if (CUDAGraphWrapper := g()):\n        CUDAGraphWrapper()\n",
        "def f():\n    match x:\n        case CUDAGraphWrapper:\n            CUDAGraphWrapper()\n",
        "def f():\n    match x:\n        case [*CUDAGraphWrapper]:\n            CUDAGraphWrapper()\n",  # noqa: E501
        "def f():\n    match x:\n        case {**CUDAGraphWrapper}:\n            CUDAGraphWrapper()\n",  # noqa: E501
        "def f():\n    match x:\n        case A() as CUDAGraphWrapper:\n            CUDAGraphWrapper()\n",  # noqa: E501
        "x = [CUDAGraphWrapper for CUDAGraphWrapper in y]\n",
        "x = {CUDAGraphWrapper: 1 for CUDAGraphWrapper in y}\n",
        "x = (CUDAGraphWrapper() for a, CUDAGraphWrapper in y if CUDAGraphWrapper)\n",
        "def f():\n    def CUDAGraphWrapper(): ...\n    return CUDAGraphWrapper\n",
        "def f():\n    class CUDAGraphWrapper: ...\n    return CUDAGraphWrapper\n",
        "def f():\n    from mine import CUDAGraphWrapper\n    return CUDAGraphWrapper\n",
        "def f():\n    import CUDAGraphWrapper\n    return CUDAGraphWrapper\n",
        "def f():\n    CUDAGraphWrapper: int\n    return CUDAGraphWrapper\n",
        "def f():\n    CUDAGraphWrapper += 1\n    return CUDAGraphWrapper\n",
        "def f():\n    def g():\n        return CUDAGraphWrapper\n    CUDAGraphWrapper = 1\n",
        "class A:\n    CUDAGraphWrapper = 1\n    x = CUDAGraphWrapper\n",
    ],
)
def test_a_local_of_that_name_stays(shadow: str) -> None:
    check_rewrite(SYMBOL + shadow, NEW + shadow, dedent=False)


@pytest.mark.parametrize(
    "use",
    [
        "def f():\n    return {}\n",
        "def f():\n    def g():\n        return {}()\n    return g\n",
        "class A:\n    CUDAGraphWrapper = None\n    def f(self):\n        return {}\n",
        "class A({}):\n    x: {} = {}()\n",
        "def f(x: {}, *a: {}, **k: {}) -> {}: ...\n",
        "def f(x={}): ...\n",
        "@{}\ndef f(): ...\n",
        "x = [{} for i in y if {}]\n",
        "x = [i for i in {}]\n",
        "x = lambda a={}: {}\n",
        "def f():\n    global CUDAGraphWrapper_\n    return {}\n",
        "if (x := {}):\n    pass\n",
        "match x:\n    case {}():\n        pass\n",
        "match {}:\n    case A(b={}()):\n        pass\n",
        "async def f():\n    async with {}() as x:\n        await {}\n",
        "try:\n    pass\nexcept {}:\n    raise {}\n",
        "x = a[{}:{}]\n",
        "x = isinstance(a, ({}, int))\n",
        "del {}\n",
        "x = {}.attribute.other\n",
        "assert {}, {}\n",
        "while {}:\n    break\nelse:\n    {}\n",
        "x: dict[str, {}] = {{}}\n",
        "x = f'{{{}}}'\n",
        "x = f'{{{}.name!r:>{{width}}}}'\n",
    ],
)
def test_every_use_follows(use: str) -> None:
    before = SYMBOL + use.format(*["CUDAGraphWrapper"] * 9)
    after = NEW + use.format(*["ACLGraphWrapper"] * 9)
    after = after.replace("ACLGraphWrapper = None", "CUDAGraphWrapper = None")
    check_rewrite(before, after, dedent=False)


@pytest.mark.parametrize(
    "text",
    [
        SYMBOL + "CUDAGraphWrapper = trace(CUDAGraphWrapper)\n",
        SYMBOL + "def CUDAGraphWrapper(): ...\n",
        SYMBOL + "class CUDAGraphWrapper(CUDAGraphWrapper): ...\n",
        SYMBOL
        + "def f():\n    global CUDAGraphWrapper\n    CUDAGraphWrapper = 1\nCUDAGraphWrapper\n",
        "try:\n    "
        + SYMBOL
        + "except ImportError:\n    CUDAGraphWrapper = object\nCUDAGraphWrapper()\n",
        "try:\n    " + SYMBOL + "except ImportError:\n    from b import CUDAGraphWrapper\n"
        "CUDAGraphWrapper()\n",
        "if TYPE_CHECKING:\n    "
        + SYMBOL
        + "else:\n    CUDAGraphWrapper = Any\nx: CUDAGraphWrapper\n",
    ],
)
def test_more_than_one_meaning_is_a_finding(text: str) -> None:
    check_noop(text, dedent=False)
    assert codes(text) == ["OP107"]


def test_placeholder_after_a_failed_import_follows() -> None:
    check_rewrite(
        """
        try:
            from vllm.compilation.cuda_graph import CUDAGraphWrapper
        except ImportError:
            CUDAGraphWrapper = None

        ok = CUDAGraphWrapper is not None
        """,
        """
        try:
            from vllm_ascend.compilation.acl_graph import ACLGraphWrapper
        except ImportError:
            ACLGraphWrapper = None

        ok = ACLGraphWrapper is not None
        """,
    )


def test_type_checking_and_local_imports_are_their_own_bindings() -> None:
    check_rewrite(
        """
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from vllm.compilation.cuda_graph import CUDAGraphWrapper

        def f(x: "CUDAGraphWrapper") -> "list[CUDAGraphWrapper]":
            from vllm.compilation.cuda_graph import CUDAGraphWrapper

            return CUDAGraphWrapper(x)
        """,
        """
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from vllm_ascend.compilation.acl_graph import ACLGraphWrapper

        def f(x: "ACLGraphWrapper") -> "list[ACLGraphWrapper]":
            from vllm_ascend.compilation.acl_graph import ACLGraphWrapper

            return ACLGraphWrapper(x)
        """,
    )


def test_global_import_in_a_function() -> None:
    check_rewrite(
        """
        def load():
            global CUDAGraphWrapper
            from vllm.compilation.cuda_graph import CUDAGraphWrapper

        def use():
            return CUDAGraphWrapper
        """,
        """
        def load():
            global ACLGraphWrapper
            from vllm_ascend.compilation.acl_graph import ACLGraphWrapper

        def use():
            return ACLGraphWrapper
        """,
    )


def test_nonlocal_import() -> None:
    check_rewrite(
        """
        def outer():
            CUDAGraphWrapper = None

            def load():
                nonlocal CUDAGraphWrapper
                from vllm.compilation.cuda_graph import CUDAGraphWrapper

            load()
            return CUDAGraphWrapper
        """,
        """
        def outer():
            ACLGraphWrapper = None

            def load():
                nonlocal ACLGraphWrapper
                from vllm_ascend.compilation.acl_graph import ACLGraphWrapper

            load()
            return ACLGraphWrapper
        """,
    )


def test_name_imported_twice() -> None:
    check_rewrite(
        SYMBOL * 2 + "CUDAGraphWrapper()\n", NEW * 2 + "ACLGraphWrapper()\n", dedent=False
    )


def test_import_in_a_class_keeps_the_attribute() -> None:
    check_rewrite(
        """
        class A:
            from vllm.compilation.cuda_graph import CUDAGraphWrapper

            def f(self):
                return self.CUDAGraphWrapper
        """,
        """
        class A:
            from vllm_ascend.compilation.acl_graph import ACLGraphWrapper as CUDAGraphWrapper

            def f(self):
                return self.CUDAGraphWrapper
        """,
    )


def test_alias_beside_a_class_of_the_old_name() -> None:
    check_rewrite(
        """
        import sys
        from vllm.compilation.cuda_graph import CUDAGraphWrapper as _Original

        class CUDAGraphWrapper(_Original):
            pass

        for _module in sys.modules.values():
            if hasattr(_module, "CUDAGraphWrapper"):
                _module.CUDAGraphWrapper = CUDAGraphWrapper
        """,
        """
        import sys
        from vllm_ascend.compilation.acl_graph import ACLGraphWrapper as _Original

        class CUDAGraphWrapper(_Original):
            pass

        for _module in sys.modules.values():
            if hasattr(_module, "CUDAGraphWrapper"):
                _module.CUDAGraphWrapper = CUDAGraphWrapper
        """,
    )


def test_quoted_annotations_are_code() -> None:
    check_rewrite(
        """
        import torch
        from typing import Annotated, Literal, cast

        event: "torch.cuda.Event"
        kind: Literal["torch.cuda.Event", "cuda"]
        note: Annotated["torch.cuda.Event", "torch.cuda.Event"]

        def f(x: "list[torch.cuda.CUDAGraph]") -> 'torch.cuda.Stream | None':
            return cast("torch.cuda.Event", x)
        """,
        """
        import torch
        from typing import Annotated, Literal, cast

        event: "torch.npu.Event"
        kind: Literal["torch.cuda.Event", "cuda"]
        note: Annotated["torch.npu.Event", "torch.cuda.Event"]

        def f(x: "list[torch.npu.NPUGraph]") -> 'torch.npu.Stream | None':
            return cast("torch.npu.Event", x)
        """,
    )


def test_f_strings() -> None:
    check_rewrite(
        'import torch\nx = f"{torch.cuda.Event} {torch.cuda.CUDAGraph!r} {{torch.cuda}}"\n',
        'import torch\nx = f"{torch.npu.Event} {torch.npu.NPUGraph!r} {{torch.cuda}}"\n',
        dedent=False,
    )
    check_rewrite(
        'import torch\nx = (f"é {torch.cuda.Event}"\n     f"{torch.cuda.Event:>{torch.cuda.init()}}")\n',  # noqa: E501
        'import torch\nx = (f"é {torch.npu.Event}"\n     f"{torch.npu.Event:>{torch.npu.init()}}")\n',  # noqa: E501
        dedent=False,
    )


def test_f_string_with_the_same_text_outside_code() -> None:
    text = 'import torch\nx = f"torch.cuda.Event is {torch.cuda.Event}"\n'
    assert translate(text).text == text.replace("{torch.cuda", "{torch.npu")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="positions in f-strings are exact")
def test_f_string_in_doubt_is_a_finding() -> None:
    text = "import torch\nx = f\"{torch.cuda.Event} {'torch.cuda.Event'}\"\n"
    check_noop(text, dedent=False)
    assert "OP118" in codes(text)


def test_new_syntax() -> None:
    check_rewrite(
        "import torch\ntype E = torch.cuda.Event\ndef f[T: torch.cuda.Event](x: T) -> T: ...\n"
        "x = f\"{torch.cuda.Event} {'torch.cuda.Event'}\"\n",
        "import torch\ntype E = torch.npu.Event\ndef f[T: torch.npu.Event](x: T) -> T: ...\n"
        "x = f\"{torch.npu.Event} {'torch.cuda.Event'}\"\n",
        dedent=False,
    )


def test_import_with_a_fallback_for_the_gpu_is_left() -> None:
    text = (
        "try:\n    from vllm_ascend.compilation.acl_graph import ACLGraphWrapper as W\n"
        "except ImportError:\n    from vllm.compilation.cuda_graph import CUDAGraphWrapper as W\n"
        "W()\n"
    )
    check_noop(text, dedent=False)
    assert codes(text) == []
    assert [k.code for k in translate(text).kept] == ["OP133"]


def test_names_that_a_new_binding_would_capture() -> None:
    text = (
        "ACLGraphWrapper = 1\ndef f():\n"
        "    from vllm.compilation.cuda_graph import CUDAGraphWrapper\n"
        "    return CUDAGraphWrapper, ACLGraphWrapper\n"
    )
    check_noop(text, dedent=False)
    assert codes(text) == ["OP108"]


def test_quotes_in_quotes() -> None:
    check_rewrite(
        """
        import torch
        x: 'dict[str, "torch.cuda.Event"]'
        y: "dict['torch.cuda.Event', torch.cuda.Stream]"
        """,
        """
        import torch
        x: 'dict[str, "torch.npu.Event"]'
        y: "dict['torch.npu.Event', torch.npu.Stream]"
        """,
    )


def test_global_import_of_a_module_is_left_with_its_uses() -> None:
    text = (
        "def load():\n    global fc\n    import vllm.forward_context as fc\n"
        "def use():\n    return fc.set_forward_context\n"
    )
    check_noop(text, dedent=False)
    assert codes(text) == ["OP107"]


def test_global_import_of_a_namespace_goes_as_a_whole() -> None:
    check_rewrite(
        """
        def load():
            global tc
            import torch.cuda as tc

        def use():
            return tc.CUDAGraph()
        """,
        """
        def load():
            global tc
            import torch.npu as tc

        def use():
            return tc.NPUGraph()
        """,
    )


def test_class_that_rebinds_a_name_from_outside() -> None:
    text = (
        "import torch.cuda as cuda\nclass A:\n    x = cuda.CUDAGraph\n"
        "    import torch.cuda as cuda\n"
    )
    check_noop(text, dedent=False)
    assert codes(text) == ["OP107"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A: TypeAlias = 'CUDAGraphWrapper'", "A: TypeAlias = 'ACLGraphWrapper'"),
        ("A: t.TypeAlias = 'list[CUDAGraphWrapper]'", "A: t.TypeAlias = 'list[ACLGraphWrapper]'"),
        ("T = TypeVar('T', bound='CUDAGraphWrapper')", "T = TypeVar('T', bound='ACLGraphWrapper')"),
        ("T = TypeVar('T', int, 'CUDAGraphWrapper')", "T = TypeVar('T', int, 'ACLGraphWrapper')"),
        ("N = NewType('N', 'CUDAGraphWrapper')", "N = NewType('N', 'ACLGraphWrapper')"),
    ],
)
def test_strings_that_spell_types(before: str, after: str) -> None:
    old = "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n"
    new = "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper\n"
    check_rewrite(f"{old}{before}\n", f"{new}{after}\n", dedent=False)


@pytest.mark.parametrize(
    "line",
    [
        "A: str = 'CUDAGraphWrapper'",
        "T = TypeVar('CUDAGraphWrapper')",
        "f(bound='CUDAGraphWrapper')",
    ],
)
def test_strings_that_do_not(line: str) -> None:
    old = "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n"
    new = "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper\n"
    check_rewrite(f"{old}{line}\n", f"{new}{line}\n", dedent=False)
