"""A plan as a JSON document; its schema is ``schemas/plan.json``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

from omni_codemods.findings.model import Block
from omni_codemods.impact.kinds import KINDS
from omni_codemods.impact.local import Copy
from omni_codemods.impact.model import Impact, Spot, UpstreamChange
from omni_port import __version__
from omni_port.plan.gate import Gate, Stop
from omni_port.plan.plan import Plan
from omni_port.project.project import Port
from omni_port.report.document import Json


def render_plan_json(plan: Plan) -> str:
    """Return the document as text."""
    return json.dumps(plan_json(plan), indent=2, ensure_ascii=False)


def plan_json(plan: Plan) -> Json:
    """Return the document: identity, ports, inventory, changes, history and gate."""
    counts = Counter(change.impact for change in plan.changes)
    return {
        "version": 1,
        "tool": {"name": "omni-port", "version": __version__},
        "outcome": plan.gate.outcome.value,
        "identity": plan.identity.to_json(),
        "ports": [_port(port) for port in plan.ports],
        "inventory": [_copy(copy) for copy in plan.copies],
        "summary": {impact.value: counts[impact] for impact in Impact},
        "changes": [change_json(change) for change in plan.changes],
        "unseen": list(plan.unseen),
        "unread": list(plan.unread),
        "found": [asdict(base) for base in plan.found],
        "followed": [
            {"port": one.port.name, "local": str(one.port.local), "place": str(one.place)}
            for one in plan.followed
        ],
        "since": plan.since,
        "history_of": [
            {"name": one.name, "paths": list(one.paths), "note": one.note} for one in plan.history
        ],
        "history": list(_commits(plan)),
        "gate": gate_json(plan.gate),
    }


def _port(port: Port) -> Json:
    return {
        "name": port.name,
        "local": str(port.local),
        "upstream": str(port.upstream),
        "sibling": None if port.sibling is None else str(port.sibling),
    }


def _copy(copy: Copy) -> Json:
    return {
        "port": copy.port.name,
        "method": copy.method,
        "path": copy.port.path,
        "start": copy.span.start,
        "end": copy.span.end,
        "upstream": copy.upstream,
        "before": copy.before,
        "after": copy.after,
        "copied": round(copy.copied, 4),
        "blocks": [_block(block) for block in copy.blocks],
        "drift": [
            {
                "start": one.span.start,
                "end": one.span.end,
                "summary": one.summary,
                "deletion": one.deletion,
            }
            for one in copy.drift
        ],
        "uses": list(copy.uses),
    }


def _block(block: Block) -> Json:
    return {"start": block.span.start, "end": block.span.end, "label": block.opening.label}


def change_json(change: UpstreamChange) -> Json:
    """Return an upstream change as JSON; lines are 1-based."""
    return {
        "kind": change.kind,
        "impact": change.impact.value,
        "subject": change.subject,
        "message": change.message,
        "details": list(change.details),
        "old": _spot(change.old),
        "new": _spot(change.new),
        "consumers": [
            {
                "port": one.port,
                "path": one.path,
                "method": one.method,
                "lines": list(one.lines),
            }
            for one in change.consumers
        ],
    }


def _spot(spot: Spot | None) -> Json | None:
    return None if spot is None else asdict(spot)


def _commits(plan: Plan) -> Iterator[Json]:
    for one in plan.history:
        for commit in one.commits:
            yield {"name": one.name, **asdict(commit), "paths": list(commit.paths)}


def gate_json(gate: Gate) -> Json:
    """Return the gate as JSON: stops, overridden stops and notes."""
    return {
        "outcome": gate.outcome.value,
        "stops": [_stop(stop) for stop in gate.stops],
        "overridden": [_stop(stop) for stop in gate.overridden],
        "notes": [_stop(stop) for stop in gate.notes],
    }


def _stop(stop: Stop) -> Json:
    override = stop.override
    return {
        "rule": stop.rule.name,
        "decision": stop.rule.decision,
        "why": list(dict.fromkeys(filter(None, (KINDS[c.kind].why for c in stop.changes)))),
        "ports": list(stop.ports),
        "paths": list(stop.paths),
        "changes": [change_json(change) for change in stop.changes],
        "conflicts": [asdict(one) for one in stop.disagreements],
        "override": None
        if override is None
        else {"reason": override.reason, "port": override.port, "said_in": override.said_in},
    }
