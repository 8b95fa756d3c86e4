"""Answers put into texts, and what is wrong with one before that."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.functions.conflict_markers import HUNK, blank_hunks
from omni_codemods.names.function_names import function_names
from omni_codemods.rebuild.settle_imports import module_names
from omni_codemods.rebuild.unread_imports import drop_unread_imports
from omni_codemods.text.outline import locate
from omni_codemods.text.parsing import parse_module
from omni_port.decisions.question import Place, Question, key_of
from omni_port.decisions.record import TEXT, Decision


@dataclass(frozen=True, slots=True)
class Answered:
    """A text with answers put in, and which decisions they are of."""

    text: str
    used: tuple[Decision, ...]


def put_in(text: str, known: Mapping[str, Decision]) -> Answered:
    """Return *text* with each hunk that one of *known* (by question) answers replaced.

    An import that only a side which was not taken needed goes with it.
    """
    used: list[Decision] = []

    def answer(hunk: re.Match[str]) -> str:
        decision = known.get(key_of(hunk))
        if decision is None:
            return hunk.group()
        used.append(decision)
        return _chosen(hunk, decision)

    answered = HUNK.sub(answer, text)
    return Answered(drop_unread_imports(text, answered) if used else text, tuple(used))


def _chosen(hunk: re.Match[str], decision: Decision) -> str:
    if decision.take == TEXT:
        newline = "\r\n" if "\r\n" in hunk.group() else "\n"
        body = textwrap.dedent(decision.text).strip("\n")
        lines = textwrap.indent(body, _indent(hunk)).split("\n") if body else []
        return "".join(f"{line}{newline}" for line in lines)
    if decision.take == "both":
        return hunk["target"] + hunk["local"]
    return hunk[decision.take] or ""


def _indent(hunk: re.Match[str]) -> str:
    """The indentation of the first line of code in the hunk."""
    sides = (hunk[name] or "" for name in ("target", "local", "base"))
    lines = (line for side in sides for line in side.split("\n") if line.strip())
    first = next(lines, "")
    return first[: len(first) - len(first.lstrip())]


def check_answer(text: str, place: Place, decision: Decision) -> Iterator[str]:
    """Yield what is wrong with *decision* at *place* of *text*, before anything is written.

    The file must parse with it (other hunks stand as their target side), and every name that the
    function then reads must be bound where another side of the question has it bound.
    """
    resolved = blank_hunks(put_in(text, {decision.key: decision}).text)
    try:
        parse_module(resolved)
    except OmniCodemodsError as error:
        yield f"with it {place.path} does not parse: {error.message}"
        return
    unbound = find_unbound(resolved, place.method)
    if unbound:
        yield f"with it {place.method} reads what nothing binds: {', '.join(sorted(unbound))}"


def find_unbound(text: str, method: str) -> frozenset[str]:
    """Return the names that *method* of the module *text* reads and nothing binds."""
    owner, _, name = method.rpartition(".")
    try:
        found = locate(text, name, owner or None)
        known = module_names(text)
    except OmniCodemodsError:
        return frozenset()
    return frozenset() if known.stars else function_names(found.text).free - known.bound


def unbound_by_side(text: str, question: Question, place: Place) -> dict[str, frozenset[str]]:
    """Return for each side what it alone would leave unbound at *place*."""
    found = {
        side: find_unbound(
            blank_hunks(put_in(text, {question.key: Decision(question.key, side, "")}).text),
            place.method,
        )
        for side in ("local", "target")
    }
    common = frozenset.intersection(*found.values())
    return {side: names - common for side, names in found.items()}
