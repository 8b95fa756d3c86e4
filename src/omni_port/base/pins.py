"""Which release of an upstream a project says that it runs on."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

# In the order in which they are believed.
_REQUIRED = (
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "requirements*.txt",
    "requirements/*.txt",
)
_BUILDS = (
    "Dockerfile*",
    "*.Dockerfile",
    "docker/**/*",
    "assets/Dockerfile*",
    ".github/Dockerfile*",
)
_JOBS = (
    ".github/workflows/*.yml",
    ".github/workflows/*.yaml",
    ".github/workflows/**/Dockerfile*",
    "docs/conf.py",
    "docs/source/conf.py",
)
# Where a lone file holds nothing but a tag or a commit.
_LOCKS = (".", ".github")
# Prose tells of releases of all times, wherever it stands.
_PROSE = frozenset({".md", ".rst", ".markdown", ".adoc", ".html", ".ipynb", ".tex"})
_BINARY = frozenset({".png", ".jpg", ".svg", ".whl", ".run", ".gz", ".zip", ".so", ".pdf"})
# An image or a script of a build is short; what is longer is data.
_LONGEST = 1_000_000
_RELEASE = r"v?\d+\.\d+[\w.]*|[0-9a-f]{7,40}"
_VERSION = (
    r"(?:\[[^\]]*\])?(?:\.git)?\s*(?:==|:|@)\s*v?(?P<version>\d[\w.]*|[0-9a-f]{7,40})(?![\w.*])"
)
# ``ARG VLLM_TAG=v0.18.0``, ``vllm_version: [v0.18.0]``, ``"vllm_commit": "568afb3a"``.
_VARIABLE = (
    r"_(?:(?:BASE|STABLE|MAIN|RELEASE|VERIFIED)_)?(?:TAG|COMMIT|VERSION|REF|REVISION|SHA)"
    rf"(?:_ARG|_ID|_HASH)?[\"']?\s*[=:]\s*[\[\"']*(?P<value>{_RELEASE})(?![\w.*/-])"
)


class Weight(enum.IntEnum):
    """What a pin says: of one job among many, of a build, or of what the project requires.

    Alone the last speaks for whoever installs the project; a build may be behind.
    """

    JOB = 0
    BUILD = 1
    REQUIRED = 2


@dataclass(frozen=True, slots=True)
class Pin:
    """The *version* (or commit) of an upstream that *path* names, on *line* (1-based).

    *weight* is how much it says, see :class:`Weight`.
    """

    path: str
    line: int
    version: str
    weight: Weight = field(default=Weight.REQUIRED, compare=False)

    @property
    def revisions(self) -> tuple[str, ...]:
        """The names that a tag of it may have."""
        return (f"v{self.version}", self.version)


def find_pins(root: Path, names: Iterable[str]) -> list[Pin]:
    """Return what pins a distribution called as one of *names*, the most believed first.

    ``name==1.0``, ``name:v1.0`` (an image) and ``name.git@v1.0`` count, and so do variables of a
    build (``ARG NAME_TAG=v1.0``) and files that hold nothing else (``NAME_STABLE_COMMIT``). Ranges
    do not, nor does prose: Markdown and the like.
    """
    alternatives = "|".join(sorted({_spelling(name) for name in names}))
    named = rf"(?<![\w-])(?:{alternatives})"
    pattern = re.compile(f"{named}(?:{_VERSION}|{_VARIABLE})", re.IGNORECASE)
    lock = re.compile(
        rf"\.?(?:{alternatives})(?:[-_.]\w+)*[-_.](?:commit|tag|version|sha)(?:\.txt)?",
        re.IGNORECASE,
    )
    required, builds, jobs = (
        [pin for path in _files(root, files) for pin in _pins_in(path, root, pattern, weight)]
        for files, weight in (
            (_REQUIRED, Weight.REQUIRED),
            (_BUILDS, Weight.BUILD),
            (_JOBS, Weight.JOB),
        )
    )
    locks = [pin for folder in _LOCKS for pin in _locked(root / folder, root, lock)]
    # Of two locks, a release is what is meant, and a commit what it was tried with as well.
    locks.sort(key=lambda pin: "." not in pin.version)
    return [*required, *locks, *builds, *jobs]


def _spelling(name: str) -> str:
    return "[-_.]".join(re.escape(part) for part in re.split(r"[-_.]+", name))


def _files(root: Path, patterns: Iterable[str]) -> Iterator[Path]:
    seen: set[Path] = set()
    for pattern in patterns:
        for path in sorted(root.glob(pattern)):
            known = path.suffix.lower() in _PROSE | _BINARY or path in seen
            if not known and path.is_file() and path.stat().st_size <= _LONGEST:
                seen.add(path)
                yield path


def _pins_in(path: Path, root: Path, pattern: re.Pattern[str], weight: Weight) -> Iterator[Pin]:
    try:
        lines = path.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return
    for number, line in enumerate(lines, 1):
        if not line.lstrip().startswith("#"):
            for match in pattern.finditer(line):
                version = match["version"] or match["value"].lower().removeprefix("v")
                yield Pin(path.relative_to(root).as_posix(), number, version, weight)


def _locked(folder: Path, root: Path, name: re.Pattern[str]) -> Iterator[Pin]:
    """The files of *folder* that hold nothing but a tag or a commit."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if not name.fullmatch(path.name) or not path.is_file():
            continue
        try:
            words = path.read_text("utf-8", errors="replace").split()
        except OSError:
            continue
        if len(words) == 1 and re.fullmatch(_RELEASE, words[0]):
            version = words[0].removeprefix("v")
            yield Pin(path.relative_to(root).as_posix(), 1, version, Weight.BUILD)
