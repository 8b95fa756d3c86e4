"""The published JSON documents: their keys are those of the first release, and their schemas hold.

``keys.json`` has, for each document, every key with the types of its values, lists and maps merged.
Keys may be added; one that goes or changes its type breaks somebody's script.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from commandline import Command
from omni_port.cli.schema import load_schema
from worlds import make_world

KEYS = Path(__file__).with_name("keys.json")
# What is a map by name, and not an object with fixed keys.
MAPS = ("statistics",)
SIDES = (
    "--local=local/omni_npu_runner.py::OmniNPUModelRunner",
    "--base=upstream-1/npu_runner.py::NPUModelRunner",
    "--target=upstream-2/npu_runner.py::NPUModelRunner",
    "--gpu-base=gpu-1/gpu_runner.py::OmniGPUModelRunner",
    "--gpu-target=gpu-2/gpu_runner.py::OmniGPUModelRunner",
)
COMMANDS: dict[str, tuple[str, ...]] = {
    "translate": ("translate", "--format=json", "--diff", "gpu-1", "broken.py"),
    "blocks": ("blocks", "--format=json", "local"),
    "provenance": (
        "provenance", "--format=json", "--local=local/omni_npu_runner.py::OmniNPUModelRunner",
        "--upstream=upstream-1/npu_runner.py::NPUModelRunner",
        "--upstream=upstream-2/npu_runner.py::NPUModelRunner",
    ),
    "drift": (
        "drift", "--format=json", "--local=local/omni_npu_runner.py::OmniNPUModelRunner",
        "--gpu=gpu-1/gpu_runner.py::OmniGPUModelRunner",
    ),
    "check": ("check", "--format=json", "local/omni_npu_runner.py", "broken.py"),
    "rebase": ("rebase-method", "--method=execute_model", "--report=report.json", *SIDES),
    "plan": ("plan", "--format=json"),
    "upgrade": ("upgrade", "--dry-run", "--format=json"),
}  # fmt: skip


def document(command: Command, name: str, world: Path) -> object:
    (world / "broken.py").write_text("import torch\nx = = torch.cuda\n")
    ran = command(*COMMANDS[name])
    if name == "rebase":
        return json.loads((world / "report.json").read_text("utf-8"))
    assert ran.out, ran.err
    return json.loads(ran.out)


def iter_keys(value: object, at: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from iter_keys(inner, at + (".*" if at.endswith(MAPS) else f".{key}"))
    elif isinstance(value, list):
        for inner in value:
            yield from iter_keys(inner, f"{at}[]")
    else:
        yield at, type(value).__name__


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_world(tmp_path / "world")
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize("name", COMMANDS)
def test_no_key_goes_or_changes_its_type(
    command: Command, name: str, world: Path, request: pytest.FixtureRequest
) -> None:
    found: dict[str, set[str]] = {}
    for key, kind in iter_keys(document(command, name, world)):
        found.setdefault(key, set()).add(kind)
    published = json.loads(KEYS.read_text("utf-8"))
    if request.config.getoption("--update-golden"):
        published[name] = {key: " ".join(sorted(found[key])) for key in sorted(found)}
        KEYS.write_text(json.dumps(published, indent=1, sort_keys=True) + "\n")
    for key, kinds in published[name].items():
        assert key in found
        assert found[key] <= {*kinds.split(), "NoneType"}, key


@pytest.mark.parametrize("name", COMMANDS)
def test_the_schema_holds(command: Command, name: str, world: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(document(command, name, world), load_schema(name))
