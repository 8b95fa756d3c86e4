from __future__ import annotations

from pathlib import Path

import pytest

from gitrepos import commit, fingerprint, git, make_repository, needs_git
from omni_port.base.errors import ConfigurationError, InputError, UsageError
from omni_port.plan.gate import Outcome
from omni_port.plan.plan import Plan, make_plan
from omni_port.project.project import require_project
from planned import CONFIGURATION, LOCAL, NEW, OLD, TOOLS, WITHOUT, make_project, upstream, write
from worlds import world_project


def plan(root: Path, **options: object) -> Plan:
    return make_plan(require_project(root), **options)  # type: ignore[arg-type]


def test_an_upgrade_that_passes(tmp_path: Path) -> None:
    found = plan(make_project(tmp_path))
    assert found.gate.outcome is Outcome.PASS
    assert [(copy.method, len(copy.blocks)) for copy in found.copies] == [("Mine.run", 1)]
    assert [change.kind for change in found.changes] == ["copied-body"]
    assert found.unseen == ()


def test_an_upgrade_that_stops(tmp_path: Path) -> None:
    found = plan(make_project(tmp_path, WITHOUT))
    assert found.gate.outcome is Outcome.STOPPED
    (stop,) = found.gate.stops
    assert stop.rule.name == "seam-gone"
    assert stop.changes[0].subject == "uplib.runner.Runner.capture"
    assert stop.paths == ("mine/runner.py",)


def test_a_stop_that_a_person_overrides(tmp_path: Path) -> None:
    found = plan(make_project(tmp_path, WITHOUT), overrides=[("seam-gone", "not used")])
    assert found.gate.outcome is Outcome.PASS
    assert found.gate.overridden[0].override is not None


def test_nothing_is_written(tmp_path: Path) -> None:
    make_project(tmp_path, WITHOUT)
    before = fingerprint(tmp_path)
    plan(tmp_path)
    assert fingerprint(tmp_path) == before


def test_what_moved_is_looked_for_in_the_target(tmp_path: Path) -> None:
    make_project(tmp_path)
    local = LOCAL.replace("return None", "return gather(size)")
    write(tmp_path, {"mine/runner.py": local})
    write(tmp_path / "up-2", {"uplib/tools.py": "", "uplib/more/__init__.py": TOOLS})
    found = plan(tmp_path)
    moved = next(c for c in found.changes if c.kind == "import-moved")
    assert moved.message == "in uplib.more now"


def test_the_bundled_world(tmp_path: Path) -> None:
    found = make_plan(world_project(tmp_path))
    assert found.gate.outcome is Outcome.PASS
    assert [copy.method for copy in found.copies] == [
        "OmniNPUModelRunner.load_model",
        "OmniNPUModelRunner._dummy_run",
        "OmniNPUModelRunner.execute_model",
        "OmniNPUModelRunner.sample_tokens",
        "OmniNPUModelRunner.capture_model",
        "_build_batch",
    ]
    assert [one.note[:9] for one in found.history] == ["both ends", "both ends"]


def test_one_port_alone(tmp_path: Path) -> None:
    found = make_plan(world_project(tmp_path), names=["_build_batch"])
    assert [port.name for port in found.ports] == ["_build_batch"]
    assert [copy.method for copy in found.copies] == ["_build_batch"]


def test_ports_of_one_name_in_two_files(tmp_path: Path) -> None:
    more = CONFIGURATION.partition("[[port]]")[2].replace("mine/runner", "mine/other")
    more += 'base = "up-2"\n'
    make_project(tmp_path, configuration=f"{CONFIGURATION}\n[[port]]{more}")
    write(tmp_path, {"mine/other.py": LOCAL.replace("batch.positions", "self.positions")})
    found = plan(tmp_path)
    assert [copy.port.path for copy in found.copies] == ["mine/runner.py", "mine/other.py"]
    (body,) = (c for c in found.changes if c.kind == "copied-body")
    assert body.consumers[0].path == "mine/runner.py"
    assert len(body.consumers) == 1


def test_an_upstream_in_a_src_folder(tmp_path: Path) -> None:
    make_project(tmp_path, configuration=CONFIGURATION.replace("up:uplib", "up:src/uplib"))
    for end, text in (("up-1", OLD), ("up-2", WITHOUT)):
        write(tmp_path / end / "src", upstream(text))
    found = plan(tmp_path)
    assert found.copies[0].upstream == "uplib.runner.Runner.run"
    assert found.gate.outcome is Outcome.STOPPED


def test_local_code_outside_of_a_package(tmp_path: Path) -> None:
    make_project(tmp_path, WITHOUT)
    (tmp_path / "mine" / "__init__.py").unlink()
    found = plan(tmp_path)
    assert [stop.rule.name for stop in found.gate.stops] == ["seam-gone"]


def test_a_local_file_with_the_package_name_of_the_upstream(tmp_path: Path) -> None:
    make_project(tmp_path, configuration=CONFIGURATION.replace("mine/runner.py", "uplib/mine.py"))
    write(tmp_path, {"uplib/__init__.py": "", "uplib/mine.py": LOCAL})
    found = plan(tmp_path)
    assert [change.kind for change in found.changes] == ["copied-body"]


@pytest.mark.parametrize(
    ("local", "error", "message"),
    [
        ("class Mine(:\n", InputError, "not Python"),
        ("class Other:\n    pass\n", InputError, "no function Mine"),
    ],
)
def test_local_files_that_cannot_be_planned(
    tmp_path: Path, local: str, error: type[InputError], message: str
) -> None:
    make_project(tmp_path)
    write(tmp_path, {"mine/runner.py": local})
    with pytest.raises(error, match=message) as raised:
        plan(tmp_path)
    assert raised.value.path


def test_a_port_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no port 'Gone'"):
        plan(make_project(tmp_path), names=["Gone"])


def test_rules_are_read_before_anything_else(tmp_path: Path) -> None:
    rule = '\n[[gate.rule]]\nname = "r"\nchange = ["gone"]\n'
    make_project(tmp_path, configuration=CONFIGURATION.replace("up-1", "up-0") + rule)
    with pytest.raises(ConfigurationError, match="no change is called 'gone'"):
        plan(tmp_path)


@needs_git
def test_revisions_and_history(tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "up")
    commit(repository, {**upstream(OLD)}, "one", date="2026-01-01T00:00:00Z")
    git(repository, "tag", "v1")
    commit(repository, {**upstream(NEW)}, "two", date="2026-02-01T00:00:00Z")
    commit(repository, {"README": "x"}, "three", date="2026-03-01T00:00:00Z")
    commit(repository, {**upstream(WITHOUT)}, "four", date="2026-04-01T00:00:00Z")
    git(repository, "tag", "v2")
    text = CONFIGURATION.replace('"up-1"', '"v1"').replace('"up-2"', '"v2"\nrepository = "up"')
    down = tmp_path / "down"
    write(down, {"mine/__init__.py": "", "mine/runner.py": LOCAL,
                 "omni-port.toml": text.replace('"up"', '"../up"')})  # fmt: skip
    before = fingerprint(repository)
    found = plan(down)
    assert found.gate.outcome is Outcome.STOPPED
    assert [c.subject for c in found.history[0].commits] == ["four", "two"]
    assert found.history[0].paths == ("uplib/runner.py",)
    assert fingerprint(repository) == before
    late = plan(down, since="2026-03-15")
    assert [c.subject for c in late.history[0].commits] == ["four"]


def test_local_classes_of_other_files_are_known(tmp_path: Path) -> None:
    make_project(tmp_path, WITHOUT)
    base = "from uplib.runner import Runner\n\n\nclass Base(Runner):\n    pass\n"
    local = LOCAL.replace("from uplib.runner import Runner", "from mine.base import Base")
    local = local.replace("Mine(Runner)", "Mine(Base)")
    write(tmp_path, {"mine/base.py": base, "mine/runner.py": local})
    assert [stop.rule.name for stop in plan(tmp_path).gate.stops] == ["seam-gone"]


def test_line_ends_do_not_matter(tmp_path: Path) -> None:
    make_project(tmp_path / "lf")
    make_project(tmp_path / "crlf")
    for path in (tmp_path / "crlf").rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    one, other = plan(tmp_path / "lf"), plan(tmp_path / "crlf")
    assert one.changes == other.changes
    assert [copy.drift for copy in other.copies] == [copy.drift for copy in one.copies] == [()]


def test_the_same_revision_at_both_ends_changes_nothing(tmp_path: Path) -> None:
    found = plan(make_project(tmp_path, OLD))
    assert found.changes == ()
    assert found.gate.outcome is Outcome.PASS


def test_the_copies_of_other_ports_in_a_file_are_not_ours(tmp_path: Path) -> None:
    more = CONFIGURATION.partition("[[port]]")[2].replace("::Mine", "::Other")
    make_project(tmp_path, configuration=f"{CONFIGURATION}\n[[port]]{more}")
    other = LOCAL.partition("class Mine")[2].replace("(Runner)", "class Other(Runner)", 1)
    write(tmp_path, {"mine/runner.py": f"{LOCAL}\n\n{other}"})
    write(tmp_path / "up-2", {"uplib/tools.py": "def gather(batch, pad):\n    return batch.ids\n"})
    both, one = plan(tmp_path), plan(tmp_path, names=["Mine"])
    assert [copy.method for copy in both.copies] == ["Mine.run", "Other.run"]
    assert [copy.method for copy in one.copies] == ["Mine.run"]
    assert [c.kind for c in one.changes] == [c.kind for c in both.changes]
    assert {c.port for change in one.changes for c in change.consumers} == {"Mine"}
    assert "call-misfit" not in {c.kind for c in one.changes}
