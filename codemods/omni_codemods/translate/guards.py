"""Tests that decide which device code runs on: for the GPU only, or choosing between both."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from omni_codemods.names.scopes import Guard
from omni_codemods.translate.interest import Interest


def test_guard(test: ast.expr, interest: Interest) -> Guard:
    """What *test* asks for: ``BOTH`` if it names the NPU, ``GPU`` if it asks for the GPU."""
    if not interest.guarded:
        return Guard.NONE
    nodes = list(ast.walk(test))
    if any(_names_npu(node, interest) for node in nodes):
        return Guard.BOTH
    return Guard.GPU if any(_asks_gpu(node, interest) for node in nodes) else Guard.NONE


def pattern_guard(pattern: ast.pattern, interest: Interest) -> Guard:
    """What a ``case`` with *pattern* is for."""
    values = [node.value for node in ast.walk(pattern) if isinstance(node, ast.MatchValue)]
    if any(_names_npu(value, interest) for value in values):
        return Guard.BOTH
    return Guard.GPU if any(_is_device(value, interest) for value in values) else Guard.NONE


def key_guards(node: ast.Dict, interest: Interest) -> list[Guard]:
    """What each value of a dictionary is for, by its key."""
    keys = [key for key in node.keys if key is not None]
    strongest = Guard.BOTH if any(_names_npu(key, interest) for key in keys) else Guard.GPU
    return [
        strongest if key is not None and _is_device(key, interest) else Guard.NONE
        for key in node.keys
    ]


def names_npu(statements: Iterable[ast.stmt], interest: Interest) -> bool:
    """Whether *statements* name the NPU: in a name, a string or an import."""
    if not interest.npu_words:
        return False
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.alias):
                parts = node.name.replace(".", "_").lower().split("_")
                if not interest.npu_words.isdisjoint(parts):
                    return True
            elif _names_npu(node, interest):
                return True
    return False


def is_negated(test: ast.expr) -> bool:
    """Whether *test* holds anything that turns its meaning round."""
    return any(
        isinstance(node, (ast.Not, ast.NotEq, ast.NotIn, ast.IsNot)) for node in ast.walk(test)
    )


def leaves_block(body: list[ast.stmt]) -> bool:
    """Whether code after *body* runs only where *body* did not."""
    return isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def chain_guard(tests: Iterable[ast.expr], interest: Interest) -> Guard:
    """``BOTH`` if any test of an ``if`` chain names the NPU, else ``NONE``."""
    found = any(test_guard(test, interest) is Guard.BOTH for test in tests)
    return Guard.BOTH if found else Guard.NONE


def stronger(one: Guard, other: Guard) -> Guard:
    """The guard of code that stands under both."""
    order = (Guard.NONE, Guard.GPU, Guard.BOTH)
    return max(one, other, key=order.index)


def names_npu_module(nodes: Iterable[ast.AST], interest: Interest) -> bool:
    """Whether a member of the NPU's namespace is read anywhere in *nodes*."""
    if not interest.npu_words:
        return False
    spaces = {n.npu.rpartition(".") for n in interest.index.namespaces}
    for root in nodes:
        for node in ast.walk(root):
            inner = node.value if isinstance(node, ast.Attribute) else None
            if isinstance(inner, ast.Name) and (inner.id, ".", getattr(node, "attr", "")) in spaces:
                return True
    return False


def _names_npu(node: ast.AST, interest: Interest) -> bool:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.partition(":")[0] in interest.npu_words
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    return bool(name) and not interest.npu_words.isdisjoint(str(name).lower().split("_"))


def _asks_gpu(node: ast.AST, interest: Interest) -> bool:
    if isinstance(node, ast.Compare):
        return any(_is_device(part, interest) for part in (node.left, *node.comparators))
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "startswith":
        return any(_is_device(argument, interest) for argument in node.args)
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    return name in interest.guards or _spelling(node) in interest.guards


def _spelling(node: ast.AST) -> str:
    """A dotted name as it is spelt, empty for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if names and isinstance(node, ast.Name) else ""


def _is_device(node: ast.expr, interest: Interest) -> bool:
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return any(_is_device(part, interest) for part in node.elts)
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return False
    return node.value.partition(":")[0] in interest.devices
