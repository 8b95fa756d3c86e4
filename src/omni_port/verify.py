"""What must hold of every result, checked before it leaves the tool."""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from omni_codemods.errors import OmniCodemodsError
from omni_codemods.model import Edit, RebaseResult, TranslateResult
from omni_port.errors import VerificationError

if TYPE_CHECKING:
    from omni_port.api import TranslateOptions


def verify_translation(result: TranslateResult, options: TranslateOptions, *, path: str) -> None:
    """Raise VerificationError unless a second run can read the translation and changes nothing.

    That the translation parses is checked in the library, where it is made.
    """
    from omni_codemods.translate import translate

    try:
        again = translate(result.text, table=options.table, dialect=options.dialect)
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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise VerificationError(f"{message}: {error}", path=path, line=line) from error


def _first_difference(first: str, second: str) -> str:
    for one, two in zip(first.split("\n"), second.split("\n"), strict=False):
        if one != two:
            return f"{one.strip()!r} becomes {two.strip()!r}"
    return "the second run adds or drops lines at the end"


_HUNK = re.compile(
    r"^<{7}[^\n]*\n(?P<local>.*?)^\|{7}[^\n]*\n.*?^={7}\r?\n(?P<target>.*?)^>{7}[^\n]*\n?",
    re.MULTILINE | re.DOTALL,
)


def verify_rebase(local: str, result: RebaseResult, *, path: str) -> None:
    """Raise VerificationError unless the result parses and accounts for every block of *local*.

    With conflicts, it must parse with each resolved to ``local``, and with each to ``target``.
    """
    for side in ("local", "target") if result.conflicts else ("",):
        text = resolve_conflicts(result.text, side) if side else result.text
        resolved = f" with its conflicts resolved to {side}" if side else ""
        _verify_parses(text, path, f"the result{resolved} does not parse")
    _verify_blocks(local, result, path)


def resolve_conflicts(text: str, side: str) -> str:
    """Return *text* with each diff3 hunk replaced by its *side*: ``local`` or ``target``."""
    return _HUNK.sub(lambda hunk: hunk[side], text)


def _verify_blocks(local: str, result: RebaseResult, path: str) -> None:
    from omni_codemods.fences import parse_fences

    lines = local.split("\n")
    present = {_squeezed(line) for line in result.text.split("\n")}
    for block in parse_fences(local).blocks:
        first, last = block.span.start, block.span.end
        if any(edit.span.start <= last and first <= edit.span.end for edit in _edits(result)):
            continue
        missing = [
            line
            for line in lines[first - 1 : last]
            if _is_code(line) and _squeezed(line) not in present
        ]
        if missing:
            raise VerificationError(
                f"a block is neither in the result nor in the report: {missing[0].strip()!r}",
                path=path,
                line=first,
            )


def _edits(result: RebaseResult) -> list[Edit]:
    return [outcome.edit for outcome in result.edits]


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _squeezed(line: str) -> str:
    return "".join(line.split())
