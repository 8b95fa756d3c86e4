"""Which edited code the skeleton says already, or says in another version.

See *What the target says already* in docs/internals/replay-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import Role
from omni_codemods.functions.likeness import Shortlist, head_likeness, likeness
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.placement import Gap
from omni_codemods.replay.plan import Piece, Plan, Region

# Unfenced edited code this alike to new skeleton code says the same: the skeleton's stays.
ABSORBED_LIKENESS = 0.75
# Two new compounds this alike are two versions of one.
TWIN_LIKENESS = 0.6


class Absorber:
    """Decides, over all runs of a function at once, which pieces the skeleton makes needless.

    A block is absorbed whole or not at all: only when the skeleton has all its code, word for
    word, and the block replaces nothing. Drift is absorbed piece by piece.
    """

    def __init__(self, facts: Facts, plan: Plan, wraps: Iterable[Item] = ()) -> None:
        """*wraps* are the edits whose compound the skeleton has put around the same code."""
        self._facts = facts
        self._plan = plan
        self._them = facts.words.skeleton
        self._wraps = frozenset(map(id, wraps))
        self._said: dict[Piece, Node] = {}
        self._blocks: dict[Item, list[Piece]] = {}
        self._around: dict[Item, list[Node]] = {}
        self._dropped: set[Piece] = set()
        self._near: set[Node] = set()
        self._versions: dict[Piece, Node] = {}

    def look(
        self,
        pieces: Sequence[Piece],
        gap: Gap,
        changed: Sequence[Node],
        beside: Sequence[Node] = (),
    ) -> None:
        """Look for *pieces* among the skeleton's new code in *gap* and what else stands there.

        In what stands *beside* the gap, only the same code counts.
        """
        new = (n for n in gap.newcomers if self._plan.is_new(n))
        near = self._free((*new, *changed))
        self._near.update((*near, *beside))
        wrapped = _wrapped(pieces)
        loose = [p for p in pieces if p.is_code and p not in wrapped]
        loose = [p for p in loose if self._facts.versions.skeleton_of(p.node) is None]
        for piece in pieces:
            if piece.item.fenced:
                self._blocks.setdefault(piece.item, []).append(piece)
                self._around.setdefault(piece.item, []).extend((*near, *beside))
        by_code: dict[tuple[Kind, str], list[Node]] = {}
        for node in (*near, *beside):
            by_code.setdefault((node.kind, node.code), []).append(node)
        for piece in loose:
            same = self._free(by_code.get((piece.node.kind, piece.node.code), ()))
            self._take(self._said, piece, same[0] if same else None)
        few = Shortlist(near)
        for piece in loose:
            if piece in self._said:
                continue
            if piece.item.fenced or not self._facts.inner_items(piece.node):
                self._take(self._said, piece, _alike(piece.node, self._free(few.of(piece.node))))
            else:
                self._take(self._versions, piece, self._version(piece, self._free(near)))

    def _free(self, nodes: Iterable[Node]) -> list[Node]:
        return [n for n in nodes if n not in self._plan.taken]

    def _take(self, said: dict[Piece, Node], piece: Piece, twin: Node | None) -> None:
        if twin is not None:
            said[piece] = twin
            self._plan.taken.add(twin)

    def settle(self) -> None:
        """After all looks: absorb what can be, and give the rest of the skeleton's code free."""
        lost = self._lost()
        for item, pieces in self._blocks.items():
            code = [p for p in pieces if p.is_code]
            whole = all(p.is_code or not p.node.is_code for p in pieces)
            said = whole and all(self._says_the_same(p) for p in code)
            says = bool(code) or id(item) in self._wraps
            if says and said and not item.deletes and self._is_held(item):
                self._dropped.update(pieces)
                self._plan.absorbed.update((self._said[p], item) for p in code)
                item.say(Outcome.ABSORBED, Evidence.EXACT, f"{self._them} now says the same")
                continue
            for piece in code:
                if piece in self._said:
                    self._keep_once(piece, self._said.pop(piece))
                elif piece.node.code in lost:
                    twin = _same(piece.node, self._free(self._around[item]))
                    if twin is not None:
                        self._facts.double(item, twin)
        for piece, twin in self._said.items():
            if not piece.item.fenced:
                exact = twin.code == piece.node.code
                evidence = Evidence.EXACT if exact else Evidence.GUESSED
                how = "the same" if exact else "much the same"
                why = evidence, f"{self._them} now says {how}"
                piece.item.absorb(piece.node.line, *why)
                for item in self._facts.inner_items(piece.node):
                    item.say(Outcome.ABSORBED, *why)
                self._dropped.add(piece)
                self._plan.absorbed[twin] = piece.item

    def _lost(self) -> set[str]:
        """Code of the ancestor that neither side is known to have, and may have all the same."""
        ours, theirs = self._facts.to_edited.right, self._facts.to_skeleton.right
        root = next(iter(ours))
        return {n.code for n in root.walk() if n.is_code and n not in ours and n not in theirs}

    def _says_the_same(self, piece: Piece) -> bool:
        twin = self._said.get(piece)
        return twin is not None and twin.code == piece.node.code

    def _is_held(self, item: Item) -> bool:
        """Whether the skeleton has all code of the ancestor in the block *item*, as it is there."""
        held = [
            (n, self._facts.versions.skeleton_of(n))
            for n in self._facts.to_edited.left
            if n.is_code and item.start <= n.line and n.end_line <= item.end
        ]
        return all(skeleton is not None and skeleton.head == n.head for n, skeleton in held)

    def _keep_once(self, piece: Piece, twin: Node) -> None:
        """A line of a block that stays and that the skeleton has too, in the same place."""
        if twin.code != piece.node.code:
            self._plan.gone.add(twin)
            piece.item.overrule("", twin.text())
            why = f"stands for new code of {self._them} that says much the same"
            piece.item.say(Outcome.CARRIED, Evidence.GUESSED, why)
        elif twin in self._near:
            self._plan.gone.add(twin)
            why = f"{self._them}'s own line that says the same is left to the block"
            piece.item.say(Outcome.CARRIED, Evidence.EXACT, why)
        else:
            self._plan.taken.discard(twin)
            self._facts.double(piece.item, twin)

    def narrowed(self, pieces: Sequence[Piece], gap: Gap) -> list[tuple[list[Piece], Gap]]:
        """Cut a run at its absorbed pieces: what stood before or after one still does.

        Returns what is left of the run, each part with the part of *gap* that it may take.
        """
        parts: list[tuple[list[Piece], Gap]] = []
        start, low, early = 0, gap.low, False
        for k, piece in enumerate([*pieces, None]):
            twin = self._said.get(piece) if piece in self._dropped else None
            if piece is not None and (twin is None or twin.parent is not gap.parent):
                continue
            high = twin.index if twin is not None else gap.high
            if kept := self.rest(pieces[start:k]):
                parts.append((kept, replace(gap, low=low, high=max(low, high), early=early)))
            if twin is not None:
                start, low, early = k + 1, twin.index + 1, True
        return parts

    def rest(self, pieces: Sequence[Piece]) -> list[Piece]:
        """What of *pieces* is left; a comment goes with the absorbed code that it leads."""
        kept: list[Piece] = []
        follows: bool | None = None
        for piece in reversed(pieces):
            if piece.node.is_code or not piece.is_whole:
                follows = piece in self._dropped
            gone = piece in self._dropped or (
                follows is True and not piece.node.is_code and not piece.item.fenced
            )
            if not gone:
                kept.append(piece)
        return kept[::-1]

    def without_twins(self, pieces: list[Piece], gap: Gap) -> list[Piece]:
        """Take out drift that is another version of a compound which the skeleton added.

        Both would run, so that is a conflict. A block stays, and the account says what it
        stands beside.
        """
        kept: list[Piece] = []
        for piece in pieces:
            twin = self._find_twin(piece, gap)
            if twin is None:
                kept.append(piece)
            elif piece.item.fenced:
                self._facts.double(piece.item, twin)
                kept.append(piece)
            else:
                self._plan.taken.add(twin)
                reason = "both added a version of this code"
                self._facts.say([piece], Outcome.CONFLICT, (Evidence.GUESSED, reason))
                start = twin.index
                region = Region(gap.parent, start, start + 1, [piece], [], reason, piece.item)
                self._plan.regions.append(region)
        return kept

    def _find_twin(self, piece: Piece, gap: Gap) -> Node | None:
        return self._versions.get(piece) or self._version(piece, self._free(gap.newcomers))

    def _version(self, piece: Piece, nodes: Sequence[Node]) -> Node | None:
        """Which of *nodes* is another version of the compound that the edited side added."""
        added = piece.is_whole and piece.node not in self._facts.to_edited.left
        if not added or piece.node.kind is not Kind.COMPOUND:
            return None
        compounds = (n for n in nodes if n.kind is Kind.COMPOUND)
        return _most_alike(piece.node, compounds, TWIN_LIKENESS)


def _same(node: Node, nodes: Iterable[Node]) -> Node | None:
    return next((n for n in nodes if n.kind is node.kind and n.code == node.code), None)


def _alike(node: Node, nodes: Iterable[Node]) -> Node | None:
    best = _most_alike(node, nodes, ABSORBED_LIKENESS)
    return best if best is not None and _says_all(best, node) else None


def _most_alike(node: Node, nodes: Iterable[Node], threshold: float) -> Node | None:
    """The first of the *nodes* that are most alike to *node*, if *threshold* is reached."""
    alike = [(likeness(node, n), -i, n) for i, n in enumerate(nodes)]
    best = max(alike, default=None, key=lambda x: x[:2])
    return best[2] if best is not None and best[0] >= threshold else None


def _wrapped(pieces: Sequence[Piece]) -> set[Piece]:
    """Those of a run that stand in a compound which the edited side opens or closes there.

    The skeleton's new code in the gap is not in it.
    """
    inside: set[Piece] = set()
    start, depth = 0, 0
    for k, piece in enumerate(pieces):
        role = piece.entry.role
        if role is Role.OPEN:
            depth += 1
        elif depth == 0 and role in (Role.MIDDLE, Role.CLOSE):
            inside.update(pieces[start:k])
        if role is Role.CLOSE:
            depth = max(0, depth - 1)
            start = k + 1 if depth == 0 else start
        elif role is Role.MIDDLE:
            depth = max(1, depth)
        elif depth:
            inside.add(piece)
    return inside


def _says_all(other: Node, node: Node) -> bool:
    """Whether each line of code in *node* has one much like it in *other*."""
    theirs = [n for n in other.walk() if n.key]
    return all(
        any(n.kind is t.kind and _is_alike(n, t) for t in theirs)
        for n in node.walk()
        if n.key and n.is_code
    )


def _is_alike(a: Node, b: Node) -> bool:
    if a.head == b.head:
        return True
    if a.kind is Kind.CLAUSE:
        return a.word == b.word and head_likeness(a, b) >= ABSORBED_LIKENESS
    return likeness(a, b) >= ABSORBED_LIKENESS
