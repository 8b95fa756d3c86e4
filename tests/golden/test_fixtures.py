"""Each directory of fixtures/rebase is one behaviour: inputs, expected result, expected account."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from invariants import Texts, assert_invariants
from omni_codemods.findings import errors
from omni_codemods.findings.model import RebaseResult
from omni_codemods.rebase.method import rebase_method

FIXTURES = Path(__file__).parents[2] / "fixtures"
ADDRESS = ("method", "local_class", "base_class", "target_class", "target_method")


@dataclass(frozen=True, slots=True)
class Case:
    """One directory: where it is, and what its case.toml says."""

    folder: Path
    address: dict[str, str]
    outcomes: tuple[str, ...] = ()
    conflicts: int = 0
    overruled: int = 0
    doubled: int = 0
    findings: tuple[str, ...] = ()
    error: str = ""
    side: str = ""
    hint: str = ""
    reason: str = ""

    def text(self, name: str) -> str:
        """The file *name*.py as it stands, line ends included."""
        return (self.folder / f"{name}.py").read_bytes().decode()

    def run(self, **replaced: str) -> RebaseResult:
        """Rebase the case's method; *replaced* takes the place of the files of those names."""
        texts = {
            name: replaced.get(name) or self.text(name) for name in ("local", "base", "target")
        }
        return rebase_method(
            local=texts["local"],
            base=texts["base"],
            target=texts["target"],
            method=self.address["method"],
            local_class=self.address.get("local_class"),
            base_class=self.address.get("base_class"),
            target_class=self.address.get("target_class"),
            base_method=self.address.get("base_method"),
            target_method=self.address.get("target_method"),
        )

    def rerun(self, text: str) -> RebaseResult:
        """Rebase *text*, the result, once more: the target is its base now."""
        moved = {f"base_{key}": self.address.get(f"target_{key}") for key in ("class", "method")}
        address = {**self.address, **{key: name for key, name in moved.items() if name}}
        return replace(self, address=address).run(local=text, base=self.text("target"))


def load_case(folder: Path) -> Case:
    """Read *folder*/case.toml."""
    facts = msgspec.toml.decode((folder / "case.toml").read_bytes(), type=dict[str, Any])
    assert facts.pop("about"), "a case says what it is about"
    address = {key: facts.pop(key) for key in ADDRESS if key in facts}
    for key in ("outcomes", "findings"):
        if key in facts:
            facts[key] = tuple(facts[key])
    return Case(folder, address, **facts)


def cases(folder: str) -> list[Case]:
    """The cases of fixtures/*folder*, sorted by name."""
    return [load_case(path.parent) for path in sorted((FIXTURES / folder).glob("*/case.toml"))]


def outcomes_of(result: RebaseResult) -> tuple[str, ...]:
    """The account in the words of case.toml, in the order of the local file."""
    edits = sorted(result.edits, key=lambda e: (e.edit.span.start, e.edit.span.end))
    return tuple(f"{e.edit.kind.value} {e.edit.change} {e.outcome.value}" for e in edits)


def assert_account(case: Case, result: RebaseResult) -> None:
    """Outcomes, conflicts, overruled changes and findings are those that case.toml names."""
    assert outcomes_of(result) == case.outcomes, [f"{e.edit}: {e.reason}" for e in result.edits]
    assert len(result.conflicts) == case.conflicts
    assert sum(bool(edit.overruled) for edit in result.edits) == case.overruled
    assert sum(bool(edit.doubled) for edit in result.edits) == case.doubled
    assert Counter(finding.code for finding in result.findings) == Counter(case.findings)


def assert_case(case: Case) -> RebaseResult:
    """The case gives its expected text and account, and its invariants hold."""
    result = case.run()
    assert result.text == case.text("expected")
    assert_account(case, result)
    assert_invariants(Texts(*map(case.text, ("base", "local", "target"))), result)
    return result


REBASE = cases("rebase")
GOOD = [pytest.param(case, id=case.folder.name) for case in REBASE if not case.error]
REFUSED = [pytest.param(case, id=case.folder.name) for case in REBASE if case.error]
LIMITS = [
    pytest.param(
        case,
        id=case.folder.name,
        marks=pytest.mark.xfail(strict=True, raises=AssertionError, reason=case.reason),
    )
    for case in cases("known_limits")
]


@pytest.mark.parametrize("case", GOOD)
def test_expected_result(case: Case, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        text = case.run().text
        if text != case.text("expected"):
            (case.folder / "expected.py").write_bytes(text.encode())
            pytest.fail(f"{case.folder.name}/expected.py is rewritten: read it before you keep it")
    assert_case(case)


@pytest.mark.parametrize("case", GOOD)
def test_second_run_changes_nothing(case: Case) -> None:
    first = case.run()
    if first.conflicts:
        pytest.skip("a person must resolve the conflict first")
    again = case.rerun(first.text)
    assert again.text == first.text
    assert not again.conflicts


@pytest.mark.parametrize("case", REFUSED)
def test_refused_with_a_reason(case: Case) -> None:
    expected: type[errors.OmniCodemodsError] = getattr(errors, case.error)
    with pytest.raises(expected) as caught:
        case.run()
    assert type(caught.value) is expected
    assert caught.value.side == case.side
    assert str(caught.value)
    assert caught.value.hint
    assert case.hint in caught.value.hint


@pytest.mark.parametrize("case", LIMITS)
def test_known_limit(case: Case) -> None:
    assert_case(case)


def test_every_outcome_and_change_has_a_case() -> None:
    words = [outcome.split() for case in REBASE for outcome in case.outcomes]
    assert {outcome for _, _, outcome in words} == {
        *("carried", "moved", "absorbed", "conflict", "orphan")
    }
    assert {change for _, change, _ in words} == {
        *("insertion", "replacement", "deletion", "modification", "wrap")
    }
