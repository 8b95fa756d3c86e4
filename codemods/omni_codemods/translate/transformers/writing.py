"""Changes that are decided already, written into a tree in one pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from omni_codemods.findings.errors import SourceError
from omni_codemods.text.offsets import Source, index_lines
from omni_codemods.translate.transformers.arguments import drop_arguments, name_argument
from omni_codemods.translate.transformers.changes import (
    DroppedArguments,
    NamedArgument,
    NodeChange,
    RenamedAttributes,
    ReplacedText,
    Respelled,
    Site,
    Target,
)
from omni_codemods.translate.transformers.import_lines import Splice, write_import
from omni_codemods.translate.transformers.names import rename_attributes, respell
from omni_codemods.translate.transformers.strings import replace_text

# Where a new kind of change is registered.
WRITERS: dict[type[NodeChange], Callable[[Any, Any], Any]] = {
    Respelled: respell,
    RenamedAttributes: rename_attributes,
    NamedArgument: name_argument,
    DroppedArguments: drop_arguments,
    ReplacedText: replace_text,
}


def write_text(source: Source, sites: Sequence[Site]) -> list[Splice]:
    """The pieces of *source* that *sites* change: where each stands, and its new text."""
    expressions = [site for site in sites if site.target is not Target.IMPORT]
    found = write_expressions(source.text, expressions)
    for site in sites:
        if site.target is Target.IMPORT:
            found += write_import(source, site)
    return found


def write_expressions(text: str, sites: Iterable[Site]) -> list[Splice]:
    """The expressions of *text* that *sites* change: where each stands, and its new text.

    Raises :class:`SourceError` for what Python reads and libcst does not.
    """
    found: list[Splice] = []
    for start, end, inside in _outermost(text, sites):
        relative = tuple(site.moved(start) for site in inside)
        try:
            found.append((start, end, _write_expression(text[start:end], relative)))
        except (cst.ParserSyntaxError, cst.CSTLogicError) as error:
            raise SourceError(
                "libcst cannot read the expression that is to change",
                hint="Write it in another way, or change it by hand.",
                line=text.count("\n", 0, start) + 1,
            ) from error
    return found


def _outermost(text: str, sites: Iterable[Site]) -> list[tuple[int, int, list[Site]]]:
    """The extents of *sites* that lie in no other one, each with the sites in it."""
    found: list[tuple[int, int, list[Site]]] = []
    whole = [(_balanced(text, site.extent), site) for site in dict.fromkeys(sites)]
    for (start, end), site in sorted(whole, key=lambda one: (one[0][0], -one[0][1])):
        if found and start < found[-1][1]:
            found[-1][2].append(site)
        else:
            found.append((start, end, [site]))
    return found


def _balanced(text: str, extent: tuple[int, int]) -> tuple[int, int]:
    """*extent* with the parentheses around the root of its chain: ``(torch).cuda``."""
    start, end = extent
    closed = text.count(")", start, end) - text.count("(", start, end)
    if closed > 0 and (opening := re.search(rf"(?:\(\s*){{{closed}}}\Z", text[:start])):
        start = opening.start()
    return start, end


@lru_cache(maxsize=4096)
def _write_expression(text: str, sites: tuple[Site, ...]) -> str:
    # In parentheses an expression may go over several lines.
    module = cst.parse_module(f"({text})")
    if module.code != f"({text})":
        raise cst.CSTLogicError("it is not given back as it is")
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    places = places_of(module.code, wrapper.resolve(PositionProvider))
    decided = find_decided(places, [site.moved(-1) for site in sites])
    return module.visit(_Writer(decided)).code[1:-1]


class _Writer(cst.CSTTransformer):
    """Writes each change into the node that it is decided for."""

    def __init__(self, decided: Mapping[cst.CSTNode, list[NodeChange]]) -> None:
        super().__init__()
        self.decided = decided

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> Any:
        node: Any = updated_node
        for change in self.decided.get(original_node, ()):
            node = WRITERS[type(change)](node, change)
        return node


Place = tuple[int, int]


def places_of(text: str, ranges: Mapping[cst.CSTNode, CodeRange]) -> dict[cst.CSTNode, Place]:
    """Where the nodes of *text* stand, as offsets of their start and end."""
    starts = (*index_lines(text).starts, len(text))  # a tree may end with a line that has nothing
    return {
        node: (
            starts[place.start.line - 1] + place.start.column,
            starts[place.end.line - 1] + place.end.column,
        )
        for node, place in ranges.items()
    }


def find_decided(
    places: Mapping[cst.CSTNode, Place], sites: Sequence[Site]
) -> dict[cst.CSTNode, list[NodeChange]]:
    """The nodes that *sites* name, each with its changes."""
    wanted: dict[tuple[Target, int], list[NodeChange]] = {}
    for site in dict.fromkeys(sites):
        wanted.setdefault((site.target, site.offset), []).append(site.change)
    found: dict[cst.CSTNode, list[NodeChange]] = {}
    for node in places:
        key = _key(node, places)
        if key in wanted:
            found[node] = wanted[key]
    return found


def _key(node: cst.CSTNode, places: Mapping[cst.CSTNode, Place]) -> tuple[Target, int] | None:
    if isinstance(node, cst.Name):
        return Target.NAME, places[node][0]
    if isinstance(node, cst.Attribute):
        return Target.ATTRIBUTE, places[node.attr][1]
    if isinstance(node, cst.Arg):
        return Target.ARGUMENT, places[node.keyword or node.value][0]
    if isinstance(node, cst.Call):
        return Target.CALL, places[node][1]
    if isinstance(node, (cst.SimpleString, cst.FormattedString)):
        return Target.STRING, places[node][0]
    if isinstance(node, (cst.Import, cst.ImportFrom)):
        return Target.IMPORT, places[node][0]
    return None
