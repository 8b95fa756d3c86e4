"""The methods of a class where they stand."""

from __future__ import annotations

import pytest

from omni_codemods.findings.errors import SourceError
from omni_codemods.sources.members import find_members

TEXT = """\
class One:
    @property
    def size(self):
        return 1

    @size.setter
    @checked
    def size(self, value): ...

    @size.deleter
    def size(self): ...

    def run(self):
        return 1

    def run(self):
        return 2
        # closing


class Two:
    def other(self): ...
"""


def test_each_accessor_for_itself() -> None:
    found = find_members(TEXT, "One")
    assert {name: (one.start, one.end) for name, one in found.items()} == {
        "size": (2, 4),
        "size.setter": (6, 8),
        "size.deleter": (10, 11),
        "run": (16, 18),
    }
    assert found["size"].text == "    @property\n    def size(self):\n        return 1\n"


def test_a_property_that_is_read_only() -> None:
    assert list(find_members("class A:\n    @property\n    def x(self): ...\n", "A")) == ["x"]


def test_a_setter_of_a_property_from_a_base() -> None:
    text = "class A(B):\n    @B.x.setter\n    def x(self, value): ...\n"
    assert list(find_members(text, "A")) == ["x"]


def test_what_is_not_there() -> None:
    assert find_members(TEXT, "Three") == {}
    with pytest.raises(SourceError):
        find_members("class (:\n", "A")
