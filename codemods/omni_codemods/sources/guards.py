"""Under which tests and attempts code stands, and for which version it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from omni_codemods.text.dotted import last_part

_VERSION = re.compile(r"version", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_EVERYTHING = frozenset({"Exception", "BaseException", ""})


@dataclass(frozen=True, slots=True)
class Guard:
    """What holds where code stands.

    *caught* are the names of the exceptions that are caught around it (``""``: all), *typing*
    says that only type checkers see it, *tested* that it stands under a test.
    """

    caught: frozenset[str] = frozenset()
    typing: bool = False
    tested: bool = False

    def catches(self, *names: str) -> bool:
        """Whether one of the exceptions is caught."""
        return bool(self.caught & {*names, *_EVERYTHING})

    def with_caught(self, node: ast.Try) -> Guard:
        """Return the guard of what the ``try`` attempts."""
        names = {name for handler in node.handlers for name in _names(handler.type)}
        return replace(self, caught=self.caught | names)


def _names(node: ast.expr | None) -> list[str]:
    if node is None:
        return [""]
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return [last_part(ast.unparse(one)) for one in parts]


def suppressed(node: ast.With | ast.AsyncWith) -> frozenset[str]:
    """Return the exceptions that ``with suppress(...)`` catches."""
    out: set[str] = set()
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and last_part(ast.unparse(call.func)) == "suppress":
            out.update(name for one in call.args for name in _names(one))
    return frozenset(out)


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of the root packages, as far as they are known, by name."""

    known: Mapping[str, str] = field(default_factory=dict)

    def judge(self, test: ast.expr, look: Callable[[str], ast.expr | None]) -> Judgement:
        """Return what is known of *test*; *look* gives what a name is made of."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self.judge(test.operand, look)
            return replace(inner, holds=None if inner.holds is None else not inner.holds)
        if isinstance(test, ast.BoolOp):
            return self._joined(test, look)
        if isinstance(test, ast.Name):
            made = look(test.id)
            if made is not None and not isinstance(made, ast.Name):
                return self.judge(made, look)
            return Judgement(bool(_VERSION.search(test.id)))
        if not isinstance(test, (ast.Call, ast.Compare)) or not _VERSION.search(_asked(test)):
            return Judgement(False)
        return Judgement(True, self._holds(test))

    def _joined(self, test: ast.BoolOp, look: Callable[[str], ast.expr | None]) -> Judgement:
        parts = [self.judge(one, look) for one in test.values]
        if not any(one.of_version for one in parts):
            return Judgement(False)
        stops = isinstance(test.op, ast.Or)
        if any(one.holds is stops for one in parts):
            return Judgement(True, stops)
        if all(one.of_version and one.holds is (not stops) for one in parts):
            return Judgement(True, not stops)
        # What else is asked for is not known: both ways are open, for this version or for none.
        open_ways = all(not one.of_version or one.holds is (not stops) for one in parts)
        return Judgement(not open_ways)

    def _holds(self, test: ast.Call | ast.Compare) -> bool | None:
        version = self._version(ast.unparse(test))
        if version is None:
            return None
        if isinstance(test, ast.Call):
            wanted = _constant(test)
            name = last_part(ast.unparse(test.func)).lower()
            if wanted is None:
                return None
            if name.endswith(("_is", "_equal", "is_version")) or name.startswith("is_"):
                return _parts(version) == _parts(wanted)
            if name.endswith(("_at_least", "_ge", "_min")) or "at_least" in name:
                return _parts(version) >= _parts(wanted)
            return None
        if len(test.ops) != 1:
            return None
        left, right = test.left, test.comparators[0]
        flipped = _number(left) is not None
        wanted = _number(left if flipped else right)
        return None if wanted is None else _compare(test.ops[0], version, wanted, flipped)

    def _version(self, code: str) -> str | None:
        named = [
            v for root, v in self.known.items() if re.search(rf"(?<![a-z]){root}_?", code, re.I)
        ]
        if len(named) == 1:
            return named[0]
        return next(iter(self.known.values())) if len(self.known) == 1 else None


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a test asks for a version, and whether it holds: ``None`` where that is not known."""

    of_version: bool
    holds: bool | None = None


def _asked(test: ast.Call | ast.Compare) -> str:
    """The code of a test without its strings."""
    if isinstance(test, ast.Call):
        return ast.unparse(test.func)
    parts = [test.left, *test.comparators]
    return " ".join(
        ast.unparse(one.func)
        if isinstance(one, ast.Call) and one.args and _constant(one)
        else ast.unparse(one)
        for one in parts
        if not isinstance(one, ast.Constant)
    )


def _constant(call: ast.Call) -> str | None:
    strings = [a.value for a in call.args if isinstance(a, ast.Constant)]
    return strings[0] if len(strings) == 1 and isinstance(strings[0], str) else None


def _number(node: ast.expr) -> str | None:
    if isinstance(node, ast.Call):
        return _constant(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Tuple) and all(isinstance(e, ast.Constant) for e in node.elts):
        return ".".join(str(getattr(e, "value", "")) for e in node.elts)
    return None


def _compare(op: ast.cmpop, version: str, wanted: str, flipped: bool) -> bool | None:
    left, right = _parts(version), _parts(wanted)
    if flipped:
        left, right = right, left
    answers = {
        ast.Eq: left == right,
        ast.NotEq: left != right,
        ast.Lt: left < right,
        ast.LtE: left <= right,
        ast.Gt: left > right,
        ast.GtE: left >= right,
    }
    return answers.get(type(op))


def _parts(version: str) -> tuple[int, ...]:
    found = _NUMBER.search(version)
    parts = [int(one) for one in found[0].split(".")] if found else []
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)
