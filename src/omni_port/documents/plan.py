"""A plan, as ``plan --format json`` prints it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

import msgspec

from omni_codemods.impact.kinds import KINDS
from omni_codemods.impact.local import Copy
from omni_codemods.impact.model import Impact
from omni_port.documents.common import Line, Share, Tool, Value, publish, this_tool
from omni_port.identity.model import How, Identity
from omni_port.plan.gate import Gate, Outcome, Stop
from omni_port.plan.plan import Plan
from omni_port.project.project import Port


class CheckoutValue(Value, frozen=True):
    """A repository as it stands; *changed* and *untracked* are relative to *root*."""

    root: str
    head: str | None
    branch: str | None
    changed: tuple[str, ...]
    untracked: tuple[str, ...]
    shallow: bool
    bare: bool
    linked: bool
    operation: str | None


class EndValue(Value, frozen=True):
    """One revision that the upgrade is about, and how it was found."""

    name: str
    end: Literal["current", "target", "base"]
    spelling: str
    how: How
    repository: str | None
    revision: str | None
    digest: str | None
    version: str | None
    commit: str | None
    found_in: str
    port: str
    note: str
    checkout: CheckoutValue | None


class DisagreementValue(Value, frozen=True):
    """Evidence that names another revision than the configuration."""

    name: str
    end: str
    message: str
    hint: str
    places: tuple[str, ...]
    port: str
    rule: str | msgspec.UnsetType = msgspec.UNSET


class IdentityValue(Value, frozen=True):
    """The project's checkout, every end, and what disagrees."""

    root: str
    checkout: CheckoutValue | None
    ends: tuple[EndValue, ...]
    conflicts: tuple[DisagreementValue, ...]
    remarks: tuple[str, ...]

    def end(self, name: str, end: str) -> EndValue | None:
        """Return the *end* (``current``, ``target``) of an upstream or of ``siblings``."""
        return next((one for one in self.ends if (one.name, one.end) == (name, end)), None)


class PortValue(Value, frozen=True):
    """A port of the project."""

    name: str
    local: str
    upstream: str
    sibling: str | None


class BlockSpan(Value, frozen=True):
    """A fenced block in a copy."""

    start: int
    end: int
    label: str


class DriftSpan(Value, frozen=True):
    """Drift in a copy."""

    start: int
    end: int
    summary: str
    deletion: bool


class CopyValue(Value, frozen=True):
    """A copy: *before* and *after* are its upstream's signatures, *copied* the share of code."""

    port: str
    method: str
    path: str
    start: int
    end: int
    upstream: str
    before: str
    after: str | None
    copied: Share
    blocks: tuple[BlockSpan, ...]
    drift: tuple[DriftSpan, ...]
    uses: tuple[str, ...]


class SpotValue(Value, frozen=True):
    """A line of an upstream file, and the code on it."""

    path: str
    line: int
    text: str


class ConsumerValue(Value, frozen=True):
    """Local code that uses what changed."""

    port: str
    path: str
    method: str
    lines: tuple[int, ...]


class ChangeOfUpstream(Value, frozen=True):
    """An upstream change that touches a port."""

    kind: str
    impact: Impact
    subject: str
    message: str
    details: tuple[str, ...]
    old: SpotValue | None
    new: SpotValue | None
    consumers: tuple[ConsumerValue, ...]


class ImpactSummary(Value, frozen=True):
    """Numbers of changes by their impact."""

    mechanical: int
    behavioral: int
    architectural: int


class FoundBase(Value, frozen=True):
    """The base of a port that nobody named: *revision*, of *fitting* of its *copies*."""

    port: str
    revision: str
    fitting: int
    copies: int


class FollowedPlace(Value, frozen=True):
    """A port whose copies are made anew from another *place* of the target than it says."""

    port: str
    local: str
    place: str


class HistoryOf(Value, frozen=True):
    """Which files' history is told."""

    name: str
    paths: tuple[str, ...]
    note: str


class CommitValue(Value, frozen=True):
    """A commit between the ends that touched such a file."""

    name: str
    sha: str
    date: str
    author: str
    subject: str
    paths: tuple[str, ...]


class OverrideValue(Value, frozen=True):
    """A person's word that a rule does not stop this upgrade."""

    reason: str
    port: str
    said_in: str


class StopValue(Value, frozen=True):
    """What one rule of the gate says."""

    rule: str
    decision: str
    why: tuple[str, ...]
    ports: tuple[str, ...]
    paths: tuple[str, ...]
    changes: tuple[ChangeOfUpstream, ...]
    conflicts: tuple[DisagreementValue, ...]
    override: OverrideValue | None


class GateValue(Value, frozen=True):
    """Whether the rebase may begin, and why not."""

    outcome: Outcome
    stops: tuple[StopValue, ...]
    overridden: tuple[StopValue, ...]
    notes: tuple[StopValue, ...]


class LackValue(Value, frozen=True):
    """Code that a GPU sibling has had since before current, and that a local method lacks.

    *source* is the sibling's file at current, *code* translated; *whole* says that it is a method
    which the class (then *method*) lacks altogether.
    """

    path: str
    port: str
    method: str
    source: str
    start: Line
    end: Line
    code: str
    key: str
    whole: bool


class PlanDocument(Value, frozen=True):
    """What omni-port plan --format json prints."""

    version: Literal[1]
    tool: Tool
    outcome: Outcome
    identity: IdentityValue
    ports: tuple[PortValue, ...]
    inventory: tuple[CopyValue, ...]
    summary: ImpactSummary
    changes: tuple[ChangeOfUpstream, ...]
    unseen: tuple[str, ...]
    unread: tuple[str, ...]
    found: tuple[FoundBase, ...]
    since: str | None
    history_of: tuple[HistoryOf, ...]
    history: tuple[CommitValue, ...]
    gate: GateValue
    # Records of earlier releases have none.
    followed: tuple[FollowedPlace, ...] = ()
    backlog: tuple[LackValue, ...] = ()


def make_plan_document(plan: Plan) -> PlanDocument:
    """Return the document: identity, ports, inventory, changes, history and gate."""
    counts = Counter(change.impact for change in plan.changes)
    return PlanDocument(
        1,
        this_tool(),
        plan.gate.outcome,
        _identity(plan.identity),
        tuple(map(_port, plan.ports)),
        tuple(map(_copy, plan.copies)),
        ImpactSummary(*(counts[impact] for impact in Impact)),
        tuple(publish(change, ChangeOfUpstream) for change in plan.changes),
        tuple(plan.unseen),
        tuple(plan.unread),
        tuple(publish(base, FoundBase) for base in plan.found),
        plan.since,
        tuple(publish(one, HistoryOf) for one in plan.history),
        tuple(_commits(plan)),
        _gate(plan.gate),
        tuple(
            FollowedPlace(one.port.name, str(one.port.local), str(one.place))
            for one in plan.followed
        ),
        tuple(publish(one, LackValue) for one in plan.backlog),
    )


def _identity(identity: Identity) -> IdentityValue:
    return publish(identity, IdentityValue)


def _port(port: Port) -> PortValue:
    sibling = None if port.sibling is None else str(port.sibling)
    return PortValue(port.name, str(port.local), str(port.upstream), sibling)


def _copy(copy: Copy) -> CopyValue:
    return CopyValue(
        copy.port.name,
        copy.method,
        copy.port.path,
        copy.span.start,
        copy.span.end,
        copy.upstream,
        copy.before,
        copy.after,
        round(copy.copied, 4),
        tuple(BlockSpan(b.span.start, b.span.end, b.opening.label) for b in copy.blocks),
        tuple(DriftSpan(d.span.start, d.span.end, d.summary, d.deletion) for d in copy.drift),
        tuple(copy.uses),
    )


def _commits(plan: Plan) -> Iterator[CommitValue]:
    for one in plan.history:
        for commit in one.commits:
            yield CommitValue(
                one.name,
                commit.sha,
                commit.date,
                commit.author,
                commit.subject,
                tuple(commit.paths),
            )


def _gate(gate: Gate) -> GateValue:
    listed = (tuple(map(_stop, stops)) for stops in (gate.stops, gate.overridden, gate.notes))
    return GateValue(gate.outcome, *listed)


def _stop(stop: Stop) -> StopValue:
    whys = dict.fromkeys(filter(None, (KINDS[change.kind].why for change in stop.changes)))
    return StopValue(
        stop.rule.name,
        stop.rule.decision,
        tuple(whys),
        tuple(stop.ports),
        tuple(stop.paths),
        tuple(publish(change, ChangeOfUpstream) for change in stop.changes),
        tuple(publish(one, DisagreementValue) for one in stop.disagreements),
        None if stop.override is None else publish(stop.override, OverrideValue),
    )
