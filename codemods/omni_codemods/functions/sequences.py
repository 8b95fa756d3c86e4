"""Which of two runs of siblings are the same statements, in order.

Equal code is matched first, from the ends and around unique statements; what lies between goes
through an order-preserving weighted matching.
"""

from __future__ import annotations

from collections.abc import Sequence

from omni_codemods.functions.alignment import longest_increasing, once, same_code
from omni_codemods.functions.likeness import THRESHOLD, likeness
from omni_codemods.functions.tree import Node

# A gap with more statements than this on both sides is searched along its diagonal alone, this far
# to both sides: what stands further off has moved, and each statement costs the same in any gap.
_WIDE = 60
_BAND = 30


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
    while at > free and same_code(nodes[at - 1], nodes[at]):
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
    while start < min(end_l, end_r) and same_code(left[start], right[start]):
        pairs.append((left[start], right[start]))
        start += 1
    tail: list[tuple[Node, Node]] = []
    while end_l > start and end_r > start and same_code(left[end_l - 1], right[end_r - 1]):
        end_l, end_r = end_l - 1, end_r - 1
        tail.append((left[end_l], right[end_r]))
    pairs += _match_gap(left[start:end_l], right[start:end_r])
    return pairs + tail[::-1]


def _match_gap(left: Sequence[Node], right: Sequence[Node]) -> list[tuple[Node, Node]]:
    if not left or not right:
        return []
    if len(left) * len(right) <= 400:
        return _match_weighted(left, right)
    anchors = _unique_anchors(left, right)
    if not anchors:
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
    there = {n.code: j for j, n in once(right)}
    found = [(i, there[n.code]) for i, n in once(left) if n.code in there]
    return longest_increasing(found)


def _match_weighted(left: Sequence[Node], right: Sequence[Node]) -> list[tuple[Node, Node]]:
    """Dynamic programming over the pairs of a gap; on a tie the earlier pair wins.

    ``best[i][j]`` is the most that ``left[i:]`` and ``right[j:]`` can be alike. Where the gap is
    wide, row *i* knows the columns near the diagonal alone::

        j →  # # . . .      what lies left of a row's columns is worth what its first is,
             # # # . .      what lies right of them what it is worth below
        i ↓  . # # # .
             . . # # #
    """
    n, m = len(left), len(right)
    columns = [_columns(i, n, m) for i in range(n)] + [range(m, m)]
    score = [[0.0] * len(row) for row in columns]
    best = [[0.0] * (len(row) + 1) for row in columns]

    def at(i: int, j: int) -> float:
        return best[i][max(j - columns[i].start, 0)]

    for i in range(n - 1, -1, -1):
        row, first = best[i], columns[i].start
        row[-1] = at(i + 1, columns[i].stop)
        for j in reversed(columns[i]):
            like = likeness(left[i], right[j])
            gain = _weight(left[i], right[j], like) if like >= THRESHOLD else 0.0
            score[i][j - first] = gain
            row[j - first] = max(at(i + 1, j), row[j - first + 1], gain and gain + at(i + 1, j + 1))
    out: list[tuple[Node, Node]] = []
    i = j = 0
    while i < n and j < m:
        gain = score[i][j - columns[i].start] if j in columns[i] else 0.0
        if gain and at(i, j) == gain + at(i + 1, j + 1):
            out.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif at(i, j) == at(i + 1, j):
            i += 1
        else:
            j += 1
    return out


def _columns(i: int, n: int, m: int) -> range:
    """The columns of row *i* that are looked at, in a gap of *n* rows and *m* columns."""
    if min(n, m) <= _WIDE:
        return range(m)
    reach = _BAND + m // n
    return range(max(0, i * m // n - reach), min(m, i * m // n + reach))
