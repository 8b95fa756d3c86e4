"""Notes at copies (``# Upstream source: ... commit 80d8c194f``) say what they are copies of now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from packaging.utils import canonicalize_name

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.provenance.source_notes import SourceNote, find_source_notes
from omni_port.identity import End, Identity
from omni_port.identity.claims import names_of
from omni_port.identity.model import BASE
from omni_port.project.project import CURRENT, TARGET, Port, Project
from omni_port.upgrade.port_files import CarriedFile

# A note goes on for as many lines, its first among them.
_LINES = 3
_SHA = re.compile(r"[0-9a-f]{7,40}")


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of local files, by what the *project* and the *identity* say of their copies."""

    project: Project
    identity: Identity

    def renew(self, file: CarriedFile) -> tuple[CarriedFile, int]:
        """Let the notes of the functions that were rebased name the target.

        Only where a note names just what the copies were made from; every line stays where it
        is. Returns the file, and how many notes were renewed.
        """
        copies = {
            one.job.name: one.job.port
            for one in file.methods
            if one.job.is_copy and one.error is None
        }
        lines, number = file.text.split("\n"), 0
        for note, port in self._about(file.text, copies):
            current, target = self._current(port), self.identity.end(port.source, TARGET)
            if current is not None and target is not None:
                number += _replace(lines, note, dict(_pairs(note, current, target)))
        return replace(file, text="\n".join(lines)) if number else file, number

    def iter_stale(self, text: str, copies: Mapping[str, Port]) -> Iterator[int]:
        """Yield the lines (1-based) of notes that name something else than the target.

        *copies* are the ports of the functions that were rebased, by qualified name.
        """
        for note, port in self._about(text, copies):
            target = self.identity.end(port.source, TARGET)
            if target is not None and set(dict(_pairs(note, target, target))) != set(
                note.revisions
            ):
                yield note.line

    def _about(self, text: str, copies: Mapping[str, Port]) -> Iterator[tuple[SourceNote, Port]]:
        """The notes with revisions that are about *copies*, each with the port of one of them."""
        try:
            notes = find_source_notes(blank_hunks(text, "local"))
        except OmniCodemodsError:
            return
        for note in (note for note in notes if note.revisions):
            about = [
                port
                for name, port in copies.items()
                if note.scope in ("", name) or name.startswith(f"{note.scope}.")
            ]
            if note.project:
                called = canonicalize_name(note.project)
                about = [p for p in about if called in names_of(self.project, p.source)]
            if len({port.source for port in about}) == 1:
                yield note, about[0]

    def _current(self, port: Port) -> End | None:
        own = (e for e in self.identity.ends if e.end == BASE and e.port == port.name)
        return next(own, None) or self.identity.end(port.source, CURRENT)


def _pairs(note: SourceNote, current: End, target: End) -> Iterator[tuple[str, str]]:
    """What each revision of the note becomes, where it is the current one."""
    for said in note.revisions:
        if _SHA.fullmatch(said):
            old, new = (end.revision or end.commit or "" for end in (current, target))
            if old.startswith(said) and len(new) >= len(said):
                yield said, new[: len(said)]
        elif said in _tags(current) and (tags := _tags(target)):
            yield said, tags[0] if said.startswith("v") else tags[0].removeprefix("v")


def _tags(end: End) -> list[str]:
    """How a note may spell the release of *end*."""
    by_sha = end.revision is not None and end.revision.startswith(end.spelling)
    spelled = [] if end.revision is None or by_sha else [end.spelling]
    version = [] if end.version is None else [f"v{end.version}", str(end.version)]
    return list(dict.fromkeys([*spelled, *version]))


def _replace(lines: list[str], note: SourceNote, pairs: Mapping[str, str]) -> bool:
    """Replace in *lines*, if every revision of the note can be; whether that changed anything."""
    if set(pairs) != set(note.revisions):
        return False
    pattern = re.compile("|".join(rf"(?<![\w.]){re.escape(old)}(?![\w])" for old in pairs))
    first, end = note.line - 1, min(note.line - 1 + _LINES, len(lines))
    new = [pattern.sub(lambda found: pairs[found[0]], line) for line in lines[first:end]]
    changed = new != lines[first:end]
    lines[first:end] = new
    return changed
