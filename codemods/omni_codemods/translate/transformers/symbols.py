# ruff: noqa: ARG002 - some need not look at what they are asked about
"""Codemods on names and what they are imported from, driven by entries of a table."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

import libcst as cst
import libcst.matchers as m
from libcst.codemod import CodemodCommand, CodemodContext

from omni_codemods.names.import_nodes import aliases
from omni_codemods.table.entries import BaseClass, Entry, Namespace, ReExport, Symbol
from omni_codemods.table.table import Table
from omni_codemods.translate.codemod import translate_module
from omni_codemods.translate.transformers.rewrite import Example, parameter


class ByEntries(CodemodCommand):
    """A codemod that applies table entries: names, and the imports that they come by.

    Imports are moved, merged, added and removed; the old one stays where names stay. What is
    not changed for a reason is a warning.
    """

    examples: ClassVar[Sequence[Example]] = ()

    def __init__(self, context: CodemodContext, dialect: str = "npu", only: str = "") -> None:
        super().__init__(context)
        self.dialect, self.only = dialect, only

    def table(self, module: cst.Module) -> Table:
        """The entries to apply to *module*."""
        entries = tuple(self.entries(module))
        return Table(name=type(self).__name__, target="", known=True, entries=entries)

    def entries(self, module: cst.Module) -> Iterator[Entry]:
        """The entries of a table made for the purpose."""
        raise NotImplementedError

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """Apply the entries, and warn about what a person must look at."""
        new, result = translate_module(
            tree, table=self.table(tree), dialect=self.dialect, only=self.only
        )
        for finding in result.findings:
            self.warn(f"{finding.line}:{finding.column}: {finding.code} {finding.message}")
        return new


class _OldNew(ByEntries):
    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--old`` and ``--new``."""
        parameter(arg_parser, "old", "dotted path as it is")
        parameter(arg_parser, "new", "dotted path as it is to be")

    def __init__(self, context: CodemodContext, old: str, new: str) -> None:
        super().__init__(context)
        self.old, self.new = old, new


class MoveSymbol(_OldNew):
    """A class, function or constant has another name or place: its uses and imports follow."""

    DESCRIPTION = "Rename or move a symbol, its imports with it."
    examples = (
        Example(
            "from shop.old import Order, Price\n\nx: Order = Order(Price)\n",
            "from shop.old import Price\nfrom shop.new import Purchase\n\n"
            "x: Purchase = Purchase(Price)\n",
            {"old": "shop.old.Order", "new": "shop.new.Purchase"},
        ),
        Example(
            "import shop.old\nshop.old.Order()\n",
            "from shop.new import Purchase\nPurchase()\n",
            {"old": "shop.old.Order", "new": "shop.new.Purchase"},
        ),
    )

    def entries(self, module: cst.Module) -> Iterator[Entry]:
        """The symbol."""
        yield Symbol(id="moved", gpu=self.old, npu=self.new)


class MoveReExport(_OldNew):
    """A name is imported from where it is defined; where it is read from a module it stays."""

    DESCRIPTION = "Import a name from another module."
    examples = (
        Example(
            "import shop\nfrom shop import Order\nOrder, shop.Order\n",
            "import shop\nfrom shop.orders import Order\nOrder, shop.Order\n",
            {"old": "shop.Order", "new": "shop.orders.Order"},
        ),
    )

    def entries(self, module: cst.Module) -> Iterator[Entry]:
        """The re-export."""
        yield ReExport(id="moved", gpu=self.old, npu=self.new)


class ReplaceBaseClass(_OldNew):
    """A class changes only where another class inherits from it."""

    DESCRIPTION = "Replace a base class."
    examples = (
        Example(
            "from shop import Order\nclass Mine(Order): ...\nisinstance(x, Order)\n",
            "from shop import Order\nfrom shop.new import Base\n"
            "class Mine(Base): ...\nisinstance(x, Order)\n",
            {"old": "shop.Order", "new": "shop.new.Base"},
        ),
    )

    def entries(self, module: cst.Module) -> Iterator[Entry]:
        """The base class."""
        yield BaseClass(id="moved", gpu=self.old, npu=self.new)


class ReplaceNamespace(_OldNew):
    """All that is read from the module *old* is read from *new*, which has the same names.

    With *members*, only those.
    """

    DESCRIPTION = "Read names from another module of the same names."
    examples = (
        Example(
            "import torch\nfrom torch.cuda import Stream\n\ntorch.cuda.synchronize(Stream())\n",
            "import torch\nfrom torch.xpu import Stream\n\ntorch.xpu.synchronize(Stream())\n",
            {"old": "torch.cuda", "new": "torch.xpu"},
        ),
        Example(
            "import numpy\nimport numpy as np\nx = np.zeros(numpy.pi)\n",
            "import cupy\nimport cupy as np\nx = np.zeros(cupy.pi)\n",
            {"old": "numpy", "new": "cupy"},
        ),
    )

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--old``, ``--new`` and ``--members``."""
        _OldNew.add_args(arg_parser)
        arg_parser.add_argument("--members", nargs="*", default=(), help="only these names")

    def __init__(
        self, context: CodemodContext, old: str, new: str, members: tuple[str, ...] = ()
    ) -> None:
        super().__init__(context, old, new)
        self.members = tuple(members)

    def entries(self, module: cst.Module) -> Iterator[Entry]:
        """The namespace, with every name that the module could read from it."""
        words = sorted(set(re.findall(r"[^\W\d]\w*", module.code)))
        names = self.members or (*words, *self._deeper(module))
        yield Namespace(id="namespace", gpu=self.old, npu=self.new, same=names)

    def _deeper(self, module: cst.Module) -> Iterator[str]:
        """The names that are imported from modules below *old*, as they are seen from there."""
        for node in m.findall(module, m.ImportFrom(module=m.Attribute(), relative=[])):
            found = cst.ensure_type(node, cst.ImportFrom)
            path = cst.helpers.get_full_name_for_node(found.module or found) or ""
            if path.startswith(f"{self.old}."):
                below = path[len(self.old) + 1 :]
                yield from (f"{below}.{alias.evaluated_name}" for alias in aliases(found))
