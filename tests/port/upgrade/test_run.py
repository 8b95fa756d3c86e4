from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from gitrepos import commit, git, make_repository, needs_git
from omni_codemods.functions.conflict_markers import HUNK
from omni_port.base.errors import InputError, UndecidedError
from omni_port.base.writing import Write, write_together
from omni_port.project.project import Project, require_project
from omni_port.upgrade.finish import commit_finished, write_report
from omni_port.upgrade.left import Kind
from omni_port.upgrade.phases import Phase, Record, Status
from omni_port.upgrade.run import Run, UpgradeOptions, run_upgrade
from omni_port.upgrade.store import Store
from worlds import PATCH, RUNNER, make_world, texts

DRY = UpgradeOptions(dry_run=True)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return require_project(make_world(tmp_path))


def upgrade(project: Project, options: UpgradeOptions | None = None) -> Run:
    return write_report(run_upgrade(project, options or UpgradeOptions()))


def statuses(run: Run) -> dict[Phase, Status]:
    return {record.phase: record.status for record in run.records}


def decide(root: Path) -> None:
    """Take the target's side of every conflict, and mend what the checks find."""
    for path, text in texts(root).items():
        decided = HUNK.sub(lambda hunk: hunk["target"], text)
        (root / path).write_text(decided.replace("warm_up(hidden)", "warm_up(None)"))


def test_all_phases_are_recorded(project: Project) -> None:
    run = upgrade(project)
    assert statuses(run) == {
        Phase.IDENTITY: Status.PASS,
        Phase.INVENTORY: Status.PASS,
        Phase.DIFF: Status.PASS,
        Phase.GATE: Status.PASS,
        Phase.REBASE: Status.PASS,
        Phase.CHECKS: Status.FAIL,
        Phase.REPORT: Status.PASS,
    }
    assert all(record.evidence for record in run.records)
    assert run.needs_person
    assert Kind.CONFLICT in {item.kind for item in run.must}


def test_a_dry_run_writes_nothing_and_finds_the_same(project: Project) -> None:
    before = {p: p.read_bytes() for p in project.root.rglob("*") if p.is_file()}
    dry = upgrade(project, DRY)
    assert {p: p.read_bytes() for p in project.root.rglob("*") if p.is_file()} == before
    wet = upgrade(project)
    assert [(i.kind, i.line, i.message) for i in dry.left] == [
        (i.kind, i.line, i.message) for i in wet.left
    ]
    assert {one.path: one.now for one in dry.written} == texts(project.root)


def test_the_old_copies_are_kept(project: Project) -> None:
    old = texts(project.root)
    upgrade(project)
    assert texts(project.root) != old
    kept = Store(project.root).old_copies
    assert kept is not None
    assert {path: (kept / path).read_text() for path in old} == old


def test_a_second_run_rebases_nothing(project: Project) -> None:
    first = upgrade(project)
    written = texts(project.root)
    second = upgrade(project)
    assert texts(project.root) == written
    assert second.resumed
    assert not first.resumed
    assert [i.line for i in second.left] == [i.line for i in first.left]
    assert second.state.started == first.state.started


def test_what_a_person_decided_stays_and_is_checked_anew(project: Project) -> None:
    upgrade(project)
    decide(project.root)
    decided = texts(project.root)
    run = upgrade(project)
    assert texts(project.root) == decided
    assert not run.must
    assert statuses(run)[Phase.CHECKS] is Status.PASS
    assert not run.needs_person


def test_a_file_put_back_is_carried_again(project: Project) -> None:
    old = texts(project.root)
    upgrade(project)
    new = texts(project.root)
    (project.root / RUNNER).write_text(old[RUNNER])
    (project.root / PATCH).write_text(new[PATCH] + "# a person's\n")
    run = upgrade(project)
    assert texts(project.root) == {RUNNER: new[RUNNER], PATCH: new[PATCH] + "# a person's\n"}
    assert {one.path for one in run.state.files} == {RUNNER, PATCH}


def test_a_file_put_back_is_carried_again_beside_conflicts_of_another(project: Project) -> None:
    old = texts(project.root)
    upgrade(project)
    new = texts(project.root)
    assert HUNK.search(new[RUNNER])
    (project.root / PATCH).write_text(old[PATCH])
    run = upgrade(project)
    assert texts(project.root) == new
    assert {one.path for one in run.state.files} == {RUNNER, PATCH}
    assert run.state.plan is not None
    copies = {copy.method for copy in run.state.plan.inventory}
    assert "OmniNPUModelRunner.load_model" in copies
    assert "_build_batch" in copies


def test_another_target_is_another_upgrade(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = texts(project.root)
    upgrade(project)
    for path, text in old.items():
        (project.root / path).write_text(text)
    target = project.root / "upstream-2" / "npu_runner.py"
    target.write_text(target.read_text() + "\n\nMORE = 1\n")
    run = upgrade(project)
    assert not run.resumed
    kept = project.root / ".omni-port" / "upgrade-1" / "before"
    assert {path: (kept / path).read_text() for path in old} == old


def test_a_killed_run_is_finished_by_the_next(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = texts(project.root)

    def killed(writes: Sequence[Write]) -> None:
        write_together(writes[:1])
        raise KeyboardInterrupt

    monkeypatch.setattr("omni_port.upgrade.store.write_together", killed)
    with pytest.raises(KeyboardInterrupt):
        upgrade(project)
    monkeypatch.undo()
    monkeypatch.chdir(project.root)
    assert texts(project.root)[PATCH] == old[PATCH]
    assert upgrade(project).resumed
    written = texts(project.root)
    for path, text in old.items():
        (project.root / path).write_text(text)
    upgrade(project)
    assert texts(project.root) == written


def test_the_gate_stops_before_anything_is_written(project: Project) -> None:
    target = project.root / "upstream-2" / "npu_runner.py"
    target.write_text(target.read_text().replace("class NPUModelRunner", "class OtherRunner"))
    old = texts(project.root)
    run = upgrade(project)
    assert statuses(run)[Phase.GATE] is Status.STOPPED
    assert statuses(run)[Phase.REBASE] is Status.SKIPPED
    assert texts(project.root) == old
    assert run.state.stop
    assert run.needs_person
    (paper,) = project.root.rglob("decide.md")
    assert "NPUModelRunner" in paper.read_text()
    assert not list(project.root.rglob("checklist.md"))


def test_a_person_may_go_on_with_a_reason(project: Project) -> None:
    target = project.root / "upstream-2" / "npu_runner.py"
    target.write_text(target.read_text().replace("def sample_tokens", "def other_name_of_it"))
    stopped = upgrade(project)
    assert statuses(stopped)[Phase.GATE] in (Status.STOPPED, Status.PASS)
    rule = stopped.records[3].blocker
    run = upgrade(project, UpgradeOptions(overrides=((rule, "we drop it"),)) if rule else None)
    assert statuses(run)[Phase.GATE] is Status.PASS
    assert run.written
    assert [i for i in run.left if i.kind is Kind.FAILED and "sample_tokens" in i.method]
    assert statuses(run)[Phase.REBASE] is Status.FAIL


def test_a_stop_is_answered_in_the_project_file(project: Project) -> None:
    target = project.root / "upstream-2" / "npu_runner.py"
    target.write_text(target.read_text().replace("class NPUModelRunner", "class OtherRunner"))
    assert statuses(upgrade(project))[Phase.GATE] is Status.STOPPED
    config = project.root / "omni-port.toml"
    text = config.read_text()
    for old, name in (
        ("NPUModelRunner", "OtherRunner"),
        ("NPUModelRunner._build_batch", "OtherRunner._build_batch"),
    ):
        line = f'upstream = "ascend:npu_runner.py::{old}"\n'
        text = text.replace(line, f'{line}upstream-target = "ascend:npu_runner.py::{name}"\n')
    config.write_text(text)
    run = upgrade(require_project(project.root))
    assert statuses(run)[Phase.GATE] is Status.PASS
    assert statuses(run)[Phase.REBASE] is Status.PASS
    assert not [item for item in run.left if item.kind is Kind.FAILED]


@needs_git
def test_uncommitted_work_in_a_local_file_blocks(project: Project) -> None:
    root = project.root
    make_repository(root)
    commit(root, {})
    (root / RUNNER).write_text((root / RUNNER).read_text() + "# mine\n")
    old = texts(root)
    run = upgrade(project)
    assert statuses(run)[Phase.IDENTITY] is Status.BLOCKED
    assert RUNNER in run.records[0].blocker
    assert texts(root) == old
    git(root, "checkout", "-q", RUNNER)
    (root / "elsewhere.py").write_text("x = 1\n")
    assert statuses(upgrade(project))[Phase.REBASE] is Status.PASS


@needs_git
def test_commits_of_what_is_finished(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(project.root / "nobody"))
    root = project.root
    make_repository(root)
    git(root, "config", "user.name", "n")
    git(root, "config", "user.email", "e@example.org")
    start = commit(root, {})
    run = upgrade(project)
    with pytest.raises(UndecidedError, match="must be decided first"):
        list(commit_finished(run))
    assert git(root, "rev-parse", "HEAD") == start
    decide(root)
    (root / "staged.py").write_text("x = 1\n")
    git(root, "add", "staged.py")
    made = list(commit_finished(upgrade(project)))
    assert [one.path for one in made] == [RUNNER, PATCH]
    assert git(root, "show", "--format=", "--name-only", made[0].sha) == RUNNER
    message = git(root, "show", "-s", "--format=%B", made[0].sha)
    assert "Signed-off-by: n <e@example.org>" in message
    assert message.startswith("[NPU] Upgrade OmniNPUModelRunner to ascend upstream-2")
    assert "load_model: rebased" in message
    assert git(root, "status", "--porcelain", "staged.py") == "A  staged.py"
    assert not upgrade(project).needs_person
    assert list(commit_finished(upgrade(project))) == []


@needs_git
def test_nothing_is_committed_in_the_middle_of_a_merge(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(project.root / "nobody"))
    root = project.root
    make_repository(root)
    git(root, "config", "user.name", "n")
    git(root, "config", "user.email", "e@example.org")
    start = commit(root, {})
    upgrade(project)
    decide(root)
    run = upgrade(project)
    (root / ".git" / "MERGE_HEAD").write_text(f"{start}\n")
    with pytest.raises(InputError, match="nothing is committed: a merge is under way"):
        list(commit_finished(run))
    assert git(root, "rev-parse", "HEAD") == start
    (root / ".git" / "MERGE_HEAD").unlink()
    assert len(list(commit_finished(run))) == 2


def test_without_a_repository_nothing_is_committed(project: Project) -> None:
    upgrade(project)
    decide(project.root)
    with pytest.raises(InputError, match="no git repository"):
        list(commit_finished(upgrade(project)))


def test_a_broken_template_fails_the_report_alone(project: Project) -> None:
    folder = project.root / "mine"
    folder.mkdir()
    (folder / "checklist.md.j2").write_text("fine\n{{ nothing_here }}\n")
    config = project.root / "omni-port.toml"
    config.write_text(config.read_text() + '\n[papers]\ntemplates = "mine"\n')
    run = upgrade(require_project(project.root))
    assert statuses(run)[Phase.REPORT] is Status.FAIL
    assert "nothing_here" in run.records[-1].blocker
    assert statuses(run)[Phase.REBASE] is Status.PASS


def test_missing_phases_are_skipped_because_of_the_one_that_stopped() -> None:
    from omni_port.upgrade.phases import with_skipped

    records = with_skipped([Record(Phase.IDENTITY, Status.BLOCKED)])
    assert [record.status for record in records[1:]] == [Status.SKIPPED] * 6
    assert records[1].blocker == "freeze-identity is BLOCKED"


@pytest.mark.parametrize("linked", [Path(RUNNER).parts[0], ".omni-port"])
def test_nothing_is_written_through_a_link_out_of_the_project(
    project: Project, tmp_path_factory: pytest.TempPathFactory, linked: str
) -> None:
    away = tmp_path_factory.mktemp("away") / linked
    inside = project.root / linked
    if inside.exists():
        inside.rename(away)
    else:
        away.mkdir()
    inside.symlink_to(away)
    before = {p: p.read_bytes() for p in away.rglob("*") if p.is_file()}
    with pytest.raises(InputError, match=r"leads out of .*its real place is"):
        upgrade(project)
    assert {p: p.read_bytes() for p in away.rglob("*") if p.is_file()} == before
