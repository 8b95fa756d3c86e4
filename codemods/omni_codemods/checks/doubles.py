"""Code that stands twice where it was to stand once (OP605, OP606)."""

from __future__ import annotations

import ast
import itertools
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from omni_codemods.findings.check_codes import BLOCK_TWICE, STATEMENT_TWICE
from omni_codemods.findings.model import Block, Finding
from omni_codemods.functions.fences import parse_fences
from omni_codemods.sources.subject import Subject
from omni_codemods.text.walks import shape, walk

_Path = tuple[tuple[int, str], ...]


def check_doubles(subject: Subject) -> Iterator[Finding]:
    """Yield a finding for each second block with the same code, and each repeated statement."""
    yield from _blocks(subject)
    yield from _statements(subject.tree)


def _blocks(subject: Subject) -> Iterator[Finding]:
    first: dict[tuple[str, str], list[tuple[Block, _Path]]] = {}
    paths = _suites(subject.tree)
    in_order = sorted(paths, key=_line)
    for block in parse_fences(subject.text).blocks:
        first_inside = bisect_right(in_order, block.span.start, key=_line)
        end_inside = bisect_right(in_order, block.span.end, key=_line)
        inside = in_order[first_inside:end_inside]
        outer = [n for n in inside if not any(_holds(other, n) for other in inside)]
        if not any(_acts(n) for n in outer):
            continue
        code = "\n".join(shape(node) for node in outer)
        seen = first.setdefault((block.scope, code), [])
        path = paths[outer[0]]
        twin = next((b for b, other in seen if not _exclude(path, other)), None)
        seen.append((block, path))
        if twin is not None:
            message = f"this block has the code of the one at line {twin.span.start} once more"
            place = block.opening
            yield Finding(BLOCK_TWICE.code, place.line, place.column, message, BLOCK_TWICE.remedy)


def _line(node: ast.stmt) -> int:
    return node.lineno


def _holds(outer: ast.stmt, inner: ast.stmt) -> bool:
    end = outer.end_lineno or outer.lineno
    return outer is not inner and outer.lineno <= inner.lineno <= end and _column(outer, inner)


def _column(outer: ast.stmt, inner: ast.stmt) -> bool:
    return outer.col_offset < inner.col_offset


def _acts(node: ast.stmt) -> bool:
    """Whether the statement does something that running it again would do again."""
    return any(isinstance(inner, (ast.Call, ast.AugAssign)) for inner in walk(node))


def _suites(tree: ast.Module) -> dict[ast.stmt, _Path]:
    """Each statement with the suites that it stands in, from the outside in."""
    out: dict[ast.stmt, _Path] = {}

    def visit(body: Sequence[ast.stmt], path: _Path) -> None:
        for node in body:
            out[node] = path
            for name, inner in _bodies(node):
                visit(inner, (*path, (id(node), name)))

    visit(tree.body, ())
    return out


def _bodies(node: ast.AST) -> Iterator[tuple[str, list[ast.stmt]]]:
    for name, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield name, value
        elif isinstance(value, list):
            for number, part in enumerate(value):
                if isinstance(part, (ast.ExceptHandler, ast.match_case)):
                    yield f"{name}{number}", part.body


def _exclude(one: _Path, other: _Path) -> bool:
    """Whether two places are in two branches of one statement, of which only one runs."""
    return any(a[0] == b[0] and a[1] != b[1] for a, b in zip(one, other, strict=False))


def _statements(tree: ast.Module) -> Iterator[Finding]:
    for body in _all_bodies(tree):
        for one, other in itertools.pairwise(body):
            if type(one) is type(other) and shape(one) == shape(other) and _has_effect(other):
                message = f"this statement is the same as the one at line {one.lineno}"
                yield Finding(
                    STATEMENT_TWICE.code,
                    other.lineno,
                    other.col_offset,
                    message,
                    STATEMENT_TWICE.remedy,
                )


def _all_bodies(top: ast.AST) -> Iterator[list[ast.stmt]]:
    for _, body in _bodies(top):
        yield body
        for node in body:
            yield from _all_bodies(node)


def _has_effect(node: ast.stmt) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)):
        return False
    return _acts(node)
