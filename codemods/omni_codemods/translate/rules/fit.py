"""Calls of names that went, against what the NPU callee takes in the release aimed at."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.findings.model import Severity
from omni_codemods.findings.translate_codes import CALL_MISFIT, MISSING_MEMBER
from omni_codemods.sources.parameters import Parameters
from omni_codemods.table.callees import Callees, Taken
from omni_codemods.table.entries import BaseClass, Symbol
from omni_codemods.translate.decide import Move
from omni_codemods.translate.facts import CallFact
from omni_codemods.translate.index import Callee
from omni_codemods.translate.work import Work

_NOTHING = Callee({}, {}, (), None)


def check_fit(work: Work, moved: dict[int, Move]) -> None:
    """Report each call of a callee among *moved* that the NPU callee does not take, and each
    member that is read from a class among them and that the NPU class lacks."""
    known = work.index.known
    if known is None:
        return
    for call in work.facts.calls:
        move = moved.get(id(call.callee)) if call.callee is not None else None
        if move is not None and move.depth == len(move.reference.chain) and not call.fuzzy:
            _check_call(work, call, move, known)
    for move in moved.values():
        if isinstance(move.entry, Symbol) and len(move.reference.chain) > move.depth:
            _check_member(work, move, known)


def _check_call(work: Work, call: CallFact, move: Move, known: Callees) -> None:
    if not isinstance(move.entry, (Symbol, BaseClass)) or work.is_kept(_span(work, call)):
        return
    path = move.answer.path
    said = work.index.callees.get(path, _NOTHING)
    theirs = next(iter(known.find(move.gpu)), None)
    for taken in known.find(path):
        misfits = list(_misfits(call.node, said, taken.parameters, theirs))
        if misfits:
            message = f"{move.answer.name} on the NPU {'; it '.join(misfits)} ({taken.where})"
            work.report(CALL_MISFIT, call.offset, message, _takes(taken), Severity.ERROR)
            return


def _misfits(
    call: ast.Call, said: Callee, takes: Parameters, theirs: Taken | None
) -> Iterator[str]:
    given = [_after(keyword, said) for keyword in call.keywords]
    kept = [keyword for keyword in given if keyword.arg not in said.dropped]
    positional = call.args
    if said.positional is not None:
        positional = call.args[: said.positional.limit]
        moved = call.args[said.positional.limit :]
        names = said.positional.names[said.positional.limit :]
        kept += [ast.keyword(n, v) for n, v in zip(names, moved, strict=False)]
    wanted = {entry.npu for entry in said.needed if entry.always}
    for misfit in takes.misfits(ast.Call(call.func, positional, kept)):
        # What the entries of the table say already is not said again.
        missing = misfit.removeprefix("also wants ").split(", ")
        if misfit.startswith("also wants ") and set(missing) <= wanted:
            continue
        yield misfit
    if theirs is not None and said.positional is None:
        yield from _displaced(call, said, takes, theirs.parameters)


def _after(keyword: ast.keyword, said: Callee) -> ast.keyword:
    entry = said.keywords.get(keyword.arg or "")
    return keyword if entry is None else ast.keyword(entry.npu, keyword.value)


def _displaced(
    call: ast.Call, said: Callee, takes: Parameters, theirs: Parameters
) -> Iterator[str]:
    """Positions at which the NPU callee has another parameter, and not only another word."""
    for position, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            return
        if position >= min(len(takes.positional), len(theirs.positional)):
            return
        gpu, npu = theirs.positional[position], takes.positional[position]
        renamed = said.keywords.get(gpu)
        same = gpu == npu or (renamed is not None and renamed.npu == npu)
        if not same and (gpu in takes.names or npu in theirs.names):
            yield f"has {npu} at position {position + 1}, where the GPU has {gpu}"
            return


def _takes(taken: Taken) -> str:
    from omni_codemods.sources.parameters import render_parameters

    return f"It takes ({render_parameters(taken.parameters)}) in {taken.where}."


def _check_member(work: Work, move: Move, known: Callees) -> None:
    reference = move.reference
    member = reference.chain[move.depth]
    if f"{move.gpu}.{member}" in work.index.paths or work.is_kept(reference.spans[move.depth + 1]):
        return
    where = known.find_lacking(move.answer.path, member)
    if where:
        message = f"{move.answer.name} has no {member} ({where})"
        work.report(MISSING_MEMBER, reference.spans[move.depth + 1][0], message)


def _span(work: Work, call: CallFact) -> tuple[int, int]:
    return work.source.span(call.node)
