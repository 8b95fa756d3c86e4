"""Answers that people gave before, put into what an upgrade carries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from omni_codemods.findings.model import Outcome, RebaseResult
from omni_codemods.rebuild.line_map import line_map
from omni_port.decisions.answer import put_in
from omni_port.decisions.question import make_key
from omni_port.decisions.record import Decision, answers, load_decisions, upgrade_of
from omni_port.methods.rebase import Rebase
from omni_port.methods.sync import Sync
from omni_port.project.project import Project
from omni_port.upgrade.port_files import Carried, CarriedFile, moved_result


def with_answers(file: CarriedFile, known: Mapping[str, Decision]) -> tuple[CarriedFile, int]:
    """Return *file* with the conflicts that *known* answers, and how many those were.

    The accounts name the answer where the conflict was, and their lines are those of the text.
    """
    answered = put_in(file.text, known)
    if not answered.used:
        return file, 0
    onward = line_map(file.text, answered.text)
    methods = tuple(_told(one, known, onward) for one in file.methods)
    return replace(file, text=answered.text, methods=methods), len(answered.used)


def with_known(account: Rebase | Sync, project: Project) -> tuple[Rebase | Sync, int]:
    """Return *account* with the conflicts that decisions of *project* answer, and how many."""
    known = answers(load_decisions(project), upgrade_of(project))
    result = account.result
    answered = put_in(result.text, known)
    if not answered.used:
        return account, 0
    onward = line_map(result.text, answered.text)
    moved = _decided(moved_result(result, lambda line: line, onward), known)
    return replace(account, result=replace(moved, text=answered.text)), len(answered.used)


def _told(one: Carried, known: Mapping[str, Decision], onward: Callable[[int], int]) -> Carried:
    if one.account is None:
        return one
    result = moved_result(one.account.result, lambda line: line, onward)
    return replace(one, account=replace(one.account, result=_decided(result, known)))


def _decided(result: RebaseResult, known: Mapping[str, Decision]) -> RebaseResult:
    keys = {c: make_key(c.local, c.base, c.target) for c in result.conflicts}
    used = [known[key] for key in keys.values() if key in known]
    if not used:
        return result
    said = "; ".join(f"decided for {one.take}: {one.because}" for one in dict.fromkeys(used))
    edits = tuple(
        replace(edit, reason=f"{edit.reason}; {said}") if edit.outcome is Outcome.CONFLICT else edit
        for edit in result.edits
    )
    left = tuple(conflict for conflict, key in keys.items() if key not in known)
    return replace(result, edits=edits, conflicts=left)
