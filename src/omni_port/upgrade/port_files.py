"""Every method of every port: rebased and synced, a file at a time. Writes nothing."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from omni_codemods.findings.codes import LOST_METHOD, OLD_CALLER
from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.model import EditKind, RebaseResult, Span
from omni_codemods.functions.conflict_markers import blank_hunks, hide_hunks, show_hunks
from omni_codemods.rebuild.callers import check_callers
from omni_codemods.rebuild.line_map import line_map
from omni_codemods.sources.classes import own_methods
from omni_codemods.sync.gained_methods import NEW_METHOD
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import locate
from omni_port.base import progress
from omni_port.base.address import Address
from omni_port.base.errors import InputError, OmniPortError
from omni_port.methods.rebase import Rebase, rebase_read
from omni_port.methods.requests import gpu_request, rebase_request
from omni_port.methods.sync import Sync, SyncRequest, sync_read
from omni_port.plan.followed import Followed
from omni_port.project.project import Port, Project, by_file
from omni_port.sources.file_at import Located, read_address, require_definitions
from omni_port.sources.sibling import Gpu, GpuRequest, read_gpu

_Lines = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Job:
    """One method to carry: a copy is rebased and synced, another method is only synced."""

    port: Port
    method: str
    line: int
    is_copy: bool

    @property
    def name(self) -> str:
        """The local qualified name."""
        cls = self.port.local.qualname
        alone = last_part(cls) == self.method
        return cls if alone else f"{cls}.{self.method}"


@dataclass(frozen=True, slots=True)
class Carried:
    """What became of a method.

    The account's edits have lines of the file as it was and as all methods left it. Where the
    method could not be carried, it stayed as it was, and *error* says why.
    """

    job: Job
    account: Rebase | Sync | None = None
    error: OmniPortError | None = None


@dataclass(frozen=True, slots=True)
class CarriedFile:
    """A local file of the project (*path*, relative to its root) before and after."""

    path: str
    local: Located
    text: str
    methods: tuple[Carried, ...]

    @property
    def changed(self) -> bool:
        """Whether anything is to be written."""
        return self.text != self.local.source.text


@dataclass(slots=True)
class Carrier:
    """Carries the files of *project*; what it has read serves for the next method.

    *copies* are the copied methods of the ports that list none, by the port's name, where they
    are known already. *followed* are ports that are made anew from another place than they say.
    *taken* are the keys of proposals that a person took.
    Addresses of what it gives are relative to the root of the project.
    """

    project: Project
    policy: str = "replay"
    copies: Mapping[str, Sequence[str]] | None = None
    followed: Sequence[Followed] = ()
    taken: frozenset[str] = frozenset()
    _read: dict[Address, Located] = field(default_factory=dict, init=False)

    def carry(self, ports: Sequence[Port] | None = None) -> Iterator[CarriedFile]:
        """Yield each local file of *ports* (default: all) with its methods carried.

        A method that cannot be carried stays, with its error. Raises OmniPortError for a local
        file that cannot be read.
        """
        chosen = self.project.ports if ports is None else ports
        for path, own in by_file(chosen).items():
            yield self._carry_file(path, own)

    def _carry_file(self, path: str, ports: Sequence[Port]) -> CarriedFile:
        local = self.read(Address(self.project.local(ports[0].local).path))
        chain = _Chain(local.source.text)
        steps: list[tuple[Job, Rebase | Sync | OmniPortError, _Step | None]] = []
        # From the last method to the first: what is above it moves no line of the next.
        jobs = sorted(self.jobs(ports, local), key=lambda one: -one.line)
        for job in progress.steps(f"carrying the methods of {path}", jobs):
            try:
                account, step = chain.apply(functools.partial(self._run, job))
                steps.append((job, account, step))
            except OmniPortError as error:
                steps.append((job, _in_project(error, job), None))
        methods = [_carried(job, what, step, chain) for job, what, step in reversed(steps)]
        methods = [_without_fitting(one, local.source.text, chain.text) for one in methods]
        return CarriedFile(path, local, chain.text, tuple(_each_once(methods)))

    def _run(self, job: Job, text: str) -> Rebase | Sync:
        mine = self.read(self.project.local(job.port.local)).with_text(text)
        if not job.is_copy:
            request = self._gpu(job.port)
            assert request is not None
            sync = SyncRequest(job.method, mine.address, request, self.policy)
            return sync_read(sync, mine, self._read_gpu(request))
        rebase = rebase_request(self.project, self._aimed(job.port), job.method, policy=self.policy)
        gpu = None if rebase.gpu is None else read_gpu(self._with_taken(rebase.gpu), self.read)
        return rebase_read(rebase, mine, self.read(rebase.base), self.read(rebase.target), gpu)

    def _read_gpu(self, request: GpuRequest) -> Gpu:
        return read_gpu(request, self.read)

    def _gpu(self, port: Port) -> GpuRequest | None:
        request = gpu_request(self.project, port)
        return None if request is None else self._with_taken(request)

    def _with_taken(self, request: GpuRequest) -> GpuRequest:
        return replace(request, taken=self.taken)

    def _aimed(self, port: Port) -> Port:
        """The port with the place that its copies are made anew from."""
        place = next((one.place for one in self.followed if one.port == port), None)
        return port if place is None else replace(port, upstream_target=place)

    def jobs(self, ports: Sequence[Port], local: Located) -> Iterator[Job]:
        """Yield what there is to carry in the file *local*; raises OmniPortError."""
        alone = {port.local.qualname for port in ports}
        for port in ports:
            what = port.local.qualname
            mend = "mend the port in the project file"
            found = require_definitions(local, what, otherwise=mend)[0]
            if not found.is_class:
                yield Job(port, last_part(port.local.qualname), found.start, is_copy=True)
                continue
            methods = own_methods(local.source.text, port.local.qualname)
            copies = self._copies(port, local) if port.methods is None else port.methods
            for name in copies:
                job = Job(port, name, local_line(local, port, name), is_copy=True)
                if job.name not in alone:
                    yield job
            for name in self._siblings(port, methods):
                job = Job(port, name, local_line(local, port, name), is_copy=False)
                if name not in copies and job.name not in alone:
                    yield job

    def _copies(self, port: Port, local: Located) -> tuple[str, ...]:
        from omni_codemods.provenance.provenance import Candidate, find_provenance

        if self.copies is not None:
            return tuple(self.copies.get(port.name, ()))
        upstream = self.read(rebase_request(self.project, port, "", sync=False).base)
        candidate = Candidate("current", upstream.source.text, port.upstream.qualname)
        cls = port.local.qualname
        found = find_provenance(local.source.text, [candidate], local_class=cls)
        return tuple(last_part(one.qualname) for one in found if one.is_copy)

    def _siblings(self, port: Port, methods: Mapping[str, object]) -> Iterator[str]:
        """The methods of the port that the sibling has, and changed."""
        request = gpu_request(self.project, port)
        if request is None:
            return
        texts = []
        for end in (request.base, request.target):
            source, cls = self.read(end).source.text, end.qualname or ""
            own = own_methods(source, cls)
            texts.append({n: locate(source, n, cls).text for n in methods if n in own})
        before, after = texts
        for name in methods:
            if name in before and name in after and before[name] != after[name]:
                yield name

    def read(self, address: Address) -> Located:
        """Read *address*, once."""
        plain = replace(address, qualname=None)
        if plain not in self._read:
            self._read[plain] = read_address(plain)
        found = self._read[plain]
        provenance = replace(found.provenance, qualname=address.qualname)
        return replace(found, address=self._from_root(address), provenance=provenance)

    def _from_root(self, address: Address) -> Address:
        """The labels of conflicts are the same wherever the command is run."""
        if address.revision is not None:
            return address
        return replace(
            address, path=Path(os.path.relpath(address.path, self.project.root)).as_posix()
        )


@dataclass(frozen=True, slots=True)
class _Step:
    """The lines of a step's local side as lines of the first text; of its result, of *text*."""

    back: _Lines
    shown: _Lines
    text: str


@dataclass(slots=True)
class _Chain:
    """A text that is rebuilt step by step, with the conflicts of earlier steps out of the way."""

    text: str
    first: str = field(init=False)

    def __post_init__(self) -> None:
        self.first = self.text

    def apply(self, run: Callable[[str], Rebase | Sync]) -> tuple[Rebase | Sync, _Step]:
        plain, hidden = hide_hunks(self.text)
        account = run(plain)
        unhidden, shown = show_hunks(plain, hidden), show_hunks(account.result.text, hidden)
        if shown is None or unhidden is None:
            message = "its changes meet a conflict of another method in this file"
            raise InputError(message, hint="decide that one, then rebase this method alone")
        to_first = line_map(self.text, self.first)
        step = _Step(lambda line: to_first(unhidden[1](line)), shown[1], shown[0])
        self.text = shown[0]
        return account, step


def _carried(
    job: Job, what: Rebase | Sync | OmniPortError, step: _Step | None, chain: _Chain
) -> Carried:
    if isinstance(what, OmniPortError):
        return Carried(job, error=what)
    assert step is not None
    onward = line_map(step.text, chain.text)
    result = moved_result(what.result, step.back, lambda line: onward(step.shown(line)))
    return Carried(job, replace(what, result=result))


def _without_fitting(one: Carried, before: str, after: str) -> Carried:
    """Leave out calls that did not fit while one of the two methods was still the old one."""
    if one.account is None:
        return one
    result = one.account.result
    if not any(f.code == OLD_CALLER.code for f in result.findings):
        return one
    owner, _, name = result.method.rpartition(".")
    old = locate(before, name, owner or None, side="local").text
    left = {f.line for f in check_callers(after, result.method, old)}
    findings = tuple(f for f in result.findings if f.code != OLD_CALLER.code or f.line in left)
    return replace(one, account=replace(one.account, result=replace(result, findings=findings)))


def _in_project(error: OmniPortError, job: Job) -> OmniPortError:
    """Let *error* name the file that it is about, and its hint the key of the project file."""
    if error.path and error.path not in error.message:
        message = f"{error.message} ({error.path})"
        error = type(error)(
            message, hint=error.hint, path=error.path, line=error.line, column=error.column
        )
    found = re.search(r"--target-method (\S+)", error.hint)
    if found is None:
        return error
    place = f"{job.port.source}:{job.port.upstream.path}::{found[1]}"
    local = f"{job.port.local.path}::{job.name}"
    key = f'upstream-target = "{place}" in a port of its own, local = "{local}"'
    hint = error.hint.replace(found[0], key)
    return type(error)(
        error.message, hint=hint, path=error.path, line=error.line, column=error.column
    )


def _each_once(methods: Sequence[Carried]) -> Iterator[Carried]:
    """Leave out what is said of the whole class, where an earlier method of it says it."""
    said: set[tuple[str, object]] = set()
    for one in methods:
        if one.account is None:
            yield one
            continue
        result, name = one.account.result, one.job.port.name
        gained = [(name, e.edit) for e in result.edits if e.edit.change == NEW_METHOD]
        lost = [(name, f) for f in result.findings if f.code == LOST_METHOD.code]
        edits = tuple(e for e in result.edits if (name, e.edit) not in said)
        findings = tuple(f for f in result.findings if (name, f) not in said)
        said.update(gained, lost)
        yield replace(
            one,
            account=replace(one.account, result=replace(result, edits=edits, findings=findings)),
        )


def moved_result(result: RebaseResult, back: _Lines, onward: _Lines) -> RebaseResult:
    """Return *result* with lines of its local side moved by *back*, those of its text *onward*."""

    def span(one: Span | None, lines: _Lines) -> Span | None:
        return None if one is None else Span(lines(one.start), lines(one.end))

    edits = tuple(
        replace(
            e,
            result=span(e.result, onward),
            edit=e.edit
            if e.edit.kind is EditKind.SIBLING
            else replace(e.edit, span=span(e.edit.span, back) or e.edit.span),
        )
        for e in result.edits
    )
    traces = tuple(
        replace(
            trace,
            local=Span(back(trace.local.start), back(trace.local.end)),
            lines=tuple(replace(x, local=x.local and back(x.local)) for x in trace.lines),
        )
        for trace in result.traces
    )
    return replace(
        result,
        edits=edits,
        traces=traces,
        conflicts=tuple(replace(c, line=onward(c.line)) for c in result.conflicts),
        findings=tuple(replace(f, line=onward(f.line)) for f in result.findings),
    )


def local_line(local: Located, port: Port, method: str) -> int:
    """Return the line (1-based) that *method* of *port* starts on; raises OmniPortError."""
    try:
        text = blank_hunks(local.source.text)
        return locate(text, method, port.local.qualname, side="local").start
    except OmniCodemodsError as error:
        raise local.explain(error) from error
