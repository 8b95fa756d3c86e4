"""How much of what the upstream changed a copy has already: was it upgraded before?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.impact.end import End, Found
from omni_codemods.impact.local import LocalFile, PortText
from omni_codemods.rebuild.splice import parse
from omni_codemods.sources.subject import Function
from omni_codemods.text.outline import Located, locate


@dataclass(frozen=True, slots=True)
class Taken:
    """Of the *changed* words of code, added and taken out by the upstream, a copy has *taken*
    over so many; *method* is its qualified name, *line* its first (1-based)."""

    port: PortText
    method: str
    line: int
    changed: int
    taken: int


def find_taken(file: LocalFile) -> Iterator[Taken]:
    """Yield it for each copy of *file* whose upstream function is another in the target."""
    for held in file.held.values():
        copy = held.copy
        target = file.target.find(copy.aim)
        if target is None or not isinstance(target.node, Function):
            continue
        cls, _, name = copy.method.rpartition(".")
        sides = (
            _whole(held.current, held.base),
            locate(file.text, name, cls or None, side="local"),
            _whole(file.target, target),
        )
        if sides[0].text == sides[2].text:
            continue
        try:
            base, mine, aim = (parse(side, "local", name).root.features for side in sides)
        except OmniCodemodsError:
            continue  # who rebases it says what is wrong with it
        added, gone = aim - base, base - aim
        if changed := len(added) + len(gone):
            taken = len(added & mine) + len(gone - mine)
            yield Taken(copy.port, copy.method, copy.span.start, changed, taken)


def _whole(end: End, found: Found) -> Located:
    text = end.text(found)
    return Located(found.qualname, 1, text.count("\n") + 1, text)
