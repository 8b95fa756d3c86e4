"""A project with ports, and the repositories that it follows: what several test modules share."""

from __future__ import annotations

from pathlib import Path

from gitrepos import commit, git, make_repository

# What upstream's NPU runner is at three releases: each changes every method.
RUNNER = """\
from gpulib.runner import GPURunner


class NPURunner(GPURunner):
    def prepare(self, batch):
        ids = self.gather(batch.requests, pin_memory=True)
        self.positions.copy_(batch.positions, non_blocking=True)
        self.input_ids[: len(ids)].copy_(ids, non_blocking=True)
        return self.input_ids[: len(ids)], self.positions[: len(ids)]

    def execute(self, batch, intermediate=None):
        ids, positions = self.prepare(batch)
        with self.forward_context(batch.metadata, num_tokens=len(ids)):
            hidden = self.model(ids, positions, intermediate_tensors=intermediate)
        logits = self.model.compute_logits(hidden[batch.last_token_indices])
        return self.sampler(logits, batch.sampling_metadata)
"""
_STEP = "        self.events.record(batch, kind='{}', at=self.clock())\n"
RUNNER_2 = RUNNER.replace("pin_memory=True", "pin_memory=self.pin, stream=self.stream").replace(
    "        logits =", _STEP.format("forward") + "        logits ="
)
RUNNER_3 = RUNNER_2.replace("len(ids)):", "len(ids), padded=batch.padded_tokens):").replace(
    "        return self.input_ids", _STEP.format("prepare") + "        return self.input_ids"
)
GPU_RUNNER = """\
class GPURunner:
    def execute(self, batch, intermediate=None):
        ids, positions = self.prepare(batch)
        with set_forward_context(batch.metadata, self.config, num_tokens=len(ids)):
            hidden = self.model(ids, positions, intermediate_tensors=intermediate)
        logits = self.model.compute_logits(hidden[batch.last_token_indices])
        return self.sampler(logits, batch.sampling_metadata)

    def profile(self, tokens):
        for batch in self.profiled_batches(tokens, largest=self.config.largest_batch):
            with self.memory.track(batch.name), self.timer.measure(batch.name):
                hidden = self.model(batch.ids, batch.positions, intermediate_tensors=None)
                self.peaks[batch.name] = self.memory.peak(of=hidden, device=self.device)
        return max(self.peaks.values(), default=0)
"""
FENCE = "        # ---- Omni-new ----\n        self.talk(hidden)\n        # ---- Omni-new ----\n"
_BODY = RUNNER.partition("class NPURunner(GPURunner):\n")[2]
LOCAL = (
    "from npulib.worker.runner import NPURunner\n\nfrom down.gpu_runner import DownGPURunner\n\n\n"
    "class DownNPURunner(DownGPURunner, NPURunner):\n"
    + _BODY.replace("        logits =", FENCE + "        logits =")
    + "\n    def talk(self, hidden):\n        self.talker(hidden)\n"
)
SIBLING = (
    "from gpulib.runner import GPURunner\n\n\nclass DownGPURunner(GPURunner):\n"
    + GPU_RUNNER.partition("class GPURunner:\n")[2].partition("    def profile")[0].rstrip()
    + "\n\n    def talk(self, hidden):\n        self.talker(hidden)\n"
)


def make_upstreams(folder: Path) -> None:
    """Make the repositories ``npulib`` (v1 to v3) and ``gpulib`` (v1, v2) in *folder*."""
    npulib = make_repository(folder / "npulib")
    for number, text in enumerate((RUNNER, RUNNER_2, RUNNER_3), 1):
        date = f"2026-0{number}-01T00:00:00Z"
        packages = {"npulib/__init__.py": "", "npulib/worker/__init__.py": ""}
        commit(npulib, {**packages, "npulib/worker/runner.py": text}, date=date)
        git(npulib, "tag", f"v{number}")
    gpulib = make_repository(folder / "gpulib")
    for number, text in ((1, GPU_RUNNER), (2, GPU_RUNNER.replace("default=0", "default=None"))):
        files: dict[str, str | bytes] = {"gpulib/__init__.py": "", "gpulib/runner.py": text}
        commit(gpulib, files, date=f"2026-0{number}-01T00:00:00Z")
        git(gpulib, "tag", f"v{number}")


def make_project(folder: Path) -> Path:
    """Make the repository ``down`` in *folder*, whose runner is a copy of npulib at v1."""
    down = make_repository(folder / "down")
    files: dict[str, str | bytes] = {
        "down/__init__.py": "",
        "down/gpu_runner.py": SIBLING,
        "down/npu/__init__.py": "",
        "down/npu/npu_runner.py": LOCAL,
    }
    commit(down, files, date="2026-01-02T00:00:00Z")
    git(down, "tag", "r1")
    return down


CONFIGURATION = """\
[upstream.npulib]
repository = "../npulib"
current = "v1"
target = "v3"

[siblings]
repository = "."
current = "r1"

[[port]]
local = "down/npu/npu_runner.py::DownNPURunner"
upstream = "npulib:npulib/worker/runner.py::NPURunner"
methods = ["prepare", "execute"]
sibling = "down/gpu_runner.py::DownGPURunner"
"""
