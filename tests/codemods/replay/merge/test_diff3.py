"""Three sequences → what all share, and what differs."""

from __future__ import annotations

import pytest

from omni_codemods.replay.merge.diff3 import Stretch, diff3


def parts(base: str, local: str, target: str) -> list[tuple[str, str, str] | str]:
    """A letter where all agree, three pieces where they do not."""
    out: list[tuple[str, str, str] | str] = []
    for s in diff3(base, local, target):
        b, l, t = base[slice(*s.ancestor)], local[slice(*s.edited)], target[slice(*s.skeleton)]  # noqa: E741
        out.append(b if s.stable else (b, l, t))
        if s.stable:
            assert b == l == t
    return out


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("", "", "", []),
        ("ab", "ab", "ab", ["a", "b"]),
        ("ab", "axb", "ab", ["a", ("", "x", ""), "b"]),
        ("ab", "ab", "axb", ["a", ("", "", "x"), "b"]),
        ("ab", "axb", "ayb", ["a", ("", "x", "y"), "b"]),
        ("abc", "ac", "abc", ["a", ("b", "", "b"), "c"]),
        ("abc", "axc", "ayc", ["a", ("b", "x", "y"), "c"]),
        ("", "x", "y", [("", "x", "y")]),
        ("a", "", "", [("a", "", "")]),
        ("ab", "xab", "aby", [("", "x", ""), "a", "b", ("", "", "y")]),
    ],
)
def test_stretches(
    base: str, local: str, target: str, expected: list[tuple[str, str, str] | str]
) -> None:
    assert parts(base, local, target) == expected


@pytest.mark.parametrize("texts", [("abcab", "bcaab", "abxcab"), ("aaaa", "aa", "aaaaa")])
def test_every_item_is_in_exactly_one_stretch(texts: tuple[str, str, str]) -> None:
    found = list(diff3(*texts))
    for text, ranges in zip(
        texts, zip(*((s.ancestor, s.edited, s.skeleton) for s in found), strict=True), strict=True
    ):
        assert "".join(text[slice(*r)] for r in ranges) == text


def test_ranges_are_half_open() -> None:
    assert list(diff3("a", "ab", "a")) == [
        Stretch(True, (0, 1), (0, 1), (0, 1)),
        Stretch(False, (1, 1), (1, 2), (1, 1)),
    ]
