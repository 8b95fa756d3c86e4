"""What speaks for each side of a question: facts at hand, and what they add up to."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.sources.classes import own_methods
from omni_codemods.sources.parameters import Function
from omni_codemods.text.code_lines import lines_of
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import locate
from omni_codemods.translate import translate
from omni_port import revisions
from omni_port.base.address import Address
from omni_port.base.errors import OmniPortError
from omni_port.base.words import count
from omni_port.decisions.answer import put_in, unbound_by_side
from omni_port.decisions.question import Question
from omni_port.decisions.record import Decision
from omni_port.decisions.side_facts import find_left
from omni_port.methods.requests import gpu_request
from omni_port.project.project import Port, Project
from omni_port.revisions import Commit
from omni_port.sources.file_at import read_address

# Lines that half of all code has say nothing about where it comes from.
_TELLING = 12
_COMMITS = 3
# So much of a statement is shown in a fact.
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact in a sentence, and the side that it speaks for, empty for neither."""

    said: str
    speaks_for: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts of a question; *recommended* is the side on which they agree, else empty."""

    facts: tuple[Fact, ...]

    @property
    def recommended(self) -> str:
        """The one side that facts speak for, where none speaks for the other."""
        sides = {fact.speaks_for for fact in self.facts} - {""}
        return sides.pop() if len(sides) == 1 else ""

    @property
    def reason(self) -> str:
        """Why that side, in the words of the facts."""
        return "; ".join(f.said for f in self.facts if f.speaks_for == self.recommended != "")


def gather_facts(
    project: Project, texts: Mapping[str, str], question: Question, *, history: bool = True
) -> Facts:
    """Return what is known of *question*, whose places are in *texts* (the ports' files by path).

    Reads the siblings and the history of the upstream where they are at hand; what cannot be read
    is no fact. Without *history*, which takes a search of it each, the upstream's commits are left
    out.
    """
    place = question.places[0]
    found = [*_sides(question), *_unbound(texts[place.path], question)]
    port = _port(project, place.path, place.method)
    found += _left_over(texts[place.path], question, _upstream_methods(project, port))
    if port is not None:
        found += _sibling(project, port, question)
        found += _commits(project, port, question) if history else ()
    found += _elsewhere(texts, question)
    return Facts(tuple(found))


def _port(project: Project, path: str, method: str) -> Port | None:
    ports = [port for port in project.ports if port.local.path == path]
    owned = [p for p in ports if method == p.name or method.startswith(f"{p.name}.")]
    return max(owned, key=lambda port: len(port.name), default=None)


def _sides(question: Question) -> Iterator[Fact]:
    """Say in a sentence what each side did to base; true of an emptied side as well."""
    base = lines_of(question.base)
    for name, who in (("local", "local"), ("target", "the upstream")):
        side = lines_of(question.side(name))
        if not base:
            yield Fact(f"{who} put {count(len(side), 'statement')} in")
        elif not side:
            yield Fact(f"{who} removed it")
        else:
            new = sum(line not in base for line in side)
            gone = sum(line not in side for line in base)
            yield Fact(f"{who} {_did(new, gone)}")


def _did(new: int, gone: int) -> str:
    if new and gone:
        return f"replaced {count(gone, 'statement')} by {new}"
    if new:
        return f"added {count(new, 'statement')}"
    return f"removed {count(gone, 'statement')}" if gone else "changed the order, or layout alone"


def _unbound(text: str, question: Question) -> Iterator[Fact]:
    found = unbound_by_side(text, question, question.places[0])
    for side, other in (("local", "target"), ("target", "local")):
        if found[side]:
            names = ", ".join(sorted(found[side]))
            yield Fact(f"{side} alone leaves {names} unbound", other)


def _left_over(text: str, question: Question, upstream: Mapping[str, Function]) -> Iterator[Fact]:
    """What one side alone would leave unread, run twice, or call as it cannot be called."""
    place = question.places[0]
    found = {
        side: find_left(
            put_in(text, {question.key: Decision(question.key, side, "")}).text,
            place.method,
            upstream,
        )
        for side in ("local", "target")
    }
    for side, other in (("local", "target"), ("target", "local")):
        left = found[side].beyond(found[other])
        if left.unread:
            yield Fact(f"{side} alone leaves {', '.join(sorted(left.unread))} unread")
        for twice in sorted(left.twice):
            yield Fact(f"with {side} alone it stands twice: {_short(twice)}", other)
        for wrong in sorted(left.wrong):
            yield Fact(f"{side} alone calls what does not fit: {wrong}", other)


def _short(code: str) -> str:
    line = " ".join(code.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."


def _upstream_methods(project: Project, port: Port | None) -> dict[str, Function]:
    """The methods of the upstream's class in the target, where it can be read."""
    if port is None:
        return {}
    try:
        address = project.at(port.aim, "target")
        return own_methods(read_address(address).source.text, address.qualname or "")
    except (OmniPortError, OmniCodemodsError):
        return {}


def _sibling(project: Project, port: Port, question: Question) -> Iterator[Fact]:
    """Whether the GPU sibling stands with one side: as it was, and as it is now."""
    try:
        request = gpu_request(project, port)
        if request is None:
            return
        method = last_part(question.places[0].method)
        now = _statements(request.target, method)
    except (OmniPortError, OmniCodemodsError):
        return
    try:
        before = _statements(request.base, method)
    except (OmniPortError, OmniCodemodsError):
        before = frozenset()
    only = _only(question)
    held = {side: [line for line in lines if line in now] for side, lines in only.items()}
    for side, other in (("local", "target"), ("target", "local")):
        if held[side] and not held[other]:
            share = f"{len(held[side])} of {len(only[side])}"
            had = any(line in before for line in held[side])
            since = "and had them before" if had else "and had none of them before"
            yield Fact(
                f"the GPU sibling has {share} statements of {side}'s, none of the other, {since}",
                side,
            )
        elif not held[side] and any(line in before for line in only[side]):
            yield Fact(f"the GPU sibling had statements of {side}'s before, and has them no more")


def _statements(address: Address, method: str) -> frozenset[str]:
    """The statements of *method* of the sibling at *address*, translated."""
    where = read_address(address)
    found = locate(where.source.text, method, address.qualname, side="gpu").text
    return frozenset(lines_of(translate(textwrap.dedent(found)).text))


def _elsewhere(texts: Mapping[str, str], question: Question) -> Iterator[Fact]:
    """Whether other copies of the team have what one side alone says."""
    paths = {place.path for place in question.places}
    others = {path: set(lines_of(text)) for path, text in texts.items() if path not in paths}
    for side, lines in _only(question).items():
        telling = [line for line in lines if len(line) >= _TELLING]
        having = [path for path, known in others.items() if any(x in known for x in telling)]
        if telling and having:
            yield Fact(f"{', '.join(having)} has what {side} says")


def _only(question: Question) -> dict[str, list[str]]:
    """The telling statements that one side has, and neither base nor the other."""
    sides = {name: lines_of(question.side(name)) for name in ("local", "base", "target")}
    return {
        name: [
            line
            for line in sides[name]
            if len(line) >= _TELLING and line not in sides["base"] and line not in sides[other]
        ]
        for name, other in (("local", "target"), ("target", "local"))
    }


def _commits(project: Project, port: Port, question: Question) -> Iterator[Fact]:
    """The upstream's commits that brought in or took away the lines in question."""
    try:
        old, new = (project.at(port.upstream, end) for end in ("current", "target"))
        if new.repository is None or old.revision is None or new.revision is None:
            return
        lines = list(_searched(question))
        found = revisions.search(
            new.repository, old.revision, new.revision, project.at(port.aim, "target").path, lines
        )
    except OmniPortError:
        return
    for commit in found[:_COMMITS]:
        yield Fact(f"upstream: {_told(commit)}")


def _searched(question: Question) -> Iterator[str]:
    """The lines of the target that base has not, and the other way round, as they are written."""
    base, target = (
        [line.strip() for line in side.splitlines() if len(line.strip()) >= _TELLING]
        for side in (question.base, question.target)
    )
    yield from [line for line in target if line not in base][:2]
    yield from [line for line in base if line not in target][:2]


def _told(commit: Commit) -> str:
    return f"{commit.sha[:10]} {commit.date[:10]} {commit.subject}"
