"""What devices and backends have in common: strings that change in certain positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from omni_codemods.findings.translate_codes import (
    COMPARED_LITERAL,
    FORMAT_STRING,
    GUARDED,
    KEPT_BY_COMMENT,
)
from omni_codemods.names.scopes import Guard
from omni_codemods.table.entries import Device, Literals
from omni_codemods.translate.facts import Place, StringFact
from omni_codemods.translate.flows import find_flow
from omni_codemods.translate.rules.held import find_hold, report_held
from omni_codemods.translate.transformers.changes import ReplacedText, Target
from omni_codemods.translate.work import Work

_OPENING = re.compile(r"[A-Za-z]{0,2}(?:\"\"\"|'''|\"|')")
# What takes a text for people to read, or a type.
_LOGGING = ("print", "log", "debug", "info", "warning", "warn", "error", "exception", "critical")
_TELLING = frozenset((*_LOGGING, "fail", "skip", "join", "Literal"))
_BY_NAME = frozenset(("getattr", "hasattr", "setattr", "delattr"))


@dataclass(frozen=True, slots=True)
class Spelling:
    """That a string begins with *old*, by *entry*, and is to begin with *new*."""

    entry: Literals
    old: str
    new: str


def in_position(work: Work, entry: Literals, fact: StringFact) -> bool:
    """Whether *fact* may change: it stands where *entry* means such a string, or goes there."""
    return find_hold(work, entry) is None and _stands(work, entry, fact)


def _stands(work: Work, entry: Literals, fact: StringFact) -> bool:
    place = fact.place
    if place.kind != "assigned":
        return _is_meant(work, entry, place)
    flow = work.flows.get(entry.id)
    if flow is None:
        is_reached, spells = partial(_is_reached, work, entry), partial(_spells, entry)
        flow = find_flow(work.facts, entry, is_reached, spells)
        work.flows[entry.id] = flow
    return flow.follows(entry, place)


def _is_meant(work: Work, entry: Literals, place: Place) -> bool:
    path = place.callee.path if place.callee is not None else None
    if place.kind == "keyword":
        return place.name in entry.keywords or f"{path}:{place.name}" in entry.callee_keywords
    if place.kind not in ("argument", "method", "positional"):
        return False
    if isinstance(entry, Device) and _is_member(work, path):
        return True
    if place.kind == "positional":
        return f"{path}:{place.position}" in entry.callee_positions
    if path in entry.callees:
        return True
    return place.kind == "method" and path is None and place.name in entry.methods


def _is_reached(work: Work, entry: Literals, place: Place) -> bool:
    """Whether a variable at *place* must be what *entry* says: not for a GPU's call that stays."""
    path = place.callee.path if place.callee is not None else None
    stays = _is_member(work, path) and path not in work.index.answers
    return not stays and _is_meant(work, entry, place)


def _spells(entry: Literals, value: str) -> bool:
    return value.partition(":")[0].lower() == entry.gpu


def _is_member(work: Work, path: str | None) -> bool:
    """Whether *path* is a member of a namespace: where those take a name, it is a device's."""
    namespace = work.index.namespace_of(path) if path else None
    return namespace is not None and path != namespace.gpu


def is_told(fact: StringFact) -> bool:
    """Whether *fact* only tells people something, or is a name that another rule looks at."""
    place = fact.place
    if place.kind in ("argument", "method", "subscript"):
        return place.name in _TELLING
    return place.kind == "statement" or (
        place.kind == "positional" and place.position == 1 and place.name in _BY_NAME
    )


def report_literal(work: Work, entry: Literals, fact: StringFact, what: str) -> None:
    """Say that *fact*, which spells a *what* (device, backend), stands out of position."""
    if fact.guard is Guard.BOTH or work.is_kept(fact.span):
        return
    if _stands(work, entry, fact) and report_held(work, entry, fact.span, fact.guard):
        return
    message = f'"{fact.value}" is no {what} argument here, and stays'
    if is_told(fact):
        work.leave(COMPARED_LITERAL, fact.span[0], message)
    else:
        work.report(COMPARED_LITERAL, fact.span[0], message)


def report_pieces(work: Work, entries: Sequence[Literals], fact: StringFact, what: str) -> None:
    """Say that *fact* names the GPU in the position of a *what*, but spells none as a whole."""
    text = fact.pieces or fact.value
    if fact.guard is Guard.BOTH or work.is_kept(fact.span):
        return
    words = [entry.gpu for entry in work.index.literals if entry.gpu in text]
    whole = any(re.search(rf"(?<![A-Za-z]){re.escape(w)}(?![A-Za-z])", text) for w in words)
    if whole and any(in_position(work, entry, fact) for entry in entries):
        message = f'"{text}" is no {what} as it stands, and stays'
        work.report(COMPARED_LITERAL, fact.span[0], message)


def translate_literal(work: Work, spelling: Spelling, fact: StringFact) -> None:
    """Change *fact*, which stands in position, unless a comment or a test says to leave it."""
    start = fact.span[0]
    if work.is_kept(fact.span):
        work.leave(KEPT_BY_COMMENT, start, f'"{fact.value}" is kept by a comment')
    elif fact.guard is Guard.BOTH:
        work.leave_bilingual(start, f'"{fact.value}"')
    elif fact.guard is Guard.GPU:
        work.report(GUARDED, start, f'"{fact.value}" belongs to code for the GPU only')
    elif id(fact) in work.frozen:
        work.report(GUARDED, start, f'"{fact.value}" was left: a test that stays chooses it')
    elif fact.fuzzy:
        work.report(FORMAT_STRING, start, f'"{fact.value}" in an f-string was left')
    else:
        _replace(work, spelling, fact)


def _replace(work: Work, spelling: Spelling, fact: StringFact) -> None:
    start, end = fact.span
    opening = _OPENING.match(work.source.text, start)
    if opening is None:
        return
    first, last = opening.end(), opening.end() + len(spelling.old)
    if work.source.text[first:last] != spelling.old or last > end:
        message = f'"{fact.value}" is put together from pieces, and stays'
        work.report(COMPARED_LITERAL, start, message)
        return
    change = ReplacedText(spelling.old, spelling.new)
    work.change(Target.STRING, start, change, fact.span)
    new = spelling.new + fact.value[len(spelling.old) :]
    work.changed(spelling.entry, start, f'"{fact.value}"', f'"{new}"')
