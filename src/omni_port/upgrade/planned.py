"""The first four phases: what they found, from the plan."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from omni_codemods.impact.model import Impact
from omni_codemods.text.dotted import last_part
from omni_port.base.words import count
from omni_port.documents.plan import PlanDocument, make_plan_document
from omni_port.identity import AGAIN, Disagreement, Identity
from omni_port.plan.followed import Followed
from omni_port.plan.gate import Outcome
from omni_port.plan.plan import Plan, make_plan
from omni_port.project.project import Project
from omni_port.report.plan_markdown import render_plan_markdown
from omni_port.report.plan_text import render_gate
from omni_port.upgrade.phases import Phase, Record, Status


@dataclass(frozen=True, slots=True)
class Planned:
    """The records of the phases, the plan as document and Markdown, and what stopped it, if so.

    *copies* are the copied methods by the name of their port, *followed* the ports that are made
    anew from another place than they say.
    """

    records: tuple[Record, ...]
    document: PlanDocument
    copies: Mapping[str, Sequence[str]]
    markdown: str = ""
    stop: str = ""
    followed: tuple[Followed, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the rebase may begin."""
        return all(record.status is Status.PASS for record in self.records)


def make_key(project: Project, identity: Identity) -> str:
    """Return a digest of what an upgrade goes from and to, and of its ports.

    What may change while it goes on is not in it: the working tree, the gate's overrides.
    """
    ends = [
        (end.name, end.end, end.port, end.revision or end.digest)
        for end in identity.ends
        if end.spelling
    ]
    ports = msgspec.to_builtins(project.settings.port)
    return hashlib.sha256(json.dumps([ends, ports]).encode("utf-8")).hexdigest()


def plan_phases(
    project: Project,
    paths: Sequence[str],
    overrides: Sequence[tuple[str, str]] = (),
    *,
    dry_run: bool = False,
    texts: Mapping[str, str] | None = None,
) -> Planned:
    """Run the phases up to the gate for the local files *paths*; reads alone.

    *texts* are the other local files as they were, by path: those that are carried already.
    Uncommitted work in one of *paths* blocks, unless it is a *dry run*.
    """
    plan = make_plan(project, overrides=overrides, texts=texts)
    dirty = () if dry_run else tuple(_dirty(project, plan.identity, paths))
    records = [_identity(plan, dirty)]
    if not dirty:
        again = [d for stop in plan.gate.stops for d in stop.disagreements if d.rule == AGAIN]
        records.append(_inventory(plan, again))
        records += [] if again else [_diff(plan), _gate(plan)]
    passed = dirty or plan.gate.outcome is Outcome.PASS
    stop = "" if passed else "\n".join(render_gate(plan.gate))
    copies: dict[str, list[str]] = {}
    for copy in plan.copies:
        copies.setdefault(copy.port.name, []).append(last_part(copy.method))
    document, markdown = make_plan_document(plan), render_plan_markdown(plan)
    return Planned(tuple(records), document, copies, markdown, stop, plan.followed)


def _dirty(project: Project, identity: Identity, paths: Sequence[str]) -> Iterator[str]:
    if identity.checkout is None:
        return
    for path in paths:
        if identity.checkout.touches(path_inside(identity.checkout.root, project.root, path)):
            yield path


def path_inside(checkout: str, root: Path, path: str) -> str:
    """Return the *path* of a file below *root* relative to the *checkout*, as git spells it.

    Links on the way to the folder are followed, a link that is the file itself is not.
    """
    file = Path(os.path.realpath(root)) / path
    return Path(os.path.relpath(file, os.path.realpath(checkout))).as_posix()


def _identity(plan: Plan, dirty: Sequence[str]) -> Record:
    names = dict.fromkeys(end.name for end in plan.identity.ends)
    evidence = [f"{name} {_ends(plan.identity, name)}" for name in names]
    if plan.identity.checkout is None:
        evidence.append("no git repository, so nothing tells of uncommitted work")
    if dirty:
        blocker = f"uncommitted work in {', '.join(dirty)}"
        action = "commit that work or put it away, then run `omni-port upgrade` again"
        return Record(Phase.IDENTITY, Status.BLOCKED, tuple(evidence), blocker, action)
    return Record(Phase.IDENTITY, Status.PASS, tuple(evidence), next_action="take the inventory")


def _ends(identity: Identity, name: str) -> str:
    found = [identity.end(name, end) for end in ("current", "target")]
    return " to ".join(end.label for end in found if end is not None)


def _inventory(plan: Plan, again: Sequence[Disagreement]) -> Record:
    blocks = sum(len(copy.blocks) for copy in plan.copies)
    drift = sum(len(copy.drift) for copy in plan.copies)
    evidence = (
        f"{count(len(plan.copies), 'copied function')} in {count(len(plan.ports), 'port')}, "
        f"{count(blocks, 'block')}, {count(drift, 'edit')} outside of fences"
    )
    if again:
        blocker = "; ".join(one.message for one in again)
        return Record(Phase.INVENTORY, Status.BLOCKED, (evidence,), blocker, again[0].hint)
    return Record(Phase.INVENTORY, Status.PASS, (evidence,), next_action="compare the upstreams")


def _diff(plan: Plan) -> Record:
    impacts = Counter(change.impact for change in plan.changes)
    said = ", ".join(f"{impacts[one]} {one.value}" for one in Impact)
    touching = f"{count(len(plan.changes), 'upstream change')} of interest ({said})"
    return Record(Phase.DIFF, Status.PASS, (touching,), next_action="pass the gate")


def _gate(plan: Plan) -> Record:
    gate = plan.gate
    evidence = [f"{count(len(gate.notes), 'note')} to look at after the rebase"]
    evidence += [
        f"{stop.rule.name} overridden: {stop.override.reason}"
        for stop in gate.overridden
        if stop.override is not None
    ]
    if gate.outcome is Outcome.PASS:
        return Record(Phase.GATE, Status.PASS, tuple(evidence), next_action="rebase")
    status = Status.BLOCKED if gate.outcome is Outcome.BLOCKED else Status.STOPPED
    rules = list(dict.fromkeys(stop.rule.name for stop in gate.stops))
    action = " ".join(dict.fromkeys(stop.rule.decision for stop in gate.stops))
    return Record(Phase.GATE, status, tuple(evidence), ", ".join(rules), action)
