"""What is known of a place of a local file, or of a numbered question or proposal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from omni_port.decisions.desk import Desk
from omni_port.decisions.question import Question
from omni_port.project.project import Project
from omni_port.report.decide import render_question
from omni_port.report.proposals import render_proposal
from omni_port.upgrade.at_place import EditAt, find_edits_at
from omni_port.upgrade.open_items import load_open

_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+)")


def is_place(name: str) -> bool:
    """Whether *name* is spelt as a place: ``file:line``."""
    return _PLACE.fullmatch(name) is not None


def explain_place(project: Project, name: str) -> list[str]:
    """Return what there is to say of *name*: a place (``file:line``), a number, or a key.

    Raises OmniPortError for a file of a port that cannot be read.
    """
    found = _PLACE.fullmatch(name)
    if found is None and not re.fullmatch(r"\d+|[0-9a-f]{12}", name):
        return []
    from omni_port import revisions

    with revisions.session():
        desk = Desk(project, load_open(project), save=False)
        if found is None:
            return list(_named(desk, name))
        return list(_at(desk, _in_project(project, found["path"]), int(found["line"])))


def _in_project(project: Project, path: str) -> str:
    """The path as the project file spells it, also where somebody stands in a folder of it."""
    known = {port.local.path for port in project.ports}
    if path in known:
        return path
    real = Path(path).resolve()
    return next((one for one in known if (project.root / one).resolve() == real), path)


def _named(desk: Desk, name: str) -> Iterator[str]:
    for question in desk.questions:
        if name in (str(question.number), question.key):
            yield _question(desk, question)
    for one in desk.proposals:
        if name in (str(one.number), one.key):
            yield render_proposal(one)


def _at(desk: Desk, path: str, line: int) -> Iterator[str]:
    for question in desk.questions:
        height = 3 + sum(x.count("\n") for x in (question.local, question.base, question.target))
        if any(p.path == path and p.line <= line <= p.line + height for p in question.places):
            yield _question(desk, question)
    edits = find_edits_at(desk.project, path, line)
    yield from map(_edit, edits)
    told = {one.start for one in edits}
    for proposal in desk.proposals:
        if any(p.path == path and p.line in (line, *told) and p.line for p in proposal.parts):
            yield render_proposal(proposal)


def _question(desk: Desk, question: Question) -> str:
    return render_question(question, desk.facts(question), desk.earlier(question))


def _edit(one: EditAt) -> str:
    edit = one.edit
    where = (
        "" if edit.local is None else f", lines {edit.local.start}-{edit.local.end} of the old file"
    )
    if edit.sibling is not None:
        where = f", lines {edit.sibling.start}-{edit.sibling.end} of the GPU sibling"
    lines = [
        f"{one.method}, lines {one.start}-{one.end}: {edit.kind.value} {edit.change}{where}",
        f"  {edit.outcome.value} ({edit.evidence.value}): {edit.reason}",
    ]
    for title, text in (("overrules", edit.overruled), ("may run twice with", edit.doubled)):
        if text:
            lines += [f"  {title}:", *(f"    {x}" for x in text.rstrip("\n").split("\n"))]
    return "\n".join(lines)
