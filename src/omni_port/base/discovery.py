"""Which Python files a path stands for: folders walked, ignored files left out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pathspec

NEVER_ENTERED = frozenset(
    {".git", ".hg", ".svn", ".venv", ".tox", ".nox", "__pycache__", "node_modules"}
)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The patterns of one ignore file, or of the command line; they are relative to *folder*."""

    folder: Path
    spec: pathspec.GitIgnoreSpec

    def verdict(self, path: Path, *, is_folder: bool) -> bool | None:
        """Return True for ignored, False for taken back by ``!``, None for no opinion."""
        try:
            relative = path.relative_to(self.folder).as_posix()
        except ValueError:
            return None
        return self.spec.check_file(relative + "/" if is_folder else relative).include


def find_python_files(paths: Iterable[Path], *, exclude: Iterable[str] = ()) -> list[Path]:
    """Return the files that *paths* stand for, in order, each once.

    A file that is named is taken whatever its name. In a folder it is every ``.py`` file, in
    alphabetical order, except what ``.gitignore`` files (there, below, and above up to the root of
    the repository) or the patterns of *exclude* leave out; symbolic links are not followed.
    A path that does not exist is returned too, and a folder that cannot be listed: reading it is
    what fails.
    """
    patterns = list(exclude)
    found: dict[str, Path] = {}
    for path in paths:
        for file in _walk(path, patterns) if path.is_dir() else (path,):
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def _walk(root: Path, exclude: list[str]) -> Iterator[Path]:
    absolute = Path(os.path.realpath(root))
    rules = [*_rules_above(absolute), _parse_rules(absolute, exclude)]
    for file in _walk_folder(absolute, rules):
        yield root / file.relative_to(absolute)


def _walk_folder(folder: Path, rules: list[_Rules]) -> Iterator[Path]:
    here = _ignore_file(folder)
    # The command line stands last: it has the last word.
    rules = [*rules[:-1], *here, rules[-1]]
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        yield folder  # reading it says why
        return
    for entry in entries:
        path = folder / entry.name
        if entry.is_symlink():
            continue
        if entry.is_dir():
            if entry.name not in NEVER_ENTERED and not _ignored(path, rules, is_folder=True):
                yield from _walk_folder(path, rules)
        elif (
            entry.name.endswith(".py")
            and entry.is_file()
            and not _ignored(path, rules, is_folder=False)
        ):
            yield path


def _ignored(path: Path, rules: list[_Rules], *, is_folder: bool) -> bool:
    for rule in reversed(rules):
        verdict = rule.verdict(path, is_folder=is_folder)
        if verdict is not None:
            return verdict
    return False


def _rules_above(folder: Path) -> list[_Rules]:
    """Return the ignore files of the folders above, from the root of the repository down."""
    above = [folder, *folder.parents]
    roots = [index for index, parent in enumerate(above) if (parent / ".git").exists()]
    if not roots:
        return []
    return [rule for parent in reversed(above[1 : roots[0] + 1]) for rule in _ignore_file(parent)]


def _ignore_file(folder: Path) -> list[_Rules]:
    path = folder / ".gitignore"
    try:
        if not path.is_file():  # a pipe would be waited for, and a device has no end
            return []
        lines = path.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [_parse_rules(folder, lines)]


def _parse_rules(folder: Path, lines: list[str]) -> _Rules:
    # Here, for the many runs on files that are named and need no patterns.
    import pathspec

    return _Rules(folder, pathspec.GitIgnoreSpec.from_lines(lines))
