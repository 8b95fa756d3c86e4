"""Finding the upstream function that a local one belongs to, other than by its name."""

from __future__ import annotations

import ast

from omni_codemods.findings.errors import SourceError
from omni_codemods.functions.likeness import dice
from omni_codemods.functions.tree import parse_function
from omni_codemods.text.dotted import last_part
from omni_codemods.text.lexer import split_lines
from omni_codemods.text.outline import Located, definitions
from omni_codemods.text.parsing import parse_module

# Below this share of common code a function is not proposed as another's new name.
_ALIKE = 0.5
_OWN = ("self", "cls")


def find_alike(base: Located, target: str) -> tuple[str, float] | None:
    """Return the qualified name of the function in *target* that is most like *base*, and how
    alike they are (0 to 1); ``None`` where none is alike enough."""
    lines = split_lines(target)
    mine = parse_function(_text(base.text)).root.features
    best: tuple[float, str] | None = None
    for found in definitions(target, "target"):
        if found.is_class:
            continue
        try:
            tree = parse_function(_text("".join(lines[found.start - 1 : found.end])))
        except SourceError:
            continue
        score = dice(mine, tree.root.features)
        if score >= _ALIKE and (best is None or score > best[0]):
            best = (score, found.qualname)
    return (best[1], best[0]) if best is not None else None


def _text(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") else text + "\n"


def find_patched(local: str, function: str, base: str | None = None) -> tuple[str | None, str]:
    """Return the class, and the name there, to which *local* assigns *function*.

    ``Runner.warm_up = warm_up`` at any level gives ``("Runner", "warm_up")``. It is ``None`` for a
    function at module level: where nothing is assigned, or where *base* is given and has no such
    class (``engine.start = start``, with ``engine`` a module).
    """
    known = (
        {d.qualname: d.is_class for d in definitions(base, "base")} if base is not None else None
    )
    for node in ast.walk(parse_module(local, "local")):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Name)
            and node.value.id == function
        ):
            for place in node.targets:
                found = _patched(place, known)
                if found is not None:
                    return found
    return None, function


def _patched(place: ast.expr, known: dict[str, bool] | None) -> tuple[str | None, str] | None:
    """The class and the name that an assignment is to; ``None`` where it patches nothing.

    *known* are the definitions of the base, by name, with whether they are classes.
    """
    if not isinstance(place, ast.Attribute):
        return None
    owner = last_part(ast.unparse(place.value))
    if known is None:
        plain = isinstance(place.value, ast.Name) and owner not in _OWN
        return (owner, place.attr) if plain else None
    if known.get(owner):
        return owner, place.attr
    # ``self.take = take`` keeps the function in an instance: nothing of the base is replaced.
    return (None, place.attr) if known.get(place.attr) is False else None
