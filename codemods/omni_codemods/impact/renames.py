"""Whether two pieces of code are the same but for names that changed throughout."""

from __future__ import annotations

import ast
from collections.abc import Sequence


def find_renames(old: Sequence[ast.AST], new: Sequence[ast.AST]) -> dict[str, str] | None:
    """Return the names of *old* that are others in *new*; ``None`` where more than that differs.

    Only plain names count: attributes, keywords and strings must be the same. Each old name must
    have become one new name, and no two the same.
    """
    pairs: list[tuple[str, str]] = []
    if not _same(list(old), list(new), pairs):
        return None
    there, back = dict(pairs), {b: a for a, b in pairs}
    if any(there[a] != b or back[b] != a for a, b in pairs):
        return None
    return {a: b for a, b in there.items() if a != b}


def _same(old: object, new: object, pairs: list[tuple[str, str]]) -> bool:
    if isinstance(old, ast.Name) and isinstance(new, ast.Name):
        pairs.append((old.id, new.id))
        return type(old.ctx) is type(new.ctx)
    if isinstance(old, ast.AST) and isinstance(new, ast.AST):
        return type(old) is type(new) and all(
            _same(getattr(old, name, None), getattr(new, name, None), pairs) for name in old._fields
        )
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(
            _same(a, b, pairs) for a, b in zip(old, new, strict=True)
        )
    return type(old) is type(new) and old == new
