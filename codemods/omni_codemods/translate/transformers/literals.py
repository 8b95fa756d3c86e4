# ruff: noqa: ARG002 - some need not look at what they are asked about
"""Codemods on string literals in positions where they mean something."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import ClassVar

import libcst as cst
import libcst.matchers as m
from libcst.codemod import CodemodContext
from libcst.metadata import ParentNodeProvider

from omni_codemods.translate.transformers.changes import ReplacedText
from omni_codemods.translate.transformers.keywords import parent_call
from omni_codemods.translate.transformers.pairs import respell_pairs
from omni_codemods.translate.transformers.rewrite import Example, Rewrite, parameter

String = cst.SimpleString | cst.FormattedString
_ENVIRONMENT = (
    "os.getenv",
    "os.putenv",
    "os.unsetenv",
    "os.environ.get",
    "os.environ.pop",
    "os.environ.setdefault",
)


class _Text(Rewrite):
    """The string *old* becomes *new*, where :meth:`is_meant` says so."""

    nodes = (cst.SimpleString, cst.FormattedString)

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--old`` and ``--new``."""
        parameter(arg_parser, "old", "the text as it is")
        parameter(arg_parser, "new", "the text as it is to be")

    def __init__(self, context: CodemodContext, old: str, new: str) -> None:
        super().__init__(context)
        self.old, self.new = old, new

    def find(self, node: String) -> ReplacedText | None:
        """Another text for such a string."""
        found = self.spells(node) and self.is_meant(node)
        return ReplacedText(self.old, self.new) if found else None

    def spells(self, node: String) -> bool:
        """Whether *node* is the text."""
        return isinstance(node, cst.SimpleString) and node.raw_value == self.old

    def is_meant(self, node: String) -> bool:
        """Whether *node* stands where the text means what is to change."""
        raise NotImplementedError


class ReplaceArgument(_Text):
    """A string *old* becomes *new* where it is the value of one of *keywords*, or the first
    argument of one of *callees*; ``path:2`` is the third one of *path*. With *indexed* also in
    front of a colon: ``"old:0"``.
    """

    DESCRIPTION = "Replace a string that is passed by certain keywords, or to certain callees."
    examples: ClassVar[Sequence[Example]] = (
        Example(
            'import ship\nship.send(by="train")\nship.by("train:1")\nsay("train")\n',
            'import ship\nship.send(by="tram")\nship.by("tram:1")\nsay("train")\n',
            {
                "old": "train",
                "new": "tram",
                "keywords": ("by",),
                "callees": ("ship.by",),
                "indexed": True,
            },
        ),
        Example(
            'from ship import send as s\ns(1, "train")\ns("train", 1)\ns(*a, "train")\n',
            'from ship import send as s\ns(1, "tram")\ns("train", 1)\ns(*a, "train")\n',
            {"old": "train", "new": "tram", "callees": ("ship.send:1",)},
        ),
    )

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--old``, ``--new``, ``--keywords``, ``--callees`` and ``--indexed``."""
        _Text.add_args(arg_parser)
        arg_parser.add_argument("--keywords", nargs="*", default=(), help="keywords, of any callee")
        arg_parser.add_argument(
            "--callees", nargs="*", default=(), help="dotted paths, or PATH:POSITION from 0"
        )
        arg_parser.add_argument("--indexed", action="store_true", help='also "old:0"')

    def __init__(
        self,
        context: CodemodContext,
        old: str,
        new: str,
        keywords: tuple[str, ...] = (),
        callees: tuple[str, ...] = (),
        indexed: bool = False,
    ) -> None:
        super().__init__(context, old, new)
        self.keywords, self.callees, self.indexed = tuple(keywords), tuple(callees), indexed

    def spells(self, node: String) -> bool:
        """Whether *node* is the text, or begins with it and a colon."""
        if isinstance(node, cst.FormattedString):
            head = node.parts[0] if node.parts else None
            text = head.value if isinstance(head, cst.FormattedStringText) else ""
            return self.indexed and text.startswith(f"{self.old}:")
        text = node.raw_value
        return text == self.old or (self.indexed and text.startswith(f"{self.old}:"))

    def is_meant(self, node: String) -> bool:
        """Whether *node* is such an argument."""
        argument = self.get_metadata(ParentNodeProvider, node, None)
        if not isinstance(argument, cst.Arg):
            return False
        call = parent_call(self, argument)
        if call is None:
            return False
        if argument.keyword is not None:
            return argument.keyword.value in self.keywords
        position = call.args.index(argument)
        if any(before.star for before in call.args[: position + 1]):
            return False
        specs = (callee.partition(":") for callee in self.callees)
        return any(
            int(wanted or 0) == position and self.means(call.func, path)
            for path, _, wanted in specs
        )


class ReplacePairs(ReplaceArgument):
    """As :class:`ReplaceArgument`, in strings of pairs too: in ``"a:x,b:y"`` a second half *old*
    becomes *new*, and a first half *old_first* becomes *new_first*.
    """

    DESCRIPTION = "Replace a string, alone or in pairs, that is passed by keyword or to callees."
    examples = (
        Example(
            'import ship\nship.send(by="bike:post,foot:post")\nship.send(by="post")\n'
            'say("bike:post")\n',
            'import ship\nship.send(by="van:mail,foot:mail")\nship.send(by="mail")\n'
            'say("bike:post")\n',
            {
                "old": "post",
                "new": "mail",
                "old_first": "bike",
                "new_first": "van",
                "keywords": ("by",),
            },
        ),
    )

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer what :class:`ReplaceArgument` does, ``--old-first`` and ``--new-first``."""
        ReplaceArgument.add_args(arg_parser)
        parameter(arg_parser, "old-first", "the first half as it is", optional=True)
        parameter(arg_parser, "new-first", "the first half as it is to be", optional=True)

    def __init__(
        self,
        context: CodemodContext,
        old: str,
        new: str,
        keywords: tuple[str, ...] = (),
        callees: tuple[str, ...] = (),
        indexed: bool = False,
        old_first: str = "",
        new_first: str = "",
    ) -> None:
        super().__init__(context, old, new, keywords, callees, indexed)
        self.first = {old_first: new_first} if old_first else {}
        self.second = {old: new}

    def find(self, node: String) -> ReplacedText | None:
        """Another text for such a string."""
        if isinstance(node, cst.FormattedString) or not self.is_meant(node):
            return None
        new = respell_pairs(node.raw_value, self.first, self.second)
        if new != node.raw_value:
            return ReplacedText(node.raw_value, new)
        return super().find(node)


class RenameVariable(_Text):
    """The environment variable *old* becomes *new* where the environment is read or written."""

    DESCRIPTION = "Rename an environment variable."
    examples = (
        Example(
            'import os\nos.environ["OLD"] = os.getenv("OLD", "OLD")\n"OLD" in os.environ\n',
            'import os\nos.environ["NEW"] = os.getenv("NEW", "OLD")\n"NEW" in os.environ\n',
            {"old": "OLD", "new": "NEW"},
        ),
    )

    def is_meant(self, node: String) -> bool:
        """Whether *node* names a variable of the environment."""
        parent = self.get_metadata(ParentNodeProvider, node, None)
        if isinstance(parent, cst.Arg):
            call = parent_call(self, parent)
            if call is None or call.args[0] is not parent:
                return False
            return any(self.means(call.func, name) for name in _ENVIRONMENT)
        if isinstance(parent, cst.Comparison):
            return m.matches(parent, m.Comparison(comparisons=[_CONTAINED])) and self.means(
                parent.comparisons[0].comparator, "os.environ"
            )
        if not isinstance(parent, cst.Index):
            return False
        element = self.get_metadata(ParentNodeProvider, parent)
        subscript = self.get_metadata(ParentNodeProvider, element)
        return isinstance(subscript, cst.Subscript) and self.means(subscript.value, "os.environ")


_CONTAINED = m.ComparisonTarget(operator=m.In() | m.NotIn())


class ReplaceDottedPath(_Text):
    """A string that spells the dotted path *old* becomes *new*, wherever it stands."""

    DESCRIPTION = "Replace a dotted path in strings."
    examples = (
        Example(
            'load("shop.old.Order")\nprint("see shop.old.Order")\n',
            'load("shop.new.Order")\nprint("see shop.old.Order")\n',
            {"old": "shop.old.Order", "new": "shop.new.Order"},
        ),
    )

    def is_meant(self, node: String) -> bool:
        """Always: a dotted path has one meaning."""
        return True
