"""Three sequences → stretches that all share, and stretches where they differ."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class Stretch:
    """Index ranges of the three versions; *stable* where each is one item, the same in all."""

    stable: bool
    ancestor: tuple[int, int]
    edited: tuple[int, int]
    skeleton: tuple[int, int]


def diff3(
    ancestor: Sequence[Hashable], edited: Sequence[Hashable], skeleton: Sequence[Hashable]
) -> Iterator[Stretch]:
    """Yield the stretches in order. Items are the same when they are equal."""
    to_edited, to_skeleton = _matches(ancestor, edited), _matches(ancestor, skeleton)
    at_b = at_l = at_t = 0
    for i in range(len(ancestor)):
        j, k = to_edited.get(i), to_skeleton.get(i)
        if j is None or k is None:
            continue
        if (at_b, at_l, at_t) != (i, j, k):
            yield Stretch(False, (at_b, i), (at_l, j), (at_t, k))
        yield Stretch(True, (i, i + 1), (j, j + 1), (k, k + 1))
        at_b, at_l, at_t = i + 1, j + 1, k + 1
    if (at_b, at_l, at_t) != (len(ancestor), len(edited), len(skeleton)):
        yield Stretch(False, (at_b, len(ancestor)), (at_l, len(edited)), (at_t, len(skeleton)))


def _matches(left: Sequence[Hashable], right: Sequence[Hashable]) -> dict[int, int]:
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    return {b.a + n: b.b + n for b in blocks for n in range(b.size)}
