"""Two versions of a class of fields: NamedTuple, dataclass, TypedDict, enumeration, struct."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from omni_codemods.impact.model import Difference, Impact
from omni_codemods.impact.wording import find_moved
from omni_codemods.text.dotted import last_part

_ENUMERATIONS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_BASES = _ENUMERATIONS | {"NamedTuple", "TypedDict", "Struct", "BaseModel"}


def compare_layouts(old: ast.ClassDef, new: ast.ClassDef) -> tuple[Difference, ...]:
    """Return how the fields differ; nothing where the class is not one of fields.

    A field with a default behind all others is mechanical, all else is behavioral.
    """
    if not (_has_fields(old) and _has_fields(new)):
        return ()
    return tuple(_differences(_fields(old), _fields(new)))


def is_enumeration(node: ast.AST | None) -> TypeGuard[ast.ClassDef]:
    """Whether *node* is a class whose members are all in its body."""
    return isinstance(node, ast.ClassDef) and bool(_bases(node) & _ENUMERATIONS)


def _differences(before: dict[str, str], after: dict[str, str]) -> Iterator[Difference]:
    for name in before:
        if name not in after:
            yield Difference(Impact.BEHAVIORAL, f"no longer has {name}")
    last = max((place for place, name in enumerate(after) if name in before), default=-1)
    for place, (name, value) in enumerate(after.items()):
        if name not in before:
            if place < last:
                said = f"has {name} before others: positions shift"
                yield Difference(Impact.BEHAVIORAL, said, order=bool(value))
            elif value:
                yield Difference(Impact.MECHANICAL, f"also has {name} = {value}")
            else:
                yield Difference(Impact.BEHAVIORAL, f"also wants {name}")
        elif value and not before[name]:
            yield Difference(Impact.MECHANICAL, f"{name} has a default: {value}")
        elif before[name] and not value:
            yield Difference(Impact.BEHAVIORAL, f"{name} has no default any more")
        elif before[name] != value:
            yield Difference(Impact.BEHAVIORAL, f"{name} is {value} (was {before[name]})")
    both = [[name for name in side if name in before and name in after] for side in (before, after)]
    if moved := find_moved(*both):
        said = f"{', '.join(moved)} in another place of the order"
        yield Difference(Impact.BEHAVIORAL, f"has {said}", order=True)


def _has_fields(node: ast.ClassDef) -> bool:
    decorators = {last_part(ast.unparse(d).partition("(")[0]) for d in node.decorator_list}
    return bool(_bases(node) & _BASES) or "dataclass" in decorators


def _bases(node: ast.ClassDef) -> set[str]:
    return {last_part(ast.unparse(base)) for base in node.bases}


def _fields(node: ast.ClassDef) -> dict[str, str]:
    """The fields in order, each with its default as code, empty without one."""
    found: dict[str, str] = {}
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            found[one.target.id] = ast.unparse(one.value) if one.value is not None else ""
        elif isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            found[one.targets[0].id] = ast.unparse(one.value)
    return found
