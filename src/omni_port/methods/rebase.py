"""A rebase by addresses: read the three sides, run the engine, check what it gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.model import RebaseResult
from omni_port.base.address import Address
from omni_port.base.diff import unified_diff
from omni_port.base.errors import ExitCode, OmniPortError, from_library
from omni_port.methods import verify
from omni_port.sources.file_at import Located, class_of, read_address
from omni_port.sources.sibling import Gpu, GpuRequest, make_sibling, read_gpu

POLICIES = ("replay", "strict")


@dataclass(frozen=True, slots=True)
class RebaseRequest:
    """What to rebase: *method* of *local*, made from *base*, to be made from *target*.

    An address's qualified name is the class, or the class and the method. *base_method* and
    *target_method* are its names upstream, where they differ. With *gpu*, what the GPU sibling
    gained is synced afterwards. *base_how* says how the base was found, where nobody gave it.
    """

    method: str
    local: Address
    base: Address
    target: Address
    target_method: str | None = None
    policy: str = "replay"
    gpu: GpuRequest | None = None
    base_method: str | None = None
    base_how: str = ""


@dataclass(frozen=True, slots=True)
class Rebase:
    """A request with its three sides as they were read, and the result."""

    request: RebaseRequest
    local: Located
    base: Located
    target: Located
    result: RebaseResult
    gpu: Gpu | None = None

    @property
    def command(self) -> str:
        """The command that makes this."""
        return "rebase-method"

    @property
    def sides(self) -> Mapping[str, Located]:
        """The files by the names of their options."""
        given = {"local": self.local, "base": self.base, "target": self.target}
        return given if self.gpu is None else {**given, **self.gpu.sides}

    @property
    def how(self) -> Mapping[str, str]:
        """How sides were found that nobody gave, by the names of their options."""
        return {"base": self.request.base_how} if self.request.base_how else {}

    @property
    def target_method(self) -> str | None:
        """The method's name in the target, where it was given."""
        return self.request.target_method

    @property
    def policy(self) -> str:
        """How overlaps of drift and upstream changes were decided."""
        return self.request.policy

    @property
    def judged(self) -> str | None:
        """By what the sibling's own changes were told, ``None`` without a sibling."""
        return None if self.gpu is None else self.gpu.judged

    @property
    def changed(self) -> bool:
        """Whether the result differs from the local file."""
        return self.result.text != self.local.source.text

    def upstream_diff(self) -> str:
        """Return what upstream did, the diff of the method from base to target; or nothing."""
        try:
            base, target = _upstream(self.request, self.local, self.base, self.target)
        except OmniCodemodsError:
            return ""
        return unified_diff(base, target, self.target.address.path)

    def diffs(self) -> Iterator[tuple[str, str]]:
        """Yield what upstream and the sibling did, with titles."""
        if diff := self.upstream_diff():
            yield "What upstream did to the method, base to target", diff
        if self.gpu is not None and (diff := self.gpu.diff(self.request.method)):
            yield "What the sibling did to the method, gpu-base to gpu-target", diff

    @property
    def exit_code(self) -> ExitCode:
        """PERSON where something is left for a person to decide, else DONE."""
        return ExitCode.PERSON if self.result.needs_person else ExitCode.DONE


def rebase_method(request: RebaseRequest) -> Rebase:
    """Read the sides of *request* and rebuild the local method on the target; writes nothing.

    Raises OmniPortError: an address that names nothing, a side that is not Python, a method that
    is not there, a local function that is no copy of its base, fences that do not pair.
    """
    local, base, target = map(read_address, (request.local, request.base, request.target))
    gpu = None if request.gpu is None else read_gpu(request.gpu)
    return rebase_read(request, local, base, target, gpu)


def rebase_read(
    request: RebaseRequest, local: Located, base: Located, target: Located, gpu: Gpu | None = None
) -> Rebase:
    """Do as :func:`rebase_method` with the files of *request* as they were read."""
    sides = {"local": local, "base": base, "target": target, **(gpu.sides if gpu else {})}
    try:
        result = _run_engine(request, local, base, target, gpu)
    except OmniCodemodsError as error:
        raise _with_path(error, sides) from error
    verify.verify_rebase(result, path=local.address.path)
    unaccounted = verify.check_blocks(local.source.text, base.source.text, result)
    result = replace(result, findings=(*result.findings, *unaccounted))
    return Rebase(request, local, base, target, result, gpu)


def _run_engine(
    request: RebaseRequest, local: Located, base: Located, target: Located, gpu: Gpu | None
) -> RebaseResult:
    from omni_codemods.rebase.method import Labels
    from omni_codemods.rebase.method import rebase_method as run

    target_class, target_method = _target_names(request)
    return run(
        local=local.source.text,
        base=base.source.text,
        target=target.source.text,
        method=request.method,
        local_class=class_of(request.local, request.method),
        base_class=_base_class(request),
        base_method=request.base_method,
        target_class=target_class,
        target_method=target_method,
        labels=Labels(f"local ({local.label})", f"base ({base.label})", f"target ({target.label})"),
        target_module=target.module,
        policy=request.policy,
        sibling=None if gpu is None else make_sibling(gpu, request.method, local),
    )


def _upstream(
    request: RebaseRequest, local: Located, base: Located, target: Located
) -> tuple[str, str]:
    """Return the base and the target function as text."""
    from omni_codemods.provenance.renamed import find_patched
    from omni_codemods.text.outline import locate

    owner, method = _base_class(request), request.base_method or request.method
    if owner is None and request.base_method is None:
        owner, method = find_patched(local.source.text, method, base.source.text)
    aim_owner, aim = _target_names(request)
    found = locate(base.source.text, method, owner, side="base")
    aimed = locate(target.source.text, aim or method, aim_owner or owner, side="target")
    return found.text, aimed.text


def _target_names(request: RebaseRequest) -> tuple[str | None, str | None]:
    """Return class and method of the target, as far as they are given.

    ``--target-method`` may be a qualified name, as messages about renamed methods spell it.
    """
    owner, _, method = (request.target_method or request.base_method or "").rpartition(".")
    return owner or class_of(request.target, method or request.method), method or None


def _base_class(request: RebaseRequest) -> str | None:
    return class_of(request.base, request.base_method or request.method)


def _with_path(error: OmniCodemodsError, sides: dict[str, Located]) -> OmniPortError:
    side = sides.get(error.side)
    return from_library(error) if side is None else side.explain(error)
