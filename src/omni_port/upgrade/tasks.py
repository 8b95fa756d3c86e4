"""What upstream changes leave to be done in code of ours, and no gate waits for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from omni_codemods.impact.model import Impact
from omni_codemods.impact.uses import iter_uses
from omni_codemods.rebuild.line_map import line_map
from omni_codemods.text.dotted import last_part
from omni_codemods.text.parsing import find_tree
from omni_port.documents.plan import ChangeOfUpstream, PlanDocument
from omni_port.upgrade.left import Item, Kind, Written

# What is wrong in silence: code of ours runs, or is called, no more.
_DEAD = frozenset({"seam-kind", "seam-uncalled", "patch-gone", "state-gone"})
# Kinds whose subject is a name that the file imports.
_IMPORTED = ("import-", "class-", "patch-")


def find_tasks(
    plan: PlanDocument | None,
    written: Sequence[Written],
    before: Sequence[str],
    known: Iterable[Item],
) -> Iterator[Item]:
    """Yield a task for each line of ours that uses what *plan* says is gone, and the gate let by.

    *before* are the texts of the files *written*, which the plan has lines of. What *known* says
    already of a line is not said again, nor what the line no longer names.
    """
    lines = {(item.path, item.line) for item in known if item.kind is not Kind.WARNING}
    texts = dict(zip((one.path for one in written), before, strict=True))
    now = {one.path: one.now for one in written}
    moved = {path: line_map(text, now[path]) for path, text in texts.items()}
    used = {path: _used(text) for path, text in now.items()}
    told: set[tuple[str, int, str]] = set()
    for change, decision in _gone(plan):
        for consumer in change.consumers:
            path = consumer.path
            for line in consumer.lines if path in moved else ():
                place = moved[path](line)
                if (path, place) in lines or not _names(now[path], place, change.subject):
                    continue
                if change.kind.startswith(_IMPORTED) and not _holds(used[path], change):
                    continue  # the name comes from elsewhere now
                said = f"{change.subject} {change.message}"
                if (path, place, said) in told:
                    continue
                told.add((path, place, said))
                yield Item(Kind.TASK, path, place, consumer.method, said, decision)


def _gone(plan: PlanDocument | None) -> Iterator[tuple[ChangeOfUpstream, str]]:
    """The changes after which code of ours fails or is dead, and that no rule stops at or a person
    let by; each with what is to be decided."""
    for stop in (*plan.gate.overridden, *plan.gate.notes) if plan else ():
        for change in stop.changes:
            # Of a copy that cannot be carried its method says so.
            copied = change.kind.startswith("copied")
            is_dead = change.impact is Impact.ARCHITECTURAL or change.kind in _DEAD
            if is_dead and not copied:
                yield change, stop.decision


def _names(text: str, line: int, subject: str) -> bool:
    """Whether the line (1-based) still has the last name of *subject*."""
    lines = text.split("\n")
    return 0 < line <= len(lines) and last_part(subject) in lines[line - 1]


def _used(text: str) -> frozenset[str] | None:
    """The dotted names that a file imports and uses, ``None`` where it cannot be parsed yet."""
    tree = find_tree(text)
    if tree is None:
        return None
    return frozenset(use.path for use in iter_uses(tree, ""))


def _holds(used: frozenset[str] | None, change: ChangeOfUpstream) -> bool:
    subject = change.subject
    return used is None or any(f"{path}.".startswith(f"{subject}.") for path in used)
