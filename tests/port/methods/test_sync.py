from __future__ import annotations

from dataclasses import replace
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


HELPER = "    def help(self, x):\n        return x\n"


@pytest.mark.parametrize("base", ["class Base:\n" + HELPER, "class Base:\n    pass\n", ""])
@pytest.mark.parametrize("named", [True, False])
def test_a_base_in_another_file_of_the_package(tmp_path: Path, base: str, named: bool) -> None:
    """A synced line calls what the copy's class inherits, or what nobody there defines."""
    package = tmp_path / "omni"
    package.mkdir()
    asked = request(
        package, BEFORE.replace("        return", "        self.help(y)\n        return")
    )
    (package / "__init__.py").write_text("")
    (package / "after.py").write_text((package / "after.py").read_text() + HELPER)
    (package / "before.py").write_text(BEFORE + HELPER)
    (package / "local.py").write_text(
        "from omni.base import Base\n\n\n" + LOCAL.replace("class NPU:", "class NPU(Base):")
    )
    if base:
        (package / "base.py").write_text(base)
    if named:
        asked = replace(asked, local=parse_address(f"{package}/local.py::NPU"))
    result = sync_method(asked).result
    assert "        self.help(y)\n" in result.text
    assert ("OP501" in {f.code for f in result.findings}) is ("def help" not in base)
