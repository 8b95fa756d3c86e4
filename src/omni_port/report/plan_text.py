"""A plan as text that fits one screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath

import click

from omni_codemods.impact.kinds import KINDS
from omni_codemods.impact.model import Consumer, Impact, Spot, UpstreamChange
from omni_port.base.words import count
from omni_port.identity import End
from omni_port.plan.gate import Gate, Outcome, Stop
from omni_port.plan.plan import Plan

# So many changes, consumers and disagreements are shown; -v shows all.
_CHANGES, _CONSUMERS = 8, 3
_COLOURS = {
    Impact.MECHANICAL: "green",
    Impact.BEHAVIORAL: "yellow",
    Impact.ARCHITECTURAL: "red",
}
_OUTCOMES = {Outcome.PASS: "green", Outcome.STOPPED: "red", Outcome.BLOCKED: "red"}


def render_plan_text(plan: Plan, *, verbose: bool = False) -> str:
    """Return the plan; *verbose* leaves out nothing."""
    parts = (
        _identity(plan),
        _inventory(plan, verbose=verbose),
        _impact(plan, verbose=verbose),
        _backlog(plan, verbose=verbose),
        _history(plan, verbose=verbose),
        render_gate(plan.gate, verbose=verbose),
    )
    return "".join(f"{line}\n" for part in parts for line in part)


def _backlog(plan: Plan, *, verbose: bool) -> Iterator[str]:
    if not plan.backlog:
        return
    yield _head("backlog")
    said = count(len(plan.backlog), "piece")
    counts = Counter(one.port for one in plan.backlog)
    ports = ", ".join(f"{name} {number}" for name, number in counts.items())
    yield (
        f"  {said} of the siblings' code that the ports have lacked since before current: {ports}"
        "; after the upgrade `omni-port take` lists them"
    )
    for one in plan.backlog if verbose else ():
        first = next((x.strip() for x in one.code.splitlines() if x.strip()), "")
        yield f"    {one.source}:{one.start}-{one.end} {one.method}: {first}"


def _identity(plan: Plan) -> Iterator[str]:
    yield _head("identity")
    identity = plan.identity
    width = max(len(name) for name in ("here", *(end.name for end in identity.ends)))
    for name in dict.fromkeys(end.name for end in identity.ends):
        held = [end for end in identity.ends if end.name == name]
        ends = [identity.end(name, which) for which in ("current", "target")]
        yield f"  {name:<{width}}  {' -> '.join(render_end(end) for end in ends)}"
        yield from (f"  {'':<{width}}  {render_end(e)} for {e.port}" for e in held if e.port)
    if identity.checkout is not None:
        here = identity.checkout
        branch = here.branch or "no branch"
        dirty = f", {count(len(here.dirty), 'path')} not committed" if here.dirty else ""
        yield f"  {'here':<{width}}  {branch} {(here.head or 'no commit')[:12]}{dirty}"
    yield from (f"  remark: {remark}" for remark in identity.remarks)
    for base in plan.found:
        fit = f"{base.fitting} of {count(base.copies, 'copied function')}"
        yield f"  found: {base.port} was made from {base.revision}, which fits {fit} best"
    for one in plan.followed:
        said = f"{one.port.aim} is {one.place} in the target"
        yield f"  follows: {one.port.name} is made anew from there: {said}"
    if plan.unseen:
        said = ", ".join(plan.unseen)
        yield f"  remark: no upstream of the project holds {said}: no change there is known"
    if plan.unread:
        said = ", ".join(plan.unread)
        yield f"  remark: this Python cannot parse {said}: no change there is known"


def render_end(end: End | None) -> str:
    """Return a revision with its short SHA, and how it was found where nobody configured it."""
    if end is None:
        return "not configured"
    label = end.label
    if end.repository is None and "/" in end.spelling:
        # A folder by its name: two whole paths do not fit beside one another.
        label = label.replace(end.spelling, f".../{PurePath(end.spelling).name}")
    how = "" if end.how.value in ("configured", "working tree") else f", {end.how.value}"
    return f"{label}{how}"


def _inventory(plan: Plan, *, verbose: bool) -> Iterator[str]:
    copies = plan.copies
    blocks, drift = (sum(len(getattr(c, key)) for c in copies) for key in ("blocks", "drift"))
    ports = count(len(plan.ports), "port")
    said = f"{count(len(copies), 'copied function')} of {ports}"
    own = f"{count(blocks, 'block')}, {count(drift, 'piece')} of drift"
    yield f"{_head('inventory')}  {said}: {own}"
    if verbose:
        for copy in copies:
            own = f"{count(len(copy.blocks), 'block')}, {count(len(copy.drift), 'piece')} of drift"
            place = f"{copy.port.path}:{copy.span.start}"
            yield f"  {place}: {copy.method}: {own}, {copy.copied:.0%} of {copy.upstream}"
            if copy.after is None:
                yield f"    {copy.before} -> gone"
            elif copy.before != copy.after:
                yield f"    {copy.before} -> {copy.after}"


def _impact(plan: Plan, *, verbose: bool) -> Iterator[str]:
    counts = Counter(change.impact for change in plan.changes)
    said = ", ".join(f"{counts[impact]} {impact.value}" for impact in Impact)
    yield f"{_head('impact')}  {said}"
    stopped = {id(c) for s in (*plan.gate.stops, *plan.gate.overridden) for c in s.changes}
    # What stops is told at the gate, in full.
    told = [c for c in plan.changes if id(c) not in stopped or verbose]
    shown = told if verbose else [c for c in told if c.impact is not Impact.MECHANICAL]
    for change in shown if verbose else shown[:_CHANGES]:
        yield from _change(change, verbose=verbose)
    left = len(told) - (len(shown) if verbose else min(len(shown), _CHANGES))
    if left:
        yield f"  and {left} more: omni-port -v plan shows all"


def _change(change: UpstreamChange, *, verbose: bool) -> Iterator[str]:
    impact = click.style(f"{change.impact.value:<13}", fg=_COLOURS[change.impact], bold=True)
    more = f" (and {len(change.details)} more)" if change.details and not verbose else ""
    yield f"  {impact} {_short(change.subject)}: {change.message}{more}"
    lines = _lines(change.old, change.new)
    yield f"      {change.kind}, {lines}; used by {_consumers(change.consumers, verbose=verbose)}"
    for detail in change.details if verbose else ():
        yield f"      {detail}"


def _short(subject: str) -> str:
    """A dotted name from its class on, or its last part."""
    parts = subject.split(".")
    starts = [n for n, part in enumerate(parts) if part.lstrip("_")[:1].isupper()]
    return ".".join(parts[starts[0] :]) if starts else parts[-1]


def _lines(old: Spot | None, new: Spot | None) -> str:
    if old is not None and new is not None and old.path == new.path:
        return f"{old} -> {new.line}"
    return f"{old or 'not there'} -> {new or 'not there'}"


def _consumers(consumers: Sequence[Consumer], *, verbose: bool) -> str:
    shown = consumers if verbose else consumers[:_CONSUMERS]
    said = ", ".join(render_consumer(one) for one in shown)
    more = len(consumers) - len(shown)
    return f"{said} and {more} more" if more else said


def render_consumer(consumer: Consumer) -> str:
    """Return who uses what changed: the function, or the port, and the lines."""
    lines = list(map(str, consumer.lines[:4]))
    more = f" and {len(consumer.lines) - 4} more" if len(consumer.lines) > 4 else ""
    where = f":{','.join(lines)}{more}" if lines else ""
    file = PurePath(consumer.path).name
    return f"{consumer.method or consumer.port} ({file}{where})"


def _history(plan: Plan, *, verbose: bool) -> Iterator[str]:
    if not plan.history:
        return
    since = f" since {plan.since}" if plan.since else ""
    said = [
        f"none of {one.name} ({one.note})"
        if one.note
        else f"{count(len(one.commits), 'commit')} of {one.name}"
        for one in plan.history
    ]
    yield f"{_head('history')}  {', '.join(said)}{since}"
    for one in plan.history if verbose else ():
        for commit in one.commits:
            yield f"  {one.name} {commit.sha[:12]} {commit.date[:10]} {commit.subject}"


def render_gate(gate: Gate, *, verbose: bool = False) -> Iterator[str]:
    """Yield what the gate says: each stop with what a person has to decide."""
    outcome = click.style(gate.outcome.value.upper(), fg=_OUTCOMES[gate.outcome], bold=True)
    rules = ", ".join(stop.rule.name for stop in gate.stops)
    yield f"{_head('gate')}  {outcome}{f' by {rules}' if rules else ''}"
    for stop in gate.stops:
        yield from _stop(stop, verbose=verbose)
    for stop in gate.overridden:
        assert stop.override is not None
        names = ", ".join(dict.fromkeys(_short(c.subject) for c in stop.changes))
        said = f"{stop.override.reason} ({stop.override.said_in})"
        yield f"  overridden {stop.rule.name}{f' for {names}' if names else ''}: {said}"
    for stop in gate.notes:
        yield from _note(stop, verbose=verbose)


def _note(stop: Stop, *, verbose: bool) -> Iterator[str]:
    """What to look at; a task where it is gone, with the lines that use it."""
    is_task = any(change.impact is Impact.ARCHITECTURAL for change in stop.changes)
    names = (
        f"{_short(one.subject)}{f' in {_consumers(one.consumers, verbose=verbose)}' * is_task}"
        for one in stop.changes
    )
    subjects = list(dict.fromkeys(names))
    shown = subjects if verbose else subjects[:_CHANGES]
    more = f" and {len(subjects) - len(shown)} more" if len(subjects) > len(shown) else ""
    parts = "; " if is_task else ", "
    yield f"  {'task' if is_task else 'note'} {stop.rule.name}: {parts.join(shown)}{more}"
    if stop.rule.decision:
        yield f"    {stop.rule.decision}"


def _stop(stop: Stop, *, verbose: bool) -> Iterator[str]:
    yield f"  {click.style(stop.rule.name, fg='red', bold=True)}"
    for one in stop.disagreements:
        yield f"    {one.message}"
        yield from (f"      {place}" for place in one.places[:_CONSUMERS])
        yield f"      {one.hint}"
    shown = stop.changes if verbose else stop.changes[:_CHANGES]
    for change in shown:
        yield f"    {change.subject}: {change.message}"
        for detail in change.details if verbose else change.details[:_CONSUMERS]:
            yield f"      {detail}"
        if len(change.details) > _CONSUMERS and not verbose:
            yield f"      and {len(change.details) - _CONSUMERS} more"
        if change.old is not None:
            yield f"      was      {change.old}  {change.old.text}"
        yield f"      now      {f'{change.new}  {change.new.text}' if change.new else 'not there'}"
        yield f"      used by  {_consumers(change.consumers, verbose=verbose)}"
    if len(stop.changes) > len(shown):
        yield f"    and {len(stop.changes) - len(shown)} more: omni-port -v plan shows all"
    whys = dict.fromkeys(KINDS[change.kind].why for change in stop.changes)
    yield from (f"    why      {why}" for why in whys if why)
    if stop.ports:
        yield f"    affects  {', '.join(stop.ports)}"
    yield from (f"             {path}" for path in stop.paths)
    if stop.rule.decision:
        yield f"    decide   {stop.rule.decision}"
    yield f"    go on    --override '{stop.rule.name}=REASON'"


def _head(text: str) -> str:
    return click.style(text, bold=True)
