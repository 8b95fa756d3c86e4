# ruff: noqa: ARG002 - some need not look at what they are asked about
"""The translation as a codemod for LibCST's own runner.

``python -m libcst.tool codemod -x omni_codemods.commands.translate_names.TranslateNamesCommand
PATH --no-format``
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import libcst as cst
from libcst.codemod import CodemodContext

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.table import table as tables
from omni_codemods.translate import DIALECTS
from omni_codemods.translate.transformers import symbols
from omni_codemods.translate.transformers.rewrite import Example


class TranslateNamesCommand(symbols.ByEntries):
    """GPU names become NPU names, as ``omni-port translate`` does it.

    Findings come out as the codemod's warnings. A module that cannot be translated is left as it
    is, with the reason as a warning.
    *table* are files with tables that build on the packaged one.
    """

    DESCRIPTION = "Translate GPU names to NPU names by the packaged Ascend table, or another."
    examples = (
        Example(
            "import torch\n\ntorch.cuda.synchronize()\n",
            "import torch\n\ntorch.npu.synchronize()\n",
        ),
        Example(
            "import torch\n\ntorch.cuda.synchronize()\n",
            "import torch\n\ntorch.accelerator.synchronize()\n",
            {"dialect": "accelerator"},
        ),
    )

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--target``, ``--dialect``, ``--only`` and ``--table``."""
        arg_parser.add_argument(
            "--target", metavar="RELEASE", default=None, help="such as vllm-ascend==0.19.1rc1"
        )
        arg_parser.add_argument("--dialect", choices=DIALECTS, default="npu")
        arg_parser.add_argument("--only", choices=("safe",), default="")
        arg_parser.add_argument(
            "--table", metavar="FILE", nargs="*", default=(), help="tables of your own, in order"
        )

    def __init__(
        self,
        context: CodemodContext,
        target: str | None = None,
        dialect: str = "npu",
        table: Sequence[str] = (),
        only: str = "",
    ) -> None:
        super().__init__(context, dialect, only)
        files = [
            tables.load_table(Path(name).read_text(encoding="utf-8"), name=name) for name in table
        ]
        self.selected = reduce(tables.merge, files, tables.packaged()).select(target)

    def table(self, module: cst.Module) -> tables.Table:
        """The chosen table, for every module."""
        return self.selected

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """Translate the module, and warn about what a person must look at."""
        try:
            return super().transform_module_impl(tree)
        except OmniCodemodsError as error:
            self.warn(f"{error.line or 1}:{error.column or 0}: {error.message}")
            return tree
