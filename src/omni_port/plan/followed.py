"""Where the target has a class or function that is still to be had from its old place.

A re-export, another name in the same module, or a module that became a package: it is the same
thing, and its copy is made anew from where it is now.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from omni_codemods.impact.end import End
from omni_codemods.impact.local import PortText
from omni_codemods.sources.modules import find_origin
from omni_port.project.project import Place, Port
from omni_port.sources.upstream import Tree

_Defined = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Followed:
    """The *place* of what *port* is a copy of, in the target."""

    port: Port
    place: Place


def iter_followed(
    ports: Sequence[tuple[Port, PortText]], target: End, trees: Mapping[str, Tree]
) -> Iterator[Followed]:
    """Yield the ports whose class or function comes from elsewhere in the target."""
    for port, text in ports:
        place = _find_place(port, text.aim, target, trees)
        if place is not None and place != port.aim:
            yield Followed(port, place)


def _find_place(port: Port, aim: str, target: End, trees: Mapping[str, Tree]) -> Place | None:
    owner, _, method = port.aim.qualname.rpartition(".")
    dotted = aim.removesuffix(f".{method}") if owner else aim
    origin = find_origin(dotted, target.sources)
    module = target.module_of(origin)
    found = target.find(origin)
    if not module or found is None or not isinstance(found.node, _Defined):
        return None
    path = target.path(module)
    for name, tree in trees.items():
        place = tree.place(path)
        if place is not None:
            name_there = origin[len(module) + 1 :]
            return Place(place, f"{name_there}.{method}" if owner else name_there, name)
    return None
