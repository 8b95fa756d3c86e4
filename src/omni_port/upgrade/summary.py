"""An upgrade as text for a terminal, and as a JSON document (``schemas/upgrade.json``)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

from omni_port import __version__
from omni_port.base.words import count
from omni_port.report.document import Json, error_json, finding_json
from omni_port.upgrade.left import MUST, Item, Kind
from omni_port.upgrade.phases import Record, Status
from omni_port.upgrade.run import Run

_COLOURS = {
    Status.PASS: "green",
    Status.FAIL: "red",
    Status.BLOCKED: "red",
    Status.STOPPED: "yellow",
    Status.SKIPPED: "cyan",
}
# So many things of a kind are listed; a screen holds no more.
_LISTED = 8


def render_upgrade_text(run: Run, *, verbose: bool) -> str:
    """Return phases, what became of each method, what is left for a person, and what is next.

    *verbose* lists all that is left, also what need not be decided.
    """
    parts = ["\n".join(_phases(run))]
    if run.state.stop:
        parts.append(run.state.stop)
    parts += ["\n".join(_file(one)) for one in run.state.files if run.written]
    parts.append("\n".join(_left(run, verbose=verbose)))
    parts.append(f"Next: {run.next_action}")
    return "\n\n".join(part for part in parts if part)


def _phases(run: Run) -> Iterator[str]:
    width = max(len(record.phase.value) for record in run.records)
    for record in run.records:
        status = click.style(f"{record.status.value:<7}", fg=_COLOURS[record.status], bold=True)
        said = "; ".join(filter(None, (*record.evidence[:3], record.blocker)))
        yield f"{record.phase.value:<{width}}  {status}  {said}".rstrip()


def _file(one: Any) -> Iterator[str]:
    yield one.path
    for method in one.methods:
        yield f"  {method['name']}: {summarise_method(method)}"


def summarise_method(method: dict[str, Any]) -> str:
    """Return in a few words what became of a method, from what the state keeps of it."""
    if method["error"] is not None:
        return f"not carried: {method['error']['message']}"
    account = method["account"]
    outcomes = [f"{n} {name}" for name, n in account["summary"].items() if n]
    conflicts = len(account["conflicts"])
    if conflicts:
        outcomes.append(count(conflicts, "conflict hunk"))
    what = "rebased" if method["is_copy"] else "synced"
    return f"{what}; {', '.join(outcomes) or 'no local edits'}"


def _left(run: Run, *, verbose: bool) -> Iterator[str]:
    if not run.written:
        return
    if not run.left:
        yield "Nothing is left for a person but to try it on an NPU."
        return
    yield "Left for a person, in this order:"
    by_kind = Counter(item.kind for item in run.left)
    for kind in Kind:
        listed = [item for item in run.left if item.kind is kind]
        if not listed:
            continue
        if not verbose and kind not in (*MUST, Kind.TASK):
            yield f"  {_many(by_kind[kind], kind)} (-v lists them)"
            continue
        shown = listed if verbose else listed[:_LISTED]
        yield from (f"  {_item(item)}" for item in shown)
        if len(listed) > len(shown):
            yield f"  ... and {len(listed) - len(shown)} more of this kind (-v lists them)"


def _many(number: int, kind: Kind) -> str:
    return count(number, kind.value)


def _item(item: Item) -> str:
    place = f"{item.path}:{item.line}" if item.line else item.path
    colour = "red" if item.kind in MUST else "yellow"
    method = f"{item.method}: " if item.method else ""
    return f"{place}: {click.style(item.kind.value, fg=colour, bold=True)}: {method}{item.message}"


def render_upgrade_json(run: Run) -> str:
    """Return the document as text."""
    return json.dumps(upgrade_json(run), indent=2, ensure_ascii=False)


def upgrade_json(run: Run) -> Json:
    """Return the document: phases, plan, files with their methods, checks, and what is left."""
    edited = {one.path: one.is_edited for one in run.written}
    return {
        "version": 1,
        "tool": {"name": "omni-port", "version": __version__},
        "started": run.state.started,
        "dry_run": run.dry_run,
        "resumed": run.resumed,
        "needs_person": run.needs_person,
        "phases": [_record(record) for record in run.records],
        "plan": run.state.plan,
        "stop": run.state.stop,
        "files": [
            {
                "path": one.path,
                "changed": one.before != one.after,
                "edited": edited.get(one.path, False),
                "methods": one.methods,
            }
            for one in run.state.files
        ],
        "checks": [
            {
                "path": one.path,
                "findings": [finding_json(f) for f in (one.result.findings if one.result else ())],
                "error": None if one.error is None else error_json(one.error),
            }
            for one in run.checked
        ],
        "left": [_left_json(item) for item in run.left],
    }


def _record(record: Record) -> Json:
    return {
        "phase": record.phase.value,
        "status": record.status.value,
        "evidence": list(record.evidence),
        "blocker": record.blocker,
        "next_action": record.next_action,
    }


def _left_json(item: Item) -> Json:
    return {
        "kind": item.kind.value,
        "must": item.kind in MUST,
        "path": item.path,
        "line": item.line,
        "method": item.method,
        "message": item.message,
        "hint": item.hint,
    }
