"""The translation as a codemod for LibCST's own runner.

``python -m libcst.tool codemod -x omni_codemods.commands.translate_names.TranslateNamesCommand
PATH --no-format``
"""

from __future__ import annotations

import argparse

import libcst as cst
from libcst.codemod import CodemodCommand, CodemodContext

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.table.table import packaged
from omni_codemods.translate import DIALECTS, translate


class TranslateNamesCommand(CodemodCommand):
    """GPU names become NPU names, as ``omni-port translate`` does it.

    Findings come out as the codemod's warnings. A module that cannot be translated is left as it
    is, with the reason as a warning.
    """

    DESCRIPTION = "Translate GPU names to NPU names by the packaged Ascend table."

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Offer ``--target`` and ``--dialect``."""
        arg_parser.add_argument(
            "--target", metavar="RELEASE", default=None, help="such as vllm-ascend==0.19.1rc1"
        )
        arg_parser.add_argument("--dialect", choices=DIALECTS, default="npu")

    def __init__(
        self, context: CodemodContext, target: str | None = None, dialect: str = "npu"
    ) -> None:
        super().__init__(context)
        self.target = target
        self.dialect = dialect

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """Translate the module's text and parse the result, keeping the encoding."""
        table = packaged().select(self.target)
        source = tree.bytes
        text = source.decode(tree.encoding)
        try:
            result = translate(text, table=table, dialect=self.dialect)
        except OmniCodemodsError as error:
            self.warn(f"{error.line or 1}:{error.column or 0}: {error.message}")
            return tree
        for finding in result.findings:
            self.warn(f"{finding.line}:{finding.column}: {finding.code} {finding.message}")
        if result.text == text:
            return tree
        return cst.parse_module(result.text.encode(tree.encoding))
