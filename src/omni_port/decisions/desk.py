"""The desk of somebody who decides: the files with questions, and what is known of the answers."""

from __future__ import annotations

import datetime
import json
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from omni_port.base import files
from omni_port.base.errors import InputError, UndecidedError
from omni_port.base.writing import Write, write_together
from omni_port.decisions.answer import check_answer, put_in
from omni_port.decisions.facts import Facts, gather_facts
from omni_port.decisions.numbers import number
from omni_port.decisions.proposal import Proposal, numbered
from omni_port.decisions.question import Question, find_questions
from omni_port.decisions.record import (
    Decision,
    answers,
    load_decisions,
    proposal,
    save_decisions,
    upgrade_of,
)
from omni_port.project.project import Project, by_file


@dataclass(slots=True)
class Desk:
    """The questions of *project* as its files stand; :meth:`take` answers one and writes it.

    *proposals* are what may be taken or left besides; both have numbers of one list, which are kept
    with *save*.
    """

    project: Project
    proposals: Sequence[Proposal] = ()
    save: bool = True
    _sources: dict[str, tuple[bytes, files.Source]] = field(default_factory=dict, init=False)
    decisions: tuple[Decision, ...] = field(default=(), init=False)
    questions: list[Question] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.read()

    def read(self) -> None:
        """Read the files and the decisions; raises InputError and ConfigurationError."""
        self.decisions = load_decisions(self.project)
        self._sources = {}
        for path in by_file(self.project.ports):
            data = files.read_bytes(self.project.root / path)
            self._sources[path] = data, files.decode(data, path=path)
        found = find_questions(self.texts)
        keys = [*(one.key for one in found), *(one.key for one in self.proposals)]
        known = number(self.project.root, self.upgrade, keys, save=self.save)
        self.questions = [replace(one, number=known[one.key]) for one in found]
        self.proposals = numbered(self.proposals, known)

    @property
    def texts(self) -> dict[str, str]:
        """The text of each file of a port, by its path."""
        return {path: source.text for path, (_, source) in self._sources.items()}

    @property
    def upgrade(self) -> str:
        """The ends of the upgrade, by which its decisions are known."""
        return upgrade_of(self.project)

    def facts(self, question: Question) -> Facts:
        """Return what speaks for each side."""
        return gather_facts(self.project, self.texts, question)

    def earlier(self, question: Question) -> Decision | None:
        """Return the newest answer that is only proposed here."""
        return proposal(self.decisions, question, self.upgrade)

    def make(
        self, question: Question, take: str, because: str, *, text: str = "", by: str = ""
    ) -> Decision:
        """Return the decision; raises UndecidedError for one that would break the code."""
        made = Decision(
            question.key,
            take,
            because,
            self.upgrade,
            by,
            _today(),
            places=tuple(f"{p.path}::{p.method}" for p in question.places),
            local=question.local,
            base=question.base,
            target=question.target,
            text=text,
        )
        for place in question.places:
            for wrong in check_answer(self.texts[place.path], place, made):
                raise UndecidedError(wrong, hint="nothing was written; take another side or a text")
        return made

    def take(self, decision: Decision) -> int:
        """Keep *decision* and put it into the files; return at how many places it stands now."""
        save_decisions(self.project, [*self.decisions, decision])
        done = 0 if decision.proposed else self.apply()
        self.read()
        return done

    def settle(self, proposal: Proposal, take: str, because: str) -> Decision:
        """Keep that *proposal* was taken or left; the next upgrade run puts in what was taken."""
        made = Decision(
            proposal.key,
            take,
            because,
            self.upgrade,
            "a person",
            _today(),
            places=proposal.places,
            parts=proposal.keys,
            text="\n".join(dict.fromkeys(part.code or part.summary for part in proposal.parts)),
        )
        save_decisions(self.project, [*self.decisions, made])
        self.proposals = [one for one in self.proposals if one.key != proposal.key]
        self.decisions = load_decisions(self.project)
        return made

    def apply(self) -> int:
        """Put every answer of this upgrade into the files that ask; return at how many places."""
        known = answers(load_decisions(self.project), self.upgrade)
        writes, done = [], 0
        for path, (data, source) in self._sources.items():
            answered = put_in(source.text, known)
            if answered.used:
                done += len(answered.used)
                new = files.encode(answered.text, source, path=path)
                writes.append(Write(self.project.root / path, new, seen=data))
        write_together(writes)
        return done


def _today() -> str:
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


class _Answer(msgspec.Struct, frozen=True):
    take: str
    because: str
    text: str = ""


def ask(command: str, question: msgspec.Struct, folder: Path) -> _Answer:
    """Give *question* as JSON to the decider *command* and return its answer.

    Raises InputError where it fails, or prints anything else than an answer.
    """
    asked = json.dumps(msgspec.to_builtins(question), ensure_ascii=False)
    try:
        ran = subprocess.run(
            shlex.split(command),
            input=asked,
            capture_output=True,
            text=True,
            cwd=folder,
            check=True,
        )
        return msgspec.json.decode(ran.stdout, type=_Answer)
    except (OSError, subprocess.CalledProcessError) as error:
        told = getattr(error, "stderr", "") or str(error)
        raise InputError(
            f"the decider failed: {told.strip()}", hint=f"run {command} by hand"
        ) from error
    except msgspec.DecodeError as error:
        hint = (
            '{"take": "local", "because": "..."} is one; `omni-port schema decide` has the question'
        )
        raise InputError(f"the decider printed no answer: {error}", hint=hint) from error
