"""Real upgrades of real methods, read from the corpus.

A case is one method of one NPU model runner over one release of the downstream project:

- *base*: the method in the vllm-ascend release that the local copy was made from
- *local*: the copy, as the old vllm-omni release ships it
- *target*: the method in the vllm-ascend release that the new vllm-omni release was made for
- *truth*: what the team shipped in the new release
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

UPSTREAM_CLASS = "NPUModelRunner"
UPSTREAM_FILE = "vllm_ascend/worker/model_runner_v1.py"
RUNNERS = {
    "npu_model_runner.py": "OmniNPUModelRunner",
    "npu_ar_model_runner.py": "NPUARModelRunner",
    "npu_generation_model_runner.py": "NPUGenerationModelRunner",
}
# The GPU runner that each mirrors: its class, in the file of the same name with gpu for npu.
SIBLINGS = {
    "OmniNPUModelRunner": "OmniGPUModelRunner",
    "NPUARModelRunner": "GPUARModelRunner",
    "NPUGenerationModelRunner": "GPUGenerationModelRunner",
}
_FOLDERS = ("platforms/npu/worker", "worker/npu")
# Below this many lines a method says little, and below this likeness it is no copy.
_SHORT, _UNLIKE = 20, 0.3


@dataclass(frozen=True, slots=True)
class Transition:
    """One upgrade: vllm-omni before and after, vllm-ascend of the copy and aimed at."""

    name: str
    omni: tuple[str, str]
    ascend: tuple[str, str]


TRANSITIONS = (
    Transition("t1", ("0.12.0rc1", "0.14.0"), ("0.12.0rc1", "0.14.0rc1")),
    Transition("t3", ("0.16.0", "0.18.0"), ("0.15.0rc1", "0.17.0rc1")),
    Transition("t5", ("0.24.0", "0.26.0"), ("0.19.1rc1", "0.25.1rc1")),
)


@dataclass(frozen=True, slots=True)
class Side:
    """A file, and the text of the one method in it."""

    path: Path
    method: str

    def read(self) -> str:
        """Return the whole file."""
        return self.path.read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Case:
    """One method over one transition."""

    name: str
    method: str
    local_class: str
    base: Side
    local: Side
    target: Side
    truth: Side


def sibling_file(side: Side) -> Path:
    """Return the GPU runner's file in the release of *side*, an NPU runner."""
    (package,) = (p for p in side.path.parents if p.name == "vllm_omni")
    return package / "worker" / side.path.name.replace("npu_", "gpu_")


def iter_cases(corpus: Path, transitions: tuple[Transition, ...] = TRANSITIONS) -> Iterator[Case]:
    """Yield the cases of *transitions* in a fixed order."""
    for transition in transitions:
        for file, local_class in RUNNERS.items():
            yield from _cases(corpus, transition, file, local_class)


def _cases(corpus: Path, transition: Transition, file: str, local_class: str) -> Iterator[Case]:
    before, after = (_omni_file(corpus, version, file) for version in transition.omni)
    if before is None or after is None:
        return
    base, target = (
        _sides(corpus / f"ascend-{version}" / UPSTREAM_FILE, UPSTREAM_CLASS)
        for version in transition.ascend
    )
    local, truth = _sides(before, local_class), _sides(after, local_class)
    for method in local:
        if not (method in base and method in target and method in truth):
            continue
        if _is_copy(local[method].method, base[method].method):
            name = f"{transition.name}/{file.removesuffix('.py')}.{method}"
            sides = (base[method], local[method], target[method], truth[method])
            yield Case(name, method, local_class, *sides)


def _omni_file(corpus: Path, version: str, file: str) -> Path | None:
    folder = corpus / f"omni-{version}" / "vllm_omni"
    paths = (folder / inside / file for inside in _FOLDERS)
    return next((path for path in paths if path.exists()), None)


def _sides(path: Path, class_name: str) -> dict[str, Side]:
    methods = methods_of(path.read_text("utf-8"), class_name)
    return {name: Side(path, text) for name, text in methods.items()}


def methods_of(text: str, class_name: str) -> dict[str, str]:
    """Return the methods of a class by name, each with its decorators, as they stand in *text*."""
    lines = text.splitlines(keepends=True)
    found: dict[str, str] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            for child in node.body:
                if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    start = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                    found[child.name] = "".join(lines[start - 1 : child.end_lineno])
    return found


def _is_copy(local: str, base: str) -> bool:
    one, other = (
        [line.strip() for line in side.splitlines() if line.strip()] for side in (base, local)
    )
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    return len(local.splitlines()) >= _SHORT and matcher.ratio() >= _UNLIKE
