"""A local copy of an upstream method is rebuilt on another version of it, its blocks replayed.

``python -m libcst.tool codemod -x omni_codemods.commands.rebase_method.RebaseMethodCommand
--method NAME --base PATH --target PATH LOCAL --no-format``
"""

from __future__ import annotations

import argparse

from libcst.codemod import CodemodCommand, CodemodContext

from omni_codemods.commands import _functions
from omni_codemods.findings.model import RebaseResult
from omni_codemods.rebase.method import rebase_method


class RebaseMethodCommand(_functions.RebuildFunction, CodemodCommand):
    """One method of the module, as ``omni-port rebase-method`` rebuilds it."""

    DESCRIPTION = "Rebuild a local copy of an upstream method on a new upstream version."

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--method``, ``--base`` and ``--target``."""
        _functions.RebuildFunction.offer(
            arg_parser,
            base="the upstream file that the copy was made from",
            target="the upstream file to move to",
        )

    def __init__(self, context: CodemodContext, method: str, base: str, target: str) -> None:
        super().__init__(context, method)
        self.base, self.target = _functions.read_side(base), _functions.read_side(target)

    def rebuild(self, text: str) -> RebaseResult:
        """The rebase of the method in *text*."""
        return rebase_method(
            local=text,
            base=self.base.text,
            target=self.target.text,
            method=self.method,
            local_class=self.cls,
            base_class=self.base.cls,
            target_class=self.target.cls,
        )
