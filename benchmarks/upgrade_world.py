"""Git repositories of real releases: what a maintainer has on the day of an upgrade."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cases import Transition

BRANCH = "npu-upgrade"
_NPU_FOLDERS = ("platforms/npu/worker", "worker/npu")
# Any date does, as long as later releases are later.
_FIRST_YEAR = 2020


# What a project with patched functions follows, in the releases that are to be had.
PATCHED_ASCEND = ("0.19.1rc1", "0.25.1rc1", "0.26.0rc1")
PATCHED_VLLM = ("0.19.1", "0.24.0", "0.26.0")
# What of a clone is checked out: its code, and what says which releases it runs on.
_CHECKED_OUT = ("*.py", "*.toml", "*.txt", "Dockerfile*", "*_COMMIT", ".github/**")


@dataclass(frozen=True, slots=True)
class World:
    """The folders of the repositories; *vllm* is ``None`` where its sources are not there.

    *init* are the arguments that make the project file of *downstream*.
    """

    downstream: Path
    ascend: Path
    vllm: Path | None
    init: tuple[str, ...]


def build_world(corpus: Path, folder: Path, transition: Transition) -> World:
    """Make the repositories of *transition* below *folder*, from the releases in *corpus*.

    Each has its two releases as tags. The downstream one has besides a branch, checked out: the
    new release with the NPU worker of the old one, which is what an NPU maintainer starts from.
    Raises FileNotFoundError for a release that is not in *corpus*.
    """
    folder.mkdir(parents=True, exist_ok=True)
    omni, ascend = folder / "vllm-omni", folder / "vllm-ascend"
    build_repository(omni, [(v, corpus / f"omni-{v}") for v in transition.omni])
    build_repository(ascend, [(v, corpus / f"ascend-{v}") for v in transition.ascend])
    vllm = _build_vllm(corpus, folder, transition.omni)
    _branch_for_upgrade(omni, *(corpus / f"omni-{v}" / "vllm_omni" for v in transition.omni))
    init = ["--upstream", f"ascend=../vllm-ascend@v{transition.ascend[1]}"]
    init += ["--upstream", f"vllm=../vllm@v{transition.omni[1]}"] if vllm else []
    init += ["--siblings", f"v{transition.omni[0]}"]
    return World(omni, ascend, vllm, tuple(init))


def build_patched_world(
    corpus: Path,
    folder: Path,
    repository: Path,
    upstream: str | None = None,
    revision: str = "HEAD",
) -> World:
    """Make the world of another port, such as one of patched functions; *repository* is its clone.

    Its code at *revision* is checked out, with its history. *upstream* is a clone of vllm-ascend
    with the revision to move to, ``CLONE@REV`` or ``CLONE@CURRENT..REV``; without, those releases
    that *corpus* has stand for it. A port that imports vllm, and not vllm-ascend, follows it alone.
    """
    folder.mkdir(parents=True, exist_ok=True)
    downstream, ascend = folder / repository.name, folder / "vllm-ascend"
    run_git(folder, "clone", "--quiet", "--no-checkout", str(repository), downstream.name)
    run_git(downstream, "sparse-checkout", "set", "--no-cone", *_CHECKED_OUT)
    run_git(downstream, "checkout", "--quiet", revision)
    _introduce(downstream)
    releases = [v for v in PATCHED_VLLM if (corpus / f"vllm-{v}").is_dir()]
    vllm = _build_vllm(corpus, folder, releases) if releases else None
    init: list[str] = []
    if not _mentions(downstream, "vllm_ascend") and _mentions(downstream, "vllm"):
        pass
    elif upstream is None:
        known = [v for v in PATCHED_ASCEND if (corpus / f"ascend-{v}").is_dir()]
        build_repository(ascend, [(v, corpus / f"ascend-{v}") for v in known])
        init = ["--upstream", f"ascend=../vllm-ascend@v{known[-1]}"]
    else:
        clone, _, revision = upstream.rpartition("@")
        ascend.symlink_to(Path(clone).resolve(), target_is_directory=True)
        init = ["--upstream", f"ascend=../vllm-ascend@{revision}"]
    init += ["--upstream", f"vllm=../vllm@v{releases[-1]}"] if vllm else []
    return World(downstream, ascend, vllm, tuple(init))


def _mentions(repository: Path, package: str) -> bool:
    """Whether the code that is checked out imports *package*."""
    pattern = rf"^[ \t]*(from|import) {package}\b"
    found = subprocess.run(
        ["git", "grep", "--quiet", "--extended-regexp", pattern, "--", "*.py"],
        cwd=repository,
        check=False,
    )
    return found.returncode == 0


def _build_vllm(corpus: Path, folder: Path, versions: Sequence[str]) -> Path | None:
    releases = [(v, corpus / f"vllm-{v}") for v in versions]
    if not all(source.is_dir() for _, source in releases):
        return None
    build_repository(folder / "vllm", releases)
    return folder / "vllm"


def build_repository(folder: Path, releases: Sequence[tuple[str, Path]]) -> None:
    """Make a repository in *folder* whose history is *releases* (version, sources), tagged."""
    folder.mkdir()
    run_git(folder, "init", "--quiet", "--initial-branch=main")
    _introduce(folder)
    for number, (version, source) in enumerate(releases):
        if not source.is_dir():
            raise FileNotFoundError(f"{source} is not there: make corpus")
        _replace_files(folder, source)
        _commit_all(folder, f"Release {version}", _FIRST_YEAR + number)
        run_git(folder, "tag", f"v{version}")


def _introduce(folder: Path) -> None:
    run_git(folder, "config", "user.name", "Maintainer")
    run_git(folder, "config", "user.email", "maintainer@example.org")


def _branch_for_upgrade(repository: Path, old: Path, new: Path) -> None:
    run_git(repository, "checkout", "--quiet", "-b", BRANCH)
    before, after = (_npu_folder(package) for package in (old, new))
    into = repository / "vllm_omni" / after
    shutil.rmtree(into)
    shutil.copytree(old / before, into, ignore=shutil.ignore_patterns("__pycache__"))
    old_name, new_name = (f"vllm_omni.{name.replace('/', '.')}" for name in (before, after))
    for path in into.rglob("*.py"):  # who moves a folder mends its imports
        path.write_text(path.read_text("utf-8").replace(old_name, new_name), "utf-8")
    _commit_all(repository, "Take over the NPU worker as it was", _FIRST_YEAR + 2)


def _npu_folder(package: Path) -> str:
    return next(name for name in _NPU_FOLDERS if (package / name / "__init__.py").exists())


def _replace_files(folder: Path, source: Path) -> None:
    for entry in folder.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry)
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, folder, dirs_exist_ok=True, ignore=ignore)


def _commit_all(folder: Path, message: str, year: int) -> None:
    # Copies have the times of their sources, by which git may take them for what was there before.
    run_git(folder, "read-tree", "--empty")
    run_git(folder, "add", "--all")
    run_git(folder, "commit", "--quiet", "-m", message, date=f"{year}-01-01T00:00:00Z")


def run_git(folder: Path, *arguments: str, date: str | None = None) -> str:
    """Return what git prints in *folder*; raises CalledProcessError."""
    dates = {} if date is None else {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **dates},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout
