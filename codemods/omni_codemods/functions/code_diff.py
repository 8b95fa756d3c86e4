"""Where two functions differ as code, statement by statement.

The two are aligned as for a rebase, so that what stands a level deeper on one side (below a
``with`` that only it has) is the same code, and an ``else:`` is never that of another ``if``.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from omni_codemods.findings.model import Span
from omni_codemods.functions.align import align
from omni_codemods.functions.alignment import Alignment
from omni_codemods.functions.diff import Entry, Ledger, Pair, Role, Run, make_ledger
from omni_codemods.functions.tree import Kind, Node, Tree, parse_function
from omni_codemods.text.parsing import find_tree

_Group = tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """Statements or headers of one side: their lines in the function, 1-based, and their code."""

    span: Span
    code: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Differing:
    """One place where *one* and *other* differ; ``None`` where that side has nothing there.

    *moved*: both have it, in another place; what differs within is told apart.
    """

    one: Piece | None
    other: Piece | None
    moved: bool = False


def same_function(one: str, other: str) -> bool:
    """Whether two functions, as texts, are the same but for layout, comments and docstrings."""
    return not find_differing(one, other)


def find_differing(one: str, other: str) -> tuple[Differing, ...]:
    """Return where two functions, as texts, differ, in the order of *one*.

    Layout, comments and docstrings do not count. Raises SourceError.
    """
    left, right = _parse(one), _parse(other)
    if left.root.code == right.root.code or _meaning(left) == _meaning(right):
        return ()
    return _compare(left, right)


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of one version of a function → those of another, where statements start and end."""

    starts: Mapping[int, int]
    ends: Mapping[int, int]


def pair_lines(one: str, other: str) -> Lines:
    """Return where the statements and headers that two versions share stand, 1-based.

    The versions are texts that differ little: a function as it was, and rewritten by a table.
    """
    left, right = parse_function(one), parse_function(other)
    spans = [
        (_span(left, a.line, _own_end(a)), _span(right, b.line, _own_end(b)))
        for a, b in _neighbours(left, right, align(left, right))
    ]
    return Lines({a.start: b.start for a, b in spans}, {a.end: b.end for a, b in spans})


def _neighbours(left: Tree, right: Tree, alignment: Alignment) -> Iterator[tuple[Node, Node]]:
    """What is aligned, and what stands between the same two neighbours, one by one.

    A rewritten import may be nothing like what it was. Where one became two, both are of that one.
    """
    ones, others = (
        [n for n in tree.root.walk() if n.lines and n.is_code] for tree in (left, right)
    )
    where = {n: j for j, n in enumerate(others)}
    at_l = at_r = 0
    for i, one in enumerate([*ones, None]):
        j = len(others) if one is None else where.get(alignment.right.get(one, one), -1)
        if j >= at_r:
            between = others[at_r:j]
            for k, lone in enumerate(ones[at_l:i] if between else ()):
                yield lone, between[min(k, len(between) - 1)]
            if one is not None:
                yield one, others[j]
            at_l, at_r = i + 1, j + 1


def _parse(text: str) -> Tree:
    tree = parse_function(text)
    _keep_code(tree.root)
    return tree


def _keep_code(node: Node) -> None:
    """Drop the comments and the strings that stand for themselves below *node*."""
    node.children = [n for n in node.children if n.is_code and not _is_said(n)]
    for i, child in enumerate(node.children):
        child.index = i
        _keep_code(child)
    node.size = len(node.key) + sum(n.size for n in node.children)
    inner = ";".join(n.code for n in node.children)
    node.code = f"{node.head}{{{inner}}}" if inner else node.head


def _is_said(node: Node) -> bool:
    one = node.kind is Kind.STATEMENT and len(node.key) == 1
    return one and node.key[0].lstrip("rR")[:1] in ("'", '"')


@dataclass(frozen=True, slots=True)
class _Found:
    """A difference with where it stands: in *one*, then in *other*."""

    at: tuple[float, int]
    differing: Differing


def _compare(left: Tree, right: Tree) -> tuple[Differing, ...]:
    alignment = align(left, right)
    ledger = make_ledger(left.root, right.root, alignment)
    while hidden := _hidden(ledger, alignment):
        for node in hidden:
            alignment.unpair(node)
        ledger = make_ledger(left.root, right.root, alignment)
    sides = _Sides(left, right, alignment)
    found = [x for run in ledger.runs for x in sides.of_run(run)]
    found += [x for pair in ledger.pairs for x in sides.of_pair(pair)]
    return tuple(x.differing for x in sorted(found, key=lambda x: x.at))


def _hidden(ledger: Ledger, alignment: Alignment) -> list[Node]:
    """What was moved out of or into code that is told as a whole: it is no more than part of that.

    Nodes of *other*.
    """
    reached = {pair.edited for pair in ledger.pairs}
    gone = {e.node for run in ledger.runs for e in run.deleted if e.role is Role.NODE}
    come = {e.node for run in ledger.runs for e in run.inserted if _is_moved(e, alignment.left)}
    roots = [n for n in come if alignment.left[n] not in gone]
    roots += [n for n in alignment.left if n not in reached and n.parent is not None]
    return list({n: None for root in roots for n in root.walk() if n in alignment.left})


@dataclass(frozen=True, slots=True)
class _Sides:
    left: Tree
    right: Tree
    alignment: Alignment

    def of_pair(self, pair: Pair) -> Iterator[_Found]:
        """A statement or header that both have, in other words."""
        one, other = pair.ancestor, pair.edited
        if one.head == other.head or _own_code(one) == _own_code(other):
            return
        yield self._found(self._own(self.left, one), self._own(self.right, other), one.line)

    def of_run(self, run: Run) -> Iterator[_Found]:
        """What only one side has between two statements that both have, and what went there."""
        before = run.entries[run.start - 1].node.end_line if run.start else run.block.line
        gone = list(_grouped(run.deleted, self.alignment.right))
        come = list(_grouped(run.inserted, self.alignment.left))
        for both in itertools.zip_longest(gone, come, fillvalue=()):
            one, other = self._trimmed(*both)
            if one or other:
                left, right = self._piece(self.left, one), self._piece(self.right, other)
                yield self._found(left, right, before + 0.5)
        for entry in run.inserted:
            if _is_moved(entry, self.alignment.left):
                there = self.alignment.left[entry.node]
                left, right = self._whole(self.left, there), self._whole(self.right, entry.node)
                yield self._found(left, right, there.line, moved=True)

    def _trimmed(self, one: _Group, other: _Group) -> tuple[_Group, _Group]:
        """Without what only looks different at the ends: ``if a: b`` on one line or on two."""
        while self._is_same(one[:1], other[:1]):
            one, other = one[1:], other[1:]
        while self._is_same(one[-1:], other[-1:]):
            one, other = one[:-1], other[:-1]
        return ((), ()) if self._is_same(one, other) else (one, other)

    def _is_same(self, one: _Group, other: _Group) -> bool:
        if not one or not other or any(e.role is not Role.NODE for e in (*one, *other)):
            return False
        here, there = _spelled(_text(self.left, one)), _spelled(_text(self.right, other))
        return here is not None and here == there

    def _found(
        self, one: Piece | None, other: Piece | None, line: float, *, moved: bool = False
    ) -> _Found:
        at = line if one is None else one.span.start
        here = 0 if other is None else other.span.start
        return _Found((at, here), Differing(one, other, moved))

    def _own(self, tree: Tree, node: Node) -> Piece:
        return Piece(_span(tree, node.line, _own_end(node)), (_own_code(node),))

    def _whole(self, tree: Tree, node: Node) -> Piece:
        return Piece(_span(tree, node.line, node.end_line), (_header(node),))

    def _piece(self, tree: Tree, entries: Sequence[Entry]) -> Piece | None:
        if not entries:
            return None
        first, last = entries[0].node, entries[-1]
        end = last.node.end_line if last.role is Role.NODE else _own_end(last.node)
        code = tuple(text for entry in entries for text in _codes(entry))
        return Piece(_span(tree, first.line, end), code)


def _own_end(node: Node) -> int:
    return node.line + max(0, len(node.lines) - 1)


def _header(node: Node) -> str:
    return next((_own_code(n) for n in node.walk() if n.lines), "")


def _codes(entry: Entry) -> Iterator[str]:
    """The code of an entry; of a header around shared code, also how far it reaches."""
    if entry.role is Role.NODE:
        depths = {entry.node: 0}
        for node in entry.node.walk():
            depths.update((child, depths[node] + 1) for child in node.children)
            yield f"{depths[node]} {_own_code(node)}"
        return
    yield _own_code(entry.node)
    inside = entry.node.children
    yield from (_header(node) for node in (*inside[:1], *inside[-1:]))


def _grouped(entries: Sequence[Entry], paired: dict[Node, Node]) -> Iterator[tuple[Entry, ...]]:
    """Neighbours that the other side lacks; the end of a compound has no code of its own."""
    kept = [e for e in entries if e.role is not Role.CLOSE]
    for moved, group in itertools.groupby(kept, lambda e: _is_moved(e, paired)):
        if not moved:
            yield tuple(group)


def _is_moved(entry: Entry, paired: dict[Node, Node]) -> bool:
    return entry.role is Role.NODE and entry.node in paired


def _span(tree: Tree, start: int, end: int) -> Span:
    """Lines of the function as it is written: one on a single line was unfolded to be parsed."""
    added = len(tree.lines) - len(tree.written)
    if added:
        pairs = enumerate(zip(tree.lines, tree.written, strict=False), 1)
        fold = next((n for n, (a, b) in pairs if a != b), len(tree.written))
        start, end = (n - added if n > fold else n for n in (start, end))
    return Span(start, end)


def _own_code(node: Node) -> str:
    """The own code of a node, spelled as what it means: a parenthesis more is the same."""
    if not node.lines:
        return ""
    spelled = _spelled(_opened(node))
    return node.head if spelled is None else f"{node.word if node.word == 'elif' else ''}{spelled}"


def _opened(node: Node) -> str:
    text = "".join(node.lines).strip()
    if node.kind is not Kind.CLAUSE:
        return text
    return f"{text[2:] if node.word == 'elif' else text}\n pass\n"


def _text(tree: Tree, entries: Sequence[Entry]) -> str:
    lines = tree.lines[entries[0].node.line - 1 : entries[-1].node.end_line]
    return "if 1:\n" + "".join(lines)


def _meaning(tree: Tree) -> str:
    """The whole function as what it means, without docstrings; its text where that fails."""
    module = find_tree(tree.text)
    if module is None:
        return tree.text
    for node in ast.walk(module):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, [n for n in block if not _is_string(n)])
    return _spell(module)


def _is_string(node: ast.AST) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _spelled(text: str) -> str | None:
    tree = find_tree(text)
    return None if tree is None else _spell(tree.body)


def _spell(value: object) -> str:
    """Like :func:`ast.dump`, but the same under every Python: what is not there is left out."""
    if isinstance(value, list):
        return f"[{','.join(_spell(one) for one in value)}]"
    if isinstance(value, ast.JoinedStr):  # 3.12 ends some with an empty string
        parts = [v for v in value.values if not (isinstance(v, ast.Constant) and v.value == "")]
        return f"JoinedStr({_spell(parts)})"
    if not isinstance(value, ast.AST):
        return repr(value)
    fields = [
        f"{name}={_spell(one)}"
        for name, one in ast.iter_fields(value)
        if name not in ("ctx", "kind", "type_comment") and one is not None and one != []
    ]
    return f"{type(value).__name__}({','.join(fields)})"
