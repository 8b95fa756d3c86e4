from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from omni_port.base.address import Address
from omni_port.base.errors import InputError
from omni_port.base.files import Source
from omni_port.sources.file_at import Located, Provenance, find_module, read_address

SHA = "0123456789abcdef" * 2 + "01234567"


@pytest.mark.parametrize(
    ("revision", "label"),
    [
        ("v1.0", "x.py at v1.0, 0123456789ab"),
        ("0123456", "x.py at 0123456789ab"),
        (SHA, "x.py at 0123456789ab"),
    ],
)
def test_label_has_the_revision(revision: str, label: str) -> None:
    provenance = Provenance("x.py", "", "repo", SHA)
    located = Located(Address("x.py", "repo", revision), Source("", "utf-8"), provenance)
    assert located.label == label


def test_a_file_of_the_working_tree(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"x = 1\r\n")
    located = read_address(Address(str(path), qualname="A.b"))
    assert located.label == str(path)
    assert located.source.text == "x = 1\r\n"
    assert located.provenance == Provenance(
        str(path), hashlib.sha256(b"x = 1\r\n").hexdigest(), qualname="A.b"
    )


def test_an_error_names_the_address(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_bytes(b"\xff")
    with pytest.raises(InputError) as caught:
        read_address(Address(f"{tmp_path}/x.py", qualname="A"))
    assert caught.value.path == f"{tmp_path}/x.py::A"


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("/src/pkg/worker/run.py", "pkg.worker.run"),
        ("/src/pkg/run.py", "pkg.run"),
        ("/src/pkg/worker/__init__.py", "pkg.worker"),
        ("/src/pkg/__init__.py", "pkg"),
        ("/src/run.py", None),
        ("run.py", None),
        ("/src/pkg/data/run.py", None),
        ("pkg/worker/run.py", "pkg.worker.run"),
    ],
)
def test_the_module_of_a_path(path: str, module: str | None) -> None:
    packages = {"/src/pkg", "/src/pkg/worker", "pkg", "pkg/worker"}
    files = {f"{package}/__init__.py" for package in packages}
    assert find_module(path, files.__contains__) == module


def test_a_file_in_a_package_knows_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    for name in ("__init__.py", "run.py"):
        (package / name).write_text("")
    assert read_address(Address(f"{package}/run.py")).module == "pkg.run"
    monkeypatch.chdir(package)
    assert read_address(Address("run.py")).module == "pkg.run"
