"""Which release of an upstream a project says that it works with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# In the order in which they are believed.
_FILES = (
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "requirements*.txt",
    "requirements/*.txt",
    "Dockerfile*",
    "docker/*",
)
_VERSION = (
    r"(?:\[[^\]]*\])?(?:\.git)?\s*(?:==|:|@)\s*v?(?P<version>\d[\w.]*|[0-9a-f]{7,40})(?![\w.*])"
)


@dataclass(frozen=True, slots=True)
class Pin:
    """The *version* (or commit) of an upstream that *path* names, on *line* (1-based)."""

    path: str
    line: int
    version: str

    @property
    def revisions(self) -> tuple[str, ...]:
        """The names that a tag of it may have."""
        return (f"v{self.version}", self.version)


def find_pins(root: Path, names: Iterable[str]) -> list[Pin]:
    """Return the exact pins of a distribution called as one of *names*, most believed first.

    ``name==1.0``, ``name:v1.0`` (an image) and ``name.git@v1.0`` count; ranges do not.
    """
    alternatives = "|".join(sorted({_spelling(name) for name in names}))
    pattern = re.compile(rf"(?<![\w-])(?:{alternatives}){_VERSION}", re.IGNORECASE)
    return [pin for path in _files(root) for pin in _pins_in(path, root, pattern)]


def _spelling(name: str) -> str:
    return "[-_.]".join(re.escape(part) for part in re.split(r"[-_.]+", name))


def _files(root: Path) -> Iterator[Path]:
    for pattern in _FILES:
        yield from (path for path in sorted(root.glob(pattern)) if path.is_file())


def _pins_in(path: Path, root: Path, pattern: re.Pattern[str]) -> Iterator[Pin]:
    try:
        lines = path.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return
    for number, line in enumerate(lines, 1):
        if not line.lstrip().startswith("#"):
            for match in pattern.finditer(line):
                yield Pin(path.relative_to(root).as_posix(), number, match["version"])
