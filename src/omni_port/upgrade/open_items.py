"""What is open in an upgrade: questions and proposals, numbered as one list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from omni_codemods.rebuild.line_map import line_map
from omni_port.base import files
from omni_port.decisions.facts import gather_facts
from omni_port.decisions.numbers import number
from omni_port.decisions.proposal import Proposal, numbered
from omni_port.decisions.question import Question, find_questions
from omni_port.decisions.record import (
    LEAVE,
    TAKE,
    Decision,
    load_decisions,
    settled_parts,
    upgrade_of,
)
from omni_port.project.project import Project
from omni_port.upgrade.left import Item, Written
from omni_port.upgrade.proposals import Told, find_backlog_items, find_proposals
from omni_port.upgrade.store import State, Store

_WAITING = (
    "taken: the next upgrade run puts it in; where it could not, write it by hand and leave it"
)


@dataclass(frozen=True, slots=True)
class Open:
    """What is open in *project*: the facts of conflicts' *questions* by their key, and *proposals*,
    unnumbered."""

    project: Project
    questions: Mapping[str, str]
    proposals: tuple[Proposal, ...]

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the parts of all proposals."""
        return frozenset(key for one in self.proposals for key in one.keys)

    def numbered(
        self, left: Sequence[Item], *, save: bool
    ) -> tuple[tuple[Item, ...], tuple[Proposal, ...]]:
        """Return *left* and the proposals with their numbers, which are kept with *save*."""
        keys = [*self.questions, *(one.key for one in self.proposals)]
        root, upgrade = self.project.root, upgrade_of(self.project)
        known = number(root, upgrade, keys, save=save)
        proposals = numbered(self.proposals, known)
        by_part = {key: one.number for one in proposals for key in one.keys} | known
        items = (
            replace(
                item,
                number=by_part.get(item.key, 0),
                detail=item.detail or self.questions.get(item.key, ""),
            )
            for item in left
        )
        return tuple(items), tuple(proposals)


def find_open(project: Project, written: Sequence[Written], state: State) -> Open:
    """Return what is open in the files *written*, and in the backlog of the upgrade's plan."""
    texts = {one.path: one.now for one in written}
    questions = {one.key: _facts(project, texts, one) for one in find_questions(texts)}
    return Open(project, questions, tuple(_open(project, written, state)))


def _facts(project: Project, texts: Mapping[str, str], question: Question) -> str:
    """What speaks for each side, a line a fact; the commits are told by ``decide`` alone."""
    facts = gather_facts(project, texts, question, history=False)
    agreed = f"the facts agree on {facts.recommended}\n" if facts.recommended else ""
    return "".join(f"{fact.said}\n" for fact in facts.facts) + agreed


def _open(project: Project, written: Sequence[Written], state: State) -> list[Proposal]:
    settled = settled_parts(load_decisions(project), upgrade_of(project))
    told = [
        Told(
            one.path,
            one.now,
            one.methods,
            line_map(one.after, one.now) if one.is_edited else (lambda line: line),
        )
        for one in written
    ]
    done = {key for one in state.files for key in one.put_in}
    backlog = [one for one in find_backlog_items(state.plan) if not done.issuperset(one.keys)]
    found = (_told(one, settled) for one in [*find_proposals(told), *backlog])
    return [one for one in found if not _is_settled(one, settled)]


def _told(one: Proposal, settled: Mapping[str, Decision]) -> Proposal:
    """What was taken and is not in the text is still open: a run puts it in, or a person must."""
    if not all(key in settled and settled[key].take == TAKE for key in one.keys):
        return one
    parts = tuple(replace(part, reason=f"{_WAITING}; {part.reason}") for part in one.parts)
    return replace(one, parts=parts)


def _is_settled(one: Proposal, settled: Mapping[str, Decision]) -> bool:
    return all(key in settled and settled[key].take == LEAVE for key in one.keys)


def load_open(project: Project) -> tuple[Proposal, ...]:
    """Return the open proposals of the upgrade of *project* by its record, unnumbered.

    Nothing where no upgrade has written the files. Raises InputError.
    """
    store = Store(project.root)
    state = store.load()
    if state is None or not state.written:
        return ()
    written = [
        Written(
            one.path,
            one.methods,
            files.decode(store.staged(one.path)).text,
            files.decode(files.read_bytes(project.root / one.path)).text,
        )
        for one in state.files
    ]
    return tuple(_open(project, written, state))
