"""The survey on released sources: the three runners, their upstream and their siblings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from omni_port.sources.upstream import Upstream
from omni_port.survey.surveying import SurveyRequest, survey_project

CORPUS = Path(os.environ.get("OMNI_CORPUS", Path.home() / ".cache" / "omni-port" / "corpus"))
pytestmark = pytest.mark.corpus


@pytest.mark.parametrize(
    ("omni", "current", "target"),
    [("0.16.0", "0.15.0rc1", "0.17.0rc1"), ("0.24.0", "0.19.1rc1", "0.25.1rc1")],
)
def test_the_three_runners(omni: str, current: str, target: str) -> None:
    root = CORPUS / f"omni-{omni}"
    ends = [str(CORPUS / f"ascend-{release}") for release in (target, current)]
    if not (root.is_dir() and all(Path(folder).is_dir() for folder in ends)):
        pytest.skip(f"the sources of {omni} or its upstreams are not there")
    draft = survey_project(SurveyRequest(root, (Upstream("ascend", *ends),)))
    ports = {port.local.rpartition("::")[2]: port for port in draft.ports}
    found = {
        name: (set(p.methods or ()), (p.sibling or "").rpartition("::")[2])
        for name, p in ports.items()
    }
    assert found == {
        "NPUARModelRunner": ({"execute_model", "sample_tokens"}, "GPUARModelRunner"),
        "NPUGenerationModelRunner": (
            {"execute_model", "sample_tokens", "_dummy_run"},
            "GPUGenerationModelRunner",
        ),
        "OmniNPUModelRunner": ({"_dummy_run", "_model_forward"}, "OmniGPUModelRunner"),
    }
    place = "ascend:vllm_ascend/worker/model_runner_v1.py::NPUModelRunner"
    assert {port.upstream for port in draft.ports} == {place}
    assert all(port.sure for port in draft.ports)
