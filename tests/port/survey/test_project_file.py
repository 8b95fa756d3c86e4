from __future__ import annotations

import msgspec
import pytest

from omni_port.base.errors import ConfigurationError
from omni_port.project.settings import Settings
from omni_port.survey.draft import Draft, PortDraft, SiblingsDraft, UpstreamDraft
from omni_port.survey.project_file import render_project_file, update_project_file

UPSTREAM = UpstreamDraft("up-lib", "v2", "v1", "../up", "pinned in x.txt:1")
PORT = PortDraft("a.py::A", "up-lib:u.py::U", ("run", "stop"), ("inherits U",))


def load(text: str) -> Settings:
    return msgspec.convert(msgspec.toml.decode(text), Settings)


def uncommented(text: str) -> str:
    lines = (x[1:] if x.startswith("#") and not x.startswith("# ") else x for x in text.split("\n"))
    return "\n".join(lines)


def test_it_says_what_was_found_and_how() -> None:
    siblings = SiblingsDraft("r1", "the tag", guessed=True)
    port = PortDraft(
        "a.py::A", "up-lib:u.py::U", ("run", "stop"), ("inherits U", "run 90%"), base="v0",
        base_how="3 tokens differ", sibling="g.py::G", sibling_how="a base class",
        sibling_upstream="gpu:g.py::GPU",
    )  # fmt: skip
    assert render_project_file(Draft((UPSTREAM,), siblings, (port,))) == (
        "# The ports of this project, and what they follow: written by `omni-port init`.\n"
        "\n[upstream.up-lib]\n"
        'repository = "../up"\n'
        'current = "v1"  # pinned in x.txt:1\n'
        'target = "v2"\n'
        "\n# The GPU siblings, in this project: `current` is what the copies are in step with.\n"
        '[siblings]\nrepository = "."\n'
        'current = "r1"  # guessed: the tag\n'
        "\n[[port]]\n# inherits U\n# run 90%\n"
        'local = "a.py::A"\nupstream = "up-lib:u.py::U"\nmethods = ["run", "stop"]\n'
        'base = "v0"  # 3 tokens differ\n'
        'sibling = "g.py::G"  # a base class\nsibling-upstream = "gpu:g.py::GPU"\n'
    )


def test_what_is_not_sure_is_commented_out_and_can_be_taken_in() -> None:
    port = PortDraft("a.py::A", "up-lib:u.py::U", None, ("only resembles",), sure=False)
    text = render_project_file(Draft((UPSTREAM,), None, (PORT, port)))
    assert len(load(text).port) == 1
    assert len(load(uncommented(text)).port) == 2
    assert "# only resembles\n#local" in text


def test_what_was_not_found_is_there_to_be_filled_in() -> None:
    upstream = UpstreamDraft("up", "v2", None, "../up", "no tag has what was copied")
    siblings = SiblingsDraft(None, "no git", guessed=True)
    text = render_project_file(Draft((upstream,), siblings, ()))
    assert load(text).upstream["up"].current is None
    assert load(text).siblings is None
    assert load(uncommented(text)).siblings is not None
    assert "# Not found: no tag has what was copied." in text


def test_a_guessed_target_and_a_long_reason() -> None:
    upstream = UpstreamDraft(
        "up", "v2", "v1", "../up", "nearest " * 14, "the newest tag", frozenset({"target"})
    )
    lines = render_project_file(Draft((upstream,), None, ())).split("\n")
    assert 'target = "v2"  # guessed: the newest tag' in lines
    assert lines[lines.index('current = "v1"') - 1].startswith("# nearest nearest")


def test_folders_have_no_repository() -> None:
    upstream = UpstreamDraft("up", "../up-2", "../up-1", None, "as given")
    text = render_project_file(Draft((upstream,), None, (PORT,)))
    assert load(text).upstream["up"].repository is None


def test_any_string_comes_back() -> None:
    name = 'a "quoted" \\ path\tand é.py::A'
    port = PortDraft(name, "up:u.py::U", tuple(f"method_{n}" * 3 for n in range(6)), ())
    upstream = UpstreamDraft("ü p", "v2", "v1", None, "")
    settings = load(render_project_file(Draft((upstream,), None, (port,))))
    assert settings.port[0].local == name
    assert len(settings.port[0].methods or ()) == 6
    assert list(settings.upstream) == ["ü p"]


def test_settings_that_stay_come_first() -> None:
    kept = {
        "target": "x==1",
        "tables": ["a.toml"],
        "exclude": [],
        "gate": {"rule": [{"name": "n", "change": ["moved"], "port": []}], "override": []},
        "check": {"ignore": ["OP612"]},
        "papers": {"templates": None},
    }
    settings = load(render_project_file(Draft((UPSTREAM,), None, (PORT,)), kept))
    assert (settings.target, settings.tables) == ("x==1", ("a.toml",))
    assert settings.gate.rule[0].change == ("moved",)
    assert settings.check.ignore == ("OP612",)
    assert len(settings.port) == 1


WRITTEN = render_project_file(Draft((UPSTREAM,), None, (PORT,)))


def test_a_second_run_changes_nothing() -> None:
    draft = Draft((UPSTREAM,), None, (PORT,))
    assert update_project_file(WRITTEN, draft) == WRITTEN


def test_what_a_person_wrote_stays() -> None:
    text = WRITTEN.replace('current = "v1"', '# we stand on this\ncurrent = "v1"')
    text = (
        'target = "x==1"  # as in CI\n\n'
        + text
        + '\n[[port]]\nlocal = "mine.py::M"\nupstream = "up-lib:m.py::M"\n'
    )
    moved = UpstreamDraft("up-lib", "v3", "v2", "../up", "pinned in x.txt:1")
    more = PortDraft("b.py::B", "up-lib:u.py::V", None, ("inherits V",))
    result = update_project_file(text, Draft((moved,), None, (PORT, more)))
    settings = load(result)
    assert [port.local for port in settings.port] == ["a.py::A", "mine.py::M", "b.py::B"]
    assert (settings.upstream["up-lib"].current, settings.upstream["up-lib"].target) == ("v2", "v3")
    assert 'target = "x==1"  # as in CI\n' in result
    assert "# we stand on this\n" in result
    assert result.endswith(
        '\n[[port]]\n# inherits V\nlocal = "b.py::B"\nupstream = "up-lib:u.py::V"\n'
    )
    assert update_project_file(result, Draft((moved,), None, (PORT, more))) == result


def test_a_proposal_is_made_once() -> None:
    doubtful = PortDraft("c.py::C", "up-lib:u.py::U", None, ("only resembles",), sure=False)
    draft = Draft((UPSTREAM,), None, (PORT, doubtful))
    once = update_project_file(WRITTEN, draft)
    assert '#local = "c.py::C"' in once
    assert update_project_file(once, draft) == once
    taken = uncommented(once)
    assert update_project_file(taken, draft) == taken


def test_siblings_that_are_found_later_are_added() -> None:
    found = Draft((UPSTREAM,), SiblingsDraft("r1", "the tag", guessed=False), (PORT,))
    result = update_project_file(WRITTEN, found)
    assert load(result).siblings is not None
    assert update_project_file(result, found) == result


def test_what_is_no_toml_is_left_alone() -> None:
    with pytest.raises(ConfigurationError, match="not TOML"):
        update_project_file("= 1\n", Draft((UPSTREAM,), None, (PORT,)))
