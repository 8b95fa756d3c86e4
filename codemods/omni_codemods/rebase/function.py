"""One function of a file rebuilt on the target's version of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from omni_codemods.audit.run import Part, audit, part_of
from omni_codemods.findings.codes import DEFINITIONS_DIFFER
from omni_codemods.findings.errors import FenceError, NotACopy, SourceError
from omni_codemods.findings.model import (
    Finding,
    RebaseResult,
    Severity,
    Span,
    Trace,
    TracedLine,
)
from omni_codemods.functions.fences import Fences
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.functions.indentation import indent_unit, with_unit
from omni_codemods.names.function_names import NO_FUNCTION, function_names
from omni_codemods.names.reads import as_module
from omni_codemods.rebase.definitions import Pairing, Trio
from omni_codemods.rebase.local_names import in_local_names
from omni_codemods.rebuild.attempts import Reconstruction, Reconstructor
from omni_codemods.rebuild.callers import check_callers
from omni_codemods.rebuild.dead_names import check_dead_names
from omni_codemods.rebuild.line_map import join_results, line_map
from omni_codemods.rebuild.renamed_reads import Version, check_renamed_reads
from omni_codemods.rebuild.settle_imports import Rebuilt, settle_imports
from omni_codemods.rebuild.splice import (
    conflicts,
    line_of,
    margin,
    outcomes,
    parse,
    spliced,
)
from omni_codemods.rebuild.still_python import is_python
from omni_codemods.replay.printing.lines import Labels, Printed
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.text.outline import Located
from omni_codemods.text.parsing import require_python

# Below this share of base code found in local, local is not a copy of base.
_COPY = 0.05


@dataclass(frozen=True, slots=True)
class Request:
    """How to rebuild: both upstream files as text, the target's dotted *module*, the policy."""

    base: str
    target: str
    labels: Labels
    module: str | None
    policy: str

    @property
    def strict(self) -> bool:
        """Whether the policy leaves to a person what it may."""
        return self.policy == "strict"


def rebuild_each(local: str, pairing: Pairing, request: Request) -> RebaseResult:
    """Rebuild every chosen definition of *local*; one account for all.

    Of several, one that is no copy stays, with a finding. Raises what :func:`rebase_method` does.
    """
    if len(pairing.chosen) == 1:
        first = rebuild(local, pairing.chosen[0], request)
        return replace(first, findings=(*first.findings, *_moved(pairing, local, first)))
    chosen = pairing.chosen
    name = chosen[0].local.qualname
    result = RebaseResult(local, name, findings=pairing.findings, strict=request.strict)
    refused: list[NotACopy] = []
    # From the last to the first: what is above it moves no line of the next, but for imports.
    for trio in reversed(chosen):
        start = line_map(local, result.text)(trio.local.start)
        try:
            one = rebuild(result.text, trio, request, start)
        except NotACopy as error:
            refused.append(error)
            finding = _no_copy(trio, start, error)
            result = replace(result, findings=(*result.findings, finding))
        else:
            result = join_results(result, one)
    if len(refused) == len(chosen):
        raise refused[0]
    return replace(
        result,
        edits=tuple(sorted(result.edits, key=lambda e: (e.edit.span.start, e.edit.span.end))),
        conflicts=tuple(sorted(result.conflicts, key=lambda c: c.line)),
        findings=tuple(sorted(result.findings, key=lambda f: f.line)),
    )


def _moved(pairing: Pairing, local: str, result: RebaseResult) -> tuple[Finding, ...]:
    if not pairing.findings:
        return ()
    moved = line_map(local, result.text)
    return tuple(replace(f, line=moved(f.line)) for f in pairing.findings)


def _no_copy(trio: Trio, line: int, error: NotACopy) -> Finding:
    return Finding(
        DEFINITIONS_DIFFER.code,
        line,
        len(margin(trio.local.text)),
        f"this definition stays as it is: {error.message}",
        "compare it with the target's by hand",
    )


def rebuild(local: str, trio: Trio, request: Request, start: int | None = None) -> RebaseResult:
    """Rebuild one function of *local*, in which it starts at line *start*.

    The account has lines of the file that *trio* was found in. Raises :class:`.NotACopy`,
    :class:`.FenceError` and :class:`.SourceError`.
    """
    where, upstream = trio.local, (trio.base, trio.target)
    trio, renamed = in_local_names(local, trio, request.base, request.target, request.module)
    mine = parse(where, "local")
    unit, name = indent_unit(mine), last_part(where.qualname)
    theirs = [
        with_unit(parse(one, side, name), unit)
        for one, side in ((trio.base, "base"), (trio.target, "target"))
    ]
    fences = function_fences(mine, where.start)
    _require_fences(fences, where)
    builder = Reconstructor(theirs[0], mine, theirs[1], fences, strict=request.strict)
    _require_copy(builder)
    oddities = [*builder.check_fences(where.start), *renamed]
    built = builder.build(request.labels, margin(where.text))
    if NO_FUNCTION in map(function_names, built.sides):
        for one, side in ((trio.base, "base"), (trio.target, "target")):
            _require_python(one, side)
    result = _put_in(local, trio, built, oddities, request, start or where.start)
    return replace(result, traces=(_traced(where, *upstream, built.printed),))


def _traced(local: Located, base: Located, target: Located, printed: Sequence[Printed]) -> Trace:
    above, over = local.start - 1, target.start - 1
    lines = (
        TracedLine(p.text, p.edited and p.edited + above, p.skeleton and p.skeleton + over)
        for p in printed
    )
    span = Span(local.start, local.end)
    return Trace(span, base.text, base.start, target.text, target.start, tuple(lines))


def _put_in(
    local: str,
    trio: Trio,
    built: Reconstruction,
    oddities: Sequence[Finding],
    request: Request,
    first: int,
) -> RebaseResult:
    """Put the function into its file, where it starts at line *first*; imports, account, audit."""
    where, indent = trio.local, margin(trio.local.text)
    text = spliced(
        local, replace(where, start=first, end=first + where.end - where.start), built.printed
    )
    written = "".join(p.text for p in built.printed)
    owner = owner_of(where.qualname)
    rebuilt = Rebuilt(
        where.text, built.sides, first, trio.base.text, trio.target.text, written, owner
    )
    needs = settle_imports(text, rebuilt, request.target, request.module)
    found = needs.findings + check_dead_names(rebuilt, local, request.target)
    start = first + needs.text.count("\n") - text.count("\n")
    renamed = check_renamed_reads(
        written,
        start,
        needs.text,
        Version(trio.base.text, request.base),
        Version(trio.target.text, request.target),
        Severity.ERROR,
    )
    result = RebaseResult(
        needs.text,
        where.qualname,
        outcomes(built.items, built.printed, where.start, start),
        conflicts(built.printed, start, indent),
        _placed(oddities, built.printed, start, len(indent))
        + tuple(replace(f, line=f.line + start - first) for f in found)
        + tuple(renamed)
        + check_callers(needs.text, where.qualname, where.text, written),
        tuple(i.render() for i in needs.added),
        tuple(i.render() for i in needs.removed),
        request.strict,
    )
    faults = audit(
        Part(trio.base.text, trio.base.start),
        Part(trio.target.text, trio.target.start),
        Part(where.text, where.start),
        part_of(result.text, start, len(built.printed)),
        result.edits,
        module=result.text,
        origin=request.target,
        told=result.findings,
    )
    return replace(result, findings=result.findings + faults)


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
