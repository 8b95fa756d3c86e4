"""Edits × skeleton → a plan: what goes into which gap of the target, what goes, what conflicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from omni_codemods.account import Account, Item
from omni_codemods.align import Alignment, likeness
from omni_codemods.bindings import Names, names_of
from omni_codemods.ledger import Entry, Ledger, Pair, Role, Run
from omni_codemods.model import Evidence, Outcome
from omni_codemods.parts import without_fenced
from omni_codemods.placement import Gap, Placer, choose_place
from omni_codemods.statement import Merge, merge_statement
from omni_codemods.tree import Kind, Node

# Unfenced local code this alike to new upstream code says the same: the upstream's stays.
ABSORBED_LIKENESS = 0.75


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A local entry to be put into the skeleton, and the edit that it belongs to."""

    entry: Entry
    item: Item


@dataclass(slots=True, eq=False)
class Region:
    """Children *start* to *end* (exclusive) of a target node that conflict with local code."""

    parent: Node
    start: int
    end: int
    pieces: list[Piece]
    base: list[Node]
    reason: str
    item: Item


@dataclass(slots=True, eq=False)
class HeadConflict:
    """The own lines of a target node conflict with those of *local*."""

    local: Node
    base: Node
    reason: str
    item: Item


@dataclass(slots=True)
class Plan:
    """What to do with the skeleton; places are target nodes and gaps before their children."""

    gaps: dict[tuple[Node, int], list[Piece]] = field(default_factory=dict)
    gone: set[Node] = field(default_factory=set)
    dissolved: set[Node] = field(default_factory=set)
    merged: dict[Node, tuple[str, Item]] = field(default_factory=dict)
    local_wins: dict[Node, Node] = field(default_factory=dict)
    heads: dict[Node, HeadConflict] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)


class UnplaceableError(Exception):
    """A conflict that no hunk smaller than the function can hold."""


class Replay:
    """Makes the :class:`Plan` for one function.

    *by_local* and *by_target* align base with local and with target; with *strict*, drift
    that meets an upstream change is always a conflict.
    """

    def __init__(
        self, by_local: Alignment, by_target: Alignment, account: Account, *, strict: bool = False
    ) -> None:
        self.by_local = by_local
        self.by_target = by_target
        self.account = account
        self.strict = strict
        self.plan = Plan()
        self.unmerged: set[Node] = set()
        self.unit = "    "
        self.widen = False
        self._placer = Placer(by_target)
        self._names: dict[Node, Names] = {}
        self._taken: set[Node] = set()
        self._whole: set[Node] = set()
        self._wraps: dict[Node, Item] = {}

    def make(self, ledger: Ledger) -> Plan:
        """Place everything in *ledger*."""
        for pair in ledger.pairs:
            self._place_whole(pair)
        for run in ledger.runs:
            if not self._is_under_whole(run.block):
                self._place_run(run)
        for pair in ledger.pairs:
            if not self._is_under_whole(pair.base):
                self._place_pair(pair)
        if self.widen:
            self._widen()
        return self.plan

    def _widen(self) -> None:
        """Make a conflict about a clause one about the statement that the clause belongs to."""
        for region in list(self.plan.regions):
            if region.parent.kind is Kind.COMPOUND:
                self.plan.regions.remove(region)
                self._widen_to(region.parent, region.reason, region.item)
        for node, clash in list(self.plan.heads.items()):
            if node.kind is Kind.CLAUSE and node.parent is not None:
                del self.plan.heads[node]
                self._widen_to(node.parent, clash.reason, clash.item)

    def _widen_to(self, target: Node, reason: str, item: Item) -> None:
        base = self.by_target.left.get(target)
        local = self.by_local.right.get(base) if base is not None else None
        if base is None or local is None or target.parent is None:
            raise UnplaceableError
        for inner in self._inner_items(local):
            inner.say(Outcome.CONFLICT, Evidence.GUESSED, reason)
        piece = Piece(Entry(local), item)
        region = Region(
            target.parent, target.index, target.index + 1, [piece], [base], reason, item
        )
        self.plan.regions.append(region)

    # -- compounds that the target no longer has ------------------------------------------

    def _place_whole(self, pair: Pair) -> None:
        """A compound that is gone from the target, with local edits in it, is one decision."""
        base, local = pair.base, pair.local
        if base.kind is not Kind.COMPOUND and base.kind is not Kind.CLAUSE:
            return
        if self._is_under_whole(base) or any(
            n in self.by_target.right for n in base.walk() if n.is_code
        ):
            return
        if local.code == base.code and not self.account.touches_block(local):
            return
        self._whole.add(base)
        gap = self._placer.find_gap(pair.block, pair.entries, pair.at, pair.at + 1)
        items = self._inner_items(local)
        if self._has_drift(base, local) or not items:
            drift = self.account.drift([local], local.line)
            drift.modifies = True
            items.append(drift)
        for item in items:
            outcome = Outcome.ORPHAN if item.fenced else Outcome.CONFLICT
            item.say(outcome, Evidence.GUESSED, "the upstream removed the code around it")
        piece = Piece(Entry(local), items[-1])
        self._region(gap, [piece], [base], "the upstream removed it", items[-1])

    def _has_drift(self, base: Node, local: Node) -> bool:
        """Whether *local* differs from *base* outside its blocks."""
        unfenced = [n for n in local.walk() if n.is_code and self.account.owner(n) is None]
        ours = [without_fenced(n) if n.tokens else n.key for n in unfenced]
        return ours != [n.key for n in base.walk() if n.is_code]

    def _inner_items(self, node: Node) -> list[Item]:
        found = (self.account.owner(n) for n in node.walk())
        return list(dict.fromkeys(i for i in found if i is not None))

    def _is_under_whole(self, node: Node) -> bool:
        at: Node | None = node
        while at is not None and at not in self._whole:
            at = at.parent
        return at is not None

    # -- runs: what local inserted and deleted between shared statements --------------------

    def _place_run(self, run: Run) -> None:
        pieces = [p for p in self._pieces(run) if not self._wraps_already(p)]
        deleter = self._deleter(run, pieces)
        changed, unchanged = self._deleted(run)
        gap = self._gap_of(run, [t for _, t in (*unchanged, *changed)])
        pieces = self._without_absorbed(pieces, gap, [t for _, t in changed])
        self.plan.gone.update(t for _, t in unchanged)
        if unchanged and deleter is not None and not (changed or pieces):
            deleter.say(Outcome.CARRIED, Evidence.EXACT, "deleted there too")
        rivals = self._rivals(run, gap, pieces, unchanged + changed)
        if deleter is not None and deleter.fenced:
            self._overrule(changed, rivals, deleter)
            changed, rivals = [], []
        if changed and deleter is not None:
            self._clash(run, gap, pieces, changed, deleter)
        elif rivals and deleter is not None and not deleter.fenced:
            self._contest(run, gap, pieces, rivals, deleter)
        elif pieces:
            self._insert(gap, pieces)

    def _pieces(self, run: Run) -> list[Piece]:
        out: list[Piece] = []
        drift: Item | None = None
        for entry in run.inserted:
            item = self.account.owner(entry.node)
            if item is None and entry.role is not Role.NODE:
                item = self._wrap_item(entry)
            if item is None:
                loose = [
                    e.node
                    for e in run.inserted
                    if e.role is Role.NODE and self.account.owner(e.node) is None
                ]
                drift = drift or self.account.drift(loose, entry.node.line)
                item = drift
            if entry.role is Role.NODE:
                item.inserts |= entry.node.is_code
            else:
                item.wraps = True
            out.append(Piece(entry, item))
        return out

    def _wraps_already(self, piece: Piece) -> bool:
        """Whether the target has put the same compound around the same code."""
        if piece.entry.role is Role.NODE:
            return False
        node = piece.entry.node
        compound = node if piece.entry.role is Role.CLOSE else node.parent
        assert compound is not None
        heads = [c.head for c in compound.children]
        for local in compound.walk():
            base = self.by_local.left.get(local)
            at = self.by_target.right.get(base) if base is not None else None
            if at is None:
                continue
            at = at.parent
            while at is not None and (at.kind is not Kind.COMPOUND or at in self.by_target.left):
                at = at.parent
            if at is None or [c.head for c in at.children] != heads:
                return False
            piece.item.say(Outcome.ABSORBED, Evidence.EXACT, "the upstream has the same around it")
            return True
        return False

    def _wrap_item(self, entry: Entry) -> Item:
        """One edit for all parts of a compound that local put around base code."""
        compound = entry.node if entry.role is Role.CLOSE else entry.node.parent
        assert compound is not None
        if compound not in self._wraps:
            self._wraps[compound] = self.account.drift([compound], compound.line)
        return self._wraps[compound]

    def _deleter(self, run: Run, pieces: list[Piece]) -> Item | None:
        """The edit to which the deletions of *run* belong; a block next to them owns them."""
        deleted = [e.node for e in run.deleted if e.node.is_code or not pieces]
        if not deleted:
            return None
        owners = [p.item for p in pieces]
        item = next((i for i in owners if i.fenced), owners[0] if owners else None)
        if item is None:
            if not any(n.is_code for n in deleted):
                return None
            item = self.account.drift([], self._line_near(run))
            item.summary = _summary(deleted[0])
        item.deletes = True
        return item

    def _line_near(self, run: Run) -> int:
        for entry in reversed(run.entries[: run.start]):
            partner = self.by_local.right.get(entry.node)
            if partner is not None:
                return partner.end_line
        partner = self.by_local.right.get(run.block)
        return partner.line if partner is not None else 1

    def _deleted(self, run: Run) -> tuple[list[tuple[Node, Node]], list[tuple[Node, Node]]]:
        """What local deleted and the target still has: (changed there, the same there)."""
        changed: list[tuple[Node, Node]] = []
        unchanged: list[tuple[Node, Node]] = []
        for entry in run.deleted:
            base = entry.node
            if entry.role is Role.OPEN and base.parent is not None:
                compound = self.by_target.right.get(base.parent)
                if compound is not None:
                    self.plan.dissolved.add(compound)
                continue
            if entry.role is not Role.NODE or base in self.by_local.right:
                continue
            target = self.by_target.right.get(base)
            if target is not None:
                same = target.code == base.code or not base.is_code
                (unchanged if same else changed).append((base, target))
        return changed, unchanged

    def _gap_of(self, run: Run, deleted: list[Node]) -> Gap:
        if deleted:
            first = min(
                (t for t in deleted if t.parent is deleted[0].parent), key=lambda t: t.index
            )
            assert first.parent is not None
            home = self.by_target.right.get(run.block)
            moved = home is not first.parent
            evidence = Evidence.MOVED if moved else Evidence.EXACT
            reason = "in place of the code that it replaces"
            return Gap(first.parent, first.index, first.index, evidence, reason)
        return self._placer.find_gap(run.block, run.entries, run.start, run.end)

    def _overrule(self, changed: list[tuple[Node, Node]], rivals: list[Node], item: Item) -> None:
        """A block wins over the target's version of what it replaced, and says so."""
        for base, target in [*changed, *((None, r) for r in rivals)]:
            self.plan.gone.add(target)
            item.overrule(base.text() if base is not None else "", target.text())
            item.say(Outcome.CARRIED, Evidence.EXACT, "overrules an upstream change")

    def _rivals(
        self, run: Run, gap: Gap, pieces: list[Piece], known: list[tuple[Node, Node]]
    ) -> list[Node]:
        """The target's own new code in place of what local replaced."""
        if not any(p.entry.node.is_code for p in pieces):
            return []
        low, high = self._replaced_range(run, gap, [t for _, t in known])
        return [
            n
            for n in gap.parent.children[low:high]
            if n.is_code and n not in self.by_target.left and n not in self._taken
        ]

    def _replaced_range(self, run: Run, gap: Gap, known: list[Node]) -> tuple[int, int]:
        """The children of ``gap.parent`` that stand where the code that local deleted stood."""
        solid = [e.node for e in run.deleted if e.role is Role.NODE and e.node.is_code]
        solid = [n for n in solid if n not in self.by_local.right]
        if not solid:
            return gap.low, gap.low
        inside = [t.index for t in known if t.parent is gap.parent]
        if not inside:
            return gap.low, gap.high
        low, high = min(inside), max(inside) + 1
        children = gap.parent.children
        if solid[0] not in self.by_target.right:
            while low > 0 and children[low - 1] not in self.by_target.left:
                low -= 1
        if solid[-1] not in self.by_target.right:
            while high < len(children) and children[high] not in self.by_target.left:
                high += 1
        return low, high

    def _clash(
        self,
        run: Run,
        gap: Gap,
        pieces: list[Piece],
        changed: list[tuple[Node, Node]],
        item: Item,
    ) -> None:
        reason = "both changed this code"
        targets = [t for _, t in changed if t.parent is gap.parent] or [changed[0][1]]
        parent = targets[0].parent
        assert parent is not None
        start, end = min(t.index for t in targets), max(t.index for t in targets) + 1
        base = [e.node for e in run.deleted if e.role is Role.NODE]
        for piece in pieces:
            piece.item.say(Outcome.CONFLICT, Evidence.EXACT, reason)
        item.say(Outcome.CONFLICT, Evidence.EXACT, reason)
        self.plan.regions.append(Region(parent, start, end, pieces, base, reason, item))
        for one, target in changed:
            if target.parent is not parent and target.parent is not None:
                self.plan.regions.append(
                    Region(target.parent, target.index, target.index + 1, [], [one], reason, item)
                )

    def _contest(
        self, run: Run, gap: Gap, pieces: list[Piece], rivals: list[Node], item: Item
    ) -> None:
        reason = "both replaced this code"
        for piece in pieces:
            piece.item.say(Outcome.CONFLICT, Evidence.EXACT, reason)
        start, end = rivals[0].index, rivals[-1].index + 1
        base = [e.node for e in run.deleted if e.role is Role.NODE]
        self.plan.regions.append(Region(gap.parent, start, end, pieces, base, reason, item))

    def _region(
        self, gap: Gap, pieces: list[Piece], base: list[Node], reason: str, item: Item
    ) -> None:
        newcomers = [n for n in gap.newcomers if n.is_code]
        start = newcomers[0].index if newcomers else gap.low
        end = newcomers[-1].index + 1 if newcomers else gap.low
        self.plan.regions.append(Region(gap.parent, start, end, pieces, base, reason, item))

    def _insert(self, gap: Gap, pieces: list[Piece]) -> None:
        items = list(dict.fromkeys(p.item for p in pieces))
        if gap.orphaned:
            for item in items:
                item.say(Outcome.ORPHAN, gap.evidence, gap.reason)
            self._region(gap, pieces, [], gap.reason, items[0])
            return
        tail, middle, head = _split_at_borders(pieces)
        names = _union(self.names(p.entry.node) for p in middle if p.entry.role is Role.NODE)
        index, why = choose_place(gap, names, self.names) if middle else (gap.high, "")
        outcome = Outcome.MOVED if gap.evidence is Evidence.MOVED else Outcome.CARRIED
        for some, at, said in ((tail, gap.low, ""), (middle, index, why), (head, gap.high, "")):
            for item in dict.fromkeys(p.item for p in some):
                evidence = Evidence.GUESSED if said else gap.evidence
                item.say(outcome, evidence, said or gap.reason)
            self.plan.gaps.setdefault((gap.parent, at), []).extend(some)
        for piece in pieces:
            self._move_out(piece)

    def _move_out(self, piece: Piece) -> None:
        """Code that local moved goes from its old place in the skeleton."""
        base = self.by_local.left.get(piece.entry.node)
        target = self.by_target.right.get(base) if base is not None else None
        if target is not None and piece.entry.role is Role.NODE:
            self.plan.gone.add(target)

    def _without_absorbed(
        self, pieces: list[Piece], gap: Gap, changed: Sequence[Node]
    ) -> list[Piece]:
        """Drop what the skeleton says already; a block goes only when all its code is there."""
        if not pieces:
            return pieces
        near = [n for n in (*gap.newcomers, *changed) if n not in self._taken]
        far = [
            n
            for n in gap.parent.children
            if n not in self.by_target.left and n not in self._taken and n not in near
        ]
        said = {p: self._find_said(p, near, far) for p in pieces}
        kept: list[Piece] = []
        for piece in pieces:
            whole = [p for p in pieces if p.item is piece.item]
            code = [p for p in whole if p.entry.node.is_code]
            if piece.entry.node.is_code:
                gone = said[piece] is not None
            else:
                gone = bool(code) and all(said[p] is not None for p in code)
            twin = said[piece]
            if gone and piece.entry.node.is_code and twin is not None:
                self._taken.add(twin)
                exact = twin.code == piece.entry.node.code
                evidence = Evidence.EXACT if exact else Evidence.GUESSED
                how = "the same" if exact else "much the same"
                piece.item.say(Outcome.ABSORBED, evidence, f"the upstream now says {how}")
            if not gone:
                kept.append(piece)
        return kept

    def _find_said(self, piece: Piece, near: list[Node], far: list[Node]) -> Node | None:
        node = piece.entry.node
        if piece.entry.role is not Role.NODE or node in self.by_local.left:
            return None
        for other in (*near, *far):
            if other.kind is node.kind and other.code == node.code and other not in self._taken:
                return other
        if piece.item.fenced:
            return None
        alike = [(likeness(node, o), -i, o) for i, o in enumerate(near) if o.is_code]
        best = max(alike, default=(0.0, 0, None), key=lambda x: x[:2])
        return best[2] if best[0] >= ABSORBED_LIKENESS and node.is_code else None

    # -- pairs: what both have, perhaps changed ---------------------------------------------

    def _place_pair(self, pair: Pair) -> None:
        base, local = pair.base, pair.local
        if base.kind is Kind.COMPOUND or base.kind is Kind.COMMENT:
            return
        if base.head == local.head:
            self._keep_held(pair)
            return
        item, others = self._changer(base, local)
        said = len(item.outcomes)
        self._place_change(pair, item)
        for other in others:
            other.outcomes += item.outcomes[said:]

    def _keep_held(self, pair: Pair) -> None:
        """A block holds a statement of base; where the target dropped it a person decides."""
        item = self.account.owner(pair.local)
        if item is None or pair.base in self.by_target.right:
            return
        if pair.base.kind is not Kind.STATEMENT:
            return
        reason = "the upstream removed code that the block holds"
        gap = self._placer.find_gap(pair.block, pair.entries, pair.at, pair.at + 1)
        item.say(Outcome.CONFLICT, Evidence.GUESSED, reason)
        self._region(gap, [Piece(Entry(pair.local), item)], [pair.base], reason, item)

    def _place_change(self, pair: Pair, item: Item) -> None:
        base, local = pair.base, pair.local
        target = self.by_target.right.get(base)
        if target is None:
            self._place_lost(pair, item)
        elif target.head == base.head:
            outcome, evidence = self._settled(pair, target)
            item.say(outcome, evidence, "the same statement")
        elif target.head == local.head:
            item.say(Outcome.ABSORBED, Evidence.EXACT, "the upstream made the same change")
        else:
            self._merge(pair, target, item)

    def _changer(self, base: Node, local: Node) -> tuple[Item, list[Item]]:
        """The edit that changed *base* into *local*: a block around or inside it, or drift.

        The second value are further blocks inside the statement.
        """
        inside = self.account.inside(local)
        item = self.account.owner(local)
        if inside and without_fenced(local) != base.key:
            item = item or self.account.drift([local], local.line)
        elif inside:
            item = inside[0]
        item = item or self.account.drift([local], local.line)
        if not item.fenced:
            item.end = local.line + len(local.lines) - 1
        item.modifies = True
        for other in inside:
            other.inserts = True
        return item, [i for i in inside if i is not item]

    def _settled(self, pair: Pair, target: Node) -> tuple[Outcome, Evidence]:
        home = self.by_target.right.get(pair.block)
        if target.parent is home or pair.base.parent is None:
            return Outcome.CARRIED, Evidence.EXACT
        return Outcome.MOVED, Evidence.MOVED

    def _place_lost(self, pair: Pair, item: Item) -> None:
        """Local changed a statement that the target no longer has."""
        reason = "the upstream removed the statement"
        if pair.base.kind is not Kind.STATEMENT:
            item.say(Outcome.ORPHAN, Evidence.GUESSED, "the upstream removed the line it changes")
            return
        gap = self._placer.find_gap(pair.block, pair.entries, pair.at, pair.at + 1)
        piece = Piece(Entry(pair.local), item)
        kept = self._without_absorbed([piece], gap, [])
        if not kept:
            return
        if item.fenced:
            item.overrule(pair.base.text(), "")
            self._insert(gap, kept)
        else:
            item.say(Outcome.CONFLICT, Evidence.GUESSED, reason)
            self._region(gap, kept, [pair.base], reason, item)

    def _merge(self, pair: Pair, target: Node, item: Item) -> None:
        owned = item.fenced and self.account.owns(pair.local, item)
        merge = Merge(self.unit)
        refused = target in self.unmerged or owned or self.strict
        text = None if refused else merge_statement(pair.base, pair.local, target, merge)
        if text is not None:
            self.plan.merged[target] = (text, item)
            outcome, evidence = self._settled(pair, target)
            item.say(outcome, evidence, "merged with an upstream change of the statement")
            if merge.overruled:
                item.overrule("".join(pair.base.lines), "".join(target.lines))
        elif owned:
            self.plan.local_wins[target] = pair.local
            item.overrule("".join(pair.base.lines), "".join(target.lines))
            item.say(Outcome.CARRIED, Evidence.EXACT, "overrules an upstream change")
        else:
            reason = "both changed this statement"
            item.say(Outcome.CONFLICT, Evidence.EXACT, reason)
            self.plan.heads[target] = HeadConflict(pair.local, pair.base, reason, item)

    def names(self, node: Node) -> Names:
        """The names of a node, remembered."""
        if node not in self._names:
            self._names[node] = names_of(node) if node.kind is not Kind.COMMENT else Names()
        return self._names[node]


def _split_at_borders(
    pieces: list[Piece],
) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """Cut a run where a block or wrap that holds shared code closes, and where one opens.

    What closes stays with the code before it, what opens with the code after it, so that the
    target's new code at the border stays outside.
    """
    if not pieces:
        return [], [], []
    first, last = pieces[0].entry.node.line, pieces[-1].entry.node.end_line
    opened: list[int] = []
    low, high = 0, len(pieces)
    for k, piece in enumerate(pieces):
        item = piece.item
        if piece.entry.role is Role.OPEN:
            opened.append(k)
        elif piece.entry.role is Role.CLOSE:
            if opened:
                opened.pop()
            else:
                low = k + 1
        if item.fenced and item.start < first:
            low = max(low, k + 1)
        if item.fenced and item.end > last:
            high = min(high, k)
    high = min([high, *opened])
    high = max(low, high)
    return pieces[:low], pieces[low:high], pieces[high:]


def _summary(node: Node) -> str:
    while not node.lines and node.children:
        node = node.children[0]
    return node.lines[0].strip() if node.lines else ""


def _union(names: Iterable[Names]) -> Names:
    reads: set[str] = set()
    binds: set[str] = set()
    for one in names:
        reads |= one.reads
        binds |= one.binds
    return Names(frozenset(reads), frozenset(binds))
