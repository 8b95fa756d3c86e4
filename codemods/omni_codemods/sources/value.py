"""The value that an expression stands for."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Kind(enum.Enum):
    """What a value is."""

    MODULE = "module"
    CLASS = "class"
    INSTANCE = "instance"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression stands for; *path* is the dotted module, class or function.

    *node* is the definition of a function, *bound* whether its first parameter is given, *given*
    the call of ``partial`` that gives it others. *owner* is the class that a method was asked of.
    An *exact* instance was made by calling the class; any other may be of a class below it.
    """

    kind: Kind
    path: str
    node: _Function | ast.Lambda | None = None
    bound: bool = False
    given: ast.Call | None = None
    owner: str = ""
    exact: bool = False
