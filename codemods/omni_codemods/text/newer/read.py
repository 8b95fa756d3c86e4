"""Parsing with the running Python, and with libcst where that is too old."""

from __future__ import annotations

import ast
import re
import tokenize
import warnings

from omni_codemods.findings.errors import SourceError
from omni_codemods.text.lexer import CLOSERS, OPENERS, tokenize_text
from omni_codemods.text.newer.stand_ins import NewerModule

_DEEPEST, _MOST_OPERATORS = 400, 2000
_FLAT = {",", ":", "=", *OPENERS, *CLOSERS}
# Most of what cannot be parsed holds nothing newer; then there is no need to load libcst.
_HINTS = re.compile(
    r"""\b[tT][rR]?["']|\b[rR][tT]["']"""  # t-strings
    r"""|\b(?:[fF][rR]?|[rR][fF])(?:["'][^\n]*?\{[^}\n]*["'\\\#]|["'][^"'\n]*\{[^}"']*\n)"""
    r"""|\b[fF][rR]?["']{3}|\b[rR][fF]["']{3}"""
    r"|\bexcept\b[^:\n]*[,*]"
    r"|^[ \t]*type[ \t]+\w|;[ \t]*type[ \t]+\w|:[ \t]*type[ \t]+\w"
    r"|\b(?:def|class)\s+\w+\s*\["
    r"|[\[,:]\s*\*\s*[\w(\[]",
    re.MULTILINE,
)


def parse(text: str) -> ast.Module:
    """The tree of *text*; a :class:`NewerModule` where only libcst can read it.

    Raises what :func:`ast.parse` raises, for what is Python in no version up to 3.14.
    """
    try:
        return ast.parse(text)
    except SyntaxError as error:
        newer = _parse_newer(text) if _HINTS.search(text) else None
        if newer is None:
            raise error from None
        return newer


def _is_shallow(text: str) -> bool:
    """Whether libcst can read it: what is nested by thousands ends the process there, or takes
    the square of its depth. A statement without so many operators is not nested so deeply."""
    try:
        tokens = tokenize_text(text)
    except SourceError:
        return False
    operators = depth = 0
    for token in tokens:
        depth += (token.text in OPENERS) - (token.text in CLOSERS)
        if token.type == tokenize.NEWLINE:
            operators = 0
        elif token.type == tokenize.OP:
            operators += token.text not in _FLAT
        if operators > _MOST_OPERATORS or depth > _DEEPEST:
            return False
    return True


def _parse_newer(text: str) -> NewerModule | None:
    # Here, since most runs never need it: it takes longer to load than they take.
    import libcst as cst

    from omni_codemods.text.newer.convert import convert
    from omni_codemods.text.newer.soundness import has_newer_syntax, is_sound

    if not _is_shallow(text):
        return None
    try:
        module = cst.parse_module(text)
    except (cst.ParserSyntaxError, cst.CSTLogicError, UnicodeError, RecursionError):
        return None
    if module.code != text or not has_newer_syntax(module):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = convert(module)
        except (SyntaxError, ValueError, AttributeError):
            return None
        return tree if is_sound(tree) else None
