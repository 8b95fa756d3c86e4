"""What a translation of many files came to: the line that states it, and statistics."""

from __future__ import annotations

from omni_port.base.words import count
from omni_port.methods.tally import Tally


def render_closing(tally: Tally) -> str:
    """Return the closing line."""
    need = "needs" if tally.need_person == 1 else "need"
    parts = [
        f"{count(tally.translated, 'name')} translated{_split(tally)}",
        f"{tally.need_person} {need} a person",
        f"{tally.kept} left on purpose",
    ]
    if tally.failed:
        parts.append(f"{count(tally.failed, 'file')} failed")
    where = f"{count(tally.files, 'file')}, {tally.changed} changed"
    return f"{', '.join(parts)} ({where})"


def _split(tally: Tally) -> str:
    """How many of the names are translated under a condition that nobody checked, if any."""
    return f" ({tally.safe} safe, {tally.conditional} conditional)" if tally.conditional else ""


def render_statistics(tally: Tally) -> str:
    """Return one line an entry of the table, the most used first."""
    rows = sorted(tally.entries.items(), key=lambda row: (-row[1], row[0]))
    width = max((len(str(number)) for _, number in rows), default=1)
    return "\n".join(
        f"{number:>{width}}  {entry}{'  (conditional)' if status == 'conditional' else ''}"
        for (entry, status), number in rows
    )
