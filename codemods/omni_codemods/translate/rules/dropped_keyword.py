"""Keywords that the NPU callee does not take: dropped, and reported."""

from __future__ import annotations

import ast
import re

from omni_codemods.findings.translate_codes import DROPPED_KEYWORD, KEPT_BY_COMMENT
from omni_codemods.table.entries import DroppedKeyword
from omni_codemods.translate.facts import CallFact
from omni_codemods.translate.index import Callee
from omni_codemods.translate.work import Work

_BINDS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


def drop_keywords(work: Work, call: CallFact, callee: Callee) -> None:
    """Take the keywords that *callee* lists as dropped out of *call*, and report each."""
    found: list[ast.expr | ast.keyword] = [*call.node.args, *call.node.keywords]
    arguments = sorted(found, key=lambda node: work.source.span(node)[0])
    run: list[int] = []
    for position, argument in enumerate(arguments):
        entry = callee.dropped.get(getattr(argument, "arg", None) or "")
        is_keyword = entry is not None and isinstance(argument, ast.keyword)
        if entry is not None and is_keyword and _may_drop(work, argument, entry):
            run.append(position)
            continue
        _drop_run(work, call, arguments, run)
        run = []
    _drop_run(work, call, arguments, run)


def _may_drop(work: Work, argument: ast.expr | ast.keyword, entry: DroppedKeyword) -> bool:
    span = work.source.span(argument)
    detail = f": {entry.note}" if entry.note else ""
    if work.is_kept(span):
        work.leave(KEPT_BY_COMMENT, span[0], f"{entry.gpu} is kept by a comment")
        return False
    if any(isinstance(node, _BINDS) for node in ast.walk(argument)):
        message = f"{entry.gpu}= must go, but its value does more than give a value{detail}"
        work.report(DROPPED_KEYWORD, span[0], message, "Take its value out of the call first.")
        return False
    text = work.source.text[span[0] : span[1]]
    work.report(DROPPED_KEYWORD, span[0], f"{entry.gpu}= was dropped{detail}")
    work.changed(entry, span[0], text, "")
    return True


def _drop_run(
    work: Work, call: CallFact, arguments: list[ast.expr | ast.keyword], run: list[int]
) -> None:
    if not run:
        return
    text = work.source.text
    start = work.source.span(arguments[run[0]])[0]
    closing = work.source.span(call.node)[1] - 1
    last, comma = _end_of_argument(text, work.source.span(arguments[run[-1]])[1], closing)
    end = comma if comma >= 0 else last
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    after = re.compile(r"[ \t]*(?:#[^\r\n]*)?(\r\n|\n|\r)").match(text, end)
    if after and not text[line_start:start].strip():
        work.edit((line_start, after.end()), "")
    elif comma >= 0 and run[-1] + 1 < len(arguments):
        space = re.compile(r"[ \t]*").match(text, comma)
        work.edit((start, space.end() if space else comma), "")
    elif comma >= 0 and run[0]:
        previous = work.source.span(arguments[run[0] - 1])[1]
        work.edit((_end_of_argument(text, previous, closing)[1], comma), "")
    elif run[0]:
        previous = work.source.span(arguments[run[0] - 1])[1]
        before, _ = _end_of_argument(text, previous, closing)
        work.edit((before, last), "")
    else:
        work.edit((start, max(last, comma)), "")


def _end_of_argument(text: str, at: int, closing: int) -> tuple[int, int]:
    """The end of the argument whose value ends at *at*, parentheses included; and of its comma."""
    end = at
    while at < closing:
        character = text[at]
        if character == ",":
            return end, at + 1
        if character == "#":
            while at < closing and text[at] not in "\r\n":
                at += 1
            continue
        at += 1
        if character == ")":
            end = at
    return end, -1
