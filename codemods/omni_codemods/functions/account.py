"""The account: every edit of the local function, and what becomes of it."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from omni_codemods.findings.model import Block, Edit, EditKind, EditOutcome, Evidence, Outcome, Span
from omni_codemods.functions.tree import Kind, Node, Tree
from omni_codemods.text.lexer import Token

_WORST = [
    Outcome.ABSORBED,
    Outcome.CARRIED,
    Outcome.MOVED,
    Outcome.FOLLOWED,
    Outcome.PROPOSED,
    Outcome.CONFLICT,
    Outcome.ORPHAN,
]
_SUREST = [Evidence.EXACT, Evidence.MOVED, Evidence.GUESSED]


@dataclass(slots=True, eq=False)
class Item:
    """One edit while its parts are being placed."""

    kind: EditKind
    label: str
    start: int
    end: int
    summary: str
    inserts: bool = False
    deletes: bool = False
    modifies: bool = False
    wraps: bool = False
    markers: tuple[str, str] | None = None  # the first and the last fence, as comments
    outcomes: list[tuple[Outcome, Evidence, str]] = field(default_factory=list)
    overruled: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    followed: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    cause: str = ""
    absorbed: list[tuple[int, Evidence, str]] = field(default_factory=list)

    @property
    def fenced(self) -> bool:
        """Whether the edit is ours on purpose."""
        return self.kind is EditKind.BLOCK

    def say(self, outcome: Outcome, evidence: Evidence, reason: str) -> None:
        """Record what became of one part of the edit."""
        self.outcomes.append((outcome, evidence, reason))

    def absorb(self, line: int, evidence: Evidence, reason: str) -> None:
        """Record that the target has the part of the edit that starts on *line* of local."""
        self.say(Outcome.ABSORBED, evidence, reason)
        self.absorbed.append((line, evidence, reason))

    def warn(self, reason: str) -> None:
        """Record what a person should look at, wherever the edit went."""
        self.say(Outcome.CARRIED, Evidence.GUESSED, reason)
        self.warnings.append(reason)

    def describe(self, node: Node) -> None:
        """Sum the edit up by the first line of *node*."""
        self.summary = _first_line(node)

    def overrule(self, base: str, target: str) -> None:
        """Record an upstream change that the edit overrides."""
        self.overruled.append(render_diff(base, target))

    def follow(self, before: str, after: str, why: str) -> None:
        """Record what a block held *before* the edit, and what stands there *after* it."""
        self.say(Outcome.FOLLOWED, Evidence.EXACT, why)
        self.followed.append(render_diff(before, after))

    def double(self, code: str, why: str) -> None:
        """Record *code* that now runs beside the edit, which has the same."""
        self.warn(why)
        self.doubled.append(code)

    @property
    def change(self) -> str:
        """The kind of change in a word."""
        if self.wraps:
            return "wrap"
        if self.inserts or (self.fenced and not (self.modifies or self.deletes)):
            return "replacement" if self.deletes or self.modifies else "insertion"
        return "modification" if self.modifies else "deletion"

    @property
    def is_remark(self) -> bool:
        """Whether the edit is nothing but an unfenced comment that came through."""
        only_comment = not (self.inserts or self.deletes or self.modifies or self.wraps)
        left = {o for o, _, _ in self.outcomes} & {Outcome.CONFLICT, Outcome.ORPHAN}
        return only_comment and not self.fenced and not left

    def outcome(self, first_line: int, result: Span | None) -> EditOutcome:
        """Sum up; *first_line* is the line of the function in the local file."""
        known = self.outcomes or [(Outcome.CARRIED, Evidence.EXACT, "unchanged")]
        worst = max((o for o, _, _ in known), key=_WORST.index)
        said = [(e, r) for o, e, r in known if o is worst]
        evidence = max((e for e, _ in said), key=_SUREST.index)
        reasons = dict.fromkeys([*(r for e, r in said if e is evidence), *self.warnings])
        if worst is not Outcome.ABSORBED:  # a part that is not in the text is said of its own
            for line, sure, reason in self.absorbed:
                reasons[f"line {line + first_line - 1}: {reason}"] = None
                evidence = max(evidence, sure, key=_SUREST.index)
        edit = Edit(
            self.kind,
            self.change,
            Span(self.start + first_line - 1, self.end + first_line - 1),
            self.summary,
            self.label,
        )
        return EditOutcome(
            edit,
            worst,
            evidence,
            "; ".join(reasons),
            result,
            "".join(self.overruled),
            doubled="".join(dict.fromkeys(self.doubled)),
            followed="".join(dict.fromkeys(self.followed)),
            cause=self.cause,
        )


class Account:
    """All items of one function, and which node of local belongs to which."""

    def __init__(self, blocks: Sequence[Block], local: Tree) -> None:
        self.items: list[Item] = []
        self.blocks = [(b, self._block_item(b, local)) for b in blocks]
        self._block_of = {id(item): block for block, item in self.blocks}
        # By line, since a file may have as many blocks as statements.
        self._covering: dict[int, list[tuple[Block, Item]]] = {}
        self._starting: dict[int, list[tuple[Block, Item]]] = {}
        for block, item in self.blocks:
            self._starting.setdefault(block.span.start, []).append((block, item))
            for line in range(block.span.start, block.span.end + 1):
                self._covering.setdefault(line, []).append((block, item))
        self._covered = sorted(self._covering)

    def _block_item(self, block: Block, local: Tree) -> Item:
        span = block.span
        lines = [x.strip() for x in local.lines[span.start - 1 : span.end]]
        summary = next((x for x in lines if x and not x.startswith("#")), "")
        item = Item(EditKind.BLOCK, block.opening.label, span.start, span.end, summary)
        item.markers = (block.opening.text, (block.closing or block.opening).text)
        self.items.append(item)
        return item

    def lines(self) -> dict[int, Item]:
        """Which line of local belongs to which edit: blocks first, and the innermost one."""
        out: dict[int, Item] = {}
        for item in sorted(self.items, key=lambda i: (not i.fenced, i.end - i.start)):
            for line in range(item.start, item.end + 1):
                if item.fenced or item.change != "deletion":
                    out.setdefault(line, item)
        return out

    def inside(self, node: Node) -> list[Item]:
        """The blocks that stand inside the own lines of *node*: on an element of a bracket."""
        end = node.line + len(node.lines) - 1
        return [
            item
            for block, item in self._starting_in(node.line, end)
            if block.span.end <= end and not self.owns(node, item)
        ]

    def _starting_in(self, first: int, last: int) -> Iterator[tuple[Block, Item]]:
        for line in range(first, last + 1):
            yield from self._starting.get(line, ())

    def owner(self, node: Node) -> Item | None:
        """The block that *node* stands in, or that a trailing fence on it makes."""
        best: tuple[int, Item] | None = None
        end = node.line + max(0, len(node.lines) - 1)
        near = [*self._covering.get(node.line, ()), *self._starting_in(node.line + 1, end)]
        for block, item in near:
            inside = block.span.start <= node.line and node.end_line <= block.span.end
            marked = block.closing is None and node.line <= block.span.start <= end
            if inside or marked:
                size = block.span.end - block.span.start
                if best is None or size < best[0]:
                    best = (size, item)
        return None if best is None else best[1]

    def owns(self, node: Node, item: Item) -> bool:
        """Whether the block *item* holds *node* whole, not just an element inside a bracket."""
        block = self._block_of.get(id(item))
        if block is None:
            return False
        around = block.span.start <= node.line and node.end_line <= block.span.end
        solid = [t for t in node.tokens if not t.is_comment]
        last = solid[-1].end_line if solid else node.line
        return around or (block.closing is None and block.span.start == last)

    def touches_block(self, node: Node) -> bool:
        """Whether a fence stands in *node* or around it."""
        at = bisect_left(self._covered, node.line)
        return at < len(self._covered) and self._covered[at] <= node.end_line

    def drift(self, nodes: Sequence[Node], near: int) -> Item:
        """A new item for unfenced local code *nodes*, or for a gap after line *near*."""
        start = nodes[0].line if nodes else near
        end = nodes[-1].end_line if nodes else near
        code = [n for n in nodes if n.is_code] or list(nodes)
        item = Item(EditKind.DRIFT, "", start, end, _first_line(code[0]) if code else "")
        self.items.append(item)
        return item


def _first_line(node: Node) -> str:
    while not node.lines and node.children:
        node = node.children[0]
    return node.lines[0].strip() if node.lines else ""


def own_comments(node: Node) -> list[Token]:
    """The comments among a node's own tokens."""
    return [t for t in node.tokens if t.is_comment] if node.kind is not Kind.COMMENT else []


def render_diff(base: str, target: str) -> str:
    """The unified diff of two pieces of code, without file names."""
    lines = difflib.unified_diff(
        base.splitlines(keepends=True), target.splitlines(keepends=True), n=2
    )
    return "".join(list(lines)[2:])
