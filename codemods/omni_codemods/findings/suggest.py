"""What somebody may have meant: one wording for every name that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

# So many names are proposed, and so many listed where nothing is near.
_CLOSE = 3
_LISTED = 12
# A short name in a class of long ones is near at half of its letters.
_NEAR = 0.5
_BESIDE = 0.7


def find_close(name: str, known: Iterable[str]) -> list[str]:
    """Return what of *known* is spelt most like *name*, the nearest first, at most three.

    What is much further than the nearest is none of them.
    """
    close = difflib.get_close_matches(name, list(known), _CLOSE, _NEAR)
    near = [difflib.SequenceMatcher(None, one, name).ratio() for one in close]
    return [one for one, share in zip(close, near, strict=True) if share > _BESIDE * near[0]]


def suggest(name: str, known: Sequence[str], otherwise: str | None = None) -> str:
    """Return a hint for the unknown *name*: what is near among *known*.

    Where nothing is near, it is *otherwise*, by default the list of what is known.
    """
    close = find_close(name, known)
    if close:
        return f"did you mean {' or '.join(close)}?"
    if otherwise is not None:
        return otherwise
    listed = ", ".join(known[:_LISTED])
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    return f"known: {listed}{more}" if known else ""
