from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from omni_port.documents.plan import make_plan_document
from omni_port.plan.plan import make_plan
from omni_port.project.project import Project, require_project
from omni_port.upgrade.papers import Paper, moving_source, paper_folder, with_ticks, write_papers
from omni_port.upgrade.store import digest
from worlds import make_world

STARTED = "2026-02-03T04:05:06Z"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return require_project(make_world(tmp_path))


def configured(project: Project, before: str, after: str) -> Project:
    text = project.path.read_text()
    assert before in text
    project.path.write_text(text.replace(before, after))
    return require_project(project.root)


def test_the_folder_says_when_and_from_what_to_what(project: Project) -> None:
    folder = paper_folder(project, STARTED, None)
    assert folder == project.root / ".omni-port/papers/20260203-upstream-1-to-upstream-2"


def test_a_folder_of_ones_own_and_revisions_with_slashes(project: Project) -> None:
    project = configured(project, "[siblings]", '[papers]\nfolder = "docs/up"\n\n[siblings]')
    project = configured(
        project, 'target = "upstream-2"', 'repository = "."\ntarget = "origin/releases/v2"'
    )
    folder = paper_folder(project, STARTED, None)
    assert folder == project.root / "docs/up/20260203-upstream-1-to-origin-releases-v2"


def test_an_upgrade_is_named_after_the_upstream_that_moves(project: Project) -> None:
    still = '[upstream.still]\ncurrent = "a"\ntarget = "a"\n\n[upstream.ascend]'
    project = configured(project, "[upstream.ascend]", still)
    still_port = '[[port]]\nlocal = "x.py::X"\nupstream = "still:x.py::X"\n\n'
    first = '[[port]]\nlocal = "local/omni_npu_runner.py'
    project = configured(project, first, still_port + first)
    assert moving_source(project, None) == "ascend"


def test_two_spellings_of_one_revision_do_not_move(project: Project) -> None:
    world = project
    still = '[upstream.still]\ncurrent = "a"\ntarget = "b"\n\n[upstream.ascend]'
    project = configured(project, "[upstream.ascend]", still)
    still_port = '[[port]]\nlocal = "x.py::X"\nupstream = "still:x.py::X"\n\n'
    first = '[[port]]\nlocal = "local/omni_npu_runner.py'
    project = configured(project, first, still_port + first)
    made = make_plan_document(make_plan(world))
    ends = tuple(
        replace(made.identity.ends[0], name="still", end=end, revision="1" * 40, digest=None)
        for end in ("current", "target")
    )
    plan = replace(made, identity=replace(made.identity, ends=ends))
    assert moving_source(project, None) == "still"
    assert moving_source(project, plan) == "ascend"


def test_all_papers_are_written_and_renewed(tmp_path: Path) -> None:
    made = write_papers(tmp_path / "p", iter([Paper("a.md", "1")]), {})
    assert made == {"a.md": digest(b"1")}
    again = write_papers(tmp_path / "p", iter([Paper("a.md", "2")]), made)
    assert (tmp_path / "p" / "a.md").read_text() == "2"
    assert again["a.md"] == digest(b"2")


def test_what_a_person_wrote_stays(tmp_path: Path) -> None:
    made = write_papers(tmp_path, iter([Paper("a.md", "1")]), {})
    (tmp_path / "a.md").write_text("1, and mine")
    for text in ("2", "3"):
        made = write_papers(tmp_path, iter([Paper("a.md", text)]), made)
        assert (tmp_path / "a.md").read_text() == "1, and mine"
        assert (tmp_path / "a-2.md").read_text() == text
    assert len(list(tmp_path.iterdir())) == 2


def test_ticks_stay_though_lines_move(tmp_path: Path) -> None:
    made = write_papers(tmp_path, iter([Paper("a.md", "- [ ] x.py:1: see\n- [ ] other\n")]), {})
    (tmp_path / "a.md").write_text("- [x] x.py:1: see\n- [ ] other\n")
    made = write_papers(tmp_path, iter([Paper("a.md", "- [ ] new\n- [ ] x.py:9: see\n")]), made)
    assert (tmp_path / "a.md").read_text() == "- [ ] new\n- [x] x.py:9: see\n"
    write_papers(tmp_path, iter([Paper("a.md", "- [ ] x.py:9: see\n- [ ] x.py:10: see\n")]), made)
    assert (tmp_path / "a.md").read_text() == "- [x] x.py:9: see\n- [ ] x.py:10: see\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a.md"]


def test_a_box_with_other_words_is_another_one() -> None:
    assert with_ticks("- [ ] question 2\n", "- [x] question 1\n") == "- [ ] question 2\n"
    assert with_ticks("- [ ] read 3 lines\n", "- [X] read 3 lines\n") == "- [x] read 3 lines\n"
