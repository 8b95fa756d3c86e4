"""What must hold of every result, checked before it leaves the tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omni_codemods.findings.errors import OmniCodemodsError, SourceError
from omni_codemods.findings.model import (
    Block,
    EditKind,
    Finding,
    RebaseResult,
    Severity,
    TranslateResult,
)
from omni_codemods.functions.conflict_markers import HUNK, resolve_hunks
from omni_codemods.text.parsing import parse_module
from omni_port.base.errors import VerificationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omni_codemods.table.table import Table
    from omni_codemods.text.outline import Located


def verify_translation(
    result: TranslateResult, *, table: Table | None, dialect: str, path: str, only: str = ""
) -> None:
    """Raise VerificationError unless a second run can read the translation and changes nothing.

    That the translation parses is checked in the library, where it is made.
    """
    from omni_codemods.translate import translate

    try:
        again = translate(result.text, table=table, dialect=dialect, only=only)
    except OmniCodemodsError as error:
        message = f"a second run cannot read the translation: {error.message}"
        raise VerificationError(message, path=path, line=error.line) from error
    if again.text != result.text:
        raise VerificationError(
            "a second run would change the translation again",
            hint=_first_difference(result.text, again.text),
            path=path,
        )


def _verify_parses(text: str, path: str, message: str) -> None:
    try:
        parse_module(text)
    except SourceError as error:
        raise VerificationError(f"{message}: {error}", path=path, line=error.line) from error


def _first_difference(first: str, second: str) -> str:
    for one, two in zip(first.split("\n"), second.split("\n"), strict=False):
        if one != two:
            return f"{one.strip()!r} becomes {two.strip()!r}"
    return "the second run adds or drops lines at the end"


def verify_rebase(result: RebaseResult, *, path: str) -> None:
    """Raise VerificationError unless the result parses.

    With conflicts, it must parse with each resolved to ``local``, and with each to ``target``.
    """
    for side in ("local", "target") if HUNK.search(result.text) else ("",):
        text = resolve_hunks(result.text, side) if side else result.text
        resolved = f" with its conflicts resolved to {side}" if side else ""
        _verify_parses(text, path, f"the result{resolved} does not parse")


def check_blocks(local: str, base: str, result: RebaseResult) -> tuple[Finding, ...]:
    """Return a finding for each line of a block of the method that is not accounted for.

    A line is, where its code stands in the result, or in *base* (then it was not local's own), or
    where an edit of the account is about its block, or shows it as what followed the sibling.
    *local* and *base* are whole files.
    """
    from omni_codemods.functions.conflict_markers import blank_hunks
    from omni_codemods.text.outline import locate_all

    # What followed the sibling is shown as it was.
    known = (
        _squeezed(result.text),
        _squeezed(base),
        *(_own_code(line[1:]) for e in result.edits for line in e.followed.splitlines()),
    )
    return tuple(
        finding
        for found in locate_all(blank_hunks(local), result.method, "local")
        for finding in _check_function(found, known, result)
    )


def _check_function(
    found: Located, known: Sequence[str], result: RebaseResult
) -> tuple[Finding, ...]:
    from omni_codemods.findings.codes import UNACCOUNTED_LINE
    from omni_codemods.functions.fences import parse_fences
    from omni_codemods.names.reads import as_module

    text = as_module(found.text)
    above = found.start - 1 - (text.count("\n") - found.text.count("\n"))
    lines = text.split("\n")
    return tuple(
        Finding(
            UNACCOUNTED_LINE.code,
            above + number,
            0,
            f"line {above + number} of local, in a block, is neither in the result nor in the "
            f"account: {line.strip()}",
            UNACCOUNTED_LINE.remedy,
            Severity.ERROR,
        )
        for block in parse_fences(text).blocks
        if not _is_told(block, above, result)
        for number, line in enumerate(lines[: block.span.end], 1)
        if number >= block.span.start and not any(_own_code(line) in flat for flat in known)
    )


def _is_told(block: Block, above: int, result: RebaseResult) -> bool:
    first, last = above + block.span.start, above + block.span.end
    # The spans of the sibling's changes are lines of another file.
    own = (e.edit for e in result.edits if e.edit.kind is not EditKind.SIBLING)
    spans = [edit.span for edit in own]
    return any(span.start <= last and first <= span.end for span in spans)


def _own_code(line: str) -> str:
    """Return the line's code without layout: neither comment nor the comma that a list may end."""
    return _squeezed(line.partition("#")[0]).rstrip(",")


def _squeezed(text: str) -> str:
    return "".join(text.split())
