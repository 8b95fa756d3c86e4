"""Pieces of a text, changed and put back."""

from __future__ import annotations

import pytest

from omni_codemods.findings.errors import SourceError
from omni_codemods.translate.transformers.changes import (
    NamedArgument,
    RenamedAttributes,
    ReplacedText,
    Respelled,
    Site,
    Target,
)
from omni_codemods.translate.transformers.writing import write_expressions


def test_outermost_expressions_once() -> None:
    text = "x = f(a.b, c='d')  # a.b\n"
    sites = [
        Site(Target.NAME, 4, (4, 5), Respelled("g.h")),
        Site(Target.ATTRIBUTE, 9, (6, 9), RenamedAttributes(1, ("y", "z"))),
        Site(Target.ARGUMENT, 11, (4, 17), NamedArgument("e")),
        Site(Target.STRING, 13, (13, 16), ReplacedText("d", "k")),
    ]
    assert write_expressions(text, sites) == [(4, 17, "g.h(a.y.z, e='k')")]


@pytest.mark.parametrize(
    ("text", "extent"), [("(a).b", (1, 5)), ("((a).c).b", (2, 9)), ("( a\n).b", (2, 7))]
)
def test_parentheses_around_the_root(text: str, extent: tuple[int, int]) -> None:
    site = Site(Target.ATTRIBUTE, len(text), extent, RenamedAttributes(1, ("x",)))
    assert write_expressions(text, [site]) == [(0, len(text), f"{text[:-1]}x")]


def test_what_libcst_cannot_read() -> None:
    text = "\nf(t'' t'', a=1)\n"
    site = Site(Target.ARGUMENT, 12, (1, 16), NamedArgument("b"))
    with pytest.raises(SourceError, match="libcst cannot read") as caught:
        write_expressions(text, [site])
    assert caught.value.line == 2
