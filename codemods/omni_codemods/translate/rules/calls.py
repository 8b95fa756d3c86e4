"""Calls of callees that moved: keywords renamed, dropped and missing, positional arguments."""

from __future__ import annotations

from omni_codemods.findings.model import Severity
from omni_codemods.findings.translate_codes import (
    FORMAT_STRING,
    HANDED_ON,
    OTHER_CALLEE,
    OTHER_HOOK,
    UNPACKED_ARGUMENTS,
)
from omni_codemods.text.dotted import last_part
from omni_codemods.translate.decide import Move
from omni_codemods.translate.facts import CallFact
from omni_codemods.translate.index import Callee, TableIndex
from omni_codemods.translate.rules import dropped_keyword, keyword, needed_keyword, positional
from omni_codemods.translate.work import Work


def translate_calls(work: Work, moved: dict[int, Move]) -> None:
    """Adapt every call whose callee is among *moved*, or fits a ``*.`` pattern of the table."""
    renamed = _telling_keywords(work.index)
    passed = {move.reference.spans[0][0]: move for move in moved.values()}
    for call in work.facts.calls:
        callee = _callee(work, call, moved)
        if callee is not None:
            _translate_call(work, call, callee)
        elif partial := _partial(work, call, passed):
            keyword.rename_keywords(work, call, partial)
            dropped_keyword.drop_keywords(work, call, partial)
        elif renamed:
            _note_other_callee(work, call, renamed)
    for move in passed.values():
        _report_handed_on(work, move)
    _report_hooks(work, moved)


def _callee(work: Work, call: CallFact, moved: dict[int, Move]) -> Callee | None:
    move = moved.get(id(call.callee)) if call.callee is not None else None
    if move is not None and move.depth == len(move.reference.chain):
        return _callee_of(work, move)
    for length in (1, 2):
        if len(call.tail) > length and (
            found := work.index.callees.get("*." + ".".join(call.tail[-length:]))
        ):
            return found
    return None


def _callee_of(work: Work, move: Move | None) -> Callee | None:
    if move is None:
        return None
    path = work.index.npu_path(move.gpu)
    # Another dialect's answer is another function, with parameters of its own.
    return work.index.callees.get(path) if move.answer.path == path else None


def _partial(work: Work, call: CallFact, passed: dict[int, Move]) -> Callee | None:
    """The callee that ``partial`` is given here; it is no longer among *passed* then."""
    if call.tail[-1] != "partial" or not call.node.args or call.fuzzy:
        return None
    return _callee_of(work, passed.pop(work.source.span(call.node.args[0])[0], None))


def _report_handed_on(work: Work, move: Move) -> None:
    """A callee used as a value may be called, out of sight, with keywords that it lacks."""
    reference = move.reference
    callee = _callee_of(work, move)
    whole = len(reference.chain) == move.depth and not reference.stored and not reference.quoted
    if callee is None or reference.call is not None or not whole:
        return
    if any(name in work.source.text for name in (*callee.keywords, *callee.dropped)):
        work.report(
            HANDED_ON,
            reference.offset,
            f"{reference.text} is handed on; check the keywords of calls through it",
            severity=Severity.NOTE,
        )


def _report_hooks(work: Work, moved: dict[int, Move]) -> None:
    """A platform hook takes certain keywords, all of them."""
    for call in work.facts.calls:
        move = moved.get(id(call.callee)) if call.callee is not None else None
        wanted = getattr(move.entry, "platform_keywords", ()) if move is not None else ()
        if not wanted or work.index.dialect != "platform":
            continue
        passed = {argument.arg or "**" for argument in call.node.keywords}
        if passed != set(wanted):
            work.report(
                OTHER_HOOK,
                call.offset,
                f"the platform hook takes the keywords {', '.join(wanted)}, and no others",
                severity=Severity.ERROR,
            )


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


def _telling_keywords(index: TableIndex) -> set[str]:
    """The renamed keywords that somebody may take for the GPU's wherever they stand.

    Those of PyTorch's own functions are words of everyday (``device``), unless they name the GPU.
    """
    out: set[str] = set()
    for callee in index.callees.values():
        for name, entry in callee.keywords.items():
            space = index.namespace_of(entry.callee)
            if space is None or last_part(space.gpu) in name:
                out.add(name)
    return out


def _note_other_callee(work: Work, call: CallFact, renamed: set[str]) -> None:
    for argument in call.node.keywords:
        if argument.arg in renamed and not call.fuzzy:
            work.leave(
                OTHER_CALLEE,
                work.source.span(argument)[0],
                f"{argument.arg} stays: {call.tail[-1]} is another callee",
            )
