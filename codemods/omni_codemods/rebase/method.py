"""The method-level reconstruction, end to end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from omni_codemods.audit.run import Part, audit, part_of
from omni_codemods.findings.errors import FenceError, MethodNotFound, NotACopy, SourceError
from omni_codemods.findings.model import Finding, RebaseResult, Severity
from omni_codemods.functions.fences import Fences
from omni_codemods.names.imports import module_imports
from omni_codemods.names.reads import as_module
from omni_codemods.provenance.renamed import find_alike, find_patched
from omni_codemods.rebuild.attempts import (
    Reconstructor,
    function_fences,
    indent_unit,
    is_python,
    with_unit,
)
from omni_codemods.rebuild.settle_imports import (
    NO_FUNCTION,
    Rebuilt,
    function_names,
    settle_imports,
)
from omni_codemods.rebuild.splice import (
    conflicts,
    line_of,
    margin,
    outcomes,
    parse,
    spliced,
)
from omni_codemods.replay.printing.lines import Labels, Printed
from omni_codemods.sources.classes import own_methods
from omni_codemods.text.offsets import without_collector
from omni_codemods.text.outline import Located, locate, require_python

if TYPE_CHECKING:
    from omni_codemods.sync.sibling import Sibling

__all__ = ["Labels", "rebase_method"]

_PLAIN = Labels()
# Below this share of base code found in local, local is not a copy of base.
_COPY = 0.05


@without_collector()
def rebase_method(
    *,
    local: str,
    base: str,
    target: str,
    method: str,
    local_class: str | None = None,
    base_class: str | None = None,
    target_class: str | None = None,
    base_method: str | None = None,
    target_method: str | None = None,
    labels: Labels = _PLAIN,
    target_module: str | None = None,
    policy: str = "replay",
    sibling: Sibling | None = None,
) -> RebaseResult:
    """Rebuild one function of *local* on the target's version of the function.

    *local*, *base* and *target* are the texts of whole files. The function is looked up by
    name: *method* in *local_class* of local, *base_method* (by default *method*) in *base_class*
    of base, and *target_method* (by default that of base) in *target_class* of target. Without a
    class, a function at module level is preferred, then the only method of that name. A local
    function at module level that the local file assigns to a class (``Runner.warm_up = warm_up``)
    is looked up as that method.

    Names that the new body needs are imported as the target file imports them, or from
    *target_module*, the dotted name of the target file, which by default is where local imports
    the target's class from.

    Returns the whole local text with that function rebuilt, and the account of every edit. With
    *policy* ``strict`` every overlap of drift and an upstream change is a conflict. With a
    *sibling* (:class:`omni_codemods.sync.sibling.Sibling`), what that gained is synced afterwards.

    Raises :class:`.SourceError` for what is not Python, :class:`.MethodNotFound`,
    :class:`.FenceError` where the fences in the function do not pair, and :class:`.NotACopy` where
    local and base have nothing in common. The error's *side* names the input.
    """
    require_python(local, "local")
    where = locate(local, method, local_class, side="local")
    upstream, owner = base_method or method, base_class
    if base_class is None and base_method is None and "." not in where.qualname:
        owner, upstream = find_patched(local, method, base)
    found = {
        "local": where,
        "base": locate(base, upstream, owner, side="base"),
        "target": _locate_target(
            target, target_method or upstream, target_class or owner, base, upstream, owner
        ),
    }
    mine = parse(where, "local")
    unit, name = indent_unit(mine), where.qualname.rpartition(".")[2]
    theirs = [with_unit(parse(found[s], s, name), unit) for s in ("base", "target")]
    fences = function_fences(mine, where.start)
    _require_fences(fences, where)
    builder = Reconstructor(theirs[0], mine, theirs[1], fences, strict=policy == "strict")
    _require_copy(builder)
    oddities = builder.check_fences(where.start)
    built = builder.build(labels, margin(where.text))
    if NO_FUNCTION in map(function_names, built.sides):
        for side in ("base", "target"):
            _require_python(found[side], side)
    text = spliced(local, where, built.printed)
    rebuilt = Rebuilt(
        where.text,
        built.sides,
        where.start,
        found["base"].text,
        found["target"].text,
        "".join(p.text for p in built.printed),
    )
    module = target_module or _imported_from(local, found["target"].qualname)
    needs = settle_imports(text, rebuilt, target, module)
    start = where.start + needs.text.count("\n") - text.count("\n")
    result = RebaseResult(
        needs.text,
        where.qualname,
        outcomes(built.items, built.printed, where.start, start),
        conflicts(built.printed, start, margin(where.text)),
        _placed(oddities, built.printed, start, len(margin(where.text)))
        + tuple(replace(f, line=f.line + start - where.start) for f in needs.findings),
        tuple(i.render() for i in needs.added),
        tuple(i.render() for i in needs.removed),
    )
    faults = audit(
        Part(found["base"].text, found["base"].start),
        Part(found["target"].text, found["target"].start),
        Part(where.text, where.start),
        part_of(result.text, start, len(built.printed)),
        result.edits,
        module=result.text,
        origin=target,
        told=result.findings,
    )
    result = replace(result, findings=result.findings + faults)
    if sibling is None:
        return result
    # Only a sync needs the translation, which takes longer to load than a rebase to run.
    from omni_codemods.sync.sync_method import sync_after

    inherited = frozenset(own_methods(target, found["target"].qualname.rpartition(".")[0]))
    return sync_after(result, sibling, method, local_class, found["target"].text, inherited)


def _locate_target(
    target: str, method: str, cls: str | None, base: str, upstream: str, owner: str | None
) -> Located:
    """Find the target function; where it is gone, name the one that looks most like base's."""
    try:
        return locate(target, method, cls, side="target")
    except MethodNotFound as error:
        twin = find_alike(locate(base, upstream, owner, side="base"), target)
        if twin is None:
            raise
        name, share = twin
        hint = (
            f"{name} there has {share:.0%} of the base's code: if the upstream renamed or moved "
            f"it, say so with --target-method {name}"
        )
        raise MethodNotFound(error.message, hint=hint, side="target") from error


def _imported_from(local: str, qualname: str) -> str | None:
    """The module from which local imports the class of the target function."""
    owner = qualname.partition(".")[0]
    for found in module_imports(local):
        if found.value.name == owner and not found.value.module.startswith("."):
            return found.value.module
    return None


def _require_python(where: Located, side: str) -> None:
    """Raise for a function that is no Python: what came of it is none either."""
    text = as_module(where.text)
    try:
        require_python(text, side)
    except SourceError as error:
        if is_python(where.text):
            return
        above = where.start - 1 - (text.count("\n") - where.text.count("\n"))
        line = (error.line or 1) + above
        raise SourceError(
            error.message, hint=error.hint, line=line, column=error.column, side=side
        ) from error


def _require_fences(fences: Fences, where: Located) -> None:
    broken = [f for f in fences.findings if f.severity is Severity.ERROR]
    if broken:
        first = broken[0]
        line = first.line + where.start - 1
        column = first.column + len(margin(where.text))
        raise FenceError(first.message, hint=first.hint, line=line, column=column, side="local")


def _placed(
    findings: Sequence[Finding], printed: Sequence[Printed], start: int, indent: int
) -> tuple[Finding, ...]:
    """Put *findings* about lines of the local function to where those are in the result."""
    return tuple(
        replace(f, line=line_of(f.line, printed, start), column=f.column + indent) for f in findings
    )


def _require_copy(builder: Reconstructor) -> None:
    if builder.copied < _COPY:
        raise NotACopy(
            f"local is not a copy of base: it has {builder.copied:.0%} of the base's code",
            hint="check --base and --method (omni-port provenance finds the base); to start afresh "
            "from the target, copy it by hand",
            side="local",
        )
