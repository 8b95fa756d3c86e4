"""One end: a revision, a folder or the working tree, frozen."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion, Version

from omni_port import revisions
from omni_port.base.errors import ConfigurationError, RevisionError
from omni_port.identity.model import End, How
from omni_port.project.project import Project

# Release numbers as folders of unpacked releases have them at their end.
_RELEASE = re.compile(r"(?:^|[-_]|v)(\d+(?:\.\d+)+(?:\.?(?:a|b|rc|post|dev)\d+)*)$")
_VERSION = re.compile(r"^(?:__version__ = )?version = ['\"]([^'\"]+)['\"]", re.MULTILINE)
_COMMIT = re.compile(
    r"^(?:__commit_id__ = )?commit_id = ['\"]g?([0-9a-f]{7,40})['\"]", re.MULTILINE
)

Read = Callable[[str], "bytes | None"]
# Checkouts by the folder that was asked for: their state takes longest to read.
Checkouts = dict[str, "revisions.Checkout | None"]


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of an end: by the configuration, or by evidence (*found_in*)."""

    name: str
    end: str
    spelling: str
    how: How = How.CONFIGURED
    repository: str | None = None
    found_in: str = ""
    port: str = ""


def freeze_end(
    project: Project,
    said: Said,
    packages: Iterable[str] = (),
    checkouts: Checkouts | None = None,
) -> End:
    """Return the end that *said* names; *packages* are where the release may say its version.

    *checkouts* are those known already, and take up the one of this end. Raises RevisionError, and
    ConfigurationError for a folder that is not there.
    """
    known = {} if checkouts is None else checkouts
    if said.repository is None:
        return _freeze_folder(project, said, packages, known)
    folder = project.folder(said.repository)
    try:
        with revisions.open_tree(folder, said.spelling) as tree:
            sha, note, tags = tree.revision, tree.note, tree.tags_here()
            version, commit = _released(tree.read, packages)
    except RevisionError as error:
        error.path = f"{project.path} ({_key(said)})"
        raise
    version = next(filter(None, map(version_of, tags)), version)
    checkout = look_up(folder, known)
    return End(
        said.name, said.end, said.spelling, said.how, folder, sha, None, version, commit,
        said.found_in, said.port, note, checkout,
    )  # fmt: skip


def look_up(folder: Path | str, checkouts: Checkouts) -> revisions.Checkout | None:
    """Return the checkout of *folder*, from *checkouts* where it is known."""
    key = str(folder)
    if key not in checkouts:
        checkouts[key] = revisions.checkout_of(key)
    return checkouts[key]


def _freeze_folder(
    project: Project, said: Said, packages: Iterable[str], checkouts: Checkouts
) -> End:
    folder = project.root / Path(said.spelling).expanduser()
    if not folder.is_dir():
        message = f"{said.spelling!r} is no folder - at {_key(said)}"
        hint = "name an unpacked release, or say which repository it is a revision of"
        raise ConfigurationError(message, hint=hint, path=str(project.path))
    found = _RELEASE.search(folder.name)

    def read(path: str) -> bytes | None:
        return (folder / path).read_bytes() if (folder / path).is_file() else None

    version, commit = _released(read, packages)
    return End(
        said.name, said.end, said.spelling, said.how, None, None, digest_folder(folder),
        version or (found[1] if found else None), commit, said.found_in, said.port, "",
        look_up(folder, checkouts),
    )  # fmt: skip


def freeze_working_tree(
    project: Project, name: str, end: str, paths: Iterable[str], checkouts: Checkouts | None = None
) -> End:
    """Return the end that is the project's own working tree, by the files *paths*."""
    present = (project.root / path for path in sorted(set(paths)))
    digest = _digest(project.root, (path for path in present if path.is_file()))
    checkout = look_up(project.root, {} if checkouts is None else checkouts)
    return End(name, end, "", How.WORKING_TREE, digest=digest, checkout=checkout)


def version_of(tag: str) -> str | None:
    """Return the release that *tag* names, such as ``0.26.0`` for ``v0.26.0``, or nothing."""
    try:
        return str(Version(tag))
    except InvalidVersion:
        return None


def digest_folder(folder: Path) -> str:
    """Return the SHA-256 over the sorted relative paths and the contents of the Python files."""
    return _digest(folder, _python_files(folder))


def _python_files(folder: Path) -> Iterator[Path]:
    found = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", "__pycache__")]
        found += [Path(parent, name) for name in names if name.endswith(".py")]
    yield from sorted(found, key=lambda path: path.relative_to(folder).as_posix())


def _digest(root: Path, paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        data = path.read_bytes() if path.is_file() else b""
        name = os.fsencode(path.relative_to(root).as_posix())
        # Lengths, so that no file can pass for the end of another.
        digest.update(b"%d %d\0%s%s" % (len(name), len(data), name, data))
    return digest.hexdigest()


def _released(read: Read, packages: Iterable[str]) -> tuple[str | None, str | None]:
    """Return the version and commit that a built release says in ``_version.py``."""
    for package in packages:
        data = read(f"{package}/_version.py")
        if data is not None:
            text = data.decode("utf-8", errors="replace")
            version, commit = _VERSION.search(text), _COMMIT.search(text)
            return version[1] if version else None, commit[1] if commit else None
    return None, None


def _key(said: Said) -> str:
    table = said.name if said.name == "siblings" else f"upstream.{said.name}"
    return f"base of port {said.port}" if said.port else f"[{table}] {said.end}"
