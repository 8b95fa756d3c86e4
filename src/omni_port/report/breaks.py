"""What an upstream's step breaks: as text, as Markdown, and as findings of the files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from omni_codemods.findings.model import Finding, Severity, TranslateResult
from omni_port.base.words import count
from omni_port.methods.translate_files import Translation
from omni_port.plan.breaks import Break, Breaks, Group
from omni_port.plan.causes import Cause


def render_breaks_text(found: Breaks) -> str:
    """Return the groups, each with its places, and the copies, for a terminal."""
    parts = ["\n".join(_text(group)) for group in found.groups]
    if found.copies:
        parts.append("\n".join(["copies of what changed (rebase-method)", *_copies(found, "  ")]))
    return "\n\n".join(parts)


def _copies(found: Breaks, margin: str) -> Iterator[str]:
    for one in found.copies:
        yield f"{margin}{one.path}:{one.line}: {one.qualname}, of {one.upstream}: {one.what}"


def _text(group: Group) -> Iterator[str]:
    yield group.subject
    if group.cause is not None:
        yield f"  {_cause(group.cause)}"
    for one in group.breaks:
        at = one.misfit.finding
        doubt = "" if one.certainty == "sure" else f" ({one.certainty})"
        yield f"  {one.path}:{at.line}:{at.column + 1}: {at.code} {at.message}{doubt}"
    for hint in dict.fromkeys(one.instead for one in group.breaks if one.instead):
        yield f"    instead: {hint}"


def _cause(cause: Cause) -> str:
    return f"{cause.sha[:10]} {cause.date[:10]} {cause.subject}"


def render_breaks_markdown(found: Breaks) -> str:
    """Return a page: a heading a change, a line a place."""
    compared = ", ".join(f"`{u.name}` {u.current} → {u.target}" for u in found.upstreams)
    lines = [f"# What breaks: {compared}", "", render_breaks_closing(found)]
    for group in found.groups:
        lines += ["", f"## `{group.subject}`", ""]
        if group.cause is not None:
            lines += [f"{_cause(group.cause)}", ""]
        for one in group.breaks:
            at = one.misfit.finding
            doubt = "" if one.certainty == "sure" else f" ({one.certainty})"
            lines.append(f"- `{one.path}:{at.line}` {at.code} {at.message}{doubt}")
            if one.instead:
                lines.append(f"  - instead: {one.instead}")
    if found.copies:
        lines += ["", "## Copies of what changed", "", *_copies(found, "- ")]
    return "\n".join(lines) + "\n"


def render_breaks_closing(found: Breaks) -> str:
    """Return how much breaks, and what was not looked at."""
    places = found.places
    parts = [count(len(places), "place") + " in " + count(len(found.groups), "change")]
    if not places:
        parts = ["nothing breaks"]
    for word in ("likely", "possible"):
        number = sum(one.certainty == word for one in places)
        if number:
            parts.append(f"{number} {word}")
    if found.copies:
        parts.append(f"{count(len(found.copies), 'copied function')} changed")
    if found.known:
        parts.append(f"{found.known} known")
    return f"{count(found.files, 'file')}: {', '.join(parts)}"


def breaks_as_findings(found: Breaks) -> tuple[Translation, ...]:
    """Return the breaks as the findings of their files, for GitHub and SARIF."""
    files: dict[str, list[tuple[Group, Break]]] = {}
    for group in found.groups:
        for one in group.breaks:
            files.setdefault(one.path, []).append((group, one))
    return tuple(
        Translation(
            path, None, TranslateResult("", findings=tuple(_finding(*one) for one in every))
        )
        for path, every in files.items()
    )


def _finding(group: Group, one: Break) -> Finding:
    at = one.misfit.finding
    hints = [one.instead or at.hint]
    if group.cause is not None:
        hints.append(f"Changed by {_cause(group.cause)}")
    sure = one.certainty != "possible"
    severity = Severity.ERROR if sure else Severity.WARNING
    return replace(at, hint="\n".join(filter(None, hints)), severity=severity)
