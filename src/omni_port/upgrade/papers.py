"""The papers of an upgrade: Markdown from templates, filled in with what the run found.

What a person wrote into a paper is not overwritten: where the file is not as it was made, the
new one is written beside it. Boxes that a person ticked are ticked in the new one as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from omni_port.base import files
from omni_port.base.writing import make_folder, write_file
from omni_port.documents.plan import PlanDocument
from omni_port.project.project import CURRENT, TARGET, Project
from omni_port.upgrade.store import digest

FOLDER = Path(".omni-port") / "papers"
_BOX = re.compile(r"^(\s*[-*] \[)([ xX])(\] .*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper by its name in the folder of its upgrade."""

    name: str
    text: str


def paper_folder(project: Project, started: str, plan: PlanDocument | None) -> Path:
    """Return the folder of the papers of the upgrade that *started*: ``DATE-CURRENT-to-TARGET``.

    It stands in the folder that the project configures, or in ``.omni-port/papers``. *plan* is
    the upgrade's.
    """
    configured = project.settings.papers.folder
    root = project.root / (Path(configured) if configured else FOLDER)
    source = moving_source(project, plan)
    current, target = (_safe(spell_end(project, source, end)) for end in (CURRENT, TARGET))
    return root / f"{started[:10].replace('-', '')}-{current}-to-{target}"


def moving_source(project: Project, plan: PlanDocument | None) -> str:
    """Return the upstream that the upgrade is named after: the first of a port that moves.

    What moves is told by what the *plan* resolved both ends to, however they are spelt.
    """
    sources = list(dict.fromkeys(port.source for port in project.ports))

    def resolved(source: str, end: str) -> str | None:
        found = plan.identity.end(source, end) if plan else None
        fixed = (found.revision or found.digest) if found else None
        return fixed or spell_end(project, source, end)

    moving = (s for s in sources if resolved(s, CURRENT) != resolved(s, TARGET))
    return next(moving, sources[0])


def spell_end(project: Project, source: str, end: str) -> str:
    """Return the revision of an upstream as the project spells it, or the name of the folder."""
    said = getattr(project.settings.upstream[source], end)
    if said is None:
        return "unknown"
    by_folder = project.settings.upstream[source].repository is None
    return Path(said).name if by_folder else str(said)


def make_title(project: Project, plan: PlanDocument | None) -> str:
    """Return what the upgrade is called: the upstream that moves, and its ends."""
    source = moving_source(project, plan)
    current, target = (spell_end(project, source, end) for end in (CURRENT, TARGET))
    return f"{name_upstream(project, source)} {current} to {target}"


def name_upstream(project: Project, source: str) -> str:
    """Return an upstream by the name of its repository, where it has one."""
    repository = project.settings.upstream[source].repository
    return source if repository is None else Path(repository).name or source


def _safe(name: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", name).strip("-.") or "unknown"


def write_papers(folder: Path, papers: Iterator[Paper], made: Mapping[str, str]) -> dict[str, str]:
    """Write *papers* into *folder*; return the digest of each file that was made, by name.

    *made* are the digests of an earlier run; ticks do not count in them. Raises InputError where
    a file cannot be written.
    """
    known = dict(made)
    for paper in papers:
        name = _free_name(folder, paper.name, known, paper.text)
        if name is None:
            continue
        path = folder / name
        make_folder(path.parent)
        seen = files.read_bytes(path) if path.exists() else None
        text = paper.text if seen is None else with_ticks(paper.text, _text(seen))
        data = text.encode("utf-8")
        if seen != data:
            write_file(path, data, seen=seen, new=seen is None)
        known[name] = _digest(data)
    return known


def _free_name(folder: Path, name: str, known: Mapping[str, str], text: str) -> str | None:
    """The first name that is free, or that holds what an earlier run made and nobody changed."""
    stem, _, suffix = name.rpartition(".")
    for number in range(1, 1000):
        tried = name if number == 1 else f"{stem}-{number}.{suffix}"
        path = folder / tried
        if not path.exists():
            return tried
        data = files.read_bytes(path)
        ours = (_digest(text.encode("utf-8")), known.get(tried))
        if _digest(data) in ours or digest(data) in ours:
            return tried
    return None


def with_ticks(text: str, seen: str) -> str:
    """Return *text* with the boxes ticked that are ticked in *seen*, an earlier version of it.

    A box is known by its words, whatever line (``:12``) it is about: lines move.
    """
    ticked = Counter(_words(box[3]) for box in _BOX.finditer(seen) if box[2] != " ")

    def tick(box: re.Match[str]) -> str:
        words = _words(box[3])
        if box[2] != " " or not ticked[words]:
            return box[0]
        ticked[words] -= 1
        return f"{box[1]}x{box[3]}"

    return _BOX.sub(tick, text)


def _words(line: str) -> str:
    return re.sub(r":\d+", ":0", line)


def _digest(data: bytes) -> str:
    """The digest of a paper, whatever is ticked in it."""
    return digest(_BOX.sub(r"\1 \3", _text(data)).encode("utf-8"))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
