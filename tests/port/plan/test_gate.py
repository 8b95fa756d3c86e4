from __future__ import annotations

from pathlib import Path

import pytest

from omni_codemods.impact.kinds import KINDS
from omni_codemods.impact.model import Consumer, Impact, UpstreamChange
from omni_port.base.errors import ConfigurationError, UsageError
from omni_port.identity import AGAIN, RULE, Disagreement
from omni_port.plan.gate import Outcome, Override, judge, load_rules, read_overrides
from omni_port.project.project import Project, require_project
from omni_port.project.settings import RuleSettings
from planned import CONFIGURATION, make_project

RULES = load_rules()


def change(
    kind: str = "seam-gone",
    impact: Impact = Impact.ARCHITECTURAL,
    subject: str = "uplib.runner.Runner.capture",
    ports: tuple[str, ...] = ("Mine",),
) -> UpstreamChange:
    consumers = tuple(Consumer(port, f"{port.lower()}.py", "", (1,)) for port in ports)
    return UpstreamChange(kind, impact, subject, "gone", consumers=consumers)


def project(folder: Path, more: str = "") -> Project:
    make_project(folder, configuration=CONFIGURATION + more)
    return require_project(folder)


def test_the_packaged_rules() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    for rule in RULES:
        assert rule.decision
        assert rule.change
        assert set(rule.change) <= {*KINDS, RULE, AGAIN}
        assert set(rule.impact) <= {impact.value for impact in Impact}


def test_whatever_local_code_cannot_make_up_for_stops() -> None:
    stopping = {kind for rule in RULES if rule.action == "stop" for kind in rule.change}
    assert {kind.name for kind in KINDS.values() if kind.why} | {RULE, AGAIN} == stopping


def test_nothing_stops_nothing() -> None:
    gate = judge(RULES, [])
    assert gate.outcome is Outcome.PASS
    assert (gate.stops, gate.overridden, gate.notes) == ((), (), ())


@pytest.mark.parametrize("kind", ["copied-body", "copied-signature", "constant", "call-copied"])
def test_what_a_rebase_carries_passes(kind: str) -> None:
    assert judge(RULES, [change(kind, Impact.BEHAVIORAL)]).outcome is Outcome.PASS


def test_a_stop_names_ports_and_files() -> None:
    gate = judge(RULES, [change(), change(subject="x", ports=("Other", "Mine"))])
    assert gate.outcome is Outcome.STOPPED
    (stop,) = gate.stops
    assert stop.rule.name == "seam-gone"
    assert stop.ports == ("Mine", "Other")
    assert stop.paths == ("mine.py", "other.py")


def test_a_note_does_not_stop() -> None:
    gate = judge(RULES, [change("call-misfit", Impact.BEHAVIORAL)])
    assert gate.outcome is Outcome.PASS
    assert [note.rule.name for note in gate.notes] == ["look-after-the-rebase"]


def test_a_renamed_method_does_not_stop() -> None:
    gate = judge(RULES, [change("call-gone", Impact.BEHAVIORAL)])
    assert gate.outcome is Outcome.PASS


CONFLICT = Disagreement("up", "current", "a note names another", "set it", ("a.py:3",), "Mine")


def test_evidence_that_disagrees_blocks() -> None:
    gate = judge(RULES, [change()], [CONFLICT])
    assert gate.outcome is Outcome.BLOCKED
    assert [stop.rule.name for stop in gate.stops] == [RULE, "seam-gone"]
    assert gate.stops[0].ports == ("Mine",)


def test_an_override_lets_pass_and_is_told() -> None:
    override = Override("seam-gone", "the seam was never used")
    gate = judge(RULES, [change()], overrides=[override])
    assert gate.outcome is Outcome.PASS
    assert [stop.override for stop in gate.overridden] == [override]


def test_an_override_for_one_port_leaves_the_others() -> None:
    override = Override("seam-gone", "why", "Mine")
    gate = judge(RULES, [change(), change(subject="x", ports=("Other",))], overrides=[override])
    assert gate.outcome is Outcome.STOPPED
    assert [stop.ports for stop in gate.stops] == [("Other",)]
    assert [stop.ports for stop in gate.overridden] == [("Mine",)]


def test_an_override_must_answer_for_every_port_of_a_change() -> None:
    gate = judge(
        RULES, [change(ports=("Mine", "Other"))], overrides=[Override("seam-gone", "w", "Mine")]
    )
    assert gate.outcome is Outcome.STOPPED


def test_an_override_of_another_rule_changes_nothing() -> None:
    gate = judge(RULES, [change()], overrides=[Override("base-class-replaced", "why")])
    assert gate.outcome is Outcome.STOPPED


def test_evidence_that_a_person_overrides() -> None:
    gate = judge(RULES, [], [CONFLICT], [Override(RULE, "the note is old")])
    assert gate.outcome is Outcome.PASS
    assert gate.overridden[0].disagreements == (CONFLICT,)


@pytest.mark.parametrize(
    ("rule", "stops"),
    [
        (RuleSettings("r"), True),
        (RuleSettings("r", change=("constant",)), True),
        (RuleSettings("r", change=("layout",)), False),
        (RuleSettings("r", impact=("behavioral",)), True),
        (RuleSettings("r", impact=("mechanical",)), False),
        (RuleSettings("r", upstream=("uplib.tools.LIMIT",)), True),
        (RuleSettings("r", upstream=("tools.*",)), True),
        (RuleSettings("r", upstream=("LIMIT",)), True),
        (RuleSettings("r", upstream=("up",)), True),
        (RuleSettings("r", upstream=("other", "lib.*")), False),
        (RuleSettings("r", port=("M*",)), True),
        (RuleSettings("r", port=("Other",)), False),
        (RuleSettings("r", change=("constant",), port=("Other",)), False),
    ],
)
def test_what_a_rule_matches(rule: RuleSettings, stops: bool) -> None:
    one = change("constant", Impact.BEHAVIORAL, "uplib.tools.LIMIT")
    gate = judge([rule], [one], upstreams={"uplib": "up"})
    assert bool(gate.stops) is stops


def test_rules_of_a_project(tmp_path: Path) -> None:
    more = """
[[gate.rule]]
name = "seam-gone"
action = "note"
change = ["seam-gone"]

[[gate.rule]]
name = "limits"
change = ["constant"]
decision = "Ask the team of the limits."
"""
    rules = load_rules(project(tmp_path, more))
    assert len(rules) == len(RULES) + 1
    assert judge(rules, [change()]).outcome is Outcome.PASS
    (stop,) = judge(rules, [change("constant", Impact.BEHAVIORAL)]).stops
    assert stop.rule.decision == "Ask the team of the limits."


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ('change = ["seam-gon"]', "no change is called 'seam-gon'", "did you mean seam-gone"),
        ('impact = ["BEHAVIORAL"]', "no impact is called 'BEHAVIORAL'", "known: mechanical"),
    ],
)
def test_rules_that_name_what_is_not_there(
    tmp_path: Path, line: str, message: str, hint: str
) -> None:
    one = project(tmp_path, f'\n[[gate.rule]]\nname = "r"\n{line}\n')
    with pytest.raises(ConfigurationError, match=message) as raised:
        load_rules(one)
    assert "$.gate.rule[0]" in raised.value.message
    assert raised.value.path == str(one.path)
    assert hint in raised.value.hint


def test_overrides_of_the_project_and_of_the_command_line(tmp_path: Path) -> None:
    more = '\n[[gate.override]]\nrule = "seam-gone"\nreason = "old"\nport = "M*"\n'
    found = read_overrides(project(tmp_path, more), RULES, [("base-class-replaced", "new")])
    assert found == (
        Override("seam-gone", "old", "M*", "the project file"),
        Override("base-class-replaced", "new"),
    )


@pytest.mark.parametrize(
    ("rule", "reason", "message", "hint"),
    [
        ("seam-gone", " ", "without a reason", "the reason lands in the report"),
        ("seem-gone", "why", "no rule is called 'seem-gone'", "did you mean seam-gone?"),
    ],
)
def test_overrides_that_do_not_count(
    tmp_path: Path, rule: str, reason: str, message: str, hint: str
) -> None:
    plain = project(tmp_path)
    with pytest.raises(UsageError, match=message) as raised:
        read_overrides(plain, RULES, [(rule, reason)])
    assert raised.value.hint == hint
    said = project(tmp_path, f'\n[[gate.override]]\nrule = "{rule}"\nreason = "{reason}"\n')
    with pytest.raises(ConfigurationError, match=message):
        read_overrides(said, RULES)


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("copied-renamed", "copied-function-elsewhere"),
        ("copied-moved", "copied-function-elsewhere"),
        ("class-moved", "copied-function-elsewhere"),
        ("seam-renamed", "new-names-in-our-code"),
        ("import-moved", "new-names-in-our-code"),
    ],
)
@pytest.mark.parametrize("impact", [Impact.MECHANICAL, Impact.BEHAVIORAL])
def test_what_stands_elsewhere_is_noted(kind: str, rule: str, impact: Impact) -> None:
    gate = judge(RULES, [change(kind, impact)])
    assert gate.outcome is Outcome.PASS
    assert [note.rule.name for note in gate.notes] == [rule]
