"""Calls of callees that moved: keywords renamed, dropped and missing, positional arguments."""

from __future__ import annotations

from omni_codemods.codes import FORMAT_STRING, OTHER_CALLEE, UNPACKED_ARGUMENTS
from omni_codemods.translate.decide import Move
from omni_codemods.translate.facts import CallFact
from omni_codemods.translate.index import Callee
from omni_codemods.translate.rules import dropped_keyword, keyword, needed_keyword, positional
from omni_codemods.translate.work import Work


def translate_calls(work: Work, moved: dict[int, Move]) -> None:
    """Adapt every call whose callee is among *moved*, or fits a ``*.`` pattern of the table."""
    renamed = {kw for callee in work.index.callees.values() for kw in callee.keywords}
    for call in work.facts.calls:
        callee = _callee(work, call, moved)
        if callee is not None:
            _translate_call(work, call, callee)
        elif renamed:
            _note_other_callee(work, call, renamed)


def _callee(work: Work, call: CallFact, moved: dict[int, Move]) -> Callee | None:
    move = moved.get(id(call.callee)) if call.callee is not None else None
    if move is not None and move.depth == len(move.reference.chain):
        path = work.index.npu_path(move.gpu)
        # Another dialect's answer is another function, with parameters of its own.
        return work.index.callees.get(path) if move.answer.path == path else None
    for length in (1, 2):
        if len(call.tail) > length and (
            found := work.index.callees.get("*." + ".".join(call.tail[-length:]))
        ):
            return found
    return None


def _translate_call(work: Work, call: CallFact, callee: Callee) -> None:
    if call.fuzzy:
        work.report(FORMAT_STRING, call.offset, "the arguments of this call were left")
        return
    name = call.tail[-1]
    keyword.rename_keywords(work, call, callee)
    dropped_keyword.drop_keywords(work, call, callee)
    needed_keyword.report_missing(work, call, callee, name)
    positional.check_positions(work, call, callee, name)
    if any(kw.arg is None for kw in call.node.keywords) and (callee.keywords or callee.dropped):
        work.report(
            UNPACKED_ARGUMENTS, call.offset, f"{name} is called with an unpacked dictionary"
        )


def _note_other_callee(work: Work, call: CallFact, renamed: set[str]) -> None:
    for argument in call.node.keywords:
        if argument.arg in renamed and not call.fuzzy:
            work.leave(
                OTHER_CALLEE,
                work.source.span(argument)[0],
                f"{argument.arg} stays: {call.tail[-1]} is another callee",
            )
