"""Which statement of one tree is which of another.

Siblings are matched in order, a block at a time. What then is still unmatched is looked for under
a new ``with`` or ``if`` (or freed from one), and elsewhere in the function; and what stands word
for word in the same gap wins over what is alike. ``docs/internals/alignment.md`` has the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from omni_codemods.functions.alignment import Alignment, next_code, once, same_code
from omni_codemods.functions.likeness import Shortlist, defined_name, likeness, main_clause
from omni_codemods.functions.sequences import match_sequences
from omni_codemods.functions.tree import Kind, Node, Tree
from omni_codemods.functions.verbatim import iter_gaps, prefer_verbatim

# Code found outside its own block must be this alike to be called the same.
MOVED_THRESHOLD = 0.8
# ... and at least this many tokens long: `return None` stands everywhere.
MOVED_SIZE = 8
# Code under a new `with` or `if` must match at least this many tokens.
WRAPPED_SIZE = 5


def align(left: Tree, right: Tree) -> Alignment:
    """Match the nodes of two functions; the functions themselves are taken to be the same."""
    alignment = Alignment()
    _descend(left.root, right.root, alignment)
    _find_wraps(alignment)
    changed = _prefer_neighbours(alignment, right.root)
    if _prefer_neighbours(alignment.flipped(), left.root) or changed:
        _find_wraps(alignment)
    if prefer_verbatim(left.root, right.root, alignment, lambda a, b: _descend(a, b, alignment)):
        _find_left_over(alignment)
        _find_wraps(alignment)
    _find_moves(left.root, right.root, alignment)
    return alignment


def _find_left_over(alignment: Alignment) -> None:
    """Match what lost its partner to the same code elsewhere with what stands in its place."""
    for a, b in list(alignment.right.items()):
        if a.kind is Kind.CLAUSE and alignment.right.get(a) is b:
            for left, right in iter_gaps(a, b, alignment):
                for x, y in match_sequences(left, right):
                    _descend(x, y, alignment)


def _descend(left: Node, right: Node, alignment: Alignment) -> None:
    """Pair two nodes and, in order, what stands below them."""
    alignment.pair(left, right)
    if left.kind is Kind.COMPOUND:
        pairs = _match_clauses(left, right)
    else:
        pairs = match_sequences(
            _unpaired(left.children, alignment.right), _unpaired(right.children, alignment.left)
        )
    for a, b in pairs:
        _descend(a, b, alignment)


def _unpaired(nodes: Sequence[Node], paired: dict[Node, Node]) -> list[Node]:
    return [n for n in nodes if n not in paired]


def _match_clauses(left: Node, right: Node) -> list[tuple[Node, Node]]:
    """The main clauses are the same, whatever they say; the others go by likeness.

    Unless one of them stands word for word as an `elif` of the other side, which has a new first
    arm: then all go by what they say.
    """
    main_l, main_r = main_clause(left), main_clause(right)
    if (shifted := _find_shifted(left, right)) is not None:
        a, b = shifted
        pairs = match_sequences(left.children[: a.index], right.children[: b.index])
        pairs.append(shifted)
        pairs += match_sequences(left.children[a.index + 1 :], right.children[b.index + 1 :])
        return pairs
    pairs = match_sequences(left.children[: main_l.index], right.children[: main_r.index])
    pairs.append((main_l, main_r))
    pairs += match_sequences(left.children[main_l.index + 1 :], right.children[main_r.index + 1 :])
    return pairs


def _find_shifted(left: Node, right: Node) -> tuple[Node, Node] | None:
    """The first arm of one side, and the `elif` of the other that has the same condition."""
    if main_clause(left).key[1:] == main_clause(right).key[1:]:
        return None
    for one, other, flip in ((left, right, False), (right, left, True)):
        first = main_clause(one)
        for clause in other.children if first.word == "if" else ():
            if clause.word == "elif" and clause.key[1:] == first.key[1:]:
                return (clause, first) if flip else (first, clause)
    return None


def _find_wraps(alignment: Alignment) -> None:
    """Match code with the same code under a compound that only one side has."""
    flipped = alignment.flipped()
    seen: set[Node] = set()
    while waiting := [x for x in alignment.right if x.kind is Kind.CLAUSE and x not in seen]:
        seen.update(waiting)
        for left in waiting:
            right = alignment.right[left]
            for outside, clause, view in ((left, right, alignment), (right, left, flipped)):
                for child in clause.children:
                    if child.kind is Kind.COMPOUND and child not in view.left:
                        _match_wrapped(outside, child, view)


def _match_wrapped(
    outside: Node, compound: Node, alignment: Alignment, *, near: bool = False, deep: bool = False
) -> bool:
    """Match the unmatched children of *outside* (left) with the bodies of *compound* (right).

    Where *near* says that *compound* stands among what matched, little code is enough that is the
    same; where *deep* says that nothing around it in another new one did, only code counts that
    would be found anywhere. Returns whether any matched.
    """
    found = False
    for clause in compound.children:
        gap = _gap_of(outside, compound, alignment)
        if clause.kind is not Kind.CLAUSE or not gap:
            continue
        inside = _unpaired(clause.children, alignment.left)
        pairs = match_sequences(gap, inside)
        if deep and not near:
            pairs = [(a, b) for a, b in pairs if likeness(a, b) >= MOVED_THRESHOLD]
        matched = _code_size(a for a, _ in pairs)
        smaller = min(_code_size(gap), _code_size(inside))
        partners = (alignment.left.get(n) for n in clause.children)
        known = near or any(p is not None and p.parent is outside for p in partners)
        same = [(a, b) for a, b in pairs if same_code(a, b)]
        if matched < WRAPPED_SIZE or matched < 0.5 * smaller:
            # All that is left of the gap stands here word for word: then it is that, however short.
            whole = len(same) == sum(n.is_code for n in gap)
            pairs = same if known or whole else []
        for a, b in pairs:
            _descend(a, b, alignment)
        known = known or bool(pairs)
        for child in clause.children:
            if child.kind is Kind.COMPOUND and child not in alignment.left:
                known |= _match_wrapped(outside, child, alignment, near=known, deep=True)
        for a, b in same if known else ():
            if a not in alignment.right and b not in alignment.left:
                _descend(a, b, alignment)
        found |= known
    return found


def _code_size(nodes: Iterable[Node]) -> int:
    return sum(n.size for n in nodes if n.is_code)


def _gap_of(outside: Node, compound: Node, alignment: Alignment) -> list[Node]:
    """The unmatched children of *outside* between the partners of what stands around *compound*."""
    before: list[Node] = []
    after: list[Node] = []
    node = compound
    while node.parent is not None and alignment.left.get(node) is not outside:
        siblings = node.parent.children
        before += reversed(siblings[: node.index])
        after += siblings[node.index + 1 :]
        node = node.parent
    start = next((max(found) + 1 for found in _places(before, outside, alignment) if found), 0)
    ends = (min(found) for found in _places(after, outside, alignment) if found)
    end = next(ends, len(outside.children))
    return _unpaired(outside.children[start:end], alignment.right)


def _places(nodes: Iterable[Node], outside: Node, alignment: Alignment) -> Iterator[list[int]]:
    """For each of *nodes*, with which children of *outside* it or what it wraps is paired."""
    for node in nodes:
        partners = (alignment.left.get(n) for n in node.walk())
        yield [p.index for p in partners if p is not None and p.parent is outside]


def _prefer_neighbours(alignment: Alignment, right: Node) -> bool:
    """Of a statement that *right* has more than once, pair the one whose neighbours are paired.

    Says whether any pair changed.
    """
    changed = False
    said = Counter(n.code for n in right.walk() if n.kind is Kind.STATEMENT)
    for a, b in list(alignment.right.items()):
        if said[b.code] < 2:
            continue
        partners = ((alignment.right.get(n), step) for n, step in _beside(a))
        beside = (next_code(p, -step) for p, step in partners if p is not None)
        free = [n for n in beside if n is not None and n not in alignment.left and same_code(n, b)]
        best = max([b, *free], key=lambda n: _neighbours(a, n, alignment))
        if best is not b:
            alignment.unpair(b)
            alignment.pair(a, best)
            changed = True
    return changed


def _beside(node: Node) -> Iterator[tuple[Node, int]]:
    """The statements before and after *node*, each with the way to it."""
    for step in (-1, 1):
        if (found := next_code(node, step)) is not None:
            yield found, step


def _neighbours(left: Node, right: Node, alignment: Alignment) -> int:
    """How many of the statements next to *left* are paired with the one next to *right*."""
    return sum(next_code(right, step) is alignment.right.get(n, left) for n, step in _beside(left))


def _find_moves(left: Node, right: Node, alignment: Alignment) -> None:
    """Match what stands elsewhere: the same code first, then code that is very alike."""
    for a, b in _same_names(left, right, alignment):
        if a not in alignment.right and b not in alignment.left:
            _descend(a, b, alignment)
    for threshold in (1.0, MOVED_THRESHOLD):
        loose_l = _loose(left, alignment.right)
        loose_r = _loose(right, alignment.left)
        for a, b in _mutual_best(loose_l, loose_r, threshold):
            if a not in alignment.right and b not in alignment.left:
                _descend(a, b, alignment)


def _same_names(left: Node, right: Node, alignment: Alignment) -> list[tuple[Node, Node]]:
    """Nested functions and classes that went elsewhere under their old name."""
    there = {defined_name(n): n for n in right.walk() if n not in alignment.left}
    return [
        (n, there[name])
        for n in left.walk()
        if n not in alignment.right and (name := defined_name(n)) and name in there
    ]


def _loose(root: Node, paired: dict[Node, Node]) -> list[Node]:
    return [
        n
        for n in root.walk()
        if n not in paired and n.kind in (Kind.STATEMENT, Kind.COMPOUND) and n.size >= MOVED_SIZE
    ]


def _mutual_best(left: list[Node], right: list[Node], threshold: float) -> list[tuple[Node, Node]]:
    """Pairs that are each other's only best; larger ones first."""
    if threshold == 1.0:
        there = {n.code: n for _, n in once(right)}
        scores = [(1.0, n, there[n.code]) for _, n in once(left) if n.code in there]
    else:
        few = Shortlist(right)
        scores = [
            (like, a, b) for a in left for b in few.of(a) if (like := likeness(a, b)) >= threshold
        ]
    best_l: dict[Node, list[float]] = {}
    best_r: dict[Node, list[float]] = {}
    for like, a, b in scores:
        best_l.setdefault(a, []).append(like)
        best_r.setdefault(b, []).append(like)
    out = [
        (a, b)
        for like, a, b in scores
        if best_l[a].count(max(best_l[a])) == 1
        and best_r[b].count(max(best_r[b])) == 1
        and like == max(best_l[a]) == max(best_r[b])
    ]
    return sorted(out, key=lambda p: -p[0].size)
