from __future__ import annotations

import pytest

from omni_codemods.provenance.renamed import find_patched

BASE = "def take(n):\n    return n\n\nclass Runner:\n    def take(self):\n        pass\n"
TAKE = "def take(n):\n    return n\n\n"


@pytest.mark.parametrize(
    ("assigned", "expected"),
    [
        ("Runner.take = take\n", ("Runner", "take")),
        ("up.runner.Runner.take = take\n", ("Runner", "take")),
        ("Runner.first = take\n", ("Runner", "first")),
        ("runner.take = take\n", (None, "take")),
        ("up.runner.take = take\n", (None, "take")),
        ("", (None, "take")),
        ("class Mine:\n    def __init__(self):\n        self.native = take\n", (None, "take")),
        ("class Mine:\n    native = take\n", (None, "take")),
        ("other.native = take\n", (None, "take")),
    ],
)
def test_what_is_patched(assigned: str, expected: tuple[str | None, str]) -> None:
    assert find_patched(TAKE + assigned, "take", BASE) == expected


def test_an_instance_keeps_a_function() -> None:
    text = TAKE + "class Mine:\n    def __init__(self):\n        self.native = take\n"
    assert find_patched(text, "take") == (None, "take")
    assert find_patched(TAKE + "Runner.first = take\n", "take") == ("Runner", "first")
