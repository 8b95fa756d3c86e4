"""What kind of thing a name was and is, in the words of a message."""

from __future__ import annotations

from omni_codemods.sources.shapes import Shape, Sort


def say_sort(old: Shape, new: Shape) -> str:
    """Return ``is a function now (was a class)``; nothing where both are the same."""
    if old.sort is new.sort and old.is_made == new.is_made:
        return ""
    # Of a value that a call gives, or another project's, nobody knows what it is.
    if {old.sort, new.sort} <= {Sort.MADE, Sort.CONSTANT, Sort.DECLARED, Sort.TYPE}:
        return ""
    return f"is {new.words} now (was {old.words})"


def say_arms(old: Shape, new: Shape) -> str:
    """Return what to say of a name that was simply there, and now only under a condition."""
    if new.typing and not old.typing:
        return "is imported for type checkers alone now: nothing has it at run time"
    if old.arms or not new.arms:
        return ""
    if len(new.arms) == 1:
        return f"is there only under a condition now: {new.arms[0]}"
    return f"is there under conditions now: {', or '.join(new.arms)}"


def say_origin(path: str, old: Shape, new: Shape) -> str:
    """Return where *path*, that is the same kind of thing at both ends, comes from now."""
    module, _, name = path.rpartition(".")
    if new.origin in (path, old.origin) or new.sort is Sort.MODULE:
        return ""
    home, _, called = new.origin.rpartition(".")
    if called != name:
        return f"is another name of {new.origin} now"
    return f"defined in {home} now, and still to be had from {module}"
