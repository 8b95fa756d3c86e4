"""Proposals that were taken after the files had been written: put in, with their accounts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from omni_codemods.findings.model import Outcome, Severity
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.rebuild.line_map import line_map
from omni_codemods.sources.classes import own_methods
from omni_codemods.text.dotted import last_part
from omni_port.base import files
from omni_port.base.writing import Write, write_together
from omni_port.decisions.record import answers, load_decisions, taken_parts, upgrade_of
from omni_port.documents.plan import LackValue
from omni_port.documents.rebase import EditValue, RebaseDocument, RebaseSummary
from omni_port.methods.requests import gpu_request
from omni_port.project.project import Port, Project
from omni_port.sources.file_at import Located
from omni_port.sources.sibling import Gpu, GpuRequest, read_gpu
from omni_port.upgrade.carried_methods import MethodValue, make_methods
from omni_port.upgrade.decided import with_answers
from omni_port.upgrade.moved_accounts import move_edit
from omni_port.upgrade.port_files import CarriedFile, Carrier, Job, local_line
from omni_port.upgrade.store import FileState, State, Store, digest

_Lines = Callable[[int], int]


@dataclass(slots=True)
class Taker(Carrier):
    """Puts what was taken into the methods *wanted* (local qualified names), and nothing else."""

    wanted: frozenset[str] = field(default=frozenset())

    def jobs(self, ports: Sequence[Port], local: Located) -> Iterator[Job]:
        """Yield the wanted methods of *ports*, to be synced alone."""
        for port in ports:
            for name in sorted(self.wanted):
                if name == port.name or name.rpartition(".")[0] == port.name:
                    method = last_part(name)
                    line = local_line(local, port, method)
                    yield Job(port, method, line, is_copy=False)

    def _with_taken(self, request: GpuRequest) -> GpuRequest:
        return replace(request, taken=self.taken, only_taken=True)


@dataclass(slots=True)
class BacklogTaker(Taker):
    """Puts in what the sibling had at ``current`` already: *lacks*.

    The engine brings over what changed between two versions of the sibling. Here the older one is
    the sibling at ``current`` without the code that was taken, and the newer one with it.
    """

    lacks: tuple[LackValue, ...] = ()

    def jobs(self, ports: Sequence[Port], local: Located) -> Iterator[Job]:
        """Yield the wanted methods; for what a class lacks as a whole, one that both have."""
        whole = {lack.port for lack in self.lacks if lack.whole}
        for port in ports:
            methods = {last_part(x) for x in self.wanted if x.rpartition(".")[0] == port.name}
            if port.name in whole and not methods:
                methods = set(self._shared(port, local)[:1])
            for method in sorted(methods):
                yield Job(port, method, local_line(local, port, method), is_copy=False)

    def _shared(self, port: Port, local: Located) -> list[str]:
        request = gpu_request(self.project, port)
        if request is None:
            return []
        theirs = own_methods(self.read(request.base).source.text, request.base.qualname or "")
        mine = own_methods(blank_hunks(local.source.text), port.name)
        return [name for name in mine if name in theirs and not name.startswith("__")]

    def _with_taken(self, request: GpuRequest) -> GpuRequest:
        return replace(request, target=request.base, taken=self.taken, only_taken=True)

    def _read_gpu(self, request: GpuRequest) -> Gpu:
        """The sibling at ``current`` on both ends, without the code in the older one."""
        gpu = read_gpu(request, self.read)
        base = gpu.sides["gpu-base"]
        lines = base.source.text.splitlines(keepends=True)
        for lack in self.lacks:
            lines[lack.start - 1 : lack.end] = [""] * (lack.end - lack.start + 1)
        return replace(gpu, sides={**gpu.sides, "gpu-base": base.with_text("".join(lines))})


def put_in_taken(project: Project, store: Store, state: State) -> State:
    """Put what a person took since *state* was made into the files; return the new state.

    Each is put in by the sync engine as it is for a whole upgrade, with its checks. What cannot be
    put in stays proposed. Raises OmniPortError.
    """
    decisions = load_decisions(project)
    taken = taken_parts(decisions, upgrade_of(project))
    known = answers(decisions, upgrade_of(project))
    done = []
    for one in state.files:
        ports = [port for port in project.ports if port.local.path == one.path]
        wanted = frozenset(m.name for m in one.methods if any(_is_open(e, taken) for e in m.edits))
        if wanted:
            (file,) = Taker(project, taken=taken, wanted=wanted).carry(ports)
            file, _ = with_answers(file, known)
            one = _written(store, one, file, taken)
        lacks = _lacking(state, one, taken)
        if lacks:
            taker = BacklogTaker(project, taken=taken, wanted=_methods_of(lacks), lacks=lacks)
            (file,) = taker.carry(ports)
            one = _written(store, one, file, taken)
            one = msgspec.structs.replace(one, put_in=(*one.put_in, *_put_in(file, lacks)))
        done.append(one)
    return msgspec.structs.replace(state, files=tuple(done))


def _lacking(state: State, one: FileState, taken: frozenset[str]) -> tuple[LackValue, ...]:
    known = state.plan.backlog if state.plan is not None else ()
    return tuple(
        lack
        for lack in known
        if lack.path == one.path and lack.key in taken and lack.key not in one.put_in
    )


def _put_in(file: CarriedFile, lacks: Sequence[LackValue]) -> Iterator[str]:
    """The keys of what is in the text now, or asked there."""
    edits = [e for one in file.methods if one.account for e in one.account.result.edits]
    done = {e.key for e in edits if e.outcome is not Outcome.PROPOSED}
    yield from (lack.key for lack in lacks if lack.key in done)


def _methods_of(lacks: Sequence[LackValue]) -> frozenset[str]:
    """The methods to sync; what the class lacks as a whole comes with any of them."""
    return frozenset(lack.method for lack in lacks)


def _is_open(edit: EditValue, taken: frozenset[str]) -> bool:
    return edit.outcome is Outcome.PROPOSED and edit.key in taken


def _written(store: Store, one: FileState, file: CarriedFile, taken: frozenset[str]) -> FileState:
    """Write the file first: killed behind that, the next run finds the code in the text."""
    before = file.local.source.text
    after = files.decode(store.staged(one.path)).text
    data = files.encode(file.text, file.local.source, path=one.path)
    seen = files.read_bytes(store.root / one.path)
    is_edited = before != after
    if file.changed:
        write_together([Write(store.root / one.path, data, seen=seen)])
        if not is_edited:
            store.stage({}, {one.path: data})
    kept: _Lines = (lambda line: line) if is_edited else line_map(after, file.text)
    shown: _Lines = line_map(file.text, after) if is_edited else (lambda line: line)
    new = {(m.name, e.key): e for m in make_methods(file) for e in m.edits if e.key in taken}
    docs = {m.name: m.account for m in make_methods(file) if m.account is not None}
    methods = tuple(_merged(m, docs.get(m.name), new, kept, shown) for m in one.methods)
    after_digest = one.after if is_edited else digest(data)
    return msgspec.structs.replace(one, after=after_digest, methods=methods, formatted=False)


def _merged(
    method: MethodValue,
    done: RebaseDocument | None,
    new: Mapping[tuple[str, str], EditValue],
    kept: _Lines,
    shown: _Lines,
) -> MethodValue:
    """The account of *method* with what was put in; all lines those of the text it is kept for."""
    account = method.account
    if account is None:
        return method
    by_key = {key: edit for (_, key), edit in new.items()}
    edits = []
    for edit in account.edits:
        mine = new.get((method.name, edit.key)) or by_key.get(edit.key)
        if edit.outcome is Outcome.PROPOSED and mine is not None:
            edits.append(move_edit(mine, shown))
        else:
            edits.append(move_edit(edit, kept))
    conflicts = [msgspec.structs.replace(c, line=kept(c.line)) for c in account.conflicts]
    findings = [msgspec.structs.replace(f, line=kept(f.line)) for f in account.findings]
    if done is not None:
        conflicts += [msgspec.structs.replace(c, line=shown(c.line)) for c in done.conflicts]
        told = {(f.code, f.message) for f in findings}
        findings += [
            msgspec.structs.replace(f, line=shown(f.line))
            for f in done.findings
            if f.severity is not Severity.NOTE and (f.code, f.message) not in told
        ]
    counted = (sum(e.outcome is outcome for e in edits) for outcome in Outcome)
    return msgspec.structs.replace(
        method,
        account=msgspec.structs.replace(
            account,
            edits=tuple(edits),
            conflicts=tuple(conflicts),
            findings=tuple(findings),
            summary=RebaseSummary(*counted),
        ),
    )
