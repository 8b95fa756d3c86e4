"""Which statement of one tree is which of another.

Equal code is matched first, from the ends and around unique statements; what lies between goes
through an order-preserving weighted matching, a block at a time. What then is still unmatched
is looked for under a new ``with`` or ``if`` (or freed from one), and elsewhere in the function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from omni_codemods.functions.likeness import THRESHOLD, defined_name, likeness, main_clause
from omni_codemods.functions.tree import Kind, Node, Tree

# Code found outside its own block must be this alike to be called the same.
MOVED_THRESHOLD = 0.8
# ... and at least this many tokens long: `return None` stands everywhere.
MOVED_SIZE = 8
# Code under a new `with` or `if` must match at least this many tokens.
WRAPPED_SIZE = 5
# Above this many pairs a gap is matched by equal statements alone, which is linear.
_LARGEST_GAP = 250_000


class Alignment:
    """A one-to-one matching of nodes of a *left* tree with nodes of a *right* tree."""

    __slots__ = ("left", "right")

    def __init__(self) -> None:
        self.right: dict[Node, Node] = {}
        self.left: dict[Node, Node] = {}

    def pair(self, left: Node, right: Node) -> None:
        """Record that *left* and *right* are the same statement."""
        self.right[left] = right
        self.left[right] = left

    def unpair(self, right: Node) -> None:
        """Forget what *right* was paired with."""
        del self.right[self.left.pop(right)]

    def flipped(self) -> Alignment:
        """The same matching, seen from the other side."""
        view = Alignment()
        view.left, view.right = self.right, self.left
        return view


def align(left: Tree, right: Tree) -> Alignment:
    """Match the nodes of two functions; the functions themselves are taken to be the same."""
    alignment = Alignment()
    _descend(left.root, right.root, alignment)
    _find_wraps(alignment)
    changed = _prefer_neighbours(alignment, right.root)
    if _prefer_neighbours(alignment.flipped(), left.root) or changed:
        _find_wraps(alignment)
    _find_moves(left.root, right.root, alignment)
    return alignment


def _weight(a: Node, b: Node, score: float) -> float:
    size = min(a.size, b.size)
    return (size + 1) * score * (1.1 if score == 1.0 else 1.0)


def match_sequences(left: Sequence[Node], right: Sequence[Node]) -> list[tuple[Node, Node]]:
    """Match two runs of siblings, in order, so that the likeness matched is greatest.

    Code is matched as if there were no comments, and comments between the code matched.
    """
    code = _match_code([n for n in left if n.is_code], [n for n in right if n.is_code])
    if len(code) == len(left) or not any(not n.is_code for n in right):
        return code
    at_l = {n: i for i, n in enumerate(left)}
    at_r = {n: i for i, n in enumerate(right)}
    ends = [*((at_l[a], at_r[b]) for a, b in code), (len(left), len(right))]
    out: list[tuple[Node, Node]] = []
    start_l = start_r = 0
    for k, (end_l, end_r) in enumerate(ends):
        out += _match_comments(left[start_l:end_l], right[start_r:end_r])
        out += code[k : k + 1]
        start_l, start_r = end_l + 1, end_r + 1
    return out


def _match_code(left: Sequence[Node], right: Sequence[Node]) -> list[tuple[Node, Node]]:
    """Match two runs of code; of equal neighbours the first are matched.

    Which of them is said anew cannot be known, but two sides that say it anew do so in one place.
    """
    at_l = {n: i for i, n in enumerate(left)}
    at_r = {n: i for i, n in enumerate(right)}
    pairs: list[tuple[Node, Node]] = []
    free_l = free_r = 0
    for a, b in _match_run(left, right):
        i, j = _first_equal(left, at_l[a], free_l), _first_equal(right, at_r[b], free_r)
        pairs.append((left[i], right[j]))
        free_l, free_r = i + 1, j + 1
    return pairs


def _first_equal(nodes: Sequence[Node], at: int, free: int) -> int:
    while at > free and _same(nodes[at - 1], nodes[at]):
        at -= 1
    return at


def _match_comments(left: Sequence[Node], right: Sequence[Node]) -> list[tuple[Node, Node]]:
    """Match the comments of two runs; where only one side has fences, no comment is one of them."""
    some = [n for n in left if not n.is_code]
    others = [n for n in right if not n.is_code]
    if any(n.fence for n in some) != any(n.fence for n in others):
        some = [n for n in some if not n.fence]
        others = [n for n in others if not n.fence]
    return _match_run(some, others)


def _match_run(left: Sequence[Node], right: Sequence[Node]) -> list[tuple[Node, Node]]:
    """Match two runs of the same sort of nodes, trimmed at equal ends first."""
    start, end_l, end_r = 0, len(left), len(right)
    pairs: list[tuple[Node, Node]] = []
    while start < min(end_l, end_r) and _same(left[start], right[start]):
        pairs.append((left[start], right[start]))
        start += 1
    tail: list[tuple[Node, Node]] = []
    while end_l > start and end_r > start and _same(left[end_l - 1], right[end_r - 1]):
        end_l, end_r = end_l - 1, end_r - 1
        tail.append((left[end_l], right[end_r]))
    pairs += _match_gap(left[start:end_l], right[start:end_r])
    return pairs + tail[::-1]


def _same(a: Node, b: Node) -> bool:
    return a.kind is b.kind and a.code == b.code


def _match_gap(left: Sequence[Node], right: Sequence[Node]) -> list[tuple[Node, Node]]:
    if not left or not right:
        return []
    if len(left) * len(right) <= 400:
        return _match_weighted(left, right)
    anchors = _unique_anchors(left, right)
    if not anchors:
        if len(left) * len(right) > _LARGEST_GAP:
            return []
        return _match_weighted(left, right)
    pairs: list[tuple[Node, Node]] = []
    at_l = at_r = 0
    for i, j in [*anchors, (len(left), len(right))]:
        pairs += _match_run(left[at_l:i], right[at_r:j])
        if i < len(left):
            pairs.append((left[i], right[j]))
        at_l, at_r = i + 1, j + 1
    return pairs


def _unique_anchors(left: Sequence[Node], right: Sequence[Node]) -> list[tuple[int, int]]:
    """Positions of code that stands once on each side, the longest run that keeps the order."""
    there = {n.code: j for j, n in _once(right)}
    found = [(i, there[n.code]) for i, n in _once(left) if n.code in there]
    return _longest_increasing(found)


def _once(nodes: Sequence[Node]) -> Iterator[tuple[int, Node]]:
    count: dict[str, int] = {}
    for n in nodes:
        count[n.code] = count.get(n.code, 0) + 1
    return ((i, n) for i, n in enumerate(nodes) if n.is_code and count[n.code] == 1)


def _longest_increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    from bisect import bisect_left

    tails: list[int] = []
    ends: list[int] = []
    back: list[int] = []
    for k, (_, j) in enumerate(pairs):
        at = bisect_left(tails, j)
        back.append(ends[at - 1] if at else -1)
        if at == len(tails):
            tails.append(j)
            ends.append(k)
        else:
            tails[at], ends[at] = j, k
    out: list[tuple[int, int]] = []
    k = ends[-1] if ends else -1
    while k >= 0:
        out.append(pairs[k])
        k = back[k]
    return out[::-1]


def _match_weighted(left: Sequence[Node], right: Sequence[Node]) -> list[tuple[Node, Node]]:
    """Dynamic programming over all pairs; on a tie the earlier pair wins."""
    n, m = len(left), len(right)
    score = [[0.0] * m for _ in range(n)]
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        row, below = best[i], best[i + 1]
        for j in range(m - 1, -1, -1):
            like = likeness(left[i], right[j])
            gain = _weight(left[i], right[j], like) if like >= THRESHOLD else 0.0
            score[i][j] = gain
            row[j] = max(below[j], row[j + 1], gain and gain + below[j + 1])
    out: list[tuple[Node, Node]] = []
    i = j = 0
    while i < n and j < m:
        if score[i][j] and best[i][j] == score[i][j] + best[i + 1][j + 1]:
            out.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return out


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
    """The main clauses are the same, whatever they say; the others go by likeness."""
    main_l, main_r = main_clause(left), main_clause(right)
    pairs = match_sequences(left.children[: main_l.index], right.children[: main_r.index])
    pairs.append((main_l, main_r))
    pairs += match_sequences(left.children[main_l.index + 1 :], right.children[main_r.index + 1 :])
    return pairs


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
        same = [(a, b) for a, b in pairs if _same(a, b)]
        if matched < WRAPPED_SIZE or matched < 0.5 * smaller:
            pairs = same if known else []
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
        beside = (_next(p, -step) for p, step in partners if p is not None)
        free = [n for n in beside if n is not None and n not in alignment.left and _same(n, b)]
        best = max([b, *free], key=lambda n: _neighbours(a, n, alignment))
        if best is not b:
            alignment.unpair(b)
            alignment.pair(a, best)
            changed = True
    return changed


def _beside(node: Node) -> Iterator[tuple[Node, int]]:
    """The statements before and after *node*, each with the way to it."""
    for step in (-1, 1):
        if (found := _next(node, step)) is not None:
            yield found, step


def _neighbours(left: Node, right: Node, alignment: Alignment) -> int:
    """How many of the statements next to *left* are paired with the one next to *right*."""
    return sum(_next(right, step) is alignment.right.get(n, left) for n, step in _beside(left))


def _next(node: Node, step: int) -> Node | None:
    siblings = node.parent.children if node.parent is not None else []
    at = node.index + step
    while 0 <= at < len(siblings) and not siblings[at].is_code:
        at += step
    return siblings[at] if 0 <= at < len(siblings) else None


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
    if len(left) * len(right) > _LARGEST_GAP:
        threshold = 1.0
    scores: list[tuple[float, Node, Node]] = []
    if threshold == 1.0:
        there = {n.code: n for _, n in _once(right)}
        scores = [(1.0, n, there[n.code]) for _, n in _once(left) if n.code in there]
    else:
        for a in left:
            for b in right:
                like = likeness(a, b)
                if like >= threshold:
                    scores.append((like, a, b))
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
