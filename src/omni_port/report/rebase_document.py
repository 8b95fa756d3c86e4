"""A rebase as a JSON document; its schema is ``schemas/rebase.json``."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict

from omni_codemods.findings.model import Conflict, EditKind, EditOutcome, Outcome, Span
from omni_port import __version__
from omni_port.report.account import Account
from omni_port.report.document import Json, finding_json
from omni_port.sources.file_at import Located


def render_rebase_json(account: Account) -> str:
    """Return the document as text."""
    return json.dumps(rebase_json(account), indent=2, ensure_ascii=False) + "\n"


def rebase_json(account: Account) -> Json:
    """Return the document: sides with their provenance, edits, conflicts, findings, imports."""
    result = account.result
    outcomes = Counter(outcome.outcome for outcome in result.edits)
    return {
        "version": 1,
        "tool": {"name": "omni-port", "version": __version__},
        "command": account.command,
        "method": result.method,
        "target_method": account.target_method,
        "policy": account.policy,
        "judged": account.judged,
        "needs_person": result.needs_person,
        "sides": {
            name: {**side_json(located), "how": account.how.get(name)}
            for name, located in account.sides.items()
        },
        "summary": {outcome.value: outcomes[outcome] for outcome in Outcome},
        "edits": [_edit(outcome) for outcome in result.edits],
        "conflicts": [_conflict(conflict) for conflict in result.conflicts],
        "findings": [finding_json(finding) for finding in result.findings],
        "imports": {
            "added": list(result.imports_added),
            "removed": list(result.imports_removed),
        },
    }


def side_json(located: Located) -> Json:
    """Return an address with its provenance."""
    return {"address": str(located.address), **asdict(located.provenance)}


def _edit(outcome: EditOutcome) -> Json:
    edit = outcome.edit
    of_sibling = edit.kind is EditKind.SIBLING
    return {
        "outcome": outcome.outcome.value,
        "evidence": outcome.evidence.value,
        "reason": outcome.reason,
        "kind": edit.kind.value,
        "change": edit.change,
        "label": edit.label,
        "summary": edit.summary,
        "local": None if of_sibling else span_json(edit.span),
        "sibling": span_json(edit.span) if of_sibling else None,
        "result": span_json(outcome.result),
        "overruled": outcome.overruled,
        "proposed": outcome.proposed,
    }


def span_json(span: Span | None) -> Json | None:
    """Return the lines of *span*, or nothing where there are none."""
    return None if span is None else {"start": span.start, "end": span.end}


def _conflict(conflict: Conflict) -> Json:
    return {
        "line": conflict.line,
        "reason": conflict.reason,
        "local": conflict.local,
        "base": conflict.base,
        "target": conflict.target,
    }
