"""Where a function or class went that is not where it was."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from omni_codemods.findings.errors import SourceError
from omni_codemods.functions.likeness import dice
from omni_codemods.impact.end import End, Found
from omni_codemods.rebuild.splice import parse
from omni_codemods.sources.modules import definitions_in
from omni_codemods.sources.self_use import read_selves
from omni_codemods.sources.subject import Function
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import Located

# For a name: the modules of the target trees that have a definition of it, at any level.
Where = Callable[[str], Sequence[str]]
# Below this share of common code a function is another one.
_ALIKE = 0.5


def find_renamed(current: End, base: Found, target: End, owner: str) -> tuple[Found, float] | None:
    """Return the function of *owner* (a dotted class or module) that is *base* under another
    name, with the share of common code; only names that are new in the target count."""
    known = functions_of(current, owner)
    fresh = (one for name, one in functions_of(target, owner).items() if name not in known)
    return _most_alike(current, base, target, fresh)


def find_moved(current: End, base: Found, target: End, where: Where) -> tuple[Found, float] | None:
    """Return the function of the same name elsewhere in the target that is most like *base*."""
    name = last_part(base.qualname)
    found = (
        one
        for module in where(name)
        for one in _named(target, module, name)
        if one.dotted != base.dotted
    )
    return _most_alike(current, base, target, found)


def find_inside(current: End, base: Found, target: End, cls: str) -> tuple[Found, float] | None:
    """Return the method of the class *cls* (dotted) that has most of the code of *base*."""
    return _most_alike(current, base, target, iter(functions_of(target, cls).values()))


def find_named(
    old: Found, current: End, target: End, where: Where
) -> tuple[list[Found], list[str]]:
    """Return the definitions at the top of other modules that are *old* under its own name, and
    the modules of those that are called so and are something else."""
    name = old.qualname
    same: list[Found] = []
    others: list[str] = []
    for module in where(name):
        found = target.sources.module(module)
        node = None if found is None else found.definitions.get(name)
        if node is not None and module != old.module:
            one = Found(node, module, name)
            if _is_alike(old, one, current, target):
                same.append(one)
            else:
                others.append(module)
    return same, others


def _is_alike(old: Found, new: Found, current: End, target: End) -> bool:
    if isinstance(old.node, Function) and isinstance(new.node, Function):
        return dice(_features(current, old), _features(target, new)) >= _ALIKE
    if isinstance(old.node, ast.ClassDef) and isinstance(new.node, ast.ClassDef):
        return share_of_members(old.node, new.node) >= _ALIKE
    values = [getattr(one.node, "value", None) for one in (old, new)]
    # A module's own logger is no other module's, however alike they are made.
    if "'__name__'" in _dump(values[0]):
        return False
    return type(old.node) is type(new.node) and _dump(values[0]) == _dump(values[1])


def share_of_members(one: ast.AST, other: ast.AST) -> float:
    """Return how much two classes have in common of what they define and set (0 to 1)."""
    if not (isinstance(one, ast.ClassDef) and isinstance(other, ast.ClassDef)):
        return 0.0
    return dice(frozenset(_members(one)), frozenset(_members(other)))


def _members(node: ast.ClassDef) -> Iterator[object]:
    """What a class defines and sets on ``self``; its bases, where that is nothing."""
    own = [*definitions_in(node.body), *read_selves(node).assigned]
    yield from own or [ast.unparse(base) for base in node.bases]


def _dump(value: object) -> str:
    return ast.dump(value) if isinstance(value, ast.AST) else ""


def functions_of(end: End, owner: str) -> dict[str, Found]:
    """Return the functions that a class or a module (dotted) defines, by name."""
    cls = end.find(owner)
    if cls is not None and isinstance(cls.node, ast.ClassDef):
        return {
            node.name: Found(node, cls.module, f"{cls.qualname}.{node.name}")
            for node in cls.node.body
            if isinstance(node, Function)
        }
    module = end.sources.module(owner)
    return {
        name: Found(node, owner, name)
        for name, node in (module.definitions.items() if module is not None else ())
        if isinstance(node, Function)
    }


def _named(end: End, module: str, name: str) -> Iterator[Found]:
    """The functions called *name* in a module, at its top and in its classes."""
    found = end.sources.module(module)
    for top, node in found.definitions.items() if found is not None else ():
        if isinstance(node, Function) and top == name:
            yield Found(node, module, name)
        elif isinstance(node, ast.ClassDef):
            inside = functions_of(end, f"{module}.{top}")
            if name in inside:
                yield inside[name]


def _most_alike(
    current: End, base: Found, target: End, found: Iterator[Found]
) -> tuple[Found, float] | None:
    mine = _features(current, base)
    ranked = [(dice(mine, _features(target, one)), one) for one in found]
    score, best = max(ranked, key=lambda pair: pair[0], default=(0.0, None))
    return (best, score) if best is not None and score >= _ALIKE else None


def _features(end: End, found: Found) -> frozenset[object]:
    text = end.text(found)
    where = Located(found.qualname, 1, text.count("\n") + 1, text)
    try:
        return parse(where, "target", "function").root.features
    except SourceError:
        return frozenset()
