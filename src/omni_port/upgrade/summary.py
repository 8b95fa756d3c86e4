"""An upgrade as text for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from omni_port.base.words import count
from omni_port.upgrade.carried_methods import summarise_method
from omni_port.upgrade.left import ASKED, MUST, Item, Kind
from omni_port.upgrade.phases import Status
from omni_port.upgrade.run import Run
from omni_port.upgrade.store import FileState

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


def _file(one: FileState) -> Iterator[str]:
    yield one.path
    for method in one.methods:
        yield f"  {method.name}: {summarise_method(method)}"


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
        if not verbose and kind not in (*MUST, *ASKED, Kind.TASK):
            listing = "-v lists them"
            items = len({item.number for item in listed if item.number})
            if items and not run.dry_run:
                listing = f"{count(items, 'item')}; `omni-port take` lists them"
            yield f"  {_many(by_kind[kind], kind)} ({listing})"
            continue
        shown = listed if verbose or kind in ASKED else listed[:_LISTED]
        yield from (f"  {_item(item)}" for item in shown)
        if len(listed) > len(shown):
            yield f"  ... and {len(listed) - len(shown)} more of this kind (-v lists them)"


def _many(number: int, kind: Kind) -> str:
    return count(number, kind.value)


def _item(item: Item) -> str:
    place = f"{item.path}:{item.line}" if item.line else item.path
    colour = "red" if item.must else "yellow"
    method = f"{item.method}: " if item.method else ""
    detail = "".join(f"\n      {line}" for line in item.detail.splitlines())
    number = f" {item.number}" if item.number else ""
    kind = click.style(f"{item.kind.value}{number}", fg=colour, bold=True)
    return f"{place}: {kind}: {method}{item.message}{detail}"
