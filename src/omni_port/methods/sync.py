"""A sync by addresses: read the copy and its GPU sibling, run the engine, check what it gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.model import RebaseResult
from omni_port.base.address import Address
from omni_port.base.errors import ExitCode, from_library
from omni_port.methods import verify
from omni_port.sources.file_at import Located, names_in, read_address
from omni_port.sources.sibling import Gpu, GpuRequest, make_sibling, read_gpu


@dataclass(frozen=True, slots=True)
class SyncRequest:
    """What to sync: *method* of *local*, with what the GPU sibling gained."""

    method: str
    local: Address
    gpu: GpuRequest
    policy: str = "replay"


@dataclass(frozen=True, slots=True)
class Sync:
    """A request with its files as they were read, and the result."""

    request: SyncRequest
    local: Located
    gpu: Gpu
    result: RebaseResult

    @property
    def command(self) -> str:
        """The command that makes this."""
        return "sync-method"

    @property
    def sides(self) -> Mapping[str, Located]:
        """The files by the names of their options."""
        return {"local": self.local, **self.gpu.sides}

    @property
    def how(self) -> Mapping[str, str]:
        """Every side of a sync is given."""
        return {}

    @property
    def judged(self) -> str:
        """By what the downstream's own changes were told."""
        return self.gpu.judged

    @property
    def target_method(self) -> None:
        """A sync has no target method of another name."""
        return

    @property
    def policy(self) -> str:
        """Whether what the report only shows is to be decided."""
        return self.request.policy

    @property
    def changed(self) -> bool:
        """Whether the result differs from the local file."""
        return self.result.text != self.local.source.text

    @property
    def exit_code(self) -> ExitCode:
        """PERSON where something is left for a person to decide, else DONE."""
        return ExitCode.PERSON if self.result.needs_person else ExitCode.DONE

    def diffs(self) -> Iterator[tuple[str, str]]:
        """Yield what the sibling did, with a title."""
        if diff := self.gpu.diff(self.request.method):
            yield "What the sibling did to the method, gpu-base to gpu-target", diff


def sync_method(request: SyncRequest) -> Sync:
    """Read the files of *request* and sync the local method; writes nothing.

    Raises OmniPortError: an address that names nothing, a side that is not Python, a method that
    is not there, a copy that shares nothing with its sibling.
    """
    return sync_read(request, read_address(request.local), read_gpu(request.gpu))


def sync_read(request: SyncRequest, local: Located, gpu: Gpu) -> Sync:
    """Do as :func:`sync_method` with the files of *request* as they were read."""
    from omni_codemods.sync.sync_method import sync_method as run

    local_class, mine = names_in(local, request.method)
    # Of a copy that its address names, --method is the name in the sibling.
    sibling = make_sibling(gpu, request.method, local)
    if sibling.method is None and mine != request.method:
        sibling = replace(sibling, method=request.method)
    try:
        result = run(
            local=local.source.text,
            sibling=sibling,
            method=mine,
            local_class=local_class,
            policy=request.policy,
        )
    except OmniCodemodsError as error:
        side = {"local": local, **gpu.sides}.get(error.side)
        raise (from_library(error) if side is None else side.explain(error)) from error
    verify.verify_rebase(result, path=local.address.path)
    unaccounted = verify.check_blocks(local.source.text, "", result)
    result = replace(result, findings=(*result.findings, *unaccounted))
    return Sync(request, local, gpu, result)
