"""The GPU sibling of the bundled world, translated."""

from __future__ import annotations

from pathlib import Path

import pytest

from omni_codemods.findings.model import Severity
from omni_codemods.translate import translate

WORLD = Path(__file__).parents[2] / "fixtures" / "world"


@pytest.mark.parametrize("revision", [1, 2])
def test_the_gpu_sibling_translates(revision: int) -> None:
    text = (WORLD / f"gpu-{revision}" / "gpu_runner.py").read_text()
    result = translate(text)
    for name in (
        "ACLGraphWrapper",
        "set_ascend_forward_context(",
        "AscendSampler(",
        "NPUInputBatch(",
    ):
        assert name in result.text
    assert "aclgraph_runtime_mode=mode" in result.text
    assert "get_forward_context().cudagraph_runtime_mode" in result.text
    assert "from vllm.compilation.cuda_graph import CUDAGraphStat\n" in result.text
    assert "# torch.cuda.synchronize() would be too slow here" in result.text
    assert result.text.count("torch.npu.") == text.count("torch.cuda.") - 1
    serious = [f.message for f in result.findings if f.severity is not Severity.NOTE]
    dropped = [message for message in serious if "slot_mapping" in message]
    assert len(dropped) == text.count("slot_mapping=")
    assert any("num_actual_tokens" in message for message in serious)
    assert translate(result.text).text == result.text
