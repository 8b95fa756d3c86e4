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


def test_exports_follow_and_are_reported() -> None:
    before = SYMBOL + '__all__ = ["CUDAGraphWrapper", "other"]\n__all__ += ["CUDAGraphWrapper"]\n'
    after = NEW + '__all__ = ["ACLGraphWrapper", "other"]\n__all__ += ["ACLGraphWrapper"]\n'
    check_rewrite(before, after, dedent=False)
    assert codes(before) == ["OP116", "OP116"]


def test_exports_of_an_alias_stay() -> None:
    before = SYMBOL.replace("Wrapper\n", "Wrapper as CUDAGraphWrapper\n")
    after = NEW.replace("Wrapper\n", "Wrapper as CUDAGraphWrapper\n")
    tail = '__all__ = ["CUDAGraphWrapper"]\n'
    check_rewrite(before + tail, after + tail, dedent=False)


def test_star_import_is_a_finding() -> None:
    text = "from vllm.forward_context import *\nset_forward_context(a, b, slot_mapping=1)\n"
    check_noop(text, dedent=False)
    assert codes(text) == ["OP106"]
    assert codes("from vllm.forward_context import *\nother()\n") == []


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


def test_type_comments_stay_and_are_reported() -> None:
    text = "import torch\nx = f()  # type: torch.cuda.Event\ny = g()  # type: ignore\n"
    check_noop(text, dedent=False)
    assert [(f.code, f.line, f.column) for f in translate(text).findings] == [("OP117", 2, 17)]


def test_base_classes_only() -> None:
    before = """
        from vllm.v1.worker.gpu_model_runner import GPUModelRunner

        class Runner(GPUModelRunner):
            def f(self, other: GPUModelRunner):
                return GPUModelRunner.f(self)
        """
    after = """
        from vllm.v1.worker.gpu_model_runner import GPUModelRunner
        from vllm_ascend.worker.model_runner_v1 import NPUModelRunner

        class Runner(NPUModelRunner):
            def f(self, other: GPUModelRunner):
                return GPUModelRunner.f(self)
        """
    check_rewrite(before, after)
    check_noop(
        """
        from vllm.v1.worker.gpu_model_runner import GPUModelRunner
        def f(x: GPUModelRunner): ...
        """
    )


def test_base_class_alias() -> None:
    check_rewrite(
        """
        from vllm.v1.worker.gpu_worker import Worker as GPUWorker

        class Base(GPUWorker):
            pass
        """,
        """
        from vllm_ascend.worker.worker import NPUWorker as GPUWorker

        class Base(GPUWorker):
            pass
        """,
    )


def test_shared_class_name_stays() -> None:
    check_rewrite(
        """
        from vllm.v1.worker.gpu_model_runner import AsyncGPUModelRunnerOutput, GPUModelRunner

        class R(GPUModelRunner):
            def out(self):
                return AsyncGPUModelRunnerOutput()
        """,
        """
        from vllm.v1.worker.gpu_model_runner import AsyncGPUModelRunnerOutput
        from vllm_ascend.worker.model_runner_v1 import NPUModelRunner

        class R(NPUModelRunner):
            def out(self):
                return AsyncGPUModelRunnerOutput()
        """,
    )


def test_import_through_a_re_export() -> None:
    check_rewrite(
        """
        from vllm.v1.worker.gpu_model_runner import EMPTY_MODEL_RUNNER_OUTPUT, PerLayerAttnMetadata

        x = EMPTY_MODEL_RUNNER_OUTPUT
        """,
        """
        from vllm.v1.worker.gpu_model_runner import PerLayerAttnMetadata
        from vllm.v1.outputs import EMPTY_MODEL_RUNNER_OUTPUT

        x = EMPTY_MODEL_RUNNER_OUTPUT
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


@pytest.mark.skipif(sys.version_info < (3, 12), reason="needs PEP 695 and PEP 701")
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


def test_callee_that_is_handed_on() -> None:
    head = "from vllm.forward_context import set_forward_context\n"
    used = head + "enter = set_forward_context\nenter(a, b, slot_mapping=s)\n"
    assert codes(used) == ["OP123"]
    assert codes(head + "enter = set_forward_context\n") == []


def test_partial_is_a_call() -> None:
    check_rewrite(
        """
        from functools import partial
        from vllm.forward_context import set_forward_context

        enter = partial(set_forward_context, cudagraph_runtime_mode=m, slot_mapping=s)
        """,
        """
        from functools import partial
        from vllm_ascend.ascend_forward_context import set_ascend_forward_context

        enter = partial(set_ascend_forward_context, aclgraph_runtime_mode=m)
        """,
    )


def test_names_that_a_new_binding_would_capture() -> None:
    text = (
        "ACLGraphWrapper = 1\ndef f():\n"
        "    from vllm.compilation.cuda_graph import CUDAGraphWrapper\n"
        "    return CUDAGraphWrapper, ACLGraphWrapper\n"
    )
    check_noop(text, dedent=False)
    assert codes(text) == ["OP108"]


def test_one_name_is_not_bound_to_two_things() -> None:
    text = (
        "from vllm.v1.worker.gpu_model_runner import GPUModelRunner as A\n"
        "from vllm.v1.worker.gpu.model_runner import GPUModelRunner as B\n"
        "import vllm.v1.worker.gpu_model_runner as one\n"
        "import vllm.v1.worker.gpu.model_runner as two\n"
        "class X(one.GPUModelRunner): ...\nclass Y(two.GPUModelRunner): ...\n"
    )
    result = translate(text)
    assert "from vllm_ascend.worker.model_runner_v1 import NPUModelRunner" in result.text
    assert "from vllm_ascend.worker.v2.model_runner import NPUModelRunner" not in result.text
    assert [f.code for f in result.findings] == ["OP108"]
