"""What Python wants of a suite: one ``if`` first among the arms, and a statement in each."""

from __future__ import annotations

from omni_codemods.replay.printing.lines import Hunk, Line


def order_arms(body: list[Line | Hunk], indent: str) -> None:
    """The first arm of an ``if`` says so and the others ``elif``, whichever side they are of."""
    seen = False
    for entry in body:
        sides = (
            ([entry],)
            if isinstance(entry, Line)
            else (entry.edited, entry.ancestor, entry.skeleton)
        )
        any_here = False
        for side in sides:
            first = not seen
            for line in side:
                text = line.text.removeprefix(indent)
                word = text.split("(")[0].split(" ")[0]
                if line.fixed or not line.code or word not in ("if", "elif"):
                    continue
                if line.text.startswith(indent):
                    line.text = indent + ("if" if first else "elif") + text[len(word) :]
                    first, any_here = False, True
        seen = seen or any_here


def _is_code(entry: Line | Hunk) -> bool:
    return isinstance(entry, Line) and entry.code and bool(entry.text.strip())


def fill_empty(body: list[Line | Hunk], filler: Line) -> None:
    """A block needs a statement, whichever way its hunks are resolved.

    Nobody resolves one to its ancestor, which says what was there: nothing, or code shown
    elsewhere.
    """
    if any(_is_code(x) for x in body):
        return
    hunks = [x for x in body if isinstance(x, Hunk)]
    if not hunks:
        body.append(filler)
        return
    for side in (hunks[0].edited, hunks[0].skeleton):
        if not any(_is_code(x) for x in side):
            side.append(filler)
