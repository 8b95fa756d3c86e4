"""Trees in, printed function out: replay, render, verify, and fall back where a check fails.

A local wrap whose parts come apart, or a block whose fences do, is treated as one piece and
tried again; a merged statement that does not parse becomes a conflict; and where nothing
helps, the whole function is one conflict. What comes out has always passed the checks.
"""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Block, Evidence, Finding, Outcome
from omni_codemods.functions.account import Account, Item
from omni_codemods.functions.align import align
from omni_codemods.functions.alignment import Alignment
from omni_codemods.functions.alone import is_small, pair_alone
from omni_codemods.functions.block_ends import check_block_ends
from omni_codemods.functions.diff import make_ledger
from omni_codemods.functions.fences import Comment, Fences, indent_of, pair_fences
from omni_codemods.functions.tree import Kind, Node, Tree, parse_function
from omni_codemods.names.reads import as_module
from omni_codemods.rebuild.settle_imports import NO_FUNCTION, function_names
from omni_codemods.replay.plan import Options, Plan, Scene
from omni_codemods.replay.printing.lines import (
    Hunk,
    Labels,
    Line,
    Printed,
    Rendered,
    pair_up,
    print_lines,
    side_text,
)
from omni_codemods.replay.printing.refence import reads_as_fence, refence, without_fences
from omni_codemods.replay.printing.tree import Renderer, UnbalancedError
from omni_codemods.replay.replay import UnplaceableError, replay
from omni_codemods.text.parsing import find_tree

# Below this share of base code found in target, upstream rewrote the function; of so few
# statements no such thing can be said.
SAME_FUNCTION = 0.25
_FEW_STATEMENTS = 8
_ATTEMPTS = 12


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """The printed lines of the new function, and the account of the edits.

    *sides* is its text with all conflicts resolved to local, and to the target.
    """

    printed: list[Printed]
    sides: tuple[str, str]
    items: list[Item]


class Reconstructor:
    """Rebuilds one function; *fences* are those of the local tree."""

    def __init__(
        self, base: Tree, local: Tree, target: Tree, fences: Fences, *, strict: bool = False
    ) -> None:
        self._base, self._local, self._target = base, local, target
        self._fences = fences
        self._strict = strict
        self._by_target = align(base, target)
        pair_alone(base, self._by_target)
        self._by_local = self._align_local()
        self._solid: set[tuple[int, int]] = set()
        self._unmerged: set[Node] = set()
        self._widen = False

    def _align_local(self) -> Alignment:
        """Match base with local; a comment in a block that the target has not is local's own."""
        found = align(self._base, self._local)
        pair_alone(self._base, found)
        spans = [block.span for block in self._fences.blocks]
        for local, base in list(found.left.items()):
            dropped = local.kind is Kind.COMMENT and base not in self._by_target.right
            if dropped and any(span.start < local.line < span.end for span in spans):
                found.unpair(local)
        return found

    def check_fences(self, first: int) -> tuple[Finding, ...]:
        """What is odd about the fences of local, which starts at line *first* of its file.

        Positions are lines of the function.
        """
        ends = check_block_ends(self._local, self._fences, self._by_local, first)
        return (*self._fences.findings, *ends)

    @property
    def copied(self) -> float:
        """The share of base's code that local has; of so few statements its name says enough."""
        return 1.0 if is_small(self._base) else shared(self._base, self._by_local)

    def build(self, labels: Labels, margin: str) -> Reconstruction:
        """Return the new function at the indentation *margin*."""
        if self._base.text == self._target.text:
            return self._verbatim(self._local, margin)
        if self._target.text == self._local.text or self._base.text == self._local.text:
            return self._verbatim(self._target, margin)
        unchanged = self._local.root.code in (self._base.root.code, self._target.root.code)
        if not unchanged and self._is_rewritten():
            return self._whole_conflict(labels, margin, "the upstream rewrote the function")
        for _ in range(_ATTEMPTS):
            account = self._account()
            try:
                rendered = self._render(self._plan(account))
            except UnbalancedError as error:
                if not self._solidify(error.items):
                    break
                continue
            except UnplaceableError:
                break
            torn = self._torn_blocks(rendered, account)
            torn = [(block, item) for block, item in torn if not self._mend(rendered, block, item)]
            if torn and self._solidify([item for _, item in torn]):
                continue
            if not torn and parses(rendered, margin):
                if self._local.root.code == self._target.root.code:
                    if self._is_said_wrongly(rendered):
                        return self._verbatim(self._target, margin)
                    _absorb_all([i for i in account.items if not i.fenced])
                self._say_solid(account)
                return _finish(rendered, labels, margin, account)
            if not self._unmerge(rendered):
                if self._widen:
                    break
                self._widen = True
        reason = "the edits cannot be put into the upstream's code without breaking it"
        return self._whole_conflict(labels, margin, reason)

    def _is_rewritten(self) -> bool:
        statements = sum(n.kind is Kind.STATEMENT for n in self._base.root.walk())
        return statements >= _FEW_STATEMENTS and shared(self._base, self._by_target) < SAME_FUNCTION

    def _account(self) -> Account:
        return Account(self._fences.blocks, self._local)

    def _plan(self, account: Account) -> Plan:
        options = Options(
            indent_unit(self._local), self._strict, self._widen, frozenset(self._unmerged)
        )
        scene = Scene(self._by_local, self._by_target, account, options)
        return replay(make_ledger(self._base.root, self._local.root, self._by_local), scene)

    def _render(self, plan: Plan) -> Rendered:
        trees = (self._base, self._local, self._target)
        return Renderer(*trees, self._by_local, self._by_target, plan).render()

    def _verbatim(self, tree: Tree, margin: str) -> Reconstruction:
        """Two of the three sides are the same text, so the result is *tree* as it is."""
        account = self._account()
        self._plan(account)
        if tree is not self._local:
            _absorb_all(account.items)
        else:
            _carry_all(account.items)
        mine = tree.text == self._local.text
        is_local = tree is self._local
        beside = _lines_beside(self._by_local if is_local else self._by_target)
        if self._local.text == self._target.text:
            beside = {n: n for n in range(1, len(tree.written) + 1)}
        lines: list[Line | Hunk] = [
            Line(
                x,
                fixed=n in tree.interior,
                origin=n if mine else 0,
                mine=n if is_local else beside.get(n, 0),
                theirs=beside.get(n, 0) if is_local else n,
            )
            for n, x in enumerate(tree.written, 1)
        ]
        return _finish(Rendered(lines), Labels(), margin, account)

    def _whole_conflict(self, labels: Labels, margin: str, reason: str) -> Reconstruction:
        """There is no skeleton to replay anything into: the function is one conflict."""
        account = self._account()
        for item in account.items:
            item.say(Outcome.CONFLICT, Evidence.GUESSED, reason)
        item = account.drift([self._local.root], 1)
        item.modifies = True
        item.say(Outcome.CONFLICT, Evidence.GUESSED, reason)
        local, base, target = (
            [
                Line(
                    x,
                    None,
                    fixed=n in t.interior,
                    mine=n if t is self._local else 0,
                    theirs=n if t is self._target else 0,
                )
                for n, x in enumerate(t.lines, 1)
            ]
            for t in (self._local, self._base, self._target)
        )
        rendered = Rendered([Hunk(local, base, target, reason, item)])
        return _finish(rendered, labels, margin, account)

    def _is_said_wrongly(self, rendered: Rendered) -> bool:
        """Whether the result is other code than local and target, which are the same.

        So it is where the same code stands there many times. Local must have no words of its own.
        """
        texts = (n.head for n in self._local.root.walk() if not n.is_code and not n.fence)
        said = Counter(n.head for n in self._target.root.walk() if not n.is_code)
        if Counter(texts) - said:
            return False
        return parse_function(side_text(rendered, "local", "")).root.code != self._target.root.code

    # -- checks -----------------------------------------------------------------------------

    def _torn_blocks(self, rendered: Rendered, account: Account) -> list[tuple[Block, Item]]:
        """Blocks that no longer stand in one place, whole and with nothing else of local in it.

        The innermost come first.
        """
        lines = _local_lines(rendered)
        places = _places(lines)
        comments = {n.line for n in self._local.root.walk() if n.kind is Kind.COMMENT}
        torn = [
            (block, item)
            for block, item in account.blocks
            if block.closing
            and block.span.start in comments
            and _is_torn(block, item, lines, places)
        ]
        return sorted(torn, key=lambda x: x[0].span.end - x[0].span.start)

    def _mend(self, rendered: Rendered, block: Block, item: Item) -> bool:
        """Put the fences of a block that came apart around what its code became."""
        if item.outcomes and all(o is Outcome.ABSORBED for o, _, _ in item.outcomes):
            rendered.out = without_fences(rendered, block.span)
            return True
        mended = refence(rendered, block.span, self._local)
        lines = _local_lines(rendered)
        if not mended or _is_torn(block, item, lines, _places(lines)):
            return False
        item.warn("the fence goes around what its code became")
        return True

    def _solidify(self, items: list[Item]) -> bool:
        """Make the local code of *items* one piece each, matched with nothing in base.

        At first only what the target has no longer: for want of a place it would be a conflict
        somewhere else.
        """
        held = dict.fromkeys(n for item in items for n in self._held_by(item))
        dropped = [n for n in held if self._by_local.left[n] not in self._by_target.right]
        for local in dropped or held:
            self._by_local.unpair(local)
        if not dropped:
            self._solid.update((item.start, item.end) for item in items)
        return bool(held)

    def _say_solid(self, account: Account) -> None:
        for item in account.items:
            if item.fenced and (item.start, item.end) in self._solid:
                item.warn("kept in one piece, though the upstream has its code in several places")

    def _held_by(self, item: Item) -> list[Node]:
        """The local code of *item* that base has too."""
        return [
            n
            for n in self._by_local.left
            if item.start <= n.line
            and n.end_line <= item.end
            and n.parent is not None
            and not (n.kind is Kind.CLAUSE and n.word in ("def", "@"))
        ]

    def _unmerge(self, rendered: Rendered) -> bool:
        """Find the merged statements that are no Python, and make them conflicts from now on."""
        merged = {n: t for n, t in rendered.merged.items() if n not in self._unmerged}
        broken = {n for n, text in merged.items() if not _is_statement(n, text)}
        self._unmerged |= broken or set(merged)
        return bool(merged)


def _finish(rendered: Rendered, labels: Labels, margin: str, account: Account) -> Reconstruction:
    sides = (side_text(rendered, "local", margin), side_text(rendered, "target", margin))
    printed = print_lines(rendered, labels, margin, account.lines())
    return Reconstruction(printed, sides, account.items)


def _lines_beside(alignment: Alignment) -> dict[int, int]:
    """The lines of a version by those of base: where base and the third are the same text."""
    return {
        node.line + here: base.line + there
        for node, base in alignment.left.items()
        for here, there in pair_up(node.lines, base.lines)
    }


def _local_lines(rendered: Rendered) -> list[Line]:
    return [
        x for entry in rendered.out for x in ([entry] if isinstance(entry, Line) else entry.local)
    ]


def _places(lines: list[Line]) -> dict[int, list[int]]:
    """Where each line of local stands among *lines*."""
    found: dict[int, list[int]] = {}
    for number, line in enumerate(lines):
        if line.origin:
            found.setdefault(line.origin, []).append(number)
    return found


def _is_torn(block: Block, item: Item, lines: list[Line], places: dict[int, list[int]]) -> bool:
    both = sorted({block.span.start, block.span.end})
    ends = sorted(n for origin in both for n in places.get(origin, ()))
    if not ends:
        return all(outcome is not Outcome.ABSORBED for outcome, _, _ in item.outcomes)
    if len(ends) != 2:
        return True
    # A closing fence behind code stands as deep as the last statement does.
    apart = _column(lines[ends[0]]) != _column(lines[ends[1]])
    if apart and not lines[ends[1]].code:
        return True
    if lines[ends[0]].origin != block.span.start:
        return True
    own = range(block.span.start, block.span.end + 1)
    if any(not ends[0] <= n <= ends[1] for origin in own for n in places.get(origin, ())):
        return True
    for line in lines[ends[0] : ends[1] + 1]:
        if line.origin and line.origin not in own:
            return True
        if reads_as_fence(line):
            return True
    return False


def _absorb_all(items: Sequence[Item]) -> None:
    for item in items:
        item.outcomes = [(Outcome.ABSORBED, Evidence.EXACT, "the upstream says the same")]


def _carry_all(items: Sequence[Item]) -> None:
    """Nothing in *items* meets an upstream change, for there is none."""
    for item in items:
        item.outcomes = [(Outcome.CARRIED, Evidence.EXACT, "the upstream changed nothing")]
        item.overruled, item.warnings, item.absorbed = [], [], []


def _column(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())


def _is_statement(node: Node, text: str) -> bool:
    """Whether a merged statement or header is Python by itself."""
    if node.kind is Kind.CLAUSE:
        lead = {"elif": "if x:\n pass\n", "else": "if x:\n pass\n", "case": "match x:\n "}
        lead |= dict.fromkeys(("except", "finally"), "try:\n pass\n")
        text = f"{lead.get(node.word, '')}{textwrap.dedent(text).rstrip()}\n  pass\n"
        return is_function(text)
    return is_function(as_module(text))


def parses(rendered: Rendered, margin: str = "") -> bool:
    """Whether *rendered* is Python, its conflicts resolved to either side."""
    # Without conflicts the two are the same text, which is read once; and only a merge can have
    # brought together two arguments of one name.
    sides = {side_text(rendered, s, margin) for s in ("local", "target")}
    merged = rendered.merged.items()
    return all(map(is_python, sides)) and all(_is_statement(n, text) for n, text in merged)


def is_function(text: str) -> bool:
    """Whether *text* is Python, and no call or function in it has two arguments of one name."""
    tree = find_tree(text)
    if tree is None:
        return False
    return not any(_names_twice(node) for node in ast.walk(tree))


def is_python(text: str) -> bool:
    """Whether a function is Python, of whatever version."""
    return function_names(text) is not NO_FUNCTION


def _names_twice(node: ast.AST) -> bool:
    """Whether a parameter or a keyword stands there twice, which the parser lets pass."""
    names: list[str | None] = []
    if isinstance(node, ast.arguments):
        every = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
        names = [a.arg for a in every if a is not None]
    elif isinstance(node, ast.Call):
        names = [name for k in node.keywords for name in _keywords(k)]
    return len(names) != len(set(names))


def _keywords(keyword: ast.keyword) -> Iterator[str]:
    """The names that an argument gives: its own, or those of a dict spelled out behind ``**``."""
    if keyword.arg is not None:
        yield keyword.arg
    elif isinstance(keyword.value, ast.Dict):
        for key, value in zip(keyword.value.keys, keyword.value.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value
            elif key is None:
                yield from _keywords(ast.keyword(None, value))


def shared(base: Tree, alignment: Alignment) -> float:
    """The share of base's code, by size, that the other side has too."""
    nodes = [n for n in base.root.walk() if n.kind is Kind.STATEMENT]
    total = sum(n.size for n in nodes)
    return sum(n.size for n in nodes if n in alignment.right) / total if total else 1.0


def function_fences(tree: Tree, first: int = 1) -> Fences:
    """Pair the fences of one function, which starts at line *first* of its file.

    Positions are lines of the function; messages name lines of the file.

    The tree's comment nodes that are fences are marked as such.
    """
    found = pair_fences(_comments(tree), first - 1)
    fence_lines = {f.line for f in found.fences}
    for node in tree.root.walk():
        if node.kind is Kind.COMMENT and node.line in fence_lines:
            node.fence = True
    return found


def _comments(tree: Tree) -> list[Comment]:
    out: list[Comment] = []

    def visit(node: Node, scope: str) -> None:
        if node.kind is Kind.CLAUSE and node.word in ("def", "class"):
            scope = f"{scope}.{node.key[node.key.index(node.word) + 1]}"
        if node.kind is Kind.COMMENT:
            out.append(Comment(node.tokens[0], node.tokens[0].column, scope))
        else:
            out.extend(
                Comment(token, indent_of(tree.lines[token.line - 1]), scope)
                for token in node.tokens
                if token.is_comment
            )
        for child in node.children:
            visit(child, scope)

    visit(tree.root, "")
    return sorted(out, key=lambda c: c.token.line)


def indent_unit(tree: Tree) -> str:
    """The white space by which the function's body is indented."""
    for node in tree.root.walk():
        if node.kind is Kind.CLAUSE and node.children and node.word != "@":
            return node.body_indent[len(node.indent) :]
    return "    "


def with_unit(tree: Tree, unit: str) -> Tree:
    """The same function indented by *unit*, where it is indented otherwise."""
    if indent_unit(tree) == unit:
        return tree
    lines = list(tree.lines)

    def visit(node: Node, depth: int) -> None:
        for i in range(len(node.lines)):
            at = node.line + i
            if at not in tree.interior and lines[at - 1].startswith(node.indent):
                lines[at - 1] = unit * depth + lines[at - 1][len(node.indent) :]
        deeper = depth + (node.kind is Kind.CLAUSE and node.word != "@")
        for child in node.children:
            visit(child, deeper)

    visit(tree.root, 0)
    try:
        return parse_function("".join(lines))
    except SourceError:
        return tree
