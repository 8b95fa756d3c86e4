from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.address import parse_address
from omni_port.base.errors import ExitCode, InputError
from omni_port.methods.sync import SyncRequest, sync_method
from omni_port.sources.sibling import GpuRequest

BEFORE = (
    "class GPU:\n    def run(self, x):\n        y = self.read(x)\n"
    "        self.talk(y)\n        return y\n"
)
LOCAL = (
    "class NPU:\n    def run(self, x):\n        y = self.read(x)\n"
    "        self.talk(y)  # Omni-new\n        return y\n"
)


def request(folder: Path, after: str) -> SyncRequest:
    for name, text in (("local", LOCAL), ("before", BEFORE), ("after", after)):
        (folder / f"{name}.py").write_text(text)
    local, base, target = (
        parse_address(f"{folder}/{name}.py") for name in ("local", "before", "after")
    )
    return SyncRequest("run", local, GpuRequest(base, target))


def test_a_sync_by_addresses(tmp_path: Path) -> None:
    after = BEFORE.replace("        return", "        self.read(y)\n        return")
    sync = sync_method(request(tmp_path, after))
    assert sync.changed
    assert sync.exit_code == ExitCode.DONE
    assert list(sync.sides) == ["local", "gpu-base", "gpu-target"]
    assert "        self.talk(y)  # Omni-new\n        self.read(y)\n" in sync.result.text
    ((title, diff),) = sync.diffs()
    assert "gpu-base to gpu-target" in title
    assert "+        self.read(y)\n" in diff


def test_nothing_to_sync(tmp_path: Path) -> None:
    sync = sync_method(request(tmp_path, BEFORE))
    assert not sync.changed
    assert list(sync.diffs()) == []
    assert (sync.policy, sync.target_method) == ("replay", None)


def test_an_error_names_the_file_of_its_side(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        sync_method(request(tmp_path, "def run(:\n"))
    assert caught.value.path == f"{tmp_path}/after.py"
