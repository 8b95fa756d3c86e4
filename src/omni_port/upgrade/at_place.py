"""What an upgrade did at a line of a local file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.rebuild.line_map import line_map
from omni_port.base import files
from omni_port.documents.rebase import EditValue
from omni_port.project.project import Project
from omni_port.upgrade.store import Store


@dataclass(frozen=True, slots=True)
class EditAt:
    """An edit, its method, and the lines (1-based) that it has in the file as it is now."""

    method: str
    start: int
    end: int
    edit: EditValue


def find_edits_at(project: Project, path: str, line: int) -> list[EditAt]:
    """Return the edits that stand at *line* (1-based) of *path*, the shortest first.

    Nothing where no upgrade has written the file. Raises InputError.
    """
    return sorted(_edits_at(project, path, line), key=lambda one: one.end - one.start)


def _edits_at(project: Project, path: str, line: int) -> Iterator[EditAt]:
    store = Store(project.root)
    state = store.load()
    for one in state.files if state is not None and state.written else ():
        if one.path != path:
            continue
        after = files.decode(store.staged(path)).text
        now = files.decode(files.read_bytes(project.root / path)).text
        moved = line_map(after, now)
        for method in one.methods:
            for edit in method.edits:
                if edit.result is None:
                    continue
                start, end = moved(edit.result.start), moved(edit.result.end)
                if start <= line <= end:
                    yield EditAt(method.name, start, end, edit)
