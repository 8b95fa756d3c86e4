"""Whether operators that both sides changed in one expression mean together what each meant."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

# How tightly operators bind, the loosest first: those of one level stand side by side. A ``not``
# is also a part of ``is not`` and ``not in``.
_LEVELS = (
    ("if", "else"),
    ("or",),
    ("and",),
    ("not", "in", "is", "<", ">", "<=", ">=", "==", "!="),
    ("|",),
    ("^",),
    ("&",),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "//", "%", "@"),
    ("await",),
)
_LEVEL = {text: level for level, texts in enumerate(_LEVELS) for text in texts}
# Where ``t + a`` and ``a + m`` are ``t + a + m``, whichever was meant to come first.
_ASSOCIATIVE = frozenset({"or", "and", "|", "^", "&", "+"})
# What ends one expression and begins another.
_BORDERS = frozenset(
    (
        *("=", ":=", ":", "->", ",", ";", "+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|="),
        *("^=", ">>=", "<<=", "**=", "return", "yield", "raise", "assert", "del", "with", "as"),
        *("from", "import", "lambda", "while", "elif", "for"),
    )
)
SEPARATORS = _BORDERS | frozenset(_LEVEL)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The levels of an operator that all sides have, or of those that both changed."""

    shared: int | None = None
    edited: frozenset[str] = frozenset()
    skeleton: frozenset[str] = frozenset()

    @property
    def levels(self) -> list[int]:
        if self.shared is not None:
            return [self.shared]
        return [_LEVEL[text] for text in self.edited | self.skeleton]

    def without(self, level: int) -> _Stretch:
        """The same without the changed operators of *level*."""
        ours, theirs = (
            frozenset(t for t in side if _LEVEL[t] != level)
            for side in (self.edited, self.skeleton)
        )
        return _Stretch(self.shared, ours, theirs)


class Operators:
    """Follows a merge through its stretches, each the separators of all three."""

    def __init__(self) -> None:
        self._expression: list[_Stretch] = []
        self._safe = True
        self._started = False
        self._for = self._in = False

    def passes(self, text: str) -> None:
        """Go past a separator that all sides have."""
        first, self._started = not self._started, True
        opens = text == "if" and (first or self._in)  # of a statement, or of a comprehension
        ends = text in _BORDERS or opens or (self._for and text == "in")
        self._in = self._in or (self._for and text == "in")
        self._for = text == "for" or (self._for and not ends)
        if ends:
            self._settle()
        else:
            self._expression.append(_Stretch(_LEVEL[text]))

    def changes(
        self, ancestor: Sequence[str], edited: Sequence[str], skeleton: Sequence[str]
    ) -> None:
        """Take in a stretch in which the sides differ."""
        self._started = True
        old, mine, new = (
            Counter(t for t in side if t in _LEVEL) for side in (ancestor, edited, skeleton)
        )
        if mine != new and (mine != old or new != old):
            ours = frozenset((mine - old) + (old - mine))
            theirs = frozenset((new - old) + (old - new))
            self._expression.append(_Stretch(None, ours, theirs))

    def are_safe(self) -> bool:
        """Whether all that both sides changed can stand together."""
        self._settle()
        return self._safe

    def _settle(self) -> None:
        self._safe = self._safe and _is_safe(self._expression)
        self._expression = []


def _is_safe(expression: Sequence[_Stretch]) -> bool:
    """Whether both sides' changes of one expression can stand together.

    They can in two operands of an operator that all sides have, and where each put operands of
    its own into a chain of it. Else both may only lengthen one chain, with an operator that does
    not care where it is bracketed.
    """
    if not any(x.edited for x in expression) or not any(x.skeleton for x in expression):
        return True
    loosest = min(level for x in expression for level in x.levels)
    if any(x.shared == loosest for x in expression):
        # What a side put into the chain is no concern of its operands; a ternary is no chain.
        inside = [x.without(loosest) if loosest else x for x in expression]
        groups = itertools.groupby(inside, lambda x: x.shared == loosest)
        return all(_is_safe(list(run)) for border, run in groups if not border)
    sides = [{t for x in expression for t in x.edited}, {t for x in expression for t in x.skeleton}]
    changed = {text for side in sides for text in side if _LEVEL[text] == loosest}
    both = all(any(_LEVEL[text] == loosest for text in side) for side in sides)
    return both and len(changed) == 1 and changed <= _ASSOCIATIVE
