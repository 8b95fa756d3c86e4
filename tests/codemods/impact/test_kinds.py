"""Whatever a name becomes, the comparison has words for it, and none of them is a traceback."""

from __future__ import annotations

import pytest

from kindworld import BASE, CLASSES, COPY, FUNCTIONS, OVERRIDE, PATCH, SHAPES, SUBCLASS, USES
from omni_codemods.impact.local import PortText
from omni_codemods.impact.model import Impact, UpstreamChange
from upgrades import compare, port

ROLES = {
    "inherits": (port(SUBCLASS, upstream="up.things.Thing"), CLASSES),
    "overrides": (port(OVERRIDE, upstream="up.things.Thing"), CLASSES),
    "copies a class": (port(COPY, upstream="up.things.Thing"), CLASSES),
    "patches": (port(PATCH, "mine", upstream="up.things.Thing"), FUNCTIONS),
    "uses a class": (port(USES, upstream="up.base.Base"), CLASSES),
    "uses a function": (port(USES, upstream="up.base.Base"), FUNCTIONS),
}


IMPL = "up.things.ThingImpl"


def _changes(one: PortText, old: dict[str, str], new: dict[str, str]) -> list[UpstreamChange]:
    return list(compare(one, {**BASE, **old}, {**BASE, **new}).changes)


def _is_quiet(role: str, old: str, new: str) -> bool:
    """Whether nothing is to be said: it is what it was, or simply there now."""
    for thing in ("class ", "function "):
        new = new.removeprefix(thing)
    plain = new in ("class", "function") or new == old
    same_home = new.startswith("re-exported") and old in (
        "re-exported",
        "tried",
        "re-exported by a star",
    )
    guarded = {old, new} <= {"conditional", "tried"}
    # The sources cannot tell, or the module is told of as one that cannot be read.
    unknown = role.startswith("uses") and new in ("asked for", "not Python")
    return plain or same_home or guarded or unknown


def _is_other(new: str, was_class: bool) -> bool:
    """Whether a function became a class, or the reverse."""
    return new.partition(" ")[0] == ("function" if was_class else "class")


@pytest.mark.parametrize("new", SHAPES)
@pytest.mark.parametrize("role", ROLES)
def test_every_change_of_kind_has_words(role: str, new: str) -> None:
    one, olds = ROLES[role]
    for old, files in olds.items():
        if old in ("for checkers", "moved"):
            continue  # nothing has it there at run time
        found = _changes(one, files, SHAPES[new])
        if not _is_quiet(role, old, new) or _is_other(new, olds is CLASSES):
            assert found, f"{role}: {old} to {new}"
        for change in found:
            assert change.message
            assert change.consumers


def _worst(role: str, old: str, new: str) -> UpstreamChange:
    one, olds = ROLES[role]
    return _changes(one, olds[old], SHAPES[new])[0]


@pytest.mark.parametrize(
    ("role", "old", "new", "kind", "message"),
    [
        ("inherits", "class", "function", "class-kind", "is a function now (was a class)"),
        ("inherits", "alias", "function", "class-kind", "is a function now (was a class)"),
        ("inherits", "class", "constant", "class-kind", "is a constant now (was a class)"),
        ("inherits", "class", "module", "class-kind", "is a module now (was a class)"),
        (
            "inherits",
            "class",
            "from elsewhere",
            "class-kind",
            "is imported from torch.nn.Thing now (was a class)",
        ),
        (
            "inherits",
            "class",
            "partial",
            "class-kind",
            "is a function that partial(...) makes now (was a class)",
        ),
        ("copies a class", "class", "function", "class-kind", "is a function now (was a class)"),
        ("overrides", "class", "function", "class-kind", "is a function now (was a class)"),
        ("patches", "function", "class", "copied-kind", "is a class now (was a function)"),
        ("patches", "function", "constant", "copied-kind", "is a constant now (was a function)"),
        ("uses a class", "class", "function", "class-kind", "is a function now (was a class)"),
    ],
)
def test_what_stops(role: str, old: str, new: str, kind: str, message: str) -> None:
    found = _worst(role, old, new)
    assert (found.kind, found.message) == (kind, message)
    assert found.impact is Impact.ARCHITECTURAL


@pytest.mark.parametrize(
    ("role", "old", "new", "kind", "message"),
    [
        (
            "inherits",
            "class",
            "class re-exported",
            "class-moved",
            "defined in up.home now, and still to be had from up.things",
        ),
        ("inherits", "class", "class alias", "class-moved", f"is another name of {IMPL} now"),
        ("patches", "function", "function alias", "copied-moved", f"moved to {IMPL}"),
        ("patches", "function", "function re-exported", "copied-moved", "moved to up.home.Thing"),
    ],
)  # fmt: skip
def test_what_is_the_same_elsewhere(role: str, old: str, new: str, kind: str, message: str) -> None:
    one, olds = ROLES[role]
    found = _changes(one, olds[old], SHAPES[new])
    assert (kind, message) in {(c.kind, c.message) for c in found}
    mine = next(c for c in found if c.kind == kind)
    assert mine.impact is Impact.MECHANICAL


def test_what_is_there_under_conditions() -> None:
    found = _worst("inherits", "class", "class conditional")
    assert (found.kind, found.impact) == ("class-kind", Impact.BEHAVIORAL)
    assert found.message == "is there under conditions now: a class (line 4), or None (line 14)"
    found = _worst("inherits", "class", "class tried")
    assert found.message == (
        "is there under conditions now: imported from up.home (line 2), or None (line 4)"
    )
    found = _worst("inherits", "class", "class for checkers")
    assert found.message == "is imported for type checkers alone now: nothing has it at run time"
    assert _changes(ROLES["inherits"][0], CLASSES["conditional"], CLASSES["conditional"]) == []


def test_a_class_that_may_have_taken_over() -> None:
    maker = "def Thing(*args) -> 'Made':\n    return Made(*args)\n\n"
    made = CLASSES["class"]["up/things.py"].replace("class Thing", "class Made")
    new = {"up/things.py": maker + made}
    found = _changes(ROLES["inherits"][0], CLASSES["class"], new)[0]
    assert found.kind == "class-kind"
    assert found.details == (
        "up.things.Made is a class that may have taken over; it has 100% of the members",
    )
