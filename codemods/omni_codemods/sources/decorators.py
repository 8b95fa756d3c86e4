"""What the decorators of a function make of it, as they are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.text.dotted import last_part

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_PROPERTIES = frozenset({"property", "cached_property"})


def kind_of(node: _Function) -> str:
    """Return ``property``, ``staticmethod``, ``classmethod`` or ``method``."""
    names = {last_part(ast.unparse(d).partition("(")[0]) for d in node.decorator_list}
    if names & _PROPERTIES or names & {"setter", "getter", "deleter"}:
        return "property"
    return next((one for one in ("staticmethod", "classmethod") if one in names), "method")


def decorated(decorator: ast.expr) -> ast.FunctionDef:
    """A function that has but this decorator."""
    none = ast.arguments([], [], None, [], [], None, [])
    return ast.FunctionDef("_", none, [], [decorator])


def hands_on(decorator: _Function) -> bool:
    """Whether the wrapper that a *decorator* makes takes anything and hands on all of it."""
    every = [n for n in ast.walk(decorator) if isinstance(n, _Function)]
    wrappers = [n for n in every if n is not decorator and n.args.vararg and n.args.kwarg]
    return len(wrappers) == 1 and all(_passes(wrappers[0]))


def _passes(wrapper: _Function) -> Iterator[bool]:
    """For each call with unpacked arguments in *wrapper*, whether it hands on just what it got."""
    plain = not [*wrapper.args.posonlyargs, *wrapper.args.args, *wrapper.args.kwonlyargs]
    seen = False
    for node in ast.walk(wrapper):
        if isinstance(node, ast.Call) and any(isinstance(a, ast.Starred) for a in node.args):
            seen = True
            yield plain and len(node.args) == 1 and [k.arg for k in node.keywords] == [None]
    yield seen
