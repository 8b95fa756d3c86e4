"""Two versions of a function's body: which statements differ, and in what."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from omni_codemods.functions.align import align
from omni_codemods.functions.alignment import Alignment
from omni_codemods.functions.diff import Entry, Role, make_ledger
from omni_codemods.functions.likeness import main_clause
from omni_codemods.functions.tree import Kind, Node, Tree
from omni_codemods.impact.model import Impact
from omni_codemods.impact.renames import find_renames
from omni_codemods.impact.wording import shorten
from omni_codemods.rebuild.splice import parse
from omni_codemods.sources.subject import Function
from omni_codemods.text.outline import Located
from omni_codemods.text.parsing import find_tree


@dataclass(frozen=True, slots=True)
class Version:
    """A function at one end: its node, and its lines as they stand (decorators included)."""

    node: Function
    text: str


@dataclass(frozen=True, slots=True)
class BodyChange:
    """What differs, and the first statement that does: lines of the versions' texts (1-based)."""

    impact: Impact
    message: str
    details: tuple[str, ...] = ()
    old_line: int = 0
    new_line: int = 0


def compare_bodies(old: Version, new: Version) -> BodyChange | None:
    """Return how two bodies differ, ``None`` where they are the same code.

    Layout, comments and docstrings count nothing. Raises SourceError.
    """
    before, after = _code(old.node), _code(new.node)
    renames = find_renames(before, after)
    if renames is not None:
        return _only_names(renames) if renames else None
    tally = _tally(old, new)
    details = (*_state(old.node, new.node), *tally.details)
    return BodyChange(Impact.BEHAVIORAL, tally.message, details, tally.old_line, tally.new_line)


def _only_names(renames: Mapping[str, str]) -> BodyChange:
    said = ", ".join(f"{old} is {new}" for old, new in renames.items())
    return BodyChange(Impact.MECHANICAL, f"the same but for names: {said}")


def _code(function: Function) -> list[ast.stmt]:
    return function.body[1:] if ast.get_docstring(function, clean=False) else function.body


@dataclass(slots=True)
class _Tally:
    """Counts of statements and headers, and the first line that differs on each side."""

    added: int = 0
    removed: int = 0
    changed: int = 0
    moved: int = 0
    old_line: int = 0
    new_line: int = 0
    details: list[str] = field(default_factory=list)

    @property
    def message(self) -> str:
        """The counts in words."""
        counts = (
            (self.added, "added"),
            (self.removed, "removed"),
            (self.changed, "changed"),
            (self.moved, "in another place"),
        )
        said = [(number, word) for number, word in counts if number]
        if not said:
            return "the code differs"
        (number, word), *rest = said
        noun = "statement" if number == 1 else "statements"
        return ", ".join([f"{number} {noun} {word}", *(f"{n} {w}" for n, w in rest)])

    def note(self, old: Node | None, new: Node | None) -> None:
        """Remember the first place."""
        self.old_line = self.old_line or (old.line if old is not None else 0)
        self.new_line = self.new_line or (new.line if new is not None else 0)


def _tally(old: Version, new: Version) -> _Tally:
    one, other = _tree(old, "base"), _tree(new, "target")
    alignment = align(one, other)
    ledger = make_ledger(one.root, other.root, alignment)
    tally = _Tally()
    skipped = {id(main_clause(one.root)), *(id(c) for c in _heads(one))}
    for pair in ledger.pairs:
        if id(pair.ancestor) in skipped or pair.ancestor.key == pair.edited.key:
            continue
        if pair.ancestor.kind in (Kind.STATEMENT, Kind.CLAUSE) and not _is_text(pair.ancestor):
            tally.changed += 1
            tally.note(pair.ancestor, pair.edited)
            tally.details += _keywords(pair.ancestor, pair.edited)
    for run in ledger.runs:
        _count_run(run.deleted, run.inserted, alignment, tally)
    return tally


def _count_run(
    deleted: Sequence[Entry], inserted: Sequence[Entry], alignment: Alignment, tally: _Tally
) -> None:
    for entry in deleted:
        if entry.role is not Role.CLOSE and entry.node not in alignment.right:
            count = _size(entry)
            tally.removed += count
            tally.note(entry.node if count else None, None)
    for entry in inserted:
        if entry.role is Role.CLOSE:
            continue
        count = _size(entry)
        if entry.node in alignment.left and entry.role is Role.NODE:
            tally.moved += count
        else:
            tally.added += count
        tally.note(None, entry.node if count else None)


def _size(entry: Entry) -> int:
    """How many statements and headers an entry holds."""
    if entry.role is not Role.NODE:
        return 1
    nodes = entry.node.walk()
    return sum(n.kind in (Kind.STATEMENT, Kind.CLAUSE) and not _is_text(n) for n in nodes)


def _is_text(node: Node) -> bool:
    """Whether a statement is a docstring, or another string that does nothing."""
    return len(node.key) == 1 and node.key[0].lstrip("rRuUbB")[:1] in ("'", '"')


def _tree(version: Version, side: str) -> Tree:
    lines = version.text.count("\n") + 1
    return parse(Located(version.node.name, 1, lines, version.text), side, "function")


def _heads(tree: Tree) -> list[Node]:
    """The decorators."""
    return tree.root.children[: main_clause(tree.root).index]


def _state(old: Function, new: Function) -> Iterator[str]:
    before, after = (_assigned(f) for f in (old, new))
    for name in after:
        if name not in before:
            yield f"self.{name} is newly assigned"
    for name in before:
        if name not in after:
            yield f"self.{name} is no longer assigned"


def _assigned(function: Function) -> list[str]:
    found = [
        node.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    ]
    return list(dict.fromkeys(found))


def _keywords(old: Node, new: Node) -> Iterator[str]:
    """What a changed statement passes otherwise, by keyword, to what it calls on both sides."""
    before, after = (_calls(node) for node in (old, new))
    for callee, now in after.items():
        was = before.get(callee)
        if was is None:
            continue
        for name in {**was, **now}:
            if name not in now:
                yield f"{callee} gets no {name} any more"
            elif name not in was:
                yield f"{callee} also gets {name}={now[name]}"
            elif was[name] != now[name]:
                shown = shorten(now[name], was[name])
                yield f"{callee} gets {name}={shown[0]} (was {shown[1]})"


def _calls(node: Node) -> dict[str, dict[str, str]]:
    """The keywords of each call of a statement, by callee; of two calls of one, none."""
    tree = find_tree(textwrap.dedent("".join(node.lines)))
    if tree is None:
        return {}
    found: dict[str, dict[str, str]] = {}
    twice: set[str] = set()
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            callee = ast.unparse(call.func)
            twice |= {callee} & found.keys()
            found[callee] = {k.arg: ast.unparse(k.value) for k in call.keywords if k.arg}
    return {callee: words for callee, words in found.items() if callee not in twice}
