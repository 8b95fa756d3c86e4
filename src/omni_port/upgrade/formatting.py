"""The project's own formatter on what an upgrade wrote, where it is configured."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec

from omni_codemods.functions.conflict_markers import HUNK
from omni_codemods.rebuild.line_map import line_map
from omni_port.base import files
from omni_port.base.errors import ConfigurationError
from omni_port.project.project import Project
from omni_port.upgrade.moved_accounts import move_methods
from omni_port.upgrade.store import FileState, State, Store, digest

FILE = "{file}"


def format_written(project: Project, store: Store, state: State) -> State:
    """Run ``[upgrade] format`` on each file that the upgrade changed; return the state after it.

    Once a file, and only where no conflict is left in it: before that it is no Python. The
    accounts' lines are those of the text as it is then. Raises ConfigurationError where the command
    is not there, or fails.
    """
    command = project.settings.upgrade.format
    if not command:
        return state
    done = tuple(_formatted(project, store, one, command) for one in state.files)
    return msgspec.structs.replace(state, files=done)


def _formatted(project: Project, store: Store, one: FileState, command: Sequence[str]) -> FileState:
    path = project.root / one.path
    data = files.read_bytes(path)
    before = files.decode(data, path=one.path).text
    if one.formatted or one.before == one.after or HUNK.search(before):
        return one
    after = store.staged(one.path)
    _run(command, path, project)
    now = files.read_bytes(path)
    if now == data:
        return msgspec.structs.replace(one, formatted=True)
    if after != data:  # a person has worked on it: what the upgrade left stays what it was
        return msgspec.structs.replace(one, formatted=True)
    store.stage({}, {one.path: now})
    moved = line_map(before, files.decode(now, path=one.path).text)
    methods = move_methods(one.methods, moved)
    return msgspec.structs.replace(one, after=digest(now), methods=methods, formatted=True)


def _run(command: Sequence[str], path: Path, project: Project) -> None:
    called = [str(path) if part == FILE else part.replace(FILE, str(path)) for part in command]
    hint = f"mend format of [upgrade] in {project.path.name}, or run it by hand"
    try:
        ran = subprocess.run(
            called,
            cwd=project.root,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except OSError as error:
        message = f"{called[0]} does not run: {error.strerror}"
        raise ConfigurationError(message, hint=hint, path=str(project.path)) from error
    if ran.returncode:
        said = (ran.stderr or ran.stdout).strip()
        message = f"{called[0]} ended with {ran.returncode} on {path.name}: {said}"
        raise ConfigurationError(message, hint=hint, path=str(project.path))
