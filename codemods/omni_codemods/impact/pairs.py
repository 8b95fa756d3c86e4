"""Whether the target upstreams fit one another: what one imports of the other is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omni_codemods.checks.imports import check_imports
from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.impact.end import End
from omni_codemods.impact.model import Consumer, Impact, Spot, UpstreamChange
from omni_codemods.sources.subject import make_subject


def compare_pair(
    module: str, current: End, target: End, consumers: Sequence[Consumer]
) -> Iterator[UpstreamChange]:
    """Yield one change for all imports of the upstream *module* that the targets do not have.

    *consumers* are the ports that rest on the module. Imports under ``try`` or a test say
    nothing, nor does one that the current end has not either.
    """
    lacking = _missing(module, target)
    before = {found.message for found in _missing(module, current)} if lacking else set()
    news = [found for found in lacking if found.message not in before]
    if not news:
        return
    path, line = target.path(module), news[0].line
    text = target.source(module).splitlines()[line - 1].strip()
    yield UpstreamChange(
        "pair-broken",
        Impact.ARCHITECTURAL,
        module,
        f"imports what the other target lacks: {news[0].message}",
        None,
        Spot(path, line, text),
        tuple(consumers),
        tuple(f"line {found.line}: {found.message}" for found in news[1:]),
    )


def _missing(module: str, end: End) -> list[Finding]:
    if end.sources.module(module) is None:
        return []
    package = end.path(module).endswith("/__init__.py")
    try:
        subject = make_subject(end.source(module), end.sources, module=module, package=package)
    except SourceError:
        return []
    found = (one.finding for one in check_imports(subject))
    return [f for f in found if f.severity is Severity.ERROR]
