"""The classes of :mod:`ast` that the running Python lacks, so that a newer file has a tree too.

They have the names and fields of the real ones: a visitor does not see the difference.
"""

from __future__ import annotations

import ast


class NewerModule(ast.Module):
    """The tree of a module in newer syntax. All positions in it are exact, f-strings' too."""


class _TryStar(ast.Try):
    pass


class _TypeAlias(ast.stmt):
    _fields = ("name", "type_params", "value")


class _TypeParameter(ast.AST):
    _fields = ("bound", "default_value")
    _attributes = ("lineno", "col_offset", "end_lineno", "end_col_offset")


class _ParamSpec(ast.AST):
    _fields = ("default_value",)
    _attributes = _TypeParameter._attributes


class _TypeVarTuple(_ParamSpec):
    pass


class _TemplateStr(ast.expr):
    _fields = ("values",)


class _Interpolation(ast.expr):
    _fields = ("value", "conversion", "format_spec")


def _find(name: str, stand_in: type[ast.AST]) -> type[ast.AST]:
    real = getattr(ast, name, None)
    if real is not None:
        return real  # type: ignore[no-any-return]
    stand_in.__name__ = stand_in.__qualname__ = name
    return stand_in


TryStar = _find("TryStar", _TryStar)
TypeAlias = _find("TypeAlias", _TypeAlias)
TypeVar = _find("TypeVar", _TypeParameter)
ParamSpec = _find("ParamSpec", _ParamSpec)
TypeVarTuple = _find("TypeVarTuple", _TypeVarTuple)
TemplateStr = _find("TemplateStr", _TemplateStr)
Interpolation = _find("Interpolation", _Interpolation)
