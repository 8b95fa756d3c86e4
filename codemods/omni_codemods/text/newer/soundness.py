"""Whether what libcst read, and the running Python did not, is Python at all.

libcst is more lenient than Python (``f() = 1`` passes). So there must be newer syntax in the
text, and the rest, the newer parts put into older words, must pass the running Python.
"""

from __future__ import annotations

import ast
from typing import Any

import libcst as cst
import libcst.matchers as m

from omni_codemods.text.newer.older import older_text

_NEWER = (
    m.TypeParameters()
    | m.TypeAlias()
    | m.TryStar()
    | m.FormattedString()
    | m.ExceptHandler(type=m.Tuple(lpar=[]))
    | m.ExceptStarHandler(type=m.Tuple(lpar=[]))
    | m.Index(star="*")
    | m.Param(annotation=m.Annotation(annotation=m.StarredElement()))
)
# An older libcst has no t-strings.
_TEMPLATE: Any = getattr(cst, "TemplatedString", ())


def has_newer_syntax(module: cst.Module) -> bool:
    """Whether *module* holds anything that came with Python 3.11 or later."""
    finder = _Finder()
    module.visit(finder)
    return finder.found


class _Finder(cst.CSTVisitor):
    found = False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if not self.found:
            self.found = isinstance(node, _TEMPLATE) or m.matches(node, _NEWER)
        return not self.found


def is_sound(tree: ast.Module) -> bool:
    """Whether *tree* is Python but for its newer syntax, by the running Python's judgement."""
    try:
        compile(older_text(tree), "<older>", "exec", ast.PyCF_ONLY_AST)
    except (SyntaxError, ValueError, AttributeError):
        return False
    return True
