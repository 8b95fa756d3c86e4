from __future__ import annotations

import pytest

from checked import ASCEND, check, codes, sources
from omni_codemods.checks.run import CheckOptions, check_text
from omni_codemods.findings.model import Severity


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("from vllm_ascend.ops.fused_moe import AscendFusedMoE", "has no AscendFusedMoE"),
        ("from vllm_ascend.ops.gone import x", "no module vllm_ascend.ops.gone"),
        ("import vllm_ascend.gone", "no module vllm_ascend.gone"),
        ("import vllm_ascend.gone as g", "no module vllm_ascend.gone"),
        ("from vllm_ascend import gone", "vllm_ascend has no gone"),
        ("def f():\n    from vllm_ascend.ops import gone", "vllm_ascend.ops has no gone"),
    ],
)
def test_what_the_tree_lacks(line: str, message: str) -> None:
    (found,) = check(line + "\n")
    assert (found.code, found.severity) == ("OP607", Severity.ERROR)
    assert message in found.message


@pytest.mark.parametrize(
    "line",
    [
        "from vllm_ascend.ops import update_cos_sin",
        "from vllm_ascend.ops import rotary",
        "import vllm_ascend.ops.rotary",
        "from vllm_ascend.ops.rotary import *",
        "from vllm_ascend.worker.model_runner_v1 import GPUModelRunner",
        "import os\nfrom torch import gone",
        "from unknown_package.anything import gone",
    ],
)
def test_what_it_has_and_what_is_not_known(line: str) -> None:
    assert check(line + "\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    {}\nexcept ImportError:\n    gone = None\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    {}\n",
        "import os\n\nif os.name == 'nt':\n    {}\n",
    ],
)
def test_imports_that_may_fail_are_warnings(text: str) -> None:
    (found,) = check(text.format("from vllm_ascend.ops import gone"))
    assert found.severity is Severity.WARNING


def test_several_names_of_a_module_that_is_gone_are_one_finding() -> None:
    assert codes(check("from vllm_ascend.gone import (\n    a,\n    b,\n)\n")) == [("OP607", 2)]


def test_where_it_went_is_said() -> None:
    options = CheckOptions(sources(ASCEND), lambda name: [f"vllm_ascend.ops.of_{name}"])
    (found,) = check_text("from vllm_ascend.ops import moved\n", options)
    assert found.hint == "moved is defined in vllm_ascend.ops.of_moved"


def test_the_package_of_the_file_itself_is_not_the_upstreams() -> None:
    own = {"vllm_omni/__init__.py": "", "vllm_omni/a.py": ""}
    text = "from .gone import x\nfrom vllm_omni.gone import y\nfrom vllm_ascend.gone import z\n"
    assert codes(check(text, ASCEND, own, module="vllm_omni.a")) == [("OP607", 3)]
