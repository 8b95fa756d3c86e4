from __future__ import annotations

from dataclasses import replace

from omni_codemods.provenance.best_match import Copy, Original
from omni_codemods.provenance.provenance import Fit
from omni_codemods.text.outline import Located
from omni_port.survey.copies import Found, Sign
from omni_port.survey.grouping import Group, group_copies
from omni_port.survey.siblings import Sibling


def found(
    local: str, original: str, *, line: int = 1, upstream: str = "up", file: str = "u.py"
) -> Found:
    copy = Copy(
        Located(local, line, line + 9, f"def {local}"),
        Original("u", Located(original, 1, 9, f"def {original}" * line)),
        Fit(3, 0, 0.9),
    )
    return Found("a.py", copy, upstream, file, Sign.INHERITS, fenced=line == 1)


def drafts(*every: Found, base: dict[str, tuple[str, str]] | None = None) -> list[Group]:
    return group_copies(every, lambda one: (base or {}).get(one.local))


def test_methods_of_one_class_are_one_port() -> None:
    (group,) = drafts(found("A.run", "U.run"), found("A.stop", "U.stop", line=20))
    draft = group.draft(None)
    assert (draft.local, draft.upstream) == ("a.py::A", "up:u.py::U")
    assert draft.methods == ("run", "stop")
    assert draft.why == ("inherits U; of upstream's code it has", "run 90%, stop 90%")
    assert (draft.base, draft.sibling, draft.sure) == (None, None, True)


def test_other_names_and_other_classes_are_ports_by_themselves() -> None:
    groups = drafts(
        found("A.run", "U.run"),
        found("A.run_twice", "U.run", line=2),
        found("A.profile", "V.profile", upstream="other", line=3),
        found("A.stop", "U.stop", line=40),
    )
    told = [(g.draft(None).local, g.draft(None).upstream, g.draft(None).methods) for g in groups]
    assert told == [
        ("a.py::A", "up:u.py::U", ("run", "stop")),
        ("a.py::A.run_twice", "up:u.py::U.run", None),
        ("a.py::A.profile", "other:u.py::V.profile", None),
    ]
    assert "no fences" in groups[1].draft(None).why
    assert groups[1].draft(None).why[0] == "its class inherits from U; it has 90% of that code"


def test_a_base_of_its_own_makes_a_port_of_its_own() -> None:
    groups = drafts(
        found("A.run", "U.run"),
        found("A.stop", "U.stop", line=40),
        base={"A.run": ("v2", "surely")},
    )
    own = groups[1].draft(None)
    assert (own.local, own.base, own.base_how) == ("a.py::A.run", "v2", "surely")
    assert groups[0].draft(None).methods == ("stop",)


def test_functions_of_a_module_stay_apart() -> None:
    groups = drafts(found("run", "U.run"), found("stop", "stop", line=2))
    assert [g.draft(None).local for g in groups] == ["a.py::run", "a.py::stop"]
    assert all(g.draft(None).methods is None for g in groups)


def test_what_a_function_replaces_besides_is_told() -> None:
    one = replace(found("run", "U.run"), sign=Sign.PATCHES, others=("up.u.V.run",))
    (group,) = drafts(one)
    assert group.draft(None).why == (
        "is assigned to U.run; it has 90% of that code",
        "and is assigned to up.u.V.run as well",
    )


def test_a_sibling_stands_beside_the_class_and_the_methods_that_it_has() -> None:
    sibling = Sibling("g.py", "G", "a base class", ("run",))
    groups = drafts(
        found("A.run", "U.run"),
        found("A.stop_twice", "U.stop", line=2),
        found("A.run", "V.run", upstream="other", line=3),
    )
    told = [(g.draft(sibling).local, g.draft(sibling).sibling) for g in groups]
    assert told == [
        ("a.py::A", "g.py::G"),
        ("a.py::A.stop_twice", None),
        ("a.py::A.run", "g.py::G"),
    ]
    assert groups[0].draft(sibling).sibling_how == "a base class, 1 method in common"


def test_nothing() -> None:
    assert drafts() == []
