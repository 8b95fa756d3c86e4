"""Which changes of the GPU sibling are the downstream's own, and so belong on the NPU copy.

Where the sibling's upstream is known at both ends this is exact: what stands there too is the
upstream's upgrade, everything else is the downstream's. Without it, the place decides: a change
inside code that the NPU copy has of its own travels, and so does one that names the downstream
package. The rest is only proposed.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from omni_codemods.functions.diff import Entry, Ledger, Pair, Role, Run
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.names.reads import names_of
from omni_codemods.replay.versions import Versions
from omni_codemods.sync.causes import Proposed, text_of, with_causes
from omni_codemods.sync.downstream import Downstream, Theirs, Upstreams
from omni_codemods.sync.entries import first_code, is_code, pieces_left
from omni_codemods.sync.taken import NOTHING_TAKEN, Taken
from omni_codemods.sync.uses import Use

# In normal tokens, which one space separates.
_LACKING = "the NPU copy has nothing of the code that the sibling changed here"


@dataclass(slots=True)
class Sorted:
    """A ledger cut in two: what travels, and what is only proposed, with the reason."""

    travels: Ledger = field(default_factory=Ledger)
    proposed: list[Proposed] = field(default_factory=list)


class Sorter:
    """Sorts the ledger of the sibling (before and after) by whose changes they are.

    *upstream* has the heads of the NPU copy's own upstream, *fenced* the lines of its blocks.
    """

    def __init__(
        self,
        versions: Versions,
        downstream: Downstream,
        upstream: frozenset[str] | None,
        fenced: frozenset[int],
        upstreams: Upstreams | None,
        taken: Taken = NOTHING_TAKEN,
    ) -> None:
        self._taken = taken
        self._before, self._after = versions.ancestor, versions.edited
        self._copy = versions.skeleton
        self._to_after, self._to_copy = versions.to_edited, versions.to_skeleton
        self._downstream = downstream
        self._upstream = upstream
        self._fenced = fenced
        self._lacking: dict[Node, str] = {}
        self._causes: dict[Node, str] = {}
        self._forced: frozenset[Node] = frozenset()
        self._is_chosen = False
        self._deleted: set[str] = set()
        self._said = {line.strip() for line in self._copy.lines}
        self._theirs = Theirs(upstreams) if upstreams is not None else None

    def sort(self, ledger: Ledger) -> Sorted:
        """Return what travels; what nothing speaks for is proposed, unless a person took it."""
        found = self._sort(ledger)
        if not self._taken.keys:
            return found
        pairs = {pair.edited: pair.ancestor for pair in ledger.pairs}
        # What changed in a statement that the copy has not cannot be put in.
        right = self._to_copy.right
        self._forced = frozenset(
            n for n in self._chosen(ledger, found) if n not in pairs or pairs[n] in right
        )
        self._is_chosen = True
        found = self._sort(ledger)
        return replace(found, proposed=[]) if self._taken.only else found

    def _chosen(self, ledger: Ledger, found: Sorted) -> Iterator[Node]:
        """The nodes of what was taken: as it is proposed, or where it would travel here anyway."""
        for one in found.proposed:
            if self._taken.has(text_of(one.nodes, self._after)):
                yield from one.nodes
        if not self._taken.only:
            return
        pieces = [nodes for run in ledger.runs for nodes in pieces_left(run, ())]
        pieces += [[pair.edited] for pair in ledger.pairs if self._is_change(pair)]
        for nodes in pieces:
            for first, last in itertools.combinations(range(len(nodes) + 1), 2):
                if self._taken.has(text_of(nodes[first:last], self._after)):
                    yield from nodes[first:last]

    def _sort(self, ledger: Ledger) -> Sorted:
        out = Sorted()
        self._find_lacking(ledger)
        # What stands elsewhere now was moved: taken out there, it must come in here.
        self._deleted = {e.node.code for run in ledger.runs for e in run.deleted if is_code(e)}
        pairs = [pair for pair in ledger.pairs if self._is_change(pair)]
        travelling = [p for p in pairs if self._goes(p)]
        runs = [(run, self._pieces(run)) for run in ledger.runs]
        self._add_needed(runs)
        self._drop_unread(runs, travelling)
        self._close_wraps(runs)
        for run, pieces in runs:
            kept = tuple(e for e in run.inserted if e in pieces or self._comes_along(e, pieces))
            deletes = self._replaces(run, pieces)
            if pieces or deletes:
                end = run.end if deletes else run.start
                out.travels.runs.append(replace(run, end=end, inserted=kept))
            replaced = self._replaced(run)
            out.proposed += [self._proposed(nodes, replaced) for nodes in pieces_left(run, pieces)]
        out.travels.pairs += travelling
        for pair in pairs:
            lacks = pair.edited in self._lacking
            if pair not in travelling and (lacks or self._is_theirs_alone(pair.edited)):
                gone = self._to_copy.right.get(pair.ancestor) is None
                nodes = [pair.edited]
                out.proposed.append(
                    Proposed(nodes, _LACKING) if gone and not lacks else self._proposed(nodes)
                )
        out.proposed = with_causes(out.proposed, names_of(self._copy.root.text()).binds)
        return out

    def _goes(self, pair: Pair) -> bool:
        if pair.edited in self._forced:
            return True
        return not self._only and self._pair_travels(pair) and pair.edited not in self._lacking

    def _pieces(self, run: Run) -> set[Entry]:
        """What of *run* travels on its own account, and what a person took."""
        taken = {e for e in run.inserted if e.node in self._forced}
        if self._only:
            return taken
        return {e for e in self._own_pieces(run) if e.node not in self._lacking} | taken

    @property
    def _only(self) -> bool:
        """Whether nothing travels but what was taken, which is known by now."""
        return self._taken.only and self._is_chosen

    def _comes_along(self, entry: Entry, pieces: Collection[Entry]) -> bool:
        return self._is_new_comment(entry) and (bool(pieces) or not self._only)

    def _replaces(self, run: Run, pieces: Collection[Entry]) -> bool:
        """Whether what the sibling deleted in *run* goes: with all that stands there now taken,
        that takes its place."""
        code = [e for e in run.inserted if is_code(e)]
        taken = bool(self._gone(run)) and any(e.node in self._forced for e in code)
        if taken and all(e in pieces for e in code):
            return True
        return not self._only and self._deletes(run)

    def _proposed(self, nodes: Sequence[Node], replaced: str = "") -> Proposed:
        cause = next((self._causes[n] for n in nodes if n in self._causes), "")
        return Proposed(nodes, self._doubt(nodes) + replaced, cause)

    def _replaced(self, run: Run) -> str:
        """What of the copy goes where all that the sibling inserted in *run* is taken: who takes it
        has to know."""
        gone = [mine for n in self._gone(run) if (mine := self._to_copy.right.get(n)) is not None]
        lines = [next((x.strip() for x in n.text().splitlines() if x.strip()), "") for n in gone]
        return f"; taken whole, it takes the place of `{'`, `'.join(lines)}`" if lines else ""

    def _find_lacking(self, ledger: Ledger) -> None:
        """Find what would not run on the NPU class: it, or what binds a name that it reads."""
        changes = [e.node for run in ledger.runs for e in run.inserted if is_code(e)]
        changes += [p.edited for p in ledger.pairs if self._is_change(p)]
        uses = [Use(node) for node in dict.fromkeys(changes)]
        known = names_of(self._copy.root.text()).binds
        found = {u: why for u in uses if (why := self._downstream.lacks(u.code))}
        causes = dict(found)
        waiting = list(found)
        while waiting:
            binder = waiting.pop()
            for use in uses:
                names = use.reads & binder.binds - known
                if names and use not in found:
                    found[use] = f"it reads {min(names)}: {found[binder]}"
                    causes[use] = causes[binder]
                    waiting.append(use)
        self._causes = {use.node: why for use, why in causes.items()}
        self._lacking = {u.node: why for u, why in found.items() if u.node not in self._forced}

    def _drop_unread(self, runs: Sequence[tuple[Run, set[Entry]]], pairs: Sequence[Pair]) -> None:
        """Leave out what only gives a value to a name, where nothing that reads it travels."""
        read = set(names_of(self._copy.root.text()).reads)
        read |= {name for pair in pairs for name in Use(pair.edited).reads}
        entries = [e for run, pieces in runs for e in run.inserted if e not in pieces]
        staying = {name for e in entries if is_code(e) for name in Use(e.node).reads}
        while True:
            moving = [Use(e.node) for _, pieces in runs for e in pieces if is_code(e)]
            needed = read | {name for use in moving for name in use.reads}
            # Of a call whose value is read by what stays out: it is a part of that.
            values = (u for u in moving if u.is_value or (u.is_variable and u.binds & staying))
            values = (u for u in values if u.code not in self._deleted)
            values = (u for u in values if u.node not in self._forced)
            unread = {u.node: u for u in values if not u.binds & needed}
            for _, pieces in runs:
                pieces -= {e for e in pieces if e.node in unread}
            for node, use in unread.items():
                self._lacking[node] = f"nothing that is brought over reads {min(use.binds)}"
            if not unread:
                return

    def _is_new_comment(self, entry: Entry) -> bool:
        """Whether *entry* is a comment that the copy has nowhere."""
        if entry.node.is_code:
            return False
        return not {x.strip() for x in entry.node.lines} <= self._said

    def _doubt(self, nodes: Sequence[Node]) -> str:
        if reason := next((self._lacking[n] for n in nodes if n in self._lacking), ""):
            return reason
        if self._theirs is not None and all(map(self._theirs.added, nodes)):
            return "the sibling's upstream has it too: its own upgrade"
        return "nothing tells whether it is the downstream's own or its upstream's upgrade"

    # -- runs -------------------------------------------------------------------------------

    def _own_pieces(self, run: Run) -> set[Entry]:
        """The inserted entries of *run* that travel on their own account."""
        code = [e for e in run.inserted if is_code(e)]
        if self._theirs is not None:
            return {e for e in code if not self._theirs.added(e.node)}
        if any(self._moved_from_upstream(e) for e in run.inserted):
            return set()
        if self._deletes(run):
            return set(code)
        if self._gone(run):
            return {e for e in code if self._downstream.mentions(e.node)}
        before, after = self._anchors(run)
        sides = [x for x in (before, after) if x is not None]
        if any(self._is_own(x) for x in sides):
            return {e for e in code if not self._downstream.is_foreign(e.node)}
        return {e for e in code if sides and self._downstream.mentions(e.node)}

    def _moved_from_upstream(self, entry: Entry) -> bool:
        base = self._to_after.left.get(entry.node)
        if base is None or entry.role is not Role.NODE or not entry.node.is_code:
            return False
        target = self._to_copy.right.get(base)
        return target is None or not self._is_own(target)

    def _gone(self, run: Run) -> list[Node]:
        """The code that the sibling deleted here, and has nowhere else."""
        nodes = [e.node for e in run.deleted if e.role is Role.NODE and e.node.is_code]
        return [n for n in nodes if n not in self._to_after.right]

    def _deletes(self, run: Run) -> bool:
        """Whether what the sibling deleted is the NPU copy's own, all of it."""
        gone = self._gone(run)
        if self._theirs is not None:
            return bool(gone) and not any(self._theirs.removed(n) for n in gone)
        targets = [t for n in gone if (t := self._to_copy.right.get(n)) is not None]
        return bool(targets) and all(self._is_own(t) for t in targets)

    def _anchors(self, run: Run) -> tuple[Node | None, Node | None]:
        before = first_code(run.entries[: run.start][::-1])
        after = first_code(run.entries[run.end :])
        right = self._to_copy.right
        if before is None and run.block.parent is not self._before.root:
            before = run.block
        left = right.get(before) if before is not None else None
        return left, right.get(after) if after is not None else None

    def _is_own(self, node: Node) -> bool:
        """Whether the NPU copy has *node* of its own, not from its upstream."""
        if node.line in self._fenced:
            return True
        if self._upstream is None:
            return False
        if node.kind is Kind.COMPOUND:
            return all(self._is_own(n) for n in node.walk() if n.key and n.is_code)
        return node.head not in self._upstream

    def _add_needed(self, runs: Sequence[tuple[Run, set[Entry]]]) -> None:
        """Add the insertions that bind a variable which something that travels reads."""
        binders: dict[str, list[tuple[set[Entry], Entry]]] = {}
        for run, pieces in runs:
            for entry in run.inserted:
                if is_code(entry) and entry not in pieces and entry.node not in self._lacking:
                    for name in names_of(entry.node.text()).binds:
                        binders.setdefault(name, []).append((pieces, entry))
        known = names_of(self._copy.root.text()).binds
        waiting = [e for _, pieces in runs for e in pieces]
        while waiting:
            names = names_of(waiting.pop().node.text())
            for name in (names.reads - known) & binders.keys():
                for pieces, entry in binders.pop(name):
                    if entry not in pieces:
                        pieces.add(entry)
                        waiting.append(entry)

    def _close_wraps(self, runs: list[tuple[Run, set[Entry]]]) -> None:
        """The parts of a compound taken apart travel together, as its opening part does."""
        opened = {e.node.parent for _, pieces in runs for e in pieces if e.role is Role.OPEN}
        for run, pieces in runs:
            for entry in run.inserted:
                if entry.role in (Role.MIDDLE, Role.CLOSE):
                    compound = entry.node if entry.role is Role.CLOSE else entry.node.parent
                    (pieces.add if compound in opened else pieces.discard)(entry)

    # -- pairs ------------------------------------------------------------------------------

    def _is_theirs_alone(self, node: Node) -> bool:
        """Whether a change that stays out must be told: it is known not to be an upgrade's."""
        if self._theirs is not None:
            return not self._theirs.has(node)
        return self._downstream.mentions(node)

    def _is_change(self, pair: Pair) -> bool:
        if (
            pair.ancestor.kind in (Kind.COMPOUND, Kind.COMMENT)
            or pair.ancestor.head == pair.edited.head
        ):
            return False
        return pair.ancestor.parent is not self._before.root or pair.ancestor.word == "def"

    def _pair_travels(self, pair: Pair) -> bool:
        target = self._to_copy.right.get(pair.ancestor)
        if target is None:
            return False
        if self._theirs is not None:
            return not self._theirs.has(pair.edited)
        if self._is_own(target) and pair.ancestor.parent is not self._before.root:
            return True
        added = set(pair.edited.key) - set(pair.ancestor.key)
        words = self._downstream.words
        named = bool(self._downstream.imported & added)
        return named or (words is not None and words.search(" ".join(added)) is not None)
