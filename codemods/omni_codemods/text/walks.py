"""Walks over a parsed file that enter only what can hold what they look for.

A file of some thousand lines has a hundred thousand nodes; one walk over all of them takes longer
than everything else that a rebase does.
"""

from __future__ import annotations

import ast
import functools
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

AnyImport = ast.Import | ast.ImportFrom
# `try: ... except*:` is another class, from Python 3.11 on.
TRIES: tuple[type[ast.Try], ...] = (ast.Try, getattr(ast, "TryStar", ast.Try))
_NEWLINE = re.compile(r"\r\n|\n|\r")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_INNER_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SUITES = ("body", "handlers", "orelse", "finalbody", "cases")


def iter_statements(nodes: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """Yield the statements of *nodes* (a suite) at any depth, an outer one before the inner."""
    for node in nodes:
        if isinstance(node, ast.stmt):
            yield node
        for suite in _SUITES:
            inner = getattr(node, suite, None)
            if isinstance(inner, list):
                yield from iter_statements(inner)


def iter_own_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run when *body* does: not those in functions and classes.

    An outer one comes before the inner.
    """
    for node in body:
        yield node
        if isinstance(node, _SCOPES):
            continue
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                yield from iter_own_statements([child])
            elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                yield from iter_own_statements(child.body)


def iter_annotations(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the annotations in *tree*: of parameters, results and variables."""
    for node in iter_statements(tree.body):
        if isinstance(node, ast.AnnAssign):
            yield node.annotation
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            own = node.args
            every = [*own.posonlyargs, *own.args, *own.kwonlyargs, own.vararg, own.kwarg]
            yield from (a.annotation for a in every if a is not None and a.annotation is not None)
            if node.returns is not None:
                yield node.returns


def iter_imports(nodes: Iterable[ast.AST], block: str = "") -> Iterator[tuple[AnyImport, str]]:
    """Yield the imports of *nodes* outside functions and classes, each with what it stands in.

    That is empty for the suite itself, else ``type-checking``, ``if``, ``try`` or ``other``.
    """
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, block
        elif isinstance(node, ast.If):
            inner = "type-checking" if is_type_checking(node.test) and not block else "if"
            yield from iter_imports(node.body, inner)
            yield from iter_imports(node.orelse, "if")
        elif isinstance(node, TRIES):
            handlers = [s for handler in node.handlers for s in handler.body]
            for suite in (node.body, handlers, node.orelse, node.finalbody):
                yield from iter_imports(suite, "try")
        elif isinstance(node, (ast.With, ast.For, ast.While)):
            yield from iter_imports(node.body, "other")


def is_type_checking(test: ast.expr) -> bool:
    """Whether *test* is ``TYPE_CHECKING``, however it is spelt."""
    name = test.id if isinstance(test, ast.Name) else getattr(test, "attr", "")
    return name == "TYPE_CHECKING"


def iter_bound(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that *nodes* bind in their own scope, by other means than an import."""
    for node in nodes:
        if isinstance(node, _SCOPES):
            yield node.name
            continue
        if isinstance(node, (*_INNER_SCOPES, ast.Import, ast.ImportFrom)):
            continue
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        yield from iter_bound(ast.iter_child_nodes(node))


def lines_with(text: str, word: str) -> list[int]:
    """The lines of *text*, 1-based and in order, on which *word* stands as a word."""
    lines: list[int] = []
    odd = "\r" in text
    line, seen, at = 1, 0, text.find(word)
    while at >= 0:
        end = at + len(word)
        if not _is_word(text[at - 1 : at]) and not _is_word(text[end : end + 1]):
            line += len(_NEWLINE.findall(text, seen, at)) if odd else text.count("\n", seen, at)
            seen = at
            lines.append(line)
        at = text.find(word, end)
    return lines


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def mentions(node: ast.AST, name: str, lines: Sequence[int], *, quoted: bool = False) -> bool:
    """Whether *node* reads or binds the variable *name*, which stands on *lines* of the text.

    With *quoted* also whether it holds a string that is *name*.
    """
    if isinstance(node, ast.Name):
        return node.id == name
    if isinstance(node, ast.Constant):
        return quoted and node.value == name
    if isinstance(node, ast.JoinedStr):  # before 3.12 what stands in it has no true place
        return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))
    return any(
        mentions(child, name, lines, quoted=quoted)
        for child in ast.iter_child_nodes(node)
        if _stands_on(child, lines)
    )


def _stands_on(node: ast.AST, lines: Sequence[int]) -> bool:
    """Whether one of *lines* is a line of *node*; where it stands nowhere, of its children."""
    end = getattr(node, "end_lineno", None)
    if end is None:
        return True
    start = start_line(node)
    at = bisect_left(lines, start)
    return at < len(lines) and lines[at] <= end


def start_line(node: ast.AST) -> int:
    """The first line of *node*, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    line: int = node.lineno  # type: ignore[attr-defined]
    return min([line, *(d.lineno for d in decorators)])


# Names, numbers and contexts: what a node holds in these fields is no code of its own.
_PLAIN = frozenset(
    {"ctx", "id", "attr", "arg", "asname", "level", "module", "kind"}
    | {"type_comment", "simple", "is_async", "conversion"}
)
_NO_CODE = (ast.Name, ast.Constant, ast.alias, ast.Global, ast.Nonlocal)


class _CodeFields(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of a class of nodes that may hold other nodes, loads and stores aside."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        fields = () if kind in _NO_CODE else tuple(f for f in kind._fields if f not in _PLAIN)
        self[kind] = fields
        return fields


_CODE_FIELDS = _CodeFields()


def children(node: ast.AST) -> Iterator[ast.AST]:
    """:func:`ast.iter_child_nodes` without what it costs, and without loads and stores."""
    held = node.__dict__
    for field in _CODE_FIELDS[node.__class__]:
        value = held.get(field)
        if value.__class__ is list:
            for one in value:
                if isinstance(one, ast.AST):
                    yield one
        elif isinstance(value, ast.AST):
            yield value


@functools.lru_cache(maxsize=1 << 15)
def nodes_of(top: ast.AST) -> tuple[ast.AST, ...]:
    """Return what :func:`walk` yields, kept for the next one who asks for the same node."""
    return tuple(walk(top))


def called_name(node: ast.expr) -> str:
    """Return the last name of ``a.b.c`` and ``a.b.c(...)``, empty for anything else."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def walk(top: ast.AST) -> Iterator[ast.AST]:
    """:func:`ast.walk` without what it costs: runners are long, and there are many of them."""
    nodes = [top]
    for node in nodes:  # it grows as it is read
        yield node
        held = node.__dict__
        for field in _CODE_FIELDS[node.__class__]:
            value = held.get(field)
            if value.__class__ is list:
                nodes += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST):
                nodes.append(value)


def shape(node: ast.AST) -> str:
    """What *node* says, as :func:`ast.dump` does at a quarter of the cost; no text to be shown.

    Two nodes of one shape are the same code, whatever their places and layout.
    """
    out: list[str] = []
    waiting: list[object] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Name):
            out.append(part.id)
        elif isinstance(part, ast.Constant):
            out.append(f"'{part.value!r}")
        elif isinstance(part, ast.AST):
            kind = part.__class__
            out.append(f"({kind.__name__}")
            waiting += [part.__dict__.get(field) for field in kind._fields if field != "ctx"]
        elif isinstance(part, list):
            out.append(f"[{len(part)}")
            waiting += part
        else:
            out.append(f"'{part!r}")
    return "\0".join(out)
