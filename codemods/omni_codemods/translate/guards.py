"""Tests that decide which device code runs on: for the GPU only, or choosing between both."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from omni_codemods.names.scopes import Guard, Scope
from omni_codemods.translate.interest import Interest

# What an expression says about the device: true on the GPU alone, false there alone, or unclear.
ONLY, NEVER, UNCLEAR = 1, -1, 0


class Guards:
    """Reads tests: *interest* says what names the devices, *scope* where the test stands."""

    def __init__(self, interest: Interest, scope: Callable[[], Scope]) -> None:
        self.interest = interest
        self.scope = scope

    def guard(self, test: ast.expr) -> Guard:
        """What *test* asks for: ``BOTH`` if it names the NPU, ``GPU`` if it asks for the GPU."""
        if not self.interest.guarded:
            return Guard.NONE
        if any(names_npu_node(node, self.interest) for node in ast.walk(test)):
            return Guard.BOTH
        return Guard.NONE if self.asked(test) is None else Guard.GPU

    def asked(self, test: ast.expr) -> int | None:
        """How *test* asks for the GPU (``ONLY``, ``NEVER``, ``UNCLEAR``); None if it does not."""
        found = self.answer(test)
        if found is not None or not self.interest.guarded:
            return found
        nodes = list(ast.walk(test))
        if not any(self._asks(node) is not None for node in nodes):
            return None
        return UNCLEAR if any(isinstance(node, _TURNS) for node in nodes) else ONLY

    def answer(self, node: ast.expr) -> int | None:
        """The same where *node* as a whole is the answer to that question."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            found = self.asked(node.operand)
            return None if found is None else -found
        if isinstance(node, ast.BoolOp):
            return _joined(node.op, [self.asked(value) for value in node.values])
        if isinstance(node, ast.Compare):
            return self._compared(node)
        if isinstance(node, ast.NamedExpr):
            return self.answer(node.value)
        if isinstance(node, ast.IfExp):
            return self._chosen(node)
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in _PASSING and node.args:
                return self.asked(node.args[0])
            found = self._asks(node)
            return self._asks(node.func) if found is None else found
        return self._asks(node)

    def _chosen(self, node: ast.IfExp) -> int | None:
        found, sign = self.asked(node.test), _sign(node)
        if found is not None and sign is not None:
            return found * sign
        arms = {self.answer(node.body), self.answer(node.orelse)} - {None}
        return None if not arms else (arms.pop() if len(arms) == 1 else UNCLEAR)

    def _compared(self, node: ast.Compare) -> int | None:
        parts = (node.left, *node.comparators)
        turned = isinstance(node.ops[0], (ast.NotEq, ast.NotIn, ast.IsNot))
        if any(is_device(part, self.interest) for part in parts):
            return NEVER if turned else ONLY
        value = node.comparators[0]
        if len(parts) > 2 or not isinstance(value, ast.Constant):
            return None
        if not isinstance(value.value, (bool, type(None))):
            return None
        found = self.answer(node.left)
        if found is None:
            return None
        sign = ONLY if bool(value.value) is not turned else NEVER
        # "hip is None" is said where CUDA is meant, and not where anything else is.
        other = value.value is None and sign == NEVER and not self._asks_for_device(node.left)
        return UNCLEAR if other else found * sign

    def _asks_for_device(self, node: ast.expr) -> bool:
        name = last_name(node).lower()
        return any(device in name for device in self.interest.devices)

    def _asks(self, node: ast.AST) -> int | None:
        """How *node*, a name or a call of ``startswith``, asks for the GPU."""
        if isinstance(node, ast.Call):
            if last_name(node.func) != "startswith":
                return None
            return ONLY if any(is_device(one, self.interest) for one in node.args) else None
        if isinstance(node, ast.Compare):
            parts = (node.left, *node.comparators)
            return ONLY if any(is_device(part, self.interest) for part in parts) else None
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return None
        flag = self.interest.find_flag(node, self.scope())
        if flag is not None:
            return flag
        name = node.id if isinstance(node, ast.Name) else f".{node.attr}"
        guards = self.interest.guards
        return ONLY if name in guards or self.interest.spelling(node) in guards else None

    # Several statements, patterns and keys

    def pattern(self, pattern: ast.pattern) -> Guard:
        """What a ``case`` with *pattern* is for."""
        values = [node.value for node in ast.walk(pattern) if isinstance(node, ast.MatchValue)]
        if any(names_npu_node(value, self.interest) for value in values):
            return Guard.BOTH
        return Guard.GPU if any(is_device(v, self.interest) for v in values) else Guard.NONE

    def keys(self, node: ast.Dict) -> list[Guard]:
        """What each value of a dictionary is for, by its key."""
        keys = [key for key in node.keys if key is not None]
        both = any(names_npu_node(key, self.interest) for key in keys)
        strongest = Guard.BOTH if both else Guard.GPU
        return [
            strongest if key is not None and is_device(key, self.interest) else Guard.NONE
            for key in node.keys
        ]

    def chain(self, tests: Iterable[ast.expr]) -> Guard:
        """``BOTH`` if any test of an ``if`` chain names the NPU, else ``NONE``."""
        found = any(self.guard(test) is Guard.BOTH for test in tests)
        return Guard.BOTH if found else Guard.NONE


# Functions that answer as what they are given does.
_PASSING = frozenset(("bool", "int", "any", "all"))
_TURNS = (ast.Not, ast.NotEq, ast.NotIn, ast.IsNot)


def _joined(op: ast.boolop, parts: list[int | None]) -> int | None:
    found = {part for part in parts if part is not None}
    if not found:
        return None
    if isinstance(op, ast.And) and ONLY in found:
        return ONLY
    return found.pop() if len(found) == 1 else UNCLEAR


def _sign(node: ast.IfExp) -> int | None:
    arms = (node.body, node.orelse)
    body, other = (one.value if isinstance(one, ast.Constant) else 0 for one in arms)
    if body is True and other is False:
        return ONLY
    return NEVER if body is False and other is True else None


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
            elif names_npu_node(node, interest):
                return True
    return False


def leaves_block(body: list[ast.stmt]) -> bool:
    """Whether code after *body* runs only where *body* did not."""
    return isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


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


def names_npu_node(node: ast.AST, interest: Interest) -> bool:
    """Whether *node* itself, a name or a string, names the NPU."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.partition(":")[0] in interest.npu_words | interest.npu_backends
    name = last_name(node)
    return bool(name) and not interest.npu_words.isdisjoint(name.lower().split("_"))


def last_name(node: ast.AST) -> str:
    """The last name that *node* spells, empty where it is no name or attribute."""
    return node.id if isinstance(node, ast.Name) else str(getattr(node, "attr", ""))


def is_device(node: ast.expr, interest: Interest) -> bool:
    """Whether *node* is the name of the GPU or of its backend, or holds one among others."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return any(is_device(part, interest) for part in node.elts)
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return False
    head = node.value.partition(":")[0]
    return head in interest.devices or head.lower() in interest.backends
