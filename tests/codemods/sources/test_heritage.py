"""What a class has from its bases."""

from __future__ import annotations

import ast

from omni_codemods.findings.model import Span
from omni_codemods.sources.heritage import Heritage, Home
from omni_codemods.sources.modules import Sources

BASE = """\
import functools


class Base:
    @functools.cache
    def run(self):
        return 1

    LIMIT = 3
"""
LOCAL = """\
from outside import Unknown

from .base import Base


class Middle(Base):
    def walk(self):
        return 2


class Runner(Middle, Unknown):
    def own(self):
        return 3


class Other(Unknown, Base):
    pass
"""
FILES = {"pkg/__init__.py": "", "pkg/base.py": BASE, "pkg/local.py": LOCAL}
HOME = Home("pkg.local", Sources({"pkg": FILES.get}))


def heritage(cls: str, text: str = LOCAL, home: Home = HOME) -> Heritage:
    return Heritage(text, cls, home)


def test_a_method_of_the_same_file() -> None:
    found = heritage("Runner").find("walk")
    assert found is not None
    assert (found[0].owner, found[0].span) == ("pkg.local.Middle", Span(7, 8))
    assert isinstance(found[1], ast.FunctionDef)


def test_a_method_of_another_file_with_its_decorators() -> None:
    found = heritage("Runner").find("run")
    assert found is not None
    assert (found[0].owner, found[0].span) == ("pkg.base.Base", Span(5, 7))


def test_the_text_at_hand_counts_and_not_the_file() -> None:
    assert heritage("Runner", LOCAL.replace("def walk", "def jump")).find("walk") is None


def test_what_is_not_found() -> None:
    assert heritage("Runner").find("own") is None  # its own, not a base's
    assert heritage("Runner").find("other") is None
    assert heritage("Runner").find("LIMIT") is None  # no method
    assert heritage("Other").find("run") is None  # the unknown base may have it


def test_without_sources_only_the_file_is_seen() -> None:
    alone = heritage("Runner", home=Home())
    assert alone.find("run") is None
    found = alone.find("walk")
    assert found is not None
    assert found[0].owner == "__local__.Middle"


def test_bases_in_the_order_of_python() -> None:
    assert heritage("Runner").bases() == ("pkg.local.Middle", "pkg.base.Base", "outside.Unknown")


def test_a_base_that_cannot_be_read_hides_those_after_it() -> None:
    assert heritage("Other").hides("pkg.base.Base")
    assert not heritage("Runner").hides("pkg.base.Base")
    assert not heritage("Other").hides("pkg.local.Middle")  # no base of it
