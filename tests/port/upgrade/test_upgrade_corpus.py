"""Whole upgrades on released sources, with folders as ends: nothing lost, and stable."""

from __future__ import annotations

import ast
import os
import shutil
from pathlib import Path

import pytest

from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.functions.fences import parse_fences
from omni_port.project.project import require_project
from omni_port.upgrade.finish import write_report
from omni_port.upgrade.phases import Phase, Status
from omni_port.upgrade.run import UpgradeOptions, run_upgrade

CORPUS = Path(os.environ.get("OMNI_CORPUS", Path.home() / ".cache" / "omni-port" / "corpus"))
pytestmark = pytest.mark.corpus

FILES = {
    "npu_model_runner.py": ("OmniNPUModelRunner", "gpu_model_runner.py", "OmniGPUModelRunner"),
    "npu_ar_model_runner.py": ("NPUARModelRunner", "gpu_ar_model_runner.py", "GPUARModelRunner"),
    "npu_generation_model_runner.py": (
        "NPUGenerationModelRunner",
        "gpu_generation_model_runner.py",
        "GPUGenerationModelRunner",
    ),
}
WORKER = "vllm_omni/platforms/npu/worker"


def make_project(folder: Path, omni: tuple[str, str], ascend: tuple[str, str]) -> Path:
    """The new release's GPU runners, with the NPU runners of the old one."""
    old, new = (CORPUS / f"omni-{release}" for release in omni)
    ends = [CORPUS / f"ascend-{release}" for release in ascend]
    for place in (old, new, *ends):
        if not place.is_dir():
            pytest.skip(f"{place.name} is not there")
    for sub in (WORKER, "vllm_omni/worker"):
        shutil.copytree((old if sub == WORKER else new) / sub, folder / sub)
    lines = [f'[upstream.ascend]\ncurrent = "{ends[0]}"\ntarget = "{ends[1]}"\n']
    lines.append(f'[siblings]\ncurrent = "{old}"\n')
    for file, (cls, gpu, sibling) in FILES.items():
        lines.append(
            f'[[port]]\nlocal = "{WORKER}/{file}::{cls}"\n'
            'upstream = "ascend:vllm_ascend/worker/model_runner_v1.py::NPUModelRunner"\n'
            f'sibling = "vllm_omni/worker/{gpu}::{sibling}"\n'
        )
    (folder / "omni-port.toml").write_text("\n".join(lines))
    return folder


@pytest.mark.parametrize(
    ("omni", "ascend"),
    [(("0.16.0", "0.18.0"), ("0.15.0rc1", "0.17.0rc1")),
     (("0.24.0", "0.26.0"), ("0.19.1rc1", "0.25.1rc1"))],
)  # fmt: skip
def test_three_runners(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    omni: tuple[str, str],
    ascend: tuple[str, str],
) -> None:
    root = make_project(tmp_path, omni, ascend)
    monkeypatch.chdir(root)
    before = {file: (root / WORKER / file).read_text() for file in FILES}
    run = write_report(run_upgrade(require_project(root), UpgradeOptions()))
    status = {record.phase: record.status for record in run.records}
    assert status[Phase.GATE] is Status.PASS
    assert status[Phase.REBASE] is Status.PASS
    assert status[Phase.REPORT] is Status.PASS
    after = {file: (root / WORKER / file).read_text() for file in FILES}
    for file, text in after.items():
        for side in ("local", "target"):
            ast.parse(blank_hunks(text, side))
        assert _fenced(before[file]) == _fenced(blank_hunks(text, "local"))
    write_report(run_upgrade(require_project(root), UpgradeOptions()))
    assert {file: (root / WORKER / file).read_text() for file in FILES} == after


def _fenced(text: str) -> int:
    return len(parse_fences(text).blocks)
