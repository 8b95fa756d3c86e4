"""Tests and what they let in go together, or not at all; a device's name and its index as well.

A test for the NPU must neither choose the GPU's name in a string that stays, nor lead to code
that only the GPU can run; and where a test stays, what it lets in stays with it. A variable or
function that answers a test's question is followed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field

from omni_codemods.names.scopes import Guard
from omni_codemods.table.entries import Literals, Report
from omni_codemods.translate.facts import Choosers, Reference, StringFact
from omni_codemods.translate.rules import backend, device
from omni_codemods.translate.rules.literals import in_position, is_told
from omni_codemods.translate.widen import Key, is_question, variable_key
from omni_codemods.translate.work import Work


def find_frozen(work: Work) -> set[int]:
    """The ``id`` of every reference and string that must stay.

    It stays because what it lets in stays, or because what lets it in does.
    """
    choices = _Choices(_bind_answers(work))
    for reference in work.facts.references:
        choices.add(reference, reference.choosers)
    for fact in work.facts.strings:
        choices.add(fact, fact.choosers)
    for fact in work.facts.strings:
        if _is_string_left(work, fact):
            choices.leave(fact.choosers)
    for reference in work.facts.references:
        if _is_name_left(work, reference):
            choices.leave(reference.choosers)
            choices.freeze([id(reference)])
        key = variable_key(reference) if reference.mixed else None
        if key is not None and key in choices.bound:
            choices.freeze([key])
    choices.freeze(map(id, _inside_devices(work)))
    return choices.settle(work)


# A reference by its ``id``, or a variable that answers a question.
_Token = int | Key


@dataclass(slots=True)
class _Choices:
    """What stands behind which test. *bound* are tokens that stay together: a variable, and the
    questions that it answers.
    """

    bound: dict[_Token, list[_Token]]
    frozen: set[_Token] = field(default_factory=set)
    pending: list[_Token] = field(default_factory=list)
    tests: dict[_Token, list[Choosers]] = field(default_factory=dict)
    inner: dict[int, list[Choosers]] = field(default_factory=dict)
    behind: dict[int, list[Reference | StringFact]] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    left: set[int] = field(default_factory=set)

    def add(self, item: Reference | StringFact, choosers: Choosers | None) -> None:
        """Record that *item* stands behind *choosers*."""
        if choosers is None:
            return
        self.behind.setdefault(id(choosers), []).append(item)
        while choosers is not None and id(choosers) not in self.seen:
            self.seen.add(id(choosers))
            for token in self._asked(choosers):
                self.tests.setdefault(token, []).append(choosers)
            if choosers.outer is not None:
                self.inner.setdefault(id(choosers.outer), []).append(choosers)
            choosers = choosers.outer

    def _asked(self, choosers: Choosers) -> Iterable[_Token]:
        for reference in choosers.references:
            yield id(reference)
            key = variable_key(reference)
            if key is not None and key in self.bound:
                yield key

    def leave(self, choosers: Choosers | None) -> None:
        """Something behind *choosers* stays, and so do the tests."""
        while choosers is not None and id(choosers) not in self.left:
            self.left.add(id(choosers))
            self.freeze(self._asked(choosers))
            choosers = choosers.outer

    def freeze(self, tokens: Iterable[_Token]) -> None:
        """Let *tokens* stay, and what is bound to them."""
        stack = list(tokens)
        while stack:
            token = stack.pop()
            if token not in self.frozen:
                self.frozen.add(token)
                self.pending.append(token)
                stack += self.bound.get(token, ())

    def settle(self, work: Work) -> set[int]:
        """Follow from each test that stays to all behind it, and from there to its other tests."""
        asking = {id(r) for r in work.facts.references if _is_of_namespace(work, r)}
        found: set[int] = set()
        below: set[int] = set()
        while self.pending:
            token = self.pending.pop()
            if not isinstance(token, tuple):
                found.add(token)
                if token not in asking:
                    continue
            nodes = list(self.tests.get(token, ()))
            while nodes:
                node = nodes.pop()
                if id(node) in below:
                    continue
                below.add(id(node))
                items = self.behind.get(id(node), [])
                found.update(map(id, items))
                if any(_may_go(work, item) for item in items):
                    self.leave(node)
                nodes += self.inner.get(id(node), ())
        return found


def _is_of_namespace(work: Work, reference: Reference) -> bool:
    path = reference.path
    return path is not None and work.index.namespace_of(path) is not None


def _may_go(work: Work, item: Reference | StringFact) -> bool:
    """Whether *item* would have gone, so that its staying matters to its other tests."""
    if isinstance(item, StringFact):
        return device.find_entry(work, item) is not None
    path = item.path
    return path is not None and item.guard is Guard.NONE and work.index.find(path) is not None


def _bind_answers(work: Work) -> dict[_Token, list[_Token]]:
    """Which variables answer which questions, their own or those of other variables."""
    asked: dict[Key, list[int]] = {}
    reads: dict[Key, set[Key]] = {}
    for given in work.facts.given:
        questions = [id(one) for one in given.references if is_question(one, work.index)]
        found = {variable_key(one) for one in given.references if not one.stored}
        for variable in given.variables:
            asked.setdefault(variable.key, []).extend(questions)
            reads.setdefault(variable.key, set()).update(key for key in found if key)
    users: dict[Key, list[Key]] = {}
    for key, others in reads.items():
        for other in others:
            users.setdefault(other, []).append(key)
    answering: set[Key] = set()
    pending = [key for key, questions in asked.items() if questions]
    while pending:
        key = pending.pop()
        if key not in answering:
            answering.add(key)
            pending += users.get(key, ())
    bound: dict[_Token, list[_Token]] = {}
    for key in answering:
        partners: list[_Token] = [*asked.get(key, ()), *(reads.get(key, set()) & answering)]
        for partner in partners:
            bound.setdefault(partner, []).append(key)
        bound.setdefault(key, []).extend(partners)
    return bound


def _inside_devices(work: Work) -> list[Reference]:
    """What stands in a device's name that stays: f"cuda:{torch.cuda.current_device()}"."""
    spans = [fact.span for fact in work.facts.strings if _is_device_left(work, fact)]
    if not spans:
        return []
    references = sorted(work.facts.references, key=lambda r: r.offset)
    offsets = [reference.offset for reference in references]
    found: list[Reference] = []
    for start, end in spans:
        found += references[bisect_left(offsets, start) : bisect_left(offsets, end)]
    return found


def _is_device_left(work: Work, fact: StringFact) -> bool:
    entry = device.find_entry(work, fact) if fact.formatted else None
    return entry is not None and not in_position(work, entry, fact)


def _is_string_left(work: Work, fact: StringFact) -> bool:
    if fact.choosers is None:
        return False
    entry: Literals | None = device.find_entry(work, fact)
    if entry is None and (spelling := backend.find_spelling(work, fact)):
        entry = spelling.entry
    if entry is not None:
        return fact.fuzzy or not (in_position(work, entry, fact) or is_told(fact))
    # "CUDAProvider" if torch.cuda.is_available() else "CPUProvider"
    value = fact.value.lower()
    return fact.direct and any(known.gpu in value for known in work.index.devices)


def _is_name_left(work: Work, reference: Reference) -> bool:
    path = reference.path
    if path is None or reference.stored or reference.guard is Guard.BOTH:
        return False
    found = work.index.find(path)
    if found is None:
        return work.index.namespace_of(path) is not None
    return isinstance(found[0], Report) and found[0].why in ("absent", "differs")
