"""Attributes that changed their spelling between two versions of a file, as their code shows.

A *chain* is a name with attributes behind it (``cfg.server_rank``, ``self.positions.gpu``). Where a
statement of the older version is one of the newer but for a chain, that one is now spelt so.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omni_codemods.text.walks import children, shape, walk

# A gap with more statements than this on both sides is a rewrite, and shows nothing.
_LARGEST_GAP = 30
_LONGEST = 60
# So many names and constants beside each chain must be the same where the spellings are not alike.
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Read:
    """A chain that code reads, and where: line (1-based) and column of the code."""

    chain: str
    line: int
    column: int


def iter_chains(tree: ast.AST) -> Iterator[Read]:
    """Yield every chain of two names or more in *tree*, the longest ones alone."""
    inner: set[ast.AST] = set()
    for node in walk(tree):
        if isinstance(node, ast.Attribute):
            inner.add(node.value)
            if node not in inner and (name := _chain(node)):
                yield Read(name, node.lineno, node.col_offset)


def _chain(node: ast.AST) -> str:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def count_chain(chain: str, text: str) -> int:
    """How often *chain* stands in *text*, with or without more behind it."""
    count, at = 0, text.find(chain)
    while at >= 0:
        end = at + len(chain)
        before, behind = text[at - 1 : at], text[end : end + 1]
        count += not (_is_word(before) or before == "." or _is_word(behind))
        at = text.find(chain, end)
    if count:
        return count
    # Spread over lines, or with spaces: looked for only where it seems to be gone.
    spelt = r"\s*\.\s*".join(map(re.escape, chain.split(".")))
    return len(re.findall(rf"(?<![\w.]){spelt}\b", text))


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def is_gone(chain: str, spelling: str, text: str) -> bool:
    """Whether *text* has *chain* nowhere, but as the start of its new *spelling*."""
    as_part = count_chain(spelling, text) if spelling.startswith(f"{chain}.") else 0
    return count_chain(chain, text) == as_part


def find_renamed_chains(
    base: Sequence[ast.AST], target: Sequence[ast.AST], wanted: Collection[str] | None = None
) -> Mapping[str, str]:
    """Return which chain of the functions *base* is spelt how in the functions *target*.

    The two are the same functions, one after the other. A chain that is spelt in several new ways
    is left out. With *wanted*, those alone are looked for.
    """
    found: dict[str, Counter[str]] = {}
    for one, other in zip(base, target, strict=True):
        for old, new in _changed(list(_units(one)), list(_units(other)), wanted):
            found.setdefault(old, Counter())[new] += 1
    return {old: new.most_common(1)[0][0] for old, new in found.items() if len(new) == 1}


def _units(node: ast.AST) -> Iterator[ast.AST]:
    """The simple statements below *node*, and the expressions in the headers of the others."""
    for child in children(node):
        compound = isinstance(child, ast.stmt) and hasattr(child, "body")
        if compound or isinstance(child, (ast.ExceptHandler, ast.match_case, ast.withitem)):
            yield from _units(child)
        elif isinstance(child, (ast.stmt, ast.expr)):
            yield child


def _changed(
    base: Sequence[ast.AST], target: Sequence[ast.AST], wanted: Collection[str] | None
) -> Iterator[tuple[str, str]]:
    old, new = ([shape(x) for x in side] for side in (base, target))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "replace" or min(i2 - i1, j2 - j1) > _LARGEST_GAP:
            continue
        asked = [one for one in base[i1:i2] if _has_any(one, wanted)]
        in_order = _unify_all(base[i1:i2], target[j1:j2]) if asked else None
        if in_order is not None:
            yield from in_order
            continue
        for one in asked:
            shown = [list(pairs) for x in target[j1:j2] if (pairs := _unify(one, x))]
            # What fits several statements of the gap says nothing of any.
            if len({tuple(pairs) for pairs in shown}) == 1:
                yield from shown[0]


def _has_any(unit: ast.AST, wanted: Collection[str] | None) -> bool:
    """Whether *unit* says one of the chains *wanted*, if only as the start of another."""
    if wanted is None:
        return True
    found = (_chain(node) for node in walk(unit) if isinstance(node, ast.Attribute))
    return any(chain in wanted for chain in found)


def _unify_all(base: Sequence[ast.AST], target: Sequence[ast.AST]) -> list[tuple[str, str]] | None:
    """The chains by which two runs differ, one statement by one; ``None`` if in more than that."""
    if len(base) != len(target):
        return None
    out: list[tuple[str, str]] = []
    for one, other in zip(base, target, strict=True):
        pairs = _unify(one, other)
        if pairs is None:
            return None
        out += pairs
    return out


def _unify(one: ast.AST, other: ast.AST) -> list[tuple[str, str]] | None:
    """The chains by which *one* differs from *other*; ``None`` where something else does."""
    if type(one) is not type(other) and not _chain(one):
        return None
    pairs: list[tuple[str, str]] = []
    same = _walk(one, other, pairs)
    if same is None or not pairs:
        return None
    value = getattr(one, "value", None) if isinstance(one, (ast.Assign, ast.AnnAssign)) else None
    given = value is not None and shape(value) == _dump(getattr(other, "value", None))
    shown = given or (same >= _SHOWN * len(set(pairs)) and not isinstance(one, ast.Expr))
    if not shown and (same < len(set(pairs)) or not all(_alike(*pair) for pair in pairs)):
        return None
    return list(dict.fromkeys(pairs))


def _alike(old: str, new: str) -> bool:
    """Whether two spellings have a word in common, but for where they start."""
    one, other = (set(re.findall(r"[a-z0-9]+", x.partition(".")[2].lower())) for x in (old, new))
    return bool(one & other) or not other


def _walk(one: object, other: object, pairs: list[tuple[str, str]]) -> int | None:
    """Collect differing chains in *pairs*; return how many leaves are the same."""
    if isinstance(one, list) and isinstance(other, list):
        return _sum(_walk(a, b, pairs) for a, b in _partners(one, other))
    if not isinstance(one, ast.AST) or not isinstance(other, ast.AST):
        return int(isinstance(one, str)) if one == other else None
    if shape(one) == shape(other):
        return sum(isinstance(n, (ast.Name, ast.Constant, ast.Attribute)) for n in walk(one))
    if type(one) is type(other) and not _is_new_spelling(one, other):
        return _sum(_walk(getattr(one, f), getattr(other, f), pairs) for f in one._fields)
    spelt = _spell(other)
    if not spelt or not _chain(one):
        return None
    if "." not in _chain(one):
        return None
    pairs.append((_chain(one), spelt))
    return int(_chain(one).split(".")[0] == spelt.split(".")[0])


def _sum(counts: Iterator[int | None]) -> int | None:
    every = list(counts)
    return None if None in every else sum(x for x in every if x is not None)


def _partners(one: list[Any], other: list[Any]) -> Iterator[tuple[Any, Any]]:
    """The elements of two lists that are each other's; an argument more says nothing of those."""
    if len(one) == len(other):
        yield from zip(one, other, strict=True)
        return
    old, new = ([_dump(x) for x in side] for side in (one, other))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag in ("equal", "replace"):
            yield from zip(one[i1:i2], other[j1:j2], strict=False)


def _dump(value: object) -> str:
    return shape(value) if isinstance(value, ast.AST) else repr(value)


def _is_new_spelling(one: ast.AST, other: ast.AST) -> bool:
    """Whether the two are chains of which the last name differs, or the first."""
    if not (isinstance(one, ast.Attribute) and isinstance(other, ast.Attribute)):
        return False
    old, new = _chain(one), _spell(other)
    roots = old.split(".")[0] != re.split(r"\W", new)[0]
    return bool(old and new) and (one.attr != other.attr or roots)


def _spell(node: ast.AST) -> str:
    """A chain as text, or one that is called without arguments, or subscripted."""
    inner = node
    while isinstance(inner, (ast.Attribute, ast.Subscript, ast.Call)):
        if isinstance(inner, ast.Call) and (inner.args or inner.keywords):
            return ""
        inner = inner.func if isinstance(inner, ast.Call) else inner.value
    if not isinstance(inner, ast.Name) or not isinstance(node, ast.expr):
        return ""
    text = ast.unparse(node)
    return text if len(text) <= _LONGEST else ""
