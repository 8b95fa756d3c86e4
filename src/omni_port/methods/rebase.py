"""A rebase by addresses: read the three sides, run the engine, check what it gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from omni_codemods.findings.errors import MethodNotFound, OmniCodemodsError
from omni_codemods.findings.model import RebaseResult
from omni_port.base.address import Address
from omni_port.base.diff import unified_diff
from omni_port.base.errors import ExitCode, OmniPortError, from_library
from omni_port.methods import verify
from omni_port.sources.file_at import Located, names_in, read_address
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

    names = _find_names(request, local, base, target)
    return run(
        local=local.source.text,
        base=base.source.text,
        target=target.source.text,
        method=names.method,
        local_class=names.local_class,
        base_class=names.base_class,
        base_method=names.base_method,
        target_class=names.target_class,
        target_method=names.target_method,
        labels=Labels(f"local ({local.label})", f"base ({base.label})", f"target ({target.label})"),
        target_module=target.module,
        policy=request.policy,
        sibling=None if gpu is None else make_sibling(gpu, names.method, local),
    )


def _upstream(
    request: RebaseRequest, local: Located, base: Located, target: Located
) -> tuple[str, str]:
    """Return the base and the target function as text."""
    from omni_codemods.provenance.renamed import find_patched
    from omni_codemods.text.outline import locate, locate_all

    def every(text: str, name: str, cls: str | None, side: str) -> str:
        one = locate(text, name, cls, side=side)
        return "\n".join(x.text for x in locate_all(text, one.qualname, side))

    names = _find_names(request, local, base, target)
    owner, method = names.base_class, names.base_method or names.method
    if owner is None and names.base_method is None:
        owner, method = find_patched(local.source.text, method, base.source.text)
    aim, cls = names.target_method or method, names.target_class or owner
    return (
        every(base.source.text, method, owner, "base"),
        every(target.source.text, aim, cls, "target"),
    )


@dataclass(frozen=True, slots=True)
class _Names:
    """Classes and names of the function on the three sides; ``None`` where the engine finds it."""

    method: str
    local_class: str | None
    base_class: str | None
    base_method: str | None
    target_class: str | None
    target_method: str | None


def _find_names(request: RebaseRequest, local: Located, base: Located, target: Located) -> _Names:
    """Return what the sides are called: an address names a class, or a function by any name.

    ``--base-method`` and ``--target-method`` may be qualified names, as messages about renamed
    methods spell them. What the local side alone calls otherwise has *method* for its name
    upstream.
    """
    local_class, mine = names_in(local, request.method)
    owner, _, said = (request.base_method or "").rpartition(".")
    cls, theirs = names_in(base, said or request.method)
    aim_owner, _, aim_said = (request.target_method or "").rpartition(".")
    aim_cls, aim = names_in(target, aim_said or theirs)
    if not said and theirs == request.method and not _has(base, cls, theirs):
        # The target's name is told, and that of a base in the same class is not.
        theirs = aim if _has(base, cls, aim) else theirs
    base_method = theirs if said or theirs != mine else None
    target_method = aim if aim_said or aim != (base_method or mine) else None
    return _Names(mine, local_class, owner or cls, base_method, aim_owner or aim_cls, target_method)


def _has(side: Located, cls: str | None, name: str) -> bool:
    from omni_codemods.text.outline import definitions

    try:
        known = {one.qualname for one in definitions(side.source.text)}
    except OmniCodemodsError:
        return False
    return name in known if cls is None else f"{cls}.{name}" in known


def _with_path(error: OmniCodemodsError, sides: dict[str, Located]) -> OmniPortError:
    side = sides.get(error.side)
    if error.side == "base" and isinstance(error, MethodNotFound) and error.hint:
        error.hint += "; a copy under another name: --base-method NAME, or --base PATH::CLASS.NAME"
    return from_library(error) if side is None else side.explain(error)
