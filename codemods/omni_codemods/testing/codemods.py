"""Checks for tests of libcst codemods: before and after, a second run, and what stays.

Works on top of :class:`libcst.codemod.CodemodTest`, in :mod:`unittest` classes and alone.
"""

from __future__ import annotations

import textwrap
from typing import Any

import libcst as cst
from libcst.codemod import Codemod, CodemodContext, CodemodTest

from omni_codemods.testing import require_same
from omni_codemods.text.parsing import parse_module
from omni_codemods.translate.transformers.rewrite import Rewrite
from omni_codemods.translate.transformers.symbols import ByEntries


def run(codemod: type[Codemod], text: str, *args: Any, **kwargs: Any) -> tuple[str, list[str]]:
    """What *codemod*, made with the arguments, makes of *text*, and its warnings."""
    context = CodemodContext()
    module = codemod(context, *args, **kwargs).transform_module(cst.parse_module(text))
    return module.code, context.warnings


def check_rewrite(
    codemod: type[Codemod], before: str, after: str, *args: Any, **kwargs: Any
) -> list[str]:
    """Assert that *codemod* turns *before* into *after*, and *after* into itself.

    The codemod is made with the other arguments, anew for each run. Both texts are dedented.
    Returns the warnings of the first run. Raises AssertionError with a diff.
    """
    before, after = textwrap.dedent(before), textwrap.dedent(after)
    got, warnings = run(codemod, before, *args, **kwargs)
    require_same(after, got, "the result is not what was expected")
    parse_module(got)
    again, _ = run(codemod, got, *args, **kwargs)
    require_same(got, again, "a second run changes the result")
    return warnings


def check_noop(codemod: type[Codemod], text: str, *args: Any, **kwargs: Any) -> list[str]:
    """Assert that *codemod* leaves *text* as it is; returns its warnings."""
    return check_rewrite(codemod, text, text, *args, **kwargs)


def check_examples(codemod: type[Rewrite] | type[ByEntries]) -> None:
    """Assert that the examples of a transformer are true."""
    assert codemod.examples, f"{codemod.__name__} has no examples"
    for example in codemod.examples:
        check_rewrite(codemod, example.before, example.after, **example.arguments)


class RewriteTest(CodemodTest):
    """LibCST's own base class for tests, where every assertion also tries a second run.

    Set ``TRANSFORM`` to the codemod, as there, and use :meth:`assertRewrite`.
    """

    def assertRewrite(self, before: str, after: str, *args: Any, **kwargs: Any) -> None:
        """Assert by :meth:`assertCodemod`, and that *after* stays as it is."""
        self.assertCodemod(before, after, *args, **kwargs)
        self.assertCodemod(after, after, *args, **kwargs)
