from __future__ import annotations

import contextlib
import warnings

import pytest

from omni_codemods.checks.run import check_text
from omni_codemods.findings.errors import NotACopy, SourceError
from omni_codemods.rebase.method import rebase_method
from omni_codemods.text.parsing import (
    deep_code_named,
    find_tree,
    make_scopes,
    parse_module,
    require_python,
)
from omni_codemods.translate import translate

FUNCTION = "class A:\n    def f(self, n):\n        a = self.a(n)\n        b = {}\n        return b"
DEEP = {
    "sum": "+".join(["a"] * 3000),
    "longer sum": "+".join(["a"] * 20_000),
    "attribute": "a" + ".b" * 3000,
    "call": "a" + "()" * 3000,
    "minus": "-" * 3000 + "a",
    "brackets": "(" * 5000 + "a" + ")" * 5000,
    "lists": "[" * 5000 + "a" + "]" * 5000,
}


@pytest.mark.parametrize("parse", [parse_module, require_python, make_scopes])
def test_every_way_says_the_same_of_what_is_no_python(parse: object) -> None:
    assert callable(parse)
    with pytest.raises(SourceError) as caught:
        parse("x = 1\ny = = 1\n", side="base")
    assert caught.value.message == "not Python: invalid syntax"
    assert (caught.value.line, caught.value.column, caught.value.side) == (2, 4, "base")
    assert "mend" in caught.value.hint


def test_what_is_no_text() -> None:
    for text in ("x\x00", "x = '\ud800'"):
        with pytest.raises(SourceError):
            parse_module(text)
        assert find_tree(text) is None


def test_nothing_is_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse_module("x = '\\d'\nx is 1\n")
        require_python("x = '\\d'\nx is 2\n")


@pytest.mark.parametrize("code", DEEP.values(), ids=DEEP)
def test_deep_code_is_an_error_of_the_input_everywhere(code: str) -> None:
    text = FUNCTION.format(code)
    for call in (
        lambda: parse_module(text),
        lambda: require_python(text),
        lambda: translate(f"import torch\ntorch.cuda.synchronize()\n{text}"),
        lambda: check_text(text),
    ):
        with contextlib.suppress(SourceError):
            call()


@pytest.mark.parametrize("code", DEEP.values(), ids=DEEP)
@pytest.mark.parametrize("side", ["local", "base", "target"])
@pytest.mark.parametrize("place", ["in the method", "above it"])
def test_deep_code_is_named_by_its_side(code: str, side: str, place: str) -> None:
    plain = FUNCTION.format("self.b(a)")
    deep = FUNCTION.format(code) if place == "in the method" else f"x = {code}\n{plain}"
    texts = {name: deep if name == side else plain for name in ("local", "base", "target")}
    said = {side}
    with contextlib.suppress(NotACopy):  # most of the base is that expression
        try:
            rebase_method(
                method="f", local=texts["local"], base=texts["base"], target=texts["target"]
            )
        except SourceError as error:
            said.add(error.side)
    assert said == {side}


def test_the_deepest_side_is_named() -> None:
    def recurse(depth: int) -> int:
        return recurse(depth + 1)

    with (
        pytest.raises(SourceError) as caught,
        deep_code_named({"a": "x = 1\n", "b": "\n(((y)))\n"}),
    ):
        recurse(0)
    assert (caught.value.side, caught.value.line) == ("b", 2)
