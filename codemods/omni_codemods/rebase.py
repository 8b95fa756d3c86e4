"""The method-level reconstruction, end to end."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from .account import Account, Item
from .align import Alignment, align
from .errors import FenceError, NotACopy, SourceError
from .fences import Comment, Fences, pair_fences
from .ledger import make_ledger
from .lexer import split_lines
from .locate import Located, locate
from .model import Conflict, EditOutcome, Evidence, Outcome, RebaseResult, Severity, Span
from .render import (
    Hunk,
    Labels,
    Printed,
    Renderer,
    Rendered,
    UnbalancedError,
    print_lines,
    side_text,
)
from .replay import Plan, Replay
from .tree import Kind, Node, Tree, parse_function

__all__ = ["Labels", "rebase_method"]

# Below this share of base code found in local, local is not a copy of base.
_COPY = 0.2


def rebase_method(
    *,
    local: str,
    base: str,
    target: str,
    method: str,
    local_class: str | None = None,
    base_class: str | None = None,
    target_class: str | None = None,
    target_method: str | None = None,
    labels: Labels = Labels(),
    policy: str = "replay",
) -> RebaseResult:
    """Rebuild one function of *local* on the target's version of the function.

    *local*, *base* and *target* are the texts of whole files. The function is looked up by
    name: *method* in *local_class* of local, *base_class* of base, and *target_method* (by
    default *method*) in *target_class* of target. Without a class, a function at module level
    is preferred, then the only method of that name.

    Returns the whole local text with that function rebuilt, and the account of every edit. With
    *policy* ``strict`` every overlap of drift and an upstream change is a conflict.

    Raises :class:`~omni_codemods.errors.SourceError` for what is not Python,
    :class:`~omni_codemods.errors.MethodNotFound`, :class:`~omni_codemods.errors.FenceError`
    where the fences in the function do not pair, and :class:`~omni_codemods.errors.NotACopy`
    where local and base have nothing in common. The error's *side* names the input.
    """
    newline = "\r\n" if "\r\n" in local else "\n"
    found = {
        "local": locate(local, method, local_class, side="local"),
        "base": locate(base, method, base_class, side="base"),
        "target": locate(target, target_method or method, target_class, side="target"),
    }
    trees = {side: _parse(where, side) for side, where in found.items()}
    margin = _margin(found["local"].text)
    built = _Build(trees["base"], trees["local"], trees["target"], found["local"], policy)
    printed, hunks, items = built.run(labels, margin)
    lines = split_lines(local)
    start = found["local"].start
    new = [p.text.replace("\n", newline) if newline != "\n" else p.text for p in printed]
    if new and found["local"].end == len(lines) and not lines[-1].endswith("\n"):
        new[-1] = new[-1].rstrip("\r\n")
    text = "".join([*lines[: start - 1], *new, *lines[found["local"].end :]])
    return RebaseResult(
        text,
        found["local"].qualname,
        _outcomes(items, printed, start),
        _conflicts(printed, hunks, start),
        built.findings,
    )


def _margin(text: str) -> str:
    return text[: len(text) - len(text.lstrip(" \t"))]


def _parse(where: Located, side: str) -> Tree:
    text = where.text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.endswith("\n"):
        text += "\n"
    try:
        return parse_function(text)
    except SourceError as error:
        line = None if error.line is None else error.line + where.start - 1
        raise SourceError(error.message, hint=error.hint, line=line, side=side) from error


class _Build:
    """One reconstruction, from trees to printed lines."""

    def __init__(self, base: Tree, local: Tree, target: Tree, where: Located, policy: str) -> None:
        self._base, self._local, self._target = base, local, target
        self._strict = policy == "strict"
        self._fences = _function_fences(local, where)
        self.findings = tuple(
            replace(f, line=f.line + where.start - 1)
            for f in self._fences.findings
            if f.severity is not Severity.ERROR
        )
        self._by_local = align(base, local)
        self._by_target = align(base, target)
        _require_copy(base, self._by_local)

    def run(self, labels: Labels, margin: str) -> tuple[list[Printed], list[Hunk], list[Item]]:
        """Replay, render and verify."""
        if _text(self._base) == _text(self._target):
            return self._verbatim(self._local, margin)
        if _text(self._local) == _text(self._target):
            return self._verbatim(self._target, margin)
        account = Account(self._fences.blocks)
        replay = Replay(self._by_local, self._by_target, account, strict=self._strict)
        plan = replay.make(make_ledger(self._base.root, self._local.root, self._by_local))
        rendered = self._render(plan)
        printed = print_lines(rendered, labels, margin)
        hunks = [x for x in rendered.out if isinstance(x, Hunk)]
        return printed, hunks, account.items

    def _render(self, plan: Plan) -> Rendered:
        renderer = Renderer(
            self._base, self._local, self._target, self._by_local, self._by_target, plan
        )
        return renderer.render()

    def _verbatim(
        self, tree: Tree, margin: str
    ) -> tuple[list[Printed], list[Hunk], list[Item]]:
        account = Account(self._fences.blocks)
        lines = [
            Printed(x if n in tree.interior or not x.strip() else margin + x)
            for n, x in enumerate(tree.lines, 1)
        ]
        return lines, [], account.items


def _text(tree: Tree) -> str:
    return "".join(tree.lines)


def _function_fences(tree: Tree, where: Located) -> Fences:
    """Pair the fences of one function; positions are lines of the function."""
    found = pair_fences(_comments(tree))
    broken = [f for f in found.findings if f.severity is Severity.ERROR]
    if broken:
        first = broken[0]
        raise FenceError(
            first.message,
            hint=first.hint,
            line=first.line + where.start - 1,
            column=first.column,
            side="local",
        )
    fence_lines = {f.line for f in found.fences}
    for node in tree.root.walk():
        if node.kind is Kind.COMMENT and node.line in fence_lines:
            node.fence = True
    return found


def _comments(tree: Tree) -> list[Comment]:
    out: list[Comment] = []

    def visit(node: Node, scope: str) -> None:
        if node.kind is Kind.CLAUSE and node.word in ("def", "class"):
            name = node.key[node.key.index(node.word) + 1]
            scope = f"{scope}.{name}"
        if node.kind is Kind.COMMENT:
            out.append(Comment(node.tokens[0], True, scope))
        else:
            for token in node.tokens:
                if token.is_comment:
                    before = tree.lines[token.line - 1][: token.column]
                    out.append(Comment(token, not before.strip(), scope))
        for child in node.children:
            visit(child, scope)

    visit(tree.root, "")
    out.sort(key=lambda c: c.token.line)
    return out


def _require_copy(base: Tree, by_local: Alignment) -> None:
    nodes = [n for n in base.root.walk() if n.kind is Kind.STATEMENT]
    total = sum(n.size for n in nodes)
    shared = sum(n.size for n in nodes if n in by_local.right)
    if total and shared < _COPY * total:
        raise NotACopy(
            f"local is not a copy of base: they share {100 * shared // total} % of the base's code",
            hint="check --base and --method; to start afresh from the target, copy it by hand",
            side="local",
        )


def _outcomes(items: Sequence[Item], printed: Sequence[Printed], start: int) -> tuple[EditOutcome, ...]:
    places: dict[int, tuple[int, int]] = {}
    for number, line in enumerate(printed, start):
        if line.item is not None:
            first, _ = places.get(id(line.item), (number, number))
            places[id(line.item)] = (first, number)
    out = []
    for item in sorted(items, key=lambda i: (i.start, i.end)):
        place = places.get(id(item))
        out.append(item.outcome(start, Span(*place) if place else None))
    return tuple(out)


def _conflicts(printed: Sequence[Printed], hunks: Sequence[Hunk], start: int) -> tuple[Conflict, ...]:
    out = []
    for number, line in enumerate(printed, start):
        if (hunk := line.hunk) is not None:
            sides = ["".join(x.text for x in s) for s in (hunk.local, hunk.base, hunk.target)]
            out.append(Conflict(number, *sides, hunk.reason))
    return tuple(out)


def _unused() -> object:
    return (ast, textwrap, Evidence, Outcome, UnbalancedError, side_text, Rendered)
