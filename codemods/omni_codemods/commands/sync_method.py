"""What a GPU sibling's method gained is replayed, translated, on the NPU copy.

``python -m libcst.tool codemod -x omni_codemods.commands.sync_method.SyncMethodCommand
--method NAME --gpu-base PATH --gpu-target PATH LOCAL --no-format``
"""

from __future__ import annotations

import argparse

from libcst.codemod import CodemodCommand, CodemodContext

from omni_codemods.commands import _functions
from omni_codemods.findings.model import RebaseResult
from omni_codemods.sync.sibling import Sibling
from omni_codemods.sync.sync_method import sync_method


class SyncMethodCommand(_functions.RebuildFunction, CodemodCommand):
    """One method of the module, as ``omni-port sync-method`` syncs it."""

    DESCRIPTION = "Replay on an NPU method what its GPU sibling gained, translated by the table."

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--method``, ``--gpu-base`` and ``--gpu-target``."""
        _functions.RebuildFunction.offer(
            arg_parser, gpu_base="the sibling's file before", gpu_target="the sibling's file now"
        )
        arg_parser.add_argument(
            "--package", default="", help="the downstream's package, by which its code is told"
        )

    def __init__(
        self,
        context: CodemodContext,
        method: str,
        gpu_base: str,
        gpu_target: str,
        package: str = "",
    ) -> None:
        super().__init__(context, method)
        before, now = _functions.read_side(gpu_base), _functions.read_side(gpu_target)
        self.sibling = Sibling(before.text, now.text, before.cls, now.cls, package=package or None)

    def rebuild(self, text: str) -> RebaseResult:
        """The sync of the method in *text*."""
        return sync_method(
            local=text, sibling=self.sibling, method=self.method, local_class=self.cls
        )
