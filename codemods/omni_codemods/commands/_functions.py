"""What the commands that rebuild a function share: files, and how a result is handed back."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import libcst as cst
from libcst.codemod import Codemod, CodemodContext, SkipFile

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.model import Outcome, RebaseResult


class Side(NamedTuple):
    """A file and the class in it, as ``PATH[::CLASS]`` names them."""

    text: str
    cls: str | None


def read_side(address: str) -> Side:
    """Read the file that *address* names."""
    path, _, cls = address.partition("::")
    return Side(Path(path).read_text(encoding="utf-8"), cls or None)


class RebuildFunction(Codemod):
    """A codemod that rebuilds one function of the module that it is run on."""

    def __init__(self, context: CodemodContext, method: str) -> None:
        super().__init__(context)
        owner, _, name = method.rpartition(".")
        self.cls, self.method = owner or None, name

    @staticmethod
    def offer(parser: argparse.ArgumentParser, **sides: str) -> None:
        """Offer ``--method``, and an option for each of *sides*, with its help."""
        parser.add_argument("--method", required=True, metavar="[CLASS.]NAME")
        for name, what in sides.items():
            option = f"--{name.replace('_', '-')}"
            parser.add_argument(option, required=True, metavar="PATH[::CLASS]", help=what)

    def rebuild(self, text: str) -> RebaseResult:
        """The result for the module *text*; raises OmniCodemodsError."""
        raise NotImplementedError

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """Rebuild the function.

        With a conflict the module stays as it is, since hunks are no Python: the conflicts are
        warnings.
        """
        try:
            result = self.rebuild(tree.code)
        except OmniCodemodsError as error:
            raise SkipFile(f"{error.side or 'local'}: {error.message}") from error
        for finding in result.findings:
            self.warn(f"{finding.line}:{finding.column}: {finding.code} {finding.message}")
        for one in result.edits:
            if one.outcome in (Outcome.ORPHAN, Outcome.PROPOSED):
                self.warn(f"{one.outcome.value}: {one.edit.summary}")
        if result.conflicts:
            self.warn(f"{self.method} has {len(result.conflicts)} conflicts, and stays as it is")
            return tree
        return (
            cst.parse_module(result.text.encode(tree.encoding))
            if (result.text != tree.code)
            else tree
        )
