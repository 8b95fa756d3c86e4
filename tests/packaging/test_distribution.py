"""What is released works where nothing of the checkout is: sdist, wheel, a fresh environment."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from omni_port import __version__

ROOT = Path(__file__).parents[2]
SHIPPED = (
    "omni_port/py.typed",
    "omni_codemods/py.typed",
    "omni_codemods/table/ascend.toml",
    "omni_port/report/templates/decide.md.j2",
    "omni_port/world/omni-port.toml",
    "omni_port/skills/omni-port-upgrade/SKILL.md",
    "omni_port/report/templates/rebase.md.j2",
    "omni_port/review/templates/review.html.j2",
    "omni_port/review/templates/review.js",
)


def run(*command: str | Path, cwd: Path | None = None, stdin: str = "") -> str:
    ran = subprocess.run(
        [str(word) for word in command], cwd=cwd, input=stdin, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist, and the wheel from it."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (path,) = dist.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """Return the interpreter of a fresh environment that has the wheel and what it needs."""
    return environment(sys.executable, tmp_path_factory.mktemp("fresh"), wheel)


def environment(interpreter: str, folder: Path, wheel: Path, *more: str) -> Path:
    """Make an environment in *folder* with the wheel and the requirements *more*."""
    run(interpreter, "-m", "venv", folder)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel, *more)
    return python


def lowest_versions() -> list[str]:
    """What is declared, each in the oldest version that it allows."""
    text = (ROOT / "pyproject.toml").read_text()
    declared = re.search(r"^dependencies = \[(.*?)^\]", text, re.DOTALL | re.MULTILINE)
    assert declared is not None
    return [one.replace(">=", "==", 1) for one in re.findall(r'"(.+?)"', declared[1])]


def other_pythons() -> list[str]:
    """The interpreters that run here, but for the one of this run."""
    names = [f"python3.{minor}" for minor in range(10, 15) if minor != sys.version_info.minor]
    return [name for name in names if shutil.which(name) and runs(name)]


def runs(name: str) -> bool:
    """Whether *name* is an interpreter with an environment to give: some are stubs."""
    ran = subprocess.run([name, "-c", "import ensurepip, venv"], capture_output=True)
    return ran.returncode == 0


def test_the_wheel_holds_both_packages_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"omni_port", "omni_codemods", f"omni_port-{__version__}.dist-info"}
    assert set(SHIPPED) <= set(names)
    assert f"omni_port-{__version__}.dist-info/licenses/LICENSE" in names


def test_the_sdist_holds_what_tests_and_docs_need(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = archive.getnames()
    inside = {name.partition("/")[2] for name in names}
    for name in ("LICENSE", "README.md", "CHANGELOG.md", "Makefile", "docs/conf.py"):
        assert name in inside
    assert any(name.startswith("fixtures/world/") for name in inside)
    assert any(name.startswith("tests/") for name in inside)
    assert not any("_build" in name or "__pycache__" in name for name in inside)


def test_the_command_runs(python: Path, tmp_path: Path) -> None:
    command = python.parent / "omni-port"
    assert run(command, "--version") == f"omni-port {__version__}\n"
    source = "import torch\n\ntorch.cuda.synchronize()\n"
    translated = run(command, "translate", "-", cwd=tmp_path, stdin=source)
    assert translated == source.replace("cuda", "npu")
    assert run(python, "-m", "omni_port", "--version") == f"omni-port {__version__}\n"


def test_the_oldest_versions_that_are_declared_do(wheel: Path, tmp_path: Path) -> None:
    lowest = lowest_versions()
    assert all("==" in one for one in lowest)
    assert_works(environment(sys.executable, tmp_path / "lowest", wheel, *lowest), tmp_path)


@pytest.mark.parametrize("interpreter", other_pythons() or ["none"])
def test_every_python_at_hand(wheel: Path, tmp_path: Path, interpreter: str) -> None:
    if interpreter == "none":
        pytest.skip("no other Python is at hand")
    assert_works(environment(interpreter, tmp_path / "other", wheel), tmp_path)


def assert_works(python: Path, folder: Path) -> None:
    """The demo runs, and every command that it does not run says what it is for."""
    command = python.parent / "omni-port"
    assert "<<<<<<< local" in run(command, "demo", cwd=folder)
    commands = re.findall(r"^  ([a-z-]+)  ", run(command, "--help"), re.MULTILINE)
    assert len(commands) > 15
    for name in commands:
        assert run(command, name, "--help").startswith(f"Usage: omni-port {name}")


def test_the_demo_runs_from_the_wheel_in_an_empty_folder(python: Path, tmp_path: Path) -> None:
    assert "<<<<<<< local" in run(python.parent / "omni-port", "demo", cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_library_is_typed_and_has_its_table(python: Path, tmp_path: Path) -> None:
    program = (
        "from importlib.resources import files;"
        "from omni_codemods.table.table import packaged;"
        "print(all((files(p) / 'py.typed').is_file() for p in ('omni_port', 'omni_codemods')),"
        " len(packaged().entries) > 10)"
    )
    assert run(python, "-c", program, cwd=tmp_path) == "True True\n"


def test_libcst_runs_the_codemod(python: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text("import torch\n\ntorch.cuda.synchronize()\n")
    codemod = "omni_codemods.commands.translate_names.TranslateNamesCommand"
    run(
        python, "-m", "libcst.tool", "codemod", "-x", codemod, "--no-format", "--jobs", "1", path,
        cwd=tmp_path,
    )  # fmt: skip
    assert path.read_text() == "import torch\n\ntorch.npu.synchronize()\n"
