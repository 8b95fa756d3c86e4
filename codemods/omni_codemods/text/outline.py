"""A qualified name → the function, and the lines it stands on."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from omni_codemods.findings.errors import MethodNotFound
from omni_codemods.findings.suggest import find_close, suggest
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.text.lexer import split_lines
from omni_codemods.text.parsing import errors_named, parse, without_collector
from omni_codemods.text.skim import without_bodies
from omni_codemods.text.walks import AnyImport, iter_bound, iter_imports

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Located:
    """A function found in a file.

    *start* and *end* are its first and last line (1-based, decorators and the comments that
    close its body included), *text* those lines. *number* counts the definitions of its name from
    0 where there are several, and is -1 for the last one, which counts.
    """

    qualname: str
    start: int
    end: int
    text: str
    number: int = -1


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or class of a file: lines *start* (decorators included) to *end*."""

    qualname: str
    is_class: bool
    start: int
    end: int
    column: int
    bases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """What a file has at its top level.

    *definitions* are the functions and classes there and in classes, in order, *imports* those of
    :func:`~omni_codemods.text.walks.iter_imports`, and *bound* the other names.
    """

    definitions: tuple[Definition, ...]
    imports: tuple[tuple[AnyImport, str], ...]
    bound: frozenset[str]


@functools.lru_cache(maxsize=12)
def _outer(text: str) -> ast.Module:
    try:
        with without_collector():
            return ast.parse(without_bodies(text))
    except SyntaxError:
        return parse(text)


@functools.lru_cache(maxsize=12)
def _outlined(text: str) -> Outline:
    body = _outer(text).body
    definitions, imports = tuple(_walk(body, "")), tuple(iter_imports(body))
    return Outline(definitions, imports, frozenset(iter_bound(body)))


def parse_outer(text: str, side: str = "") -> ast.Module:
    """Parse *text* without the bodies of its functions; raise :class:`SourceError` naming *side*.

    All that is left stands where it stands in *text*. The tree is shared: do not change it.
    """
    with errors_named(side):
        return _outer(text)


def outline(text: str, side: str = "") -> Outline:
    """Return what *text* has at its top level; raise :class:`SourceError` naming *side*.

    What stands in the bodies of functions need not be Python.
    """
    with errors_named(side):
        return _outlined(text)


def definitions(text: str, side: str = "") -> tuple[Definition, ...]:
    """Return the functions and classes at module level and in classes, in order."""
    return outline(text, side).definitions


def _walk(body: list[ast.stmt], prefix: str) -> Iterator[Definition]:
    for node in body:
        if isinstance(node, (*_FUNCTION, ast.ClassDef)):
            start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            name = f"{prefix}{node.name}"
            is_class = isinstance(node, ast.ClassDef)
            bases = tuple(ast.unparse(b) for b in node.bases) if is_class else ()  # type: ignore[union-attr]
            yield Definition(
                name, is_class, start, node.end_lineno or start, node.col_offset, bases
            )
            if isinstance(node, ast.ClassDef):
                yield from _walk(node.body, f"{name}.")
        else:
            for field in ("body", "handlers", "orelse", "finalbody"):
                inner = getattr(node, field, None)
                if isinstance(inner, list) and not isinstance(node, ast.Match):
                    yield from _walk([n for n in inner if isinstance(n, ast.stmt)], prefix)
                    for handler in inner:
                        if isinstance(handler, ast.ExceptHandler):
                            yield from _walk(handler.body, prefix)


def locate(text: str, method: str, cls: str | None = None, *, side: str = "") -> Located:
    """Find the function *method*, of the class *cls* (a dotted name) where one is given.

    Without a class, a function at module level is preferred, then the only method of that
    name. Where a name is defined more than once in a scope the last one counts, as at run
    time. Raises :class:`MethodNotFound`, with close names as the hint.
    """
    found = definitions(text, side)
    functions = [d for d in found if not d.is_class]
    if cls is not None:
        return _cut(text, _in_class(found, functions, method, cls, side))
    if "." in method:
        matches = [d for d in functions if d.qualname == method]
    else:
        matches = [d for d in functions if d.qualname == method] or [
            d for d in functions if last_part(d.qualname) == method
        ]
    names = sorted({d.qualname for d in matches})
    if not names:
        raise _not_found(method, functions, side)
    if len(names) > 1:
        owners = [owner_of(n) for n in names if "." in n]
        raise MethodNotFound(
            f"{method} is defined more than once: {', '.join(names)}",
            hint=f"name the class after the path: PATH::CLASS, with one of {', '.join(owners)}",
            side=side,
        )
    return _cut(text, matches[-1])


def locate_all(text: str, qualname: str, side: str = "") -> tuple[Located, ...]:
    """Return every definition of the function *qualname* of *text*, in order."""
    found = [d for d in definitions(text, side) if d.qualname == qualname and not d.is_class]
    lines = split_lines(text)
    return tuple(replace(_cut_from(lines, d), number=n) for n, d in enumerate(found))


def relocate(text: str, where: Located, side: str = "") -> Located:
    """Find the function *where* in *text*, another version of its file with the same functions."""
    if where.number < 0:
        return locate(text, where.qualname, side=side)
    return locate_all(text, where.qualname, side)[where.number]


def iter_functions(text: str, side: str = "") -> Iterator[Located]:
    """Yield the functions at module level and in classes, in order; raises SourceError.

    Of a name that is defined more than once in a scope, the last one.
    """
    found = {d.qualname: d for d in definitions(text, side) if not d.is_class}
    lines = split_lines(text)
    yield from (_cut_from(lines, definition) for definition in found.values())


def require_class(text: str, cls: str, *, side: str = "") -> None:
    """Raise :class:`MethodNotFound`, with close names, unless *text* has the class *cls*."""
    found = definitions(text, side)
    _owners(found, cls, side)


def _owners(found: tuple[Definition, ...], cls: str, side: str) -> set[str]:
    classes = [d for d in found if d.is_class]
    owners = {d.qualname for d in classes if d.qualname == cls} or {
        d.qualname for d in classes if last_part(d.qualname) == cls
    }
    if not owners:
        hint = suggest(cls, [d.qualname for d in classes])
        raise MethodNotFound(f"no class {cls}", hint=hint, side=side)
    return owners


def _in_class(
    found: tuple[Definition, ...],
    functions: list[Definition],
    method: str,
    cls: str,
    side: str,
) -> Definition:
    owners = _owners(found, cls, side)
    matches = [d for d in functions if d.qualname in {f"{o}.{method}" for o in owners}]
    if not matches:
        inside = [d for d in functions if owner_of(d.qualname) in owners]
        raise _not_found(f"{cls}.{method}", inside, side)
    return matches[-1]


def _not_found(name: str, functions: list[Definition], side: str) -> MethodNotFound:
    names = {d.qualname for d in functions}
    wanted = last_part(name)
    short = {last_part(n): n for n in sorted(names)}
    close = [short[one] for one in find_close(wanted, short)]
    hint = f"did you mean {' or '.join(close)}?" if close else ""
    return MethodNotFound(f"no function {name}", hint=hint, side=side)


def _cut(text: str, found: Definition) -> Located:
    return _cut_from(split_lines(text), found)


def _cut_from(lines: list[str], found: Definition) -> Located:
    end = _last_comment(lines, found)
    return Located(found.qualname, found.start, end, "".join(lines[found.start - 1 : end]))


def _last_comment(lines: list[str], found: Definition) -> int:
    """The last line of the comments below a body that are indented as part of it.

    A closing fence after the last statement stands there, and no parser counts it in.
    """
    end = found.end
    for number in range(found.end, len(lines)):
        stripped = lines[number].strip()
        if not stripped:
            continue
        column = len(lines[number]) - len(lines[number].lstrip(" \t"))
        if not stripped.startswith("#") or column <= found.column:
            break
        end = number + 1
    return end
