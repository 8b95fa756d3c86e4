"""What a rule is given, and what a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.audit.reading import Side
from omni_codemods.findings.code import Code
from omni_codemods.findings.model import EditOutcome, Finding, Severity
from omni_codemods.text.dotted import last_part


@dataclass(frozen=True, slots=True)
class Job:
    """What was done: what its two versions are called in messages, and what its account holds.

    *fenced* says that the frame has the fences, and *partial* that the account need not name every
    edit: what a GPU sibling follows its own upstream in is not carried, and not said.
    """

    frame: str
    edited: str
    fenced: bool = False
    partial: bool = False


REBASE = Job("the upstream", "local")
SYNC = Job("the NPU copy", "the GPU sibling", fenced=True, partial=True)


@dataclass(frozen=True, slots=True)
class Audited:
    """One rebuilt function, and what it was made of.

    The *frame* is the version that the result keeps wherever nothing says otherwise (a rebase: the
    target; a sync: the NPU copy), *edited* the one whose edits against *base* are in *edits*; those
    have lines of the files. *result* has its conflicts, where it has any, resolved to the target;
    *resolved* reads it with them resolved to local. *module* is the whole file, *origin* that of
    the version which new code comes from, and *told* what was found already.
    """

    base: Side
    frame: Side
    edited: Side
    result: Side
    resolved: Callable[[], Side | None]
    edits: Sequence[EditOutcome] = ()
    module: str = ""
    origin: str = ""
    told: Sequence[Finding] = ()
    job: Job = REBASE

    @property
    def inputs(self) -> tuple[Side, Side, Side]:
        """The three versions that went in."""
        return self.base, self.frame, self.edited

    def either(self) -> tuple[Side, ...]:
        """The result with its conflicts resolved either way; once where it has none."""
        other = self.resolved() if self.result.hunks else None
        return (self.result,) if other is None else (self.result, other)

    @property
    def copy(self) -> Side:
        """The version that is the local method as it was."""
        return self.frame if self.job.fenced else self.edited


@dataclass(frozen=True, slots=True)
class Example:
    """Three versions of a function, a *wrong* result that the rule finds, and a *right* one."""

    base: str
    local: str
    target: str
    wrong: str
    right: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that holds for every result; *check* yields a finding where it does not."""

    code: Code
    check: Callable[[Audited], Iterator[Finding]]
    example: Example

    @property
    def name(self) -> str:
        """The rule's module."""
        return last_part(self.check.__module__)


def found(code: Code, line: int, message: str, column: int = 0) -> Finding:
    """A finding at *line* of the result's file."""
    return Finding(code.code, line, column, message, code.remedy, Severity.ERROR)
