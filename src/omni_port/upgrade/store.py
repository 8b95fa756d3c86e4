"""What an upgrade keeps between runs, in ``.omni-port/upgrade`` beside the project file.

    state.json    the record: phases, files with their hashes, what became of every method
    before/       the local files as they were
    after/        the local files as the upgrade leaves them
    traces/       where each line of the rebuilt methods came from, a JSON file for each of them

The files of the project are written in two steps: everything is in ``after/``, and the state says
what is being written, before the first file is replaced. A run that was killed in between is
finished by the next one.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from omni_codemods.findings.model import Trace
from omni_port.base import files
from omni_port.base.errors import InputError
from omni_port.base.temporary import sweep
from omni_port.base.writing import (
    Changed,
    Write,
    make_folder,
    require_inside,
    write_file,
    write_together,
)
from omni_port.documents.plan import PlanDocument
from omni_port.upgrade.carried_methods import MethodValue
from omni_port.upgrade.phases import Record

# The traces of a file's methods, by their qualified names.
Traces = dict[str, tuple[Trace, ...]]


class FileState(msgspec.Struct, frozen=True):
    """SHA-256 of a local file before and after, and what became of its methods.

    *formatted* says that the project's formatter has had it. *put_in* are the keys of what was
    taken of the backlog and put in.
    """

    path: str
    before: str
    after: str
    methods: tuple[MethodValue, ...] = ()
    formatted: bool = False
    put_in: tuple[str, ...] = ()


class State(msgspec.Struct, frozen=True):
    """The record of an upgrade.

    *key* is a digest of what it goes from and to: with another one, it is another upgrade.
    *stop* is what the gate said where it did not pass. *applying* says that the files are being
    written, *written* that they were. *papers* are digests of the papers that were made.
    """

    version: int
    key: str
    started: str
    phases: tuple[Record, ...] = ()
    plan: PlanDocument | None = None
    plan_markdown: str = ""
    stop: str = ""
    files: tuple[FileState, ...] = ()
    applying: tuple[str, ...] = ()
    written: bool = False
    papers: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Store:
    """The folder of the upgrade of the project at *root*."""

    root: Path

    @property
    def folder(self) -> Path:
        """Where everything is kept."""
        return self.root / ".omni-port" / "upgrade"

    @property
    def old_copies(self) -> Path | None:
        """The folder of the local files before the upgrade, where there is one."""
        folder = self.folder / "before"
        return folder if folder.is_dir() else None

    def load(self) -> State | None:
        """Return the record, ``None`` where there is none; raises InputError for a broken one."""
        path = self.folder / "state.json"
        if not path.is_file():
            return None
        try:
            state = msgspec.json.decode(files.read_bytes(path), type=State)
        except (msgspec.DecodeError, RecursionError) as error:
            hint = "remove the folder to start anew; the files of the project are left alone"
            raise InputError(f"not a record: {error}", hint=hint, path=str(path)) from error
        if state.version != 1:
            message = f"a record of version {state.version}, which this omni-port does not know"
            raise InputError(message, hint="use the omni-port that wrote it", path=str(path))
        return state

    def save(self, state: State) -> None:
        """Write the record."""
        self._make_folder()
        data = msgspec.json.format(msgspec.json.encode(state), indent=1) + b"\n"
        write_file(self.folder / "state.json", data)

    def put_aside(self) -> None:
        """Put what an earlier upgrade kept beside: its copies may be all that is left of a file."""
        if self.old_copies is None:
            return
        number = 1
        while (aside := self.folder.with_name(f"{self.folder.name}-{number}")).exists():
            number += 1
        self.folder.rename(aside)

    def stage(
        self,
        before: Mapping[str, bytes],
        after: Mapping[str, bytes],
        traces: Mapping[str, Traces] | None = None,
    ) -> None:
        """Keep the files of both ends, and the traces of their methods, by path in the project."""
        self._make_folder()
        for folder in {(self.root / path).parent for path in before}:
            sweep(folder)
        kept = {f"{path}.json": msgspec.json.encode(one) for path, one in (traces or {}).items()}
        for name, texts in (("before", before), ("after", after), ("traces", kept)):
            for path, data in texts.items():
                target = self.folder / name / path
                make_folder(target.parent)
                write_file(target, data)

    def staged(self, path: str) -> bytes:
        """Return the file *path* as the upgrade leaves it; raises InputError."""
        return files.read_bytes(self.folder / "after" / path)

    def traces(self, path: str) -> Traces:
        """Return the traces of the methods of the file *path*; none where an older one kept none.

        Raises InputError for what cannot be read.
        """
        kept = self.folder / "traces" / f"{path}.json"
        if not kept.is_file():
            return {}
        try:
            return msgspec.json.decode(files.read_bytes(kept), type=Traces)
        except (msgspec.DecodeError, RecursionError) as error:
            hint = "remove it: the review does without"
            raise InputError(f"not a trace: {error}", hint=hint, path=str(kept)) from error

    def apply(self, state: State, paths: Sequence[str]) -> State:
        """Write the staged files *paths* over the project's: all, or if killed, later.

        Raises Changed for what is neither as it was nor as it shall be: it is left, and out of the
        record, so that the next run carries it anew. All others are written then too.
        """
        waiting: list[Write] = []
        for one in (one for one in state.files if one.path in paths):
            target = self.root / one.path
            require_inside(target, self.root)
            if one.before != one.after and digest(files.read_bytes(target)) != one.after:
                seen = files.read_bytes(self.folder / "before" / one.path)
                waiting.append(Write(target, self.staged(one.path), seen))
        self.save(msgspec.structs.replace(state, applying=tuple(paths)))
        try:
            write_together(waiting)
        except Changed:
            self.save(self._without_changed(state))
            raise
        done = msgspec.structs.replace(state, applying=(), written=True)
        self.save(done)
        return done

    def _without_changed(self, state: State) -> State:
        kept = [f for f in state.files if digest(files.read_bytes(self.root / f.path)) == f.after]
        return msgspec.structs.replace(state, applying=(), written=True, files=tuple(kept))

    def _make_folder(self) -> None:
        require_inside(self.folder, self.root)
        make_folder(self.folder)
        ignore = self.folder.parent / ".gitignore"
        if not ignore.exists():
            with contextlib.suppress(Changed):
                write_file(ignore, b"*\n", new=True)


def digest(data: bytes) -> str:
    """Return the SHA-256 of *data*."""
    return hashlib.sha256(data).hexdigest()
