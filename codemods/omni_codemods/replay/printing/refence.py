"""Fences that are put around what became of a block, where the block came apart.

Where the skeleton wrapped a part of a block's code, or has the block's own wrap already, the
code goes where it would go without fences, and the two fences are left apart. They are then put
around the smallest run of statements that holds all of it.
"""

from __future__ import annotations

import itertools
import tokenize
from collections.abc import Iterator, Sequence

from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Span
from omni_codemods.functions.fences import find_fence
from omni_codemods.functions.tree import Kind, Node, Tree, parse_function
from omni_codemods.replay.printing.lines import Hunk, Line, Rendered
from omni_codemods.text.lexer import Token


def refence(rendered: Rendered, span: Span, edited: Tree) -> bool:
    """Move the fences on the first and last line of *span* (lines of *edited*) in *rendered*.

    Returns false, and leaves *rendered* as it is, where not all of the block's code would come to
    stand between them, in its order, and no other edited code, nor a comment of the skeleton that
    would be read as a fence.
    """
    fences = [x for x in rendered.out if isinstance(x, Line) and _is_end(x, span)]
    if [x.origin for x in fences] != [span.start, span.end]:
        return False
    rest = without_fences(rendered, span)
    for low, high, indent in _find_runs(rest, span):
        inside = [x for entry in rest[low:high] for x in _lines(entry)]
        if any(_is_foreign(x, span) or reads_as_fence(x) for x in inside):
            return False
        if _is_whole(inside, span, edited):
            opening, closing = (_moved(x, indent) for x in fences)
            rendered.out = [*rest[:low], opening, *rest[low:high], closing, *rest[high:]]
            return True
    return False


def without_fences(rendered: Rendered, span: Span) -> list[Line | Hunk]:
    """What *rendered* says without the fences on the first and last line of *span*."""
    return [x for x in rendered.out if isinstance(x, Hunk) or not _is_end(x, span)]


def _is_end(line: Line, span: Span) -> bool:
    return not line.code and line.origin in (span.start, span.end)


def _lines(entry: Line | Hunk) -> Sequence[Line]:
    return [entry] if isinstance(entry, Line) else entry.edited


def _is_foreign(line: Line, span: Span) -> bool:
    return bool(line.origin) and not _is_inside(line, span)


def reads_as_fence(line: Line) -> bool:
    """Whether the skeleton's *line* would close, or open, a block that it stands in."""
    if line.code or line.origin:
        return False
    comment = line.text.strip()
    token = Token(tokenize.COMMENT, comment, 1, 0, 1, len(comment))
    return comment.startswith("#") and find_fence(token, own_line=True) is not None


def _is_whole(lines: Sequence[Line], span: Span, edited: Tree) -> bool:
    """Whether *lines* have all code of the block, in its order."""
    held = [x.origin for x in lines if x.origin]
    if any(a > b for a, b in itertools.pairwise(held)):
        return False
    nodes = [n for n in edited.root.walk() if n.lines and n.is_code]
    nodes = [n for n in nodes if span.start <= n.line <= span.end]
    said = {x.text.strip() for x in lines}
    return all(n.line in held or n.lines[0].strip() in said for n in nodes)


def _is_inside(line: Line, span: Span) -> bool:
    return span.start <= line.origin <= span.end


def _moved(fence: Line, indent: str) -> Line:
    text, origin = indent + fence.text.lstrip(), fence.origin
    return Line(text, fence.item, code=False, origin=origin, edited=origin)


def _find_runs(entries: Sequence[Line | Hunk], span: Span) -> Iterator[tuple[int, int, str]]:
    """The runs of statements that hold all the block's code, the innermost first.

    A run is its first and its last entry (exclusive), and the statements' indentation.
    """
    where = [(n, x) for n, entry in enumerate(entries) for x in _lines(entry)]
    try:
        tree = parse_function("".join(x.text for _, x in where))
    except SourceError:
        return
    held = {n for n, (_, x) in enumerate(where, 1) if _is_inside(x, span)}
    for run in _runs_around(tree.root, held)[::-1]:
        first, last = where[run[0].line - 1][0], where[run[-1].end_line - 1][0]
        yield first, last + 1, run[0].indent


def _runs_around(root: Node, held: set[int]) -> list[list[Node]]:
    """The runs of neighbours in *root* that hold all lines *held*, the outermost first."""
    runs: list[list[Node]] = []
    at = root
    while not held.intersection(_own_lines(at)):
        children = [c for c in at.children if held.intersection(range(c.line, c.end_line + 1))]
        if not children:
            break
        if at.kind is Kind.CLAUSE and at.word != "@":
            runs.append(at.children[children[0].index : children[-1].index + 1])
        if len(children) > 1:
            break
        at = children[0]
    return runs


def _own_lines(node: Node) -> Iterator[int]:
    return iter(range(node.line, node.line + len(node.lines)))
