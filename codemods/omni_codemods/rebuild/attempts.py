"""Trees in, printed function out: replay, render, verify, and fall back where a check fails.

A local wrap whose parts come apart, or a block whose fences do, is treated as one piece and
tried again; a merged statement that does not parse becomes a conflict; and where nothing
helps, the whole function is one conflict. What comes out has always passed the checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from omni_codemods.findings.model import Evidence, Finding, Outcome
from omni_codemods.functions.account import Account, Item
from omni_codemods.functions.align import align
from omni_codemods.functions.alignment import Alignment, shared
from omni_codemods.functions.alone import is_small, pair_alone
from omni_codemods.functions.block_ends import check_block_ends
from omni_codemods.functions.diff import make_ledger
from omni_codemods.functions.fences import Fences
from omni_codemods.functions.indentation import indent_unit
from omni_codemods.functions.tree import Kind, Node, Tree, parse_function
from omni_codemods.rebuild.still_python import is_statement, parses
from omni_codemods.rebuild.torn_blocks import find_torn
from omni_codemods.replay.facts import Facts, Options
from omni_codemods.replay.plan import Plan
from omni_codemods.replay.printing.lines import (
    Hunk,
    Labels,
    Line,
    Printed,
    Rendered,
    Side,
    both_texts,
    print_lines,
    side_text,
)
from omni_codemods.replay.printing.suite import UnbalancedError
from omni_codemods.replay.printing.text_choice import EditedFirst
from omni_codemods.replay.printing.tracing import lines_beside
from omni_codemods.replay.printing.tree import Renderer
from omni_codemods.replay.replay import UnplaceableError, replay
from omni_codemods.replay.versions import Versions
from omni_codemods.replay.words import Words

# Below this share of base code found in target, upstream rewrote the function; of so few
# statements no such thing can be said.
SAME_FUNCTION = 0.25
_FEW_STATEMENTS = 8
_ATTEMPTS = 12
WORDS = Words("local", "the upstream", "an upstream change", "upstream code")


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
        self._versions = Versions(base, local, target, self._by_local, self._by_target)
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
        ends = check_block_ends(self._local, self._fences, self._by_local, first, self._by_target)
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
        # Each attempt that fails leaves less to try: it takes a pair of base and local apart, or
        # a statement out of those that are merged, or widens the conflicts, once. Nothing of this
        # is undone, so the loop ends by itself; the number is what it may cost.
        for _ in range(_ATTEMPTS):
            account = self._account()
            try:
                rendered = self._render(self._plan(account))
            except UnbalancedError as error:
                learnt = self._solidify(error.items)
            except UnplaceableError:
                learnt = False
            else:
                torn = find_torn(rendered, account, self._local)
                if not torn and parses(rendered, margin):
                    return self._accepted(rendered, labels, margin, account)
                # In this order: a torn block is no reason to give up a merge, and a conflict
                # about more than it must be is the last resort.
                learnt = self._solidify(torn) or self._unmerge(rendered) or self._widen_clauses()
            if not learnt:
                break
        reason = "the edits cannot be put into the upstream's code without breaking it"
        return self._whole_conflict(labels, margin, reason)

    def _accepted(
        self, rendered: Rendered, labels: Labels, margin: str, account: Account
    ) -> Reconstruction:
        """What has passed the checks, with the last words about its edits."""
        if self._local.root.code == self._target.root.code:
            if self._is_said_wrongly(rendered):
                return self._verbatim(self._target, margin)
            _absorb_all([i for i in account.items if not i.fenced])
        for item in account.items:
            if item.fenced and (item.start, item.end) in self._solid:
                item.warn("kept in one piece, though the upstream has its code in several places")
        return _finish(rendered, labels, margin, account)

    def _is_rewritten(self) -> bool:
        statements = sum(n.kind is Kind.STATEMENT for n in self._base.root.walk())
        return statements >= _FEW_STATEMENTS and shared(self._base, self._by_target) < SAME_FUNCTION

    def _account(self) -> Account:
        return Account(self._fences.blocks, self._local)

    def _plan(self, account: Account) -> Plan:
        options = Options(
            indent_unit(self._local), WORDS, self._strict, self._widen, frozenset(self._unmerged)
        )
        facts = Facts(self._versions, account, options)
        return replay(make_ledger(self._base.root, self._local.root, self._by_local), facts)

    def _render(self, plan: Plan) -> Rendered:
        return Renderer(self._versions, plan, EditedFirst(self._versions)).render()

    def _verbatim(self, tree: Tree, margin: str) -> Reconstruction:
        """Two of the three sides are the same text, so the result is *tree* as it is."""
        account = self._account()
        self._plan(account)
        if tree is not self._local:
            _absorb_all(account.items)
        else:
            _carry_all(account.items)
        mine, is_local = tree.text == self._local.text, tree is self._local
        beside = lines_beside(self._by_local if is_local else self._by_target)
        if self._local.text == self._target.text:
            beside = {n: n for n in range(1, len(tree.written) + 1)}
        lines: list[Line | Hunk] = []
        for n, x in enumerate(tree.written, 1):
            sides = (n, beside.get(n, 0)) if is_local else (beside.get(n, 0), n)
            lines.append(Line(x, None, True, n in tree.interior, n if mine else 0, *sides))
        return _finish(Rendered(lines), Labels(), margin, account)

    def _whole_conflict(self, labels: Labels, margin: str, reason: str) -> Reconstruction:
        """There is no skeleton to replay anything into: the function is one conflict."""
        account = self._account()
        for item in account.items:
            item.say(Outcome.CONFLICT, Evidence.GUESSED, reason)
        item = account.drift([self._local.root], 1)
        item.modifies = True
        item.say(Outcome.CONFLICT, Evidence.GUESSED, reason)
        frame = self._target
        local, base, target = (
            [
                Line(x, None, True, n in t.interior, 0, n * (t is self._local), n * (t is frame))
                for n, x in enumerate(t.lines, 1)
            ]
            for t in (self._local, self._base, frame)
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
        return (
            parse_function(side_text(rendered, Side.EDITED, "")).root.code != self._target.root.code
        )

    # -- what an attempt that fails leaves out from now on --------------------------------------

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
        broken = {n for n, text in merged.items() if not is_statement(n, text)}
        self._unmerged |= broken or set(merged)
        return bool(merged)

    def _widen_clauses(self) -> bool:
        """Make conflicts about clauses ones about their compounds from now on."""
        widened, self._widen = not self._widen, True
        return widened


def _finish(rendered: Rendered, labels: Labels, margin: str, account: Account) -> Reconstruction:
    printed = print_lines(rendered, labels, margin, account.lines())
    return Reconstruction(printed, both_texts(rendered, margin), account.items)


def _absorb_all(items: Sequence[Item]) -> None:
    for item in items:
        item.outcomes = [(Outcome.ABSORBED, Evidence.EXACT, "the upstream says the same")]


def _carry_all(items: Sequence[Item]) -> None:
    """Nothing in *items* meets an upstream change, for there is none."""
    for item in items:
        item.outcomes = [(Outcome.CARRIED, Evidence.EXACT, "the upstream changed nothing")]
        item.overruled, item.warnings, item.absorbed = [], [], []
