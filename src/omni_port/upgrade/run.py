"""The phases of an upgrade in their order: what is known is taken over, the rest is done."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from omni_port import revisions
from omni_port.base import files
from omni_port.base.errors import InputError
from omni_port.base.gc_pause import paused_collector
from omni_port.base.writing import require_inside
from omni_port.decisions.proposal import Proposal
from omni_port.decisions.record import answers, load_decisions, taken_parts, upgrade_of
from omni_port.identity import freeze_identity
from omni_port.methods.check_project import check_ports, require_table, require_trees
from omni_port.methods.translate_files import Translation
from omni_port.project.project import Port, Project, by_file
from omni_port.upgrade.carried_methods import make_methods, make_traces
from omni_port.upgrade.decided import with_answers
from omni_port.upgrade.formatting import format_written
from omni_port.upgrade.left import Item, Written, find_left, in_order
from omni_port.upgrade.lock import locked
from omni_port.upgrade.notes import Notes
from omni_port.upgrade.open_items import find_open
from omni_port.upgrade.phases import Phase, Record, Status, with_skipped
from omni_port.upgrade.planned import Planned, make_key, path_inside, plan_phases
from omni_port.upgrade.port_files import CarriedFile, Carrier
from omni_port.upgrade.records import make_check_record, make_rebase_record, put_record
from omni_port.upgrade.store import FileState, State, Store, digest
from omni_port.upgrade.taking import put_in_taken
from omni_port.upgrade.tasks import find_tasks


@dataclass(frozen=True, slots=True)
class UpgradeOptions:
    """How to upgrade.

    A *dry run* writes nothing at all. *overrides* are rules of the gate with the reasons why they
    do not stop this upgrade. *policy* is that of a rebase.
    """

    dry_run: bool = False
    overrides: tuple[tuple[str, str], ...] = ()
    policy: str = "replay"


@dataclass(frozen=True, slots=True)
class Run:
    """An upgrade as far as it went.

    *written* are the local files, *before* their texts as they were, *checked* their findings,
    *left* what is left for a person. *resumed* says that an earlier run did the rebase.
    """

    project: Project
    state: State
    written: tuple[Written, ...] = ()
    before: tuple[str, ...] = ()
    checked: tuple[Translation, ...] = ()
    left: tuple[Item, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    resumed: bool = False
    dry_run: bool = False

    @property
    def records(self) -> tuple[Record, ...]:
        """All phases."""
        return with_skipped(self.state.phases)

    @property
    def next_action(self) -> str:
        """The one action allowed next: of the first phase that did not pass, or of the last."""
        done = [record for record in self.records if record.status is not Status.SKIPPED]
        failed = [record for record in done if record.status is not Status.PASS]
        return (failed[0] if failed else done[-1]).next_action

    @property
    def must(self) -> tuple[Item, ...]:
        """What has to be done before the upgrade is."""
        return tuple(item for item in self.left if item.must)

    @property
    def needs_person(self) -> bool:
        """Whether a person must decide something before the upgrade goes on."""
        stopped = any(r.status in (Status.BLOCKED, Status.STOPPED) for r in self.records)
        return stopped or bool(self.must)

    @property
    def lacks_papers(self) -> bool:
        """Whether the papers could not be made."""
        return any(r.phase is Phase.REPORT and r.status is Status.FAIL for r in self.records)


def run_upgrade(project: Project, options: UpgradeOptions) -> Run:
    """Run what is left of the upgrade of *project*; raises OmniPortError.

    Reads only until the gate has passed. The local files are then written together. What was
    written by an earlier run is not rebased again, unless it was put back to what it was.
    """
    with contextlib.ExitStack() as stack:
        if not options.dry_run:
            stack.enter_context(locked(project.path))
        stack.enter_context(revisions.session())
        stack.enter_context(paused_collector())
        return _run(project, options)


def load_run(project: Project) -> Run:
    """Return the upgrade of *project* as far as it went, by its record; writes nothing.

    What is left is found anew in the files as they are. Raises InputError where there is none.
    """
    store = Store(project.root)
    state = store.load()
    if state is None:
        message = "no upgrade is recorded here"
        raise InputError(message, hint="run `omni-port upgrade` first", path=str(store.folder))
    if state.applying:
        message = "an upgrade was killed while it wrote the local files"
        raise InputError(message, hint="`omni-port upgrade` finishes that", path=str(store.folder))
    with revisions.session(), paused_collector():
        if not state.written:
            return Run(project, state, resumed=True)
        notes = Notes(project, freeze_identity(project))
        written = [_read(notes, store, one, fresh=False) for one in state.files]
        old = [_text(files.read_bytes(store.folder / "before" / one.path)) for one in state.files]
        return replace(_finish(notes, state, written, old, store), resumed=True)


def _run(project: Project, options: UpgradeOptions) -> Run:
    store = Store(project.root)
    for path in _paths(project):
        require_inside(project.root / path, project.root)
    require_table(project)
    notes = Notes(project, freeze_identity(project))
    state = _resumed(store, make_key(project, notes.identity), options)
    waiting = [p for p in _paths(project) if not _is_written(state, project.root, p)]
    resumed = state is not None and state.written
    if state is None or waiting:
        run = _carry(notes, store, state, waiting, options)
        if isinstance(run, Run):
            return run
        state = run
    if not options.dry_run:
        state = format_written(project, store, put_in_taken(project, store, state))
    written = [_read(notes, store, one, fresh=one.path in waiting) for one in state.files]
    old = [_text(files.read_bytes(store.folder / "before" / one.path)) for one in state.files]
    run = _finish(notes, state, written, old, store)
    if not options.dry_run:
        store.save(run.state)
    return replace(run, resumed=resumed, dry_run=options.dry_run)


def _carry(
    notes: Notes,
    store: Store,
    state: State | None,
    waiting: Sequence[str],
    options: UpgradeOptions,
) -> State | Run:
    """Plan, then carry the files that are *waiting*; a run where that is all that is done."""
    project, is_new = notes.project, state is None
    others = [] if state is None else [f.path for f in state.files if f.path not in waiting]
    were = {path: _text(files.read_bytes(store.folder / "before" / path)) for path in others}
    planned = plan_phases(project, waiting, options.overrides, dry_run=options.dry_run, texts=were)
    state = _begin(state or _stopped(store), make_key(project, notes.identity), planned)
    if not planned.passed:
        if not options.dry_run:
            store.save(state)
        return Run(project, state, dry_run=options.dry_run)
    require_trees(project, project.ports)
    decisions = load_decisions(project)
    known = answers(decisions, upgrade_of(project))
    taken = taken_parts(decisions, upgrade_of(project))
    carrier = Carrier(project, options.policy, planned.copies, planned.followed, taken)
    decided = [with_answers(file, known) for file in carrier.carry(_ports(project, waiting))]
    renewed = [notes.renew(file) for file, _ in decided]
    carried = [file for file, _ in renewed]
    answered, notes_renewed = (sum(n for _, n in pairs) for pairs in (decided, renewed))
    state = _with_files(state, carried, notes_renewed, answered)
    if options.dry_run:
        texts = [file.local.source.text for file in carried]
        return _finish(notes, state, _would_be(state, carried), texts)
    before = {f.path: _encoded(f, f.local.source.text) for f in carried}
    if is_new:
        store.put_aside()
    traces = {f.path: make_traces(f) for f in carried}
    store.stage(before, {f.path: _encoded(f, f.text) for f in carried}, traces)
    return store.apply(state, waiting)


def _resumed(store: Store, key: str, options: UpgradeOptions) -> State | None:
    state = store.load()
    if state is None:
        return None
    if state.applying and options.dry_run:
        message = "an upgrade was killed while it wrote the local files"
        raise InputError(message, hint="`omni-port upgrade` finishes that", path=str(store.folder))
    if state.applying:
        state = store.apply(state, state.applying)
    return state if state.key == key and state.written else None


def _is_written(state: State | None, root: Path, path: str) -> bool:
    """Whether *path* holds what an upgrade wrote, or what a person made of that."""
    known = {one.path: one for one in state.files} if state else {}
    if path not in known:
        return False
    one = known[path]
    return one.before == one.after or digest(files.read_bytes(root / path)) != one.before


def _paths(project: Project) -> list[str]:
    return list(by_file(project.ports))


def _ports(project: Project, paths: Sequence[str]) -> tuple[Port, ...]:
    return tuple(port for port in project.ports if port.local.path in paths)


def _stopped(store: Store) -> State | None:
    """The papers of an upgrade that was stopped: the next run renews them."""
    earlier = store.load()
    if earlier is None or earlier.written:
        return None
    return State(1, "", "", papers=earlier.papers)


def _begin(state: State | None, key: str, planned: Planned) -> State:
    kept = state.files if state else ()
    started = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return State(
        1,
        key,
        (state.started if state else "") or started,
        planned.records,
        planned.document,
        planned.markdown,
        planned.stop,
        kept,
        written=bool(kept),
        papers=state.papers if state else {},
    )


def _with_files(state: State, carried: Sequence[CarriedFile], renewed: int, answered: int) -> State:
    new = {file.path: _file_state(file) for file in carried}
    known = {one.path: one for one in state.files}
    merged = tuple({**known, **new}.values())
    record = make_rebase_record(merged, renewed, answered)
    return msgspec.structs.replace(state, files=merged, phases=put_record(state.phases, record))


def _file_state(file: CarriedFile) -> FileState:
    before = digest(_encoded(file, file.local.source.text))
    return FileState(file.path, before, digest(_encoded(file, file.text)), make_methods(file))


def _encoded(file: CarriedFile, text: str) -> bytes:
    return files.encode(text, file.local.source, path=file.local.address.path)


def _would_be(state: State, carried: Sequence[CarriedFile]) -> list[Written]:
    methods = {one.path: one.methods for one in state.files}
    return [Written(f.path, methods[f.path], f.text, f.text) for f in carried]


def _read(notes: Notes, store: Store, one: FileState, *, fresh: bool) -> Written:
    root, checkout = notes.project.root, notes.identity.checkout
    now = files.read_bytes(root / one.path)
    inside = "" if checkout is None else path_inside(checkout.root, root, one.path)
    # The checkout was read before a fresh file was written.
    known = not fresh and checkout is not None and one.before != one.after
    committed = known and checkout is not None and not checkout.touches(inside)
    return Written(one.path, one.methods, _text(store.staged(one.path)), _text(now), committed)


def _text(data: bytes) -> str:
    return files.decode(data).text


def _finish(
    notes: Notes,
    state: State,
    written: Sequence[Written],
    before: Sequence[str],
    store: Store | None = None,
) -> Run:
    """Check the files; without a *store* the texts that a dry run would write."""
    project = notes.project
    texts = {one.path: one.now for one in written} if store is None else None
    old = project.root if store is None else store.old_copies
    ports = _ports(project, [one.path for one in written])
    found = check_ports(project, ports, texts=texts, old=old)
    ahead = find_open(project, written, state)
    stale = [_stale(notes, one) for one in written]
    left = find_left(written, found.files, stale, ahead.keys)
    left = in_order([*left, *find_tasks(state.plan, written, before, left)], written)
    left, proposals = ahead.numbered(left, save=store is not None)
    phases = put_record(state.phases, make_check_record(found, left))
    state = msgspec.structs.replace(state, phases=phases)
    return Run(
        project,
        state,
        tuple(written),
        tuple(before),
        found.files,
        left,
        proposals,
        dry_run=store is None,
    )


def _stale(notes: Notes, one: Written) -> list[int]:
    ports = {port.name: port for port in notes.project.ports}
    rebased = {
        method.name: ports[method.port]
        for method in one.methods
        if method.is_copy and method.error is None and method.port in ports
    }
    return list(notes.iter_stale(one.now, rebased))
