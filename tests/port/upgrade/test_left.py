from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from omni_codemods.findings.model import EditKind, Finding, Outcome, Severity, TranslateResult
from omni_codemods.functions.conflict_markers import HUNK
from omni_port.base.errors import InputError
from omni_port.base.files import Source
from omni_port.documents.common import ErrorValue, FindingValue
from omni_port.methods.translate_files import Translation
from omni_port.upgrade.carried_methods import make_methods
from omni_port.upgrade.left import ASKED, MUST, Item, Kind, Written, find_left
from omni_port.upgrade.port_files import Carrier
from worlds import RUNNER, world_project


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    project = world_project(tmp_path_factory.mktemp("world"))
    (file,) = (one for one in Carrier(project).carry() if one.path == RUNNER)
    return Written(file.path, make_methods(file), file.text, file.text)


def checked(*findings: Finding) -> Translation:
    return Translation(RUNNER, Source("", "utf-8"), TranslateResult("", findings=findings))


def left(written: Written, *findings: Finding) -> tuple[Item, ...]:
    return find_left([written], [checked(*findings)])


def edited(written: Written, now: str) -> Written:
    return Written(written.path, written.methods, written.after, now)


def test_the_most_urgent_comes_first(written: Written) -> None:
    items = left(written)
    order = [list(Kind).index(item.kind) for item in items]
    assert order == sorted(order)
    assert items[0].kind is Kind.CONFLICT
    kinds = {item.kind for item in items}
    assert {Kind.ORPHAN, Kind.GUESSED, Kind.OVERRULED} <= kinds


def test_conflicts_stand_at_their_hunks_with_their_reasons(written: Written) -> None:
    hunks = [written.now.count("\n", 0, h.start()) + 1 for h in HUNK.finditer(written.now)]
    items = [item for item in left(written) if item.kind is Kind.CONFLICT]
    assert [item.line for item in items] == hunks
    assert all(item.method.endswith("execute_model") for item in items)
    assert all("left here" not in item.message for item in items)


def with_account(written: Written, policy: str, *, committed: bool = False) -> Written:
    """The first method that overrules, with one edit that also runs beside upstream code."""
    first = next(m for m in written.methods if any(edit.overruled for edit in m.edits))
    edits = [replace(edit, doubled="tick()\n") if edit.overruled else edit for edit in first.edits]
    assert first.account is not None
    account = replace(first.account, edits=tuple(edits), policy=policy)
    method = replace(first, account=account)
    return Written(written.path, [method], written.after, written.now, committed)


def test_what_asks_is_shown_in_full_and_decided_where_the_policy_is_strict(
    written: Written,
) -> None:
    for policy, committed, must in (
        ("replay", False, False),
        ("strict", False, True),
        ("strict", True, False),
    ):
        items = left(with_account(written, policy, committed=committed))
        asked = [item for item in items if item.kind in ASKED]
        assert {item.kind for item in asked} == {Kind.DOUBLED, Kind.OVERRULED}
        assert all(item.detail for item in asked)
        assert all(item.must is must for item in asked)


def test_a_decided_conflict_is_no_longer_left(written: Written) -> None:
    now = HUNK.sub(lambda hunk: hunk["target"], written.now, count=1)
    before = [item for item in left(written) if item.kind is Kind.CONFLICT]
    after = [item for item in left(edited(written, now)) if item.kind is Kind.CONFLICT]
    assert len(after) == len(before) - 1


def test_lines_follow_the_edits_of_a_person(written: Written) -> None:
    now = "# one\n# two\n" + written.now
    guessed = [item.line for item in left(written) if item.kind is Kind.GUESSED and item.line]
    later = [item.line for item in left(edited(written, now)) if item.kind is Kind.GUESSED]
    assert guessed
    assert {line + 2 for line in guessed} <= set(later)


def test_orphans_of_an_edited_file_are_only_to_be_looked_at(written: Written) -> None:
    items = left(edited(written, written.now + "\n# looked at\n"))
    assert Kind.ORPHAN not in {item.kind for item in items}


def test_a_method_that_was_not_carried_comes_before_all(written: Written) -> None:
    error = ErrorValue("gone", "do it", None, None, 4)
    method = replace(written.methods[0], account=None, error=error)
    items = left(Written(written.path, [method, *written.methods[1:]], written.after, written.now))
    assert items[0] == Item(Kind.FAILED, RUNNER, 0, method.name, "gone", "do it")
    methods = [method, *written.methods[1:]]
    settled = Written(written.path, methods, written.after, written.now, committed=True)
    kinds = {item.kind for item in left(settled)}
    assert Kind.FAILED not in kinds
    assert Kind.ORPHAN not in kinds
    assert Kind.CONFLICT in kinds


def test_a_method_that_the_sibling_gained_is_said_of_the_class(written: Written) -> None:
    first = next(method for method in written.methods if method.edits)
    assert first.account is not None
    edit = replace(
        first.edits[0],
        kind=EditKind.SIBLING,
        change="new method",
        outcome=Outcome.PROPOSED,
        result=None,
        summary="def resolve(self):",
    )
    account = replace(first.account, edits=(edit,))
    gained = Written(RUNNER, [replace(first, account=account)], written.after, written.after)
    (item,) = (one for one in left(gained) if one.kind is Kind.PROPOSED)
    assert item.method == "OmniNPUModelRunner"


def test_findings_of_the_checks(written: Written) -> None:
    error = Finding("OP612", 1, 0, "nobody has it", "write it", Severity.ERROR)
    warning = Finding("OP604", 2, 0, "has lost lines", "look", Severity.WARNING)
    note = Finding("OP204", 3, 0, "labels differ", "", Severity.NOTE)
    new = set(left(written, error, warning, note)) - set(left(written))
    assert {(i.kind, i.line) for i in new} == {(Kind.ERROR, 1), (Kind.WARNING, 2)}
    assert Kind.ERROR in MUST
    assert Kind.WARNING not in MUST


def test_what_the_rebase_said_of_a_name_is_not_said_again(written: Written) -> None:
    line = next(i.line for i in left(written) if i.kind is Kind.CONFLICT)
    again = Finding("OP602", line, 0, "a conflict is left here", "", Severity.ERROR)
    assert left(written, again) == left(written)
    assert written.methods[0].account is not None
    said = FindingValue("OP401", Severity.ERROR, 5, 0, "x is not bound", "")
    account = replace(written.methods[0].account, findings=(said,))
    methods = [replace(written.methods[0], account=account), *written.methods[1:]]
    one = Written(written.path, methods, written.after, written.now)
    unbound = Finding("OP610", 9, 0, "f uses x, which nothing binds", "", Severity.ERROR)
    other = Finding("OP610", 9, 0, "f uses y, which nothing binds", "", Severity.ERROR)
    assert left(one, unbound) == left(one)
    assert len(left(one, other)) == len(left(one)) + 1


def test_a_file_that_could_not_be_checked(written: Written) -> None:
    failed = Translation(RUNNER, error=InputError("not utf-8", hint="save it", line=7))
    new = set(find_left([written], [failed])) - set(left(written))
    assert {(i.kind, i.line, i.message) for i in new} == {(Kind.ERROR, 7, "not utf-8")}


def test_nothing_is_left_of_nothing(tmp_path: Path) -> None:
    assert find_left([Written("a.py", [], "", "")], [checked()]) == ()
