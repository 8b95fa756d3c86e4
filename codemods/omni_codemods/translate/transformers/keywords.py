"""Codemods on the arguments of one callee, known by its dotted path whatever it is called here."""

from __future__ import annotations

import argparse

import libcst as cst
from libcst.codemod import CodemodContext

from omni_codemods.translate.transformers.changes import DroppedArguments, NamedArgument
from omni_codemods.translate.transformers.rewrite import Example, Rewrite, parameter


class RenameKeyword(Rewrite):
    """In calls of *callee*, the keyword argument *old* becomes *new*."""

    DESCRIPTION = "Rename a keyword argument in calls of one callee."
    nodes = (cst.Arg,)
    examples = (
        Example(
            "from shop import order as buy\nbuy(1, count=2)\nsell(count=2)\n",
            "from shop import order as buy\nbuy(1, number=2)\nsell(count=2)\n",
            {"callee": "shop.order", "old": "count", "new": "number"},
        ),
        Example(
            "import shop\nshop.order(\n    count = 2,  # two\n    of=shop.order(count=1),\n)\n",
            "import shop\nshop.order(\n    number = 2,  # two\n    of=shop.order(number=1),\n)\n",
            {"callee": "shop.order", "old": "count", "new": "number"},
        ),
    )

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--callee``, ``--old`` and ``--new``."""
        parameter(arg_parser, "callee", "dotted path of the function or class, or *.method")
        parameter(arg_parser, "old", "the keyword as it is")
        parameter(arg_parser, "new", "the keyword as it is to be")

    def __init__(self, context: CodemodContext, callee: str, old: str, new: str) -> None:
        super().__init__(context)
        self.callee, self.old, self.new = callee, old, new

    def find(self, node: cst.Arg) -> NamedArgument | None:
        """A new name for the keyword of such a call."""
        call = parent_call(self, node)
        if call is None or node.keyword is None or node.keyword.value != self.old:
            return None
        if not self.means(call.func, self.callee):
            return None
        if any(a.keyword is not None and a.keyword.value == self.new for a in call.args):
            self.warn(f"{self.place(call)}: {self.new} is passed already; {self.old} stays")
            return None
        return NamedArgument(self.new)


class DropKeyword(Rewrite):
    """In calls of *callee*, the keyword argument *old* goes, with its comma and its line."""

    DESCRIPTION = "Drop a keyword argument from calls of one callee."
    nodes = (cst.Call,)
    examples = (
        Example(
            "from shop import order\norder(1, count=2)\norder(\n    1,\n    count=2,  # two\n)\n",
            "from shop import order\norder(1)\norder(\n    1,\n)\n",
            {"callee": "shop.order", "old": "count"},
        ),
    )

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--callee`` and ``--old``."""
        parameter(arg_parser, "callee", "dotted path of the function or class, or *.method")
        parameter(arg_parser, "old", "the keyword that goes")

    def __init__(self, context: CodemodContext, callee: str, old: str) -> None:
        super().__init__(context)
        self.callee, self.old = callee, old

    def find(self, node: cst.Call) -> DroppedArguments | None:
        """Where the keyword stands in such a call."""
        positions = tuple(
            position
            for position, argument in enumerate(node.args)
            if argument.keyword is not None and argument.keyword.value == self.old
        )
        if not positions or not self.means(node.func, self.callee):
            return None
        return DroppedArguments(positions)


class NamePositional(Rewrite):
    """In calls of *callee*, positional arguments from *limit* on are passed by their *names*.

    *names* are those of the parameters, the first one's first.
    """

    DESCRIPTION = "Pass positional arguments of one callee by keyword."
    nodes = (cst.Arg,)
    examples = (
        Example(
            "from shop import order\norder(1, 2, 3)\norder(*a, 3)\n",
            "from shop import order\norder(1, number=2, of=3)\norder(*a, 3)\n",
            {"callee": "shop.order", "limit": 1, "names": ("what", "number", "of")},
        ),
    )

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--callee``, ``--limit`` and ``--names``."""
        parameter(arg_parser, "callee", "dotted path of the function or class, or *.method")
        arg_parser.add_argument(
            "--limit", type=int, required=True, help="how many stay as they are"
        )
        arg_parser.add_argument("--names", nargs="+", required=True, help="names of the parameters")

    def __init__(
        self, context: CodemodContext, callee: str, limit: int, names: tuple[str, ...]
    ) -> None:
        super().__init__(context)
        self.callee, self.limit, self.names = callee, limit, tuple(names)

    def find(self, node: cst.Arg) -> NamedArgument | None:
        """A name for an argument past the limit."""
        call = parent_call(self, node)
        if call is None or node.keyword is not None or not self.means(call.func, self.callee):
            return None
        if any(argument.star for argument in call.args):
            return None
        position = call.args.index(node)
        if not self.limit <= position < len(self.names):
            return None
        return NamedArgument(self.names[position])


class RequireKeyword(Rewrite):
    """A call of *callee* that does not pass *keyword* is a warning; nothing changes."""

    DESCRIPTION = "Warn where a call does not pass a keyword argument."
    nodes = (cst.Call,)
    examples = (
        Example(
            "from shop import order\norder(1)\n",
            "from shop import order\norder(1)\n",
            {"callee": "shop.order", "keyword": "number"},
        ),
    )

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--callee`` and ``--keyword``."""
        parameter(arg_parser, "callee", "dotted path of the function or class, or *.method")
        parameter(arg_parser, "keyword", "the keyword that a call must pass")

    def __init__(self, context: CodemodContext, callee: str, keyword: str) -> None:
        super().__init__(context)
        self.callee, self.keyword = callee, keyword

    def find(self, node: cst.Call) -> None:
        """Warn about such a call."""
        passed = {argument.keyword.value for argument in node.args if argument.keyword is not None}
        unpacked = any(argument.star for argument in node.args)
        if self.keyword not in passed and not unpacked and self.means(node.func, self.callee):
            self.warn(f"{self.place(node)}: {self.keyword} is not passed")


def parent_call(rewrite: Rewrite, node: cst.Arg) -> cst.Call | None:
    """The call that *node* is an argument of; None for the base of a class."""
    from libcst.metadata import ParentNodeProvider

    parent = rewrite.get_metadata(ParentNodeProvider, node, None)
    return parent if isinstance(parent, cst.Call) else None
