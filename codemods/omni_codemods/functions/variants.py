"""Several definitions of one name in one scope, and which is which of another file.

A property has its accessors, a function its overloads, and a name may be defined in each branch of
an ``if`` or ``try``, or simply twice. What they are is told by decorators and by the branches that
they stand in; where those changed, by order and by likeness.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.findings.errors import SourceError
from omni_codemods.functions.likeness import dice
from omni_codemods.functions.tree import parse_function
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import Located, locate, locate_all, parse_outer

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# Below this share of common code two definitions are not taken for the same by that alone.
_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Variant:
    """One definition of a name.

    *role* is the accessor that it is (``setter``), ``overload``, or empty; *path* the branches
    that it stands in, from the outside, each as its kind and its condition; *signature* its
    parameters as code.
    """

    where: Located
    role: str = ""
    path: tuple[tuple[str, str], ...] = ()
    signature: str = ""

    @property
    def arms(self) -> tuple[str, ...]:
        """The kinds of branches that it stands in, whatever their conditions."""
        return tuple(kind for kind, _ in self.path)

    def describe(self) -> str:
        """What it is, in words that go before "of NAME"."""
        said = {"": "definition", "overload": "overload"}.get(self.role, self.role)
        inside = [f"{kind} {test}".strip() for kind, test in self.path]
        return f"{said} (under {', '.join(inside)})" if inside else said


def find_variants(text: str, method: str, cls: str | None, *, side: str) -> tuple[Variant, ...]:
    """Return the definitions of *method* that :func:`locate` chooses among, in their order.

    Raises what that raises.
    """
    chosen = locate(text, method, cls, side=side)
    found = locate_all(text, chosen.qualname, side)
    if len(found) == 1:
        found = (chosen,)
    nodes = dict(_nodes(parse_outer(text, side).body, ()))
    out = []
    for one in found:
        node, path = nodes.get(one.start, (None, ()))
        role = "" if node is None else _role(node)
        signature = "" if node is None else ast.unparse(node.args)
        out.append(Variant(one, role, path, signature))
    return tuple(out)


_Path = tuple[tuple[str, str], ...]


def _nodes(body: Sequence[ast.stmt], path: _Path) -> Iterator[tuple[int, tuple[_Function, _Path]]]:
    """The functions in *body* and the classes in it by their first line, with their branches."""
    for node in body:
        if isinstance(node, _Function):
            start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            yield start, (node, path)
        elif isinstance(node, ast.ClassDef):
            yield from _nodes(node.body, ())
        else:
            for kind, test, suite in _suites(node):
                yield from _nodes(suite, (*path, (kind, test)))


def _suites(node: ast.stmt) -> Iterator[tuple[str, str, list[ast.stmt]]]:
    test = ast.unparse(node.test) if isinstance(node, (ast.If, ast.While)) else ""
    kind = type(node).__name__.lower()
    for field, word in (("body", kind), ("orelse", "else"), ("finalbody", "finally")):
        suite = getattr(node, field, None)
        if isinstance(suite, list):
            yield word, test, suite
    for handler in getattr(node, "handlers", ()):
        caught = ast.unparse(handler.type) if handler.type is not None else ""
        yield "except", caught, handler.body


def _role(node: _Function) -> str:
    accessor = re.compile(rf"(?:[\w.]+\.)?{re.escape(node.name)}\.(\w.*)")
    for decorator in node.decorator_list:
        said = ast.unparse(decorator)
        if own := accessor.fullmatch(said):
            return own[1]
        if last_part(said) == "overload":
            return "overload"
    return ""


def match_variants(left: Sequence[Variant], right: Sequence[Variant]) -> dict[Variant, Variant]:
    """Return which of *left* is which of *right*; some of both may be left over.

    A single one on each side is the same, whatever it is. Of several that nothing tells apart, the
    last is the last, which counts at run time.
    """
    if len(left) == len(right) == 1:
        return {left[0]: right[0]}
    found: dict[Variant, Variant] = {}
    keys: tuple[Callable[[Variant], object], ...] = (
        lambda v: (v.role, v.path, v.signature),
        lambda v: (v.role, v.path),
        lambda v: (v.role, v.arms),
    )
    for n, key in enumerate(keys):
        rest = [v for v in left if v not in found], [v for v in right if v not in found.values()]
        found |= _by_key(*rest, key, same_number=n > 1)
    for one in (v for v in left if v not in found):
        found |= _by_likeness(one, [v for v in right if v not in found.values()])
    rest = [v for v in left if v not in found], [v for v in right if v not in found.values()]
    return found | _by_key(*rest, lambda v: v.role, same_number=True)


def _by_key(
    left: Sequence[Variant],
    right: Sequence[Variant],
    key: Callable[[Variant], object],
    *,
    same_number: bool,
) -> dict[Variant, Variant]:
    out: dict[Variant, Variant] = {}
    for wanted in dict.fromkeys(map(key, left)):
        mine = [v for v in left if key(v) == wanted]
        theirs = [v for v in right if key(v) == wanted]
        if len(mine) == len(theirs) or not same_number:
            out |= dict(zip(reversed(mine), reversed(theirs), strict=False))
    return out


def _by_likeness(one: Variant, others: Sequence[Variant]) -> dict[Variant, Variant]:
    same = [v for v in others if v.role == one.role]
    scores = [(_likeness(one, v), n) for n, v in enumerate(same)]
    best = max(scores, default=(0.0, 0))
    return {one: same[best[1]]} if best[0] >= _ALIKE else {}


def _likeness(one: Variant, other: Variant) -> float:
    try:
        trees = [parse_function(_text(v.where.text)) for v in (one, other)]
    except SourceError:
        return 0.0
    return dice(trees[0].root.features, trees[1].root.features)


def _text(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") else text + "\n"


def repeated(variants: Sequence[Variant]) -> list[Variant]:
    """Return those that a later one of the same role and branches takes the place of."""
    counted = Counter((v.role, v.path) for v in variants if v.role != "overload")
    out = []
    for variant in variants:
        key = (variant.role, variant.path)
        counted[key] -= 1
        if counted[key] > 0:
            out.append(variant)
    return out


def find_partner(where: Located, text: str, others: Sequence[Variant]) -> Located:
    """Return which of *others* the function *where* of *text* is; the last where none is."""
    if where.number >= 0:
        owner, _, name = where.qualname.rpartition(".")
        mine = find_variants(text, name, owner or None, side="")
        partner = match_variants(mine, others).get(mine[where.number])
        if partner is not None:
            return partner.where
    return others[-1].where
