"""Which element of a bracket is which of another version of it."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from omni_codemods.functions.brackets import Element
from omni_codemods.text.canonical import as_words


def match_elements(left: Sequence[Element], right: Sequence[Element]) -> dict[int, int]:
    """Match elements: named ones by name, others by what they say, then by their place."""
    named = {e.key: j for j, e in enumerate(right) if e.key}
    out = {i: named[e.key] for i, e in enumerate(left) if e.key in named and e.key}
    out.update(_renamed(left, right, out))
    plain_l = [i for i, e in enumerate(left) if not e.key]
    plain_r = [j for j, e in enumerate(right) if not e.key]
    codes_l, codes_r = [left[i].code for i in plain_l], [right[j].code for j in plain_r]
    for op, i1, i2, j1, j2 in SequenceMatcher(None, codes_l, codes_r, autojunk=False).get_opcodes():
        if op == "equal" or (op == "replace" and i2 - i1 == j2 - j1):
            out.update(zip(plain_l[i1:i2], plain_r[j1:j2], strict=True))
        elif op == "replace":
            out.update(_alike(left, right, plain_l[i1:i2], plain_r[j1:j2]))
    return out


def _renamed(
    left: Sequence[Element], right: Sequence[Element], known: dict[int, int]
) -> dict[int, int]:
    """Named elements that got another name: the only new one between the same neighbours that
    says the same after its name."""
    out: dict[int, int] = {}
    free = [j for j in range(len(right)) if j not in known.values() and right[j].key]
    for i, element in enumerate(left):
        if i in known or not element.key or len(element.code) < 3:
            continue
        before = max((j for k, j in known.items() if k < i), default=-1)
        after = min((j for k, j in known.items() if k > i), default=len(right))
        twins = [j for j in free if before < j < after and right[j].code[1:] == element.code[1:]]
        if len(twins) == 1 and twins[0] not in out.values():
            out[i] = twins[0]
    return out


def _alike(
    left: Sequence[Element], right: Sequence[Element], some_l: list[int], some_r: list[int]
) -> dict[int, int]:
    out: dict[int, int] = {}
    start = 0
    for i in some_l:
        for at in range(start, len(some_r)):
            a, b = as_words(left[i].code), as_words(right[some_r[at]].code)
            if SequenceMatcher(None, a, b, autojunk=False).ratio() >= 0.6:
                out[i] = some_r[at]
                start = at + 1
                break
    return out
