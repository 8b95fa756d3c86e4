"""The blocks that fences make among the elements of one bracket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from omni_codemods.findings.model import Block, FenceKind
from omni_codemods.functions.brackets import Element
from omni_codemods.functions.fences import NEEDLE, Comment, find_fence, pair_fences
from omni_codemods.text.lexer import Token


def settle_fences(
    elements: list[Element], foot: tuple[str, ...]
) -> tuple[list[Element], tuple[str, ...]]:
    """Give each element the number of its block, and closing fences to what stands before them.

    A closing fence is read with the element after it, but says where the one before it ends;
    whether a banner opens or closes only its partner tells.
    """
    runs = [*((e.lead, e.trail, e.post) for e in elements), (foot, "", ())]
    if not any(NEEDLE.search(x) for lead, trail, post in runs for x in (*lead, trail, *post)):
        return elements, foot
    blocks = _pair(runs)
    ends = {block.closing.line: block.span.start for block in blocks if block.closing}
    out, at = list(elements), 0
    for i in range(len(elements) + 1):
        lead = out[i].lead if i < len(out) else foot
        cut = max((k + 1 for k in range(len(lead)) if ends.get(at + k, at) < at), default=0)
        if i and cut:
            out[i - 1] = replace(out[i - 1], post=(*out[i - 1].post, *lead[:cut]))
            if i < len(out):
                out[i] = replace(out[i], lead=lead[cut:])
            else:
                foot = lead[cut:]
        if i < len(out):
            places = range(at, at + len(lead) + 1 + len(elements[i].post))
            held = (n for n, b in enumerate(blocks, 1) if _holds(b, places, len(lead)))
            out[i] = replace(out[i], block=next(held, 0))
            at = places.stop
    return out, foot


def _pair(runs: Sequence[tuple[Sequence[str], str, Sequence[str]]]) -> tuple[Block, ...]:
    """The blocks that the comments around elements make; their lines count all comments from 0."""
    comments: list[Comment] = []
    for lead, trail, post in runs:
        for k, text in enumerate((*lead, trail, *post)):
            behind = int(k == len(lead))  # code
            place = (len(comments), behind, len(comments), behind + len(text))
            comments.append(Comment(Token(0, text, *place), 0, ""))
    return pair_fences(comments).blocks


def _holds(block: Block, places: range, lead: int) -> bool:
    """Whether *block* holds the element whose comments have the *places*, *lead* before it."""
    if block.closing is None:
        return block.span.start in places[: lead + 1]
    return block.span.start < places.start + lead <= block.span.end


def fence_kind(comment: str) -> str:
    """Return ``opening``, ``closing``, ``trailing``, or nothing for an ordinary comment."""
    fence = find_fence(Token(0, comment, 1, 0, 1, len(comment)), own_line=True)
    return "" if fence is None or fence.dialect == "dashes" else _NAMES[fence.kind]


_NAMES = {
    FenceKind.OPENING: "opening",
    FenceKind.CLOSING: "closing",
    FenceKind.TRAILING: "trailing",
}
