"""The end of an upgrade that was seen to work: the project file says where the next one starts."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import tomlkit

from omni_port.base import files
from omni_port.base.errors import InputError, UndecidedError
from omni_port.base.words import count
from omni_port.base.writing import write_file
from omni_port.documents.plan import PlanDocument
from omni_port.project.project import TARGET, Project
from omni_port.upgrade.run import Run
from omni_port.upgrade.store import Store

_SHORTEST_SHA = 7


def finish_upgrade(run: Run) -> list[str]:
    """Write the target's revisions as ``current`` into the project file of *run*; say what changed.

    What a port alone said of its base, or of its place in the target, goes into what it is a copy
    of now. Comments, order and all else of the file stay. Raises UndecidedError where something
    must be decided first, InputError where no upgrade has written the files.
    """
    project = run.project
    if not run.written or run.dry_run:
        hint = "run `omni-port upgrade` first; what stopped it is said above"
        raise InputError("nothing to finish: the upgrade did not come to the files", hint=hint)
    if run.must:
        message = f"not finished: {count(len(run.must), 'thing')} must be decided first"
        first = run.must[0]
        place = f"{first.path}:{first.line}" if first.line else first.path
        raise UndecidedError(message, hint=f"the first is at {place}: {first.message}")
    seen = files.read_bytes(project.path)
    source = files.decode(seen, path=str(project.path))
    text, said = advance(source.text, project, run.state.plan)
    if text != source.text:
        data = files.encode(text, source, path=str(project.path))
        write_file(project.path, data, seen=seen)
    Store(project.root).put_aside()
    return said


def advance(text: str, project: Project, plan: PlanDocument | None) -> tuple[str, list[str]]:
    """Return the project file *text* with its ends moved on, and a line for each that was."""
    document = tomlkit.parse(text)
    table: Any = document
    if project.path.name == "pyproject.toml":
        table = table["tool"]["omni-port"]
    said = [*_upstreams(table, project, plan), *_siblings(table, plan), *_ports(table)]
    return tomlkit.dumps(document), said


def _upstreams(table: Any, project: Project, plan: PlanDocument | None) -> Iterator[str]:
    for name in project.settings.upstream:
        mine = table["upstream"][name]
        yield from _set(mine, f"[upstream.{name}]", _fixed(plan, name, str(mine["target"])))


def _siblings(table: Any, plan: PlanDocument | None) -> Iterator[str]:
    mine = table.get("siblings")
    if mine is None:
        return
    target = mine.get("target")
    if target is not None:
        yield from _set(mine, "[siblings]", _fixed(plan, "siblings", str(target)))
        return
    yield (
        "[siblings] has no target: its current stays what it is; write the commit that the copies "
        "are in step with now"
    )


def _set(mine: MutableMapping[str, Any], name: str, value: str) -> Iterator[str]:
    if mine.get("current") != value:
        mine["current"] = value
        yield f"{name} current is {value} now"


def _fixed(plan: PlanDocument | None, name: str, target: str) -> str:
    """The target as a name that does not move: a tag or SHA as it is spelt, of a branch the SHA."""
    end = plan.identity.end(name, TARGET) if plan is not None else None
    if end is None or end.revision is None or end.version is not None:
        return target
    by_sha = len(target) >= _SHORTEST_SHA and end.revision.startswith(target)
    return target if by_sha else str(end.revision)


def _ports(table: Any) -> Iterator[str]:
    for port in table.get("port", ()):
        local = port.get("local", "")
        if "base" in port:
            del port["base"]
            yield f"the port {Path(local).name} is a copy of current now: its base is gone"
        if "upstream-target" in port:
            port["upstream"] = port["upstream-target"]
            del port["upstream-target"]
            yield f"the port {Path(local).name} is a copy of {port['upstream']} now"
