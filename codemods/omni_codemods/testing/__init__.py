"""Checks for tests of codemods, yours included.

A codemod that works on text is trusted when what it writes is Python, when a second run changes
nothing, and when it leaves alone what it should. For codemods of libcst there is
:mod:`omni_codemods.testing.codemods`.
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Callable

from omni_codemods.text.parsing import parse_module
from omni_codemods.translate import translate as _translate


def _translated(text: str) -> str:
    return _translate(text).text


def check_rewrite(
    before: str, after: str, translate: Callable[[str], str] = _translated, *, dedent: bool = True
) -> None:
    """Assert that *translate* turns *before* into *after*, and *after* into itself.

    Both texts are dedented unless *dedent* is false. *after* must parse. *translate* takes and
    returns text; by default it is the translation with the packaged table. Raises
    :class:`AssertionError` with a diff, :class:`SourceError` for text that does not parse.
    """
    if dedent:
        before, after = textwrap.dedent(before), textwrap.dedent(after)
    got = translate(before)
    require_same(after, got, "the result is not what was expected")
    parse_module(got)
    require_same(got, translate(got), "a second run changes the result")


def check_noop(
    text: str, translate: Callable[[str], str] = _translated, *, dedent: bool = True
) -> None:
    """Assert that *translate* leaves *text* as it is."""
    check_rewrite(text, text, translate, dedent=dedent)


def require_same(expected: str, got: str, message: str) -> None:
    """Raise AssertionError, *message* and a diff, unless the texts are the same."""
    if expected == got:
        return
    difference = "\n".join(
        difflib.unified_diff(
            expected.splitlines(), got.splitlines(), "expected", "got", lineterm="", n=3
        )
    )
    raise AssertionError(f"{message}:\n{difference or (expected, got)!s}")
