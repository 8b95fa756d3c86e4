"""The commit of an upstream that changed a name: from the history between two revisions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from omni_port.base.errors import RevisionError
from omni_port.revisions.opening import opened
from omni_port.sources.upstream import Upstream

_FORMAT = "--format=%x1e%H%x1f%aI%x1f%s"
_NUMBER = re.compile(r"\(#(\d+)\)\s*$")


@dataclass(frozen=True, slots=True)
class Cause:
    """A commit: its SHA, its date, its subject, and the number of its pull request, if it says."""

    sha: str
    date: str
    subject: str
    pull: str = ""


@dataclass(frozen=True, slots=True)
class _Diff:
    cause: Cause
    lines: str


def find_causes(
    places: Mapping[str, tuple[str, str]],
    words: Mapping[str, Sequence[str]],
    upstreams: Sequence[Upstream],
    root: Path,
) -> dict[str, Cause]:
    """Return the commit for each subject: the newest that touches lines with one of its *words*.

    *places* are the upstream, and the path in it, of each subject. Nothing for upstreams that are
    folders, and for a history that cannot be read.
    """
    known = {one.name: one for one in upstreams if one.repository is not None}
    diffs: dict[tuple[str, str], list[_Diff]] = {}
    found: dict[str, Cause] = {}
    for subject, (name, path) in places.items():
        if name not in known or not path:
            continue
        if (name, path) not in diffs:
            diffs[name, path] = _read(known[name], path, root)
        cause = _choose(diffs[name, path], words.get(subject, ()))
        if cause is not None:
            found[subject] = cause
    return found


def _read(upstream: Upstream, path: str, root: Path) -> list[_Diff]:
    place = str(root / Path(upstream.repository or ".").expanduser())
    span = f"{upstream.current}..{upstream.target}"
    try:
        with opened(place) as repository:
            out = repository.run(
                "log", "--no-merges", "--no-show-signature", "--no-renames", "-U0", "-p",
                _FORMAT, span, "--", path,
            )  # fmt: skip
    except RevisionError:
        return []
    found = []
    for record in out.split("\x1e")[1:]:
        head, _, body = record.partition("\n")
        sha, date, subject = head.split("\x1f", 2)
        number = _NUMBER.search(subject)
        cause = Cause(sha, date, subject, number[1] if number else "")
        kept = [
            one for one in body.split("\n") if one[:1] in "+-" and one[:3] not in ("+++", "---")
        ]
        found.append(_Diff(cause, "\n".join(kept)))
    return found


def _choose(diffs: Sequence[_Diff], words: Sequence[str]) -> Cause | None:
    for word in words:
        name = re.escape(word)
        for form in (rf"^[-+].*\b(?:def|class)\s+{name}\b", rf"^[-+].*\b{name}\b"):
            wanted = re.compile(form, re.MULTILINE)
            for one in diffs:
                if wanted.search(one.lines):
                    return one.cause
    return diffs[0].cause if len(diffs) == 1 else None
