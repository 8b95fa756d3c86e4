from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from omni_port.base.address import parse_address
from omni_port.base.errors import InputError, RevisionError
from omni_port.sources.packages import open_package


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    package = tmp_path / "src" / "pkg"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "x.py").write_text("x = 1\n")
    return tmp_path


@pytest.mark.parametrize("inside", ["src", "src/pkg", "src/pkg/"])
def test_a_folder(tree: Path, inside: str) -> None:
    with open_package(parse_address(f"{tree}/{inside}"), "pkg") as read:
        assert read("pkg/x.py") == "x = 1\n"
        assert read("pkg/gone.py") is None


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_revision(tree: Path) -> None:
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "x")):
        identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=tree, check=True)
    (tree / "src" / "pkg" / "x.py").write_text("x = 2\n")
    for inside in ("src", "src/pkg"):
        with open_package(parse_address(f"{tree}@HEAD:{inside}"), "pkg") as read:
            assert read("pkg/x.py") == "x = 1\n"
            assert read("pkg/gone.py") is None
    with pytest.raises(RevisionError), open_package(parse_address(f"{tree}@v9:src"), "pkg"):
        pass


@pytest.mark.parametrize("address", ["", "/src/pkg/x.py", "/gone"])
def test_no_such_package(tree: Path, address: str) -> None:
    with (
        pytest.raises(InputError, match="holds no package pkg"),
        open_package(parse_address(f"{tree}{address}"), "pkg"),
    ):
        pass
