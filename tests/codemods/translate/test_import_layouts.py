"""Imports in any layout: the right names leave, no comment is lost, nothing else moves."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omni_codemods.names.imports import Import, module_imports
from omni_codemods.testing import check_rewrite
from omni_codemods.translate import translate

GPU = {
    "vllm.compilation.cuda_graph": ("CUDAGraphStat", "CUDAGraphWrapper", "CUDAGraphOptions"),
    "torch.cuda": ("Event", "CUDAGraph", "OutOfMemoryError", "Stream"),
    "vllm.distributed.parallel_state": ("get_pp_group", "graph_capture", "get_tp_group"),
    "vllm.forward_context": ("set_forward_context", "get_forward_context"),
}
NPU = {
    ("vllm.compilation.cuda_graph", "CUDAGraphWrapper"): (
        "vllm_ascend.compilation.acl_graph",
        "ACLGraphWrapper",
    ),
    ("torch.cuda", "Event"): ("torch.npu", "Event"),
    ("torch.cuda", "Stream"): ("torch.npu", "Stream"),
    ("torch.cuda", "CUDAGraph"): ("torch.npu", "NPUGraph"),
    ("vllm.distributed.parallel_state", "graph_capture"): (
        "vllm_ascend.worker.model_runner_v1",
        "graph_capture",
    ),
    ("vllm.forward_context", "set_forward_context"): (
        "vllm_ascend.ascend_forward_context",
        "set_ascend_forward_context",
    ),
}
EXISTING = (
    "from vllm_ascend.worker.model_runner_v1 import NPUModelRunner",
    "from vllm_ascend.worker.model_runner_v1 import (\n    NPUModelRunner,  # base\n)",
    "from torch.npu import Event",
    "import os",
)


@st.composite
def statements(draw: st.DrawFn) -> str:
    module = draw(st.sampled_from(sorted(GPU)))
    names = draw(st.lists(st.sampled_from(GPU[module]), min_size=1, unique=True))
    aliased = [f"{n} as {n.lower()}_" if draw(st.integers(0, 4)) == 0 else n for n in names]
    layout = draw(st.sampled_from(("plain", "paren", "lines", "comments", "hanging", "slashes")))
    end = draw(st.sampled_from(("", "  # end", ";  # end", "; x = 1")))
    head = f"from {module} import "
    if layout == "plain":
        return head + ", ".join(aliased) + end
    if layout == "slashes":
        return head + ", \\\n  ".join(aliased) + end
    if layout == "paren":
        return f"{head}({', '.join(aliased)},)" + end
    if layout == "hanging":
        return head + "(" + ",\n      ".join(aliased) + ")" + end
    comment = "  # own" if layout == "comments" else ""
    lines = "".join(f"    # above\n    {name},{comment}\n" for name in aliased)
    return f"{head}(  # head\n{lines})" + end


programs = st.lists(
    st.one_of(
        statements(),
        st.sampled_from(EXISTING),
        statements().map(lambda s: "if x:\n" + textwrap.indent(s, "    ")),
        statements().map(lambda s: f"try:\n{textwrap.indent(s, '  ')}\nexcept ImportError: raise"),
    ),
    min_size=1,
    max_size=4,
).map(lambda parts: "\n".join(parts) + "\ny = 2\n")


def expected(found: Import) -> Import:
    module, name = NPU.get((found.module, found.name or ""), (found.module, found.name))
    return Import(module, name, found.asname)


@given(programs)
def test_the_right_names_are_imported(program: str) -> None:
    result = translate(program)
    unclear = {"OP107", "OP133"}
    if any(finding.code in unclear for finding in (*result.findings, *result.kept)):
        return
    before = {found.value for found in module_imports(program)}
    after = {found.value for found in module_imports(result.text)}
    assert after == {expected(value) for value in before}
    assert result.text.count("#") == program.count("#"), result.text
    assert result.text.count("x = 1") == program.count("x = 1")
    assert result.text.endswith("y = 2\n")
    assert translate(result.text).text == result.text


USE = "vllm.compilation.cuda_graph.CUDAGraphWrapper(x)\n"
GONE = "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper\n"


@pytest.mark.parametrize(
    "rest", ["vllm.config.x\n", "print(vllm)\n", "def f():\n    return vllm.config\n"]
)
def test_an_import_stays_while_the_package_is_read(rest: str) -> None:
    """Reads that lead nowhere in the table need the package bound, too."""
    before = f"import vllm.compilation.cuda_graph\n{USE}{rest}"
    after = f"import vllm.compilation.cuda_graph\n{GONE}ACLGraphWrapper(x)\n{rest}"
    check_rewrite(before, after, dedent=False)


@pytest.mark.parametrize(
    ("head", "rest"),
    [
        ("", ""),
        ("import vllm.config\n", "vllm.config.x\n"),
        ("from vllm.config import x\n", ""),
        ("import os, vllm.config as config\n", "config.vllm\n"),
    ],
)
def test_an_import_goes_where_nothing_else_needs_it(head: str, rest: str) -> None:
    before = f"{head}import vllm.compilation.cuda_graph\n{USE}{rest}"
    check_rewrite(before, f"{head}{GONE}ACLGraphWrapper(x)\n{rest}", dedent=False)


HOOKS = "from vllm_omni.platforms import current_omni_platform\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            (
                "import torch\nfrom vllm.forward_context import set_forward_context\n"
                "torch.cuda.synchronize()\nctx = set_forward_context\n"
            ),
            (
                f"import torch\n{HOOKS}current_omni_platform.synchronize()\n"
                "ctx = current_omni_platform.set_forward_context\n"
            ),
        ),
        (
            f"import torch\n{HOOKS}torch.cuda.synchronize()\n",
            f"import torch\n{HOOKS}current_omni_platform.synchronize()\n",
        ),
        (
            (
                "from vllm.forward_context import set_forward_context\n"
                "from vllm.compilation.cuda_graph import CUDAGraphOptions, CUDAGraphWrapper\n"
                "ctx = set_forward_context, CUDAGraphWrapper\n"
            ),
            (
                f"{HOOKS}from vllm.compilation.cuda_graph import CUDAGraphOptions\n"
                "ctx = current_omni_platform.set_forward_context, "
                "current_omni_platform.get_graph_wrapper_cls()\n"
            ),
        ),
        (
            (
                "def f():\n    import torch\n    torch.cuda.synchronize()\n"
                "def g():\n    import torch\n    torch.cuda.synchronize()\n"
            ),
            (
                f"def f():\n    import torch\n    {HOOKS}    current_omni_platform.synchronize()\n"
                f"def g():\n    import torch\n    {HOOKS}    current_omni_platform.synchronize()\n"
            ),
        ),
        (
            (
                f"try:\n    {HOOKS}except ImportError:\n    pass\nimport torch\n"
                "torch.cuda.synchronize()\n"
            ),
            (
                f"try:\n    {HOOKS}except ImportError:\n    pass\nimport torch\n{HOOKS}"
                "current_omni_platform.synchronize()\n"
            ),
        ),
    ],
)
def test_one_import_for_all_that_it_serves(before: str, after: str) -> None:
    assert translate(before, dialect="platform").text == after
