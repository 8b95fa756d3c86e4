from __future__ import annotations

from omni_port.survey.copies import Unported
from omni_port.survey.draft import Draft, PortDraft, SiblingsDraft, UpstreamDraft
from omni_port.survey.summary import render_survey

PORT = PortDraft("a.py::A", "up:u.py::U", None, ())


def test_ports_are_counted() -> None:
    aside = PortDraft("b.py::B", "up:u.py::U", None, (), sure=False)
    assert render_survey(Draft((), None, (PORT,)), verbose=False) == "1 port"
    said = render_survey(Draft((), None, (PORT, PORT, aside)), verbose=False)
    assert said == "2 ports, and 1 commented out"


def test_what_is_no_port_is_listed_as_far_as_it_is_short() -> None:
    unported = tuple(Unported("a.py", n, f"f{n}", "is nested") for n in range(1, 8))
    draft = Draft((), None, (PORT,), unported)
    lines = render_survey(draft, verbose=False).split("\n")
    assert lines[0] == "a.py:1: no port: f1 is nested"
    assert lines[5:] == ["and 2 more that are no ports; -v lists them", "1 port"]
    assert len(render_survey(draft, verbose=True).split("\n")) == 8


def test_what_was_not_found_and_what_to_write() -> None:
    upstream = UpstreamDraft("up", "v2", None, "../up", "no tag has what was copied")
    siblings = SiblingsDraft(None, "no git", guessed=True)
    said = render_survey(Draft((upstream,), siblings, (), remarks=("a remark",)), verbose=False)
    assert said.split("\n") == [
        "a remark",
        "up: no current revision: no tag has what was copied; write `current` by hand",
        "siblings: no git; write [siblings] by hand to sync them",
    ]


def test_nothing_to_say() -> None:
    assert render_survey(Draft((), None, ()), verbose=True) == ""
