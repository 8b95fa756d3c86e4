from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from gitrepos import commit, fingerprint, git, make_repository, needs_git
from omni_port.base.errors import RevisionError
from omni_port.identity import Disagreement, End, How, Identity, freeze_identity
from omni_port.project.project import require_project
from omni_port.project.settings import OverrideSettings

pytestmark = needs_git

RUNNER = "class Runner:\n    def run(self):\n        return 1\n"
LOCAL = """\
from pkg.runner import Runner


class OmniRunner(Runner):
    # Upstream source: up-stream commit {note},
    # Runner.run
    def run(self):
        return 2
"""
CONFIGURATION = """\
[upstream.up]
repository = "../up-stream"
current = "v1"
target = "v2"

[upstream.vllm]
repository = "../vllm"
current = "v0.1.0"
target = "v0.2.0"

[siblings]
repository = "."
current = "HEAD~1"

[[port]]
local = "own/npu.py::OmniRunner"
upstream = "up:pkg/runner.py::Runner"
sibling = "own/gpu.py::Runner"
"""


@dataclass(frozen=True, slots=True)
class World:
    root: Path
    upstream: Path
    vllm: Path

    def sha(self, revision: str) -> str:
        return git(self.upstream, "rev-parse", f"{revision}^{{commit}}")

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text)

    def change(self, old: str, new: str) -> None:
        path = self.root / "omni-port.toml"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def freeze(self) -> Identity:
        return freeze_identity(require_project(self.root))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    upstream, vllm = (make_repository(folder / name) for name in ("up-stream", "vllm"))
    for number in (1, 2, 3):
        lock = {".github/vllm-release-tag.commit": f"v0.{number}.0\n"}
        commit(upstream, {"pkg/runner.py": RUNNER + f"X = {number}\n", **lock})
        git(upstream, "tag", "-a", f"v{number}", "-m", "annotated")
        commit(vllm, {"vllm/runner.py": f"X = {number}\n"})
        git(vllm, "tag", f"v0.{number}.0")
    root = make_repository(folder / "own")
    note = git(upstream, "rev-parse", "v1^{commit}")[:9]
    commit(root, {"own/gpu.py": RUNNER, "own/npu.py": LOCAL.format(note=note)})
    commit(root, {"omni-port.toml": CONFIGURATION})
    return folder


@pytest.fixture
def world(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    folder = tmp_path / "world"
    shutil.copytree(built, folder)
    monkeypatch.chdir(folder / "own")
    return World(folder / "own", folder / "up-stream", folder / "vllm")


def require(identity: Identity, name: str, end: str) -> End:
    found = identity.end(name, end)
    assert found is not None
    return found


def only(identity: Identity) -> Disagreement:
    (one,) = identity.conflicts
    return one


def test_all_ends_are_frozen_and_nothing_disagrees(world: World) -> None:
    found = world.freeze()
    assert [(end.name, end.end, end.how.value) for end in found.ends] == [
        ("up", "current", "configured"),
        ("up", "target", "configured"),
        ("vllm", "current", "configured"),
        ("vllm", "target", "configured"),
        ("siblings", "current", "configured"),
        ("siblings", "target", "working tree"),
    ]
    assert require(found, "up", "current").revision == world.sha("v1")
    assert require(found, "up", "target").revision == world.sha("v2")
    assert require(found, "siblings", "current").revision == git(world.root, "rev-parse", "HEAD~1")
    assert found.checkout is not None
    assert (found.checkout.head, found.checkout.dirty) == (git(world.root, "rev-parse", "HEAD"), ())
    assert found.conflicts == ()
    assert found.remarks == ()


def test_freezing_writes_nothing(world: World) -> None:
    world.write("own/npu.py", "broken (\n")
    parent = world.root.parent
    before = fingerprint(parent)
    world.freeze()
    assert fingerprint(parent) == before


def test_what_is_not_committed_is_recorded(world: World) -> None:
    world.write("own/new.py", "")
    world.write("own/gpu.py", RUNNER + "Y = 1\n")
    (world.upstream / "pkg" / "runner.py").write_text("")
    found = world.freeze()
    assert found.checkout is not None
    assert found.checkout.dirty == ("own/gpu.py", "own/new.py")
    checkout = require(found, "up", "target").checkout
    assert checkout is not None
    assert checkout.changed == ("pkg/runner.py",)
    assert found.conflicts == ()


def test_notes_that_name_another_commit(world: World) -> None:
    third = world.sha("v3")[:9]
    world.write("own/npu.py", LOCAL.format(note=third))
    one = only(world.freeze())
    assert (one.name, one.end, one.port) == ("up", "current", "OmniRunner")
    assert one.message == (
        f"1 note at copies names up {third}; current of up is v1 ({world.sha('v1')[:12]})"
    )
    assert one.places == ("own/npu.py:5",)
    assert "identity-conflict" in one.hint
    assert "lacks" not in one.hint


def test_notes_that_name_a_commit_which_the_repository_lacks(world: World) -> None:
    world.write("own/npu.py", LOCAL.format(note="80d8c194f"))
    assert "lacks 80d8c194f: git -C ../up-stream fetch may bring it" in only(world.freeze()).hint


def test_a_lost_commit_beside_a_tag_that_fits_is_remarked(world: World) -> None:
    world.write("own/npu.py", LOCAL.format(note="80d8c194f, v1.0"))
    git(world.upstream, "tag", "v1.0", "v1^{commit}")
    found = world.freeze()
    assert found.conflicts == ()
    fetch = "git -C ../up-stream fetch may bring it"
    assert found.remarks == (
        f"80d8c194f, v1.0 in own/npu.py:5: ../up-stream lacks 80d8c194f: {fetch}",
    )


def test_a_note_is_held_against_the_base_of_its_own_port(world: World) -> None:
    world.write("own/npu.py", LOCAL.format(note=world.sha("v3")[:9]))
    world.change('local = "own', 'base = "v3"\nlocal = "own')
    found = world.freeze()
    assert found.conflicts == ()
    (base,) = (end for end in found.ends if end.end == "base")
    assert (base.port, base.revision) == ("OmniRunner", world.sha("v3"))
    assert require(found, "up", "current").revision == world.sha("v1")
    world.write("own/npu.py", LOCAL.format(note=world.sha("v1")[:9]))
    assert "the base of OmniRunner is v3" in only(world.freeze()).message


@pytest.mark.parametrize(
    "note",
    ["# Upstream source: elsewhere commit 80d8c194f", "# see commit 80d8c194f", "X = 'up v9'"],
)
def test_what_is_no_note_about_this_upstream(world: World, note: str) -> None:
    world.write("own/npu.py", f"{note}\n{LOCAL.format(note=world.sha('v1')[:9])}")
    assert world.freeze().conflicts == ()


def test_notes_of_functions_that_no_port_names_are_left(world: World) -> None:
    other = "\n\ndef other():\n    # Upstream source: up-stream commit 80d8c194f\n    return 1\n"
    world.write("own/npu.py", LOCAL.format(note=world.sha("v1")[:9]) + other)
    assert world.freeze().conflicts == ()


@pytest.mark.parametrize(
    ("pin", "conflict", "remark"),
    [
        ("up-stream==1", "", ""),
        ("up_stream==2", "", "pins 2, which is target of up already"),
        ("up-stream==3", "pins 3; current of up is v1", ""),
        ("up-stream-extra==3", "", ""),
        ("up-stream>=3", "", ""),
        ("vllm==0.1.0", "", ""),
        ("vllm==0.3.0", "pins 0.3.0; current of vllm is v0.1.0", ""),
    ],
)
def test_pins(world: World, pin: str, conflict: str, remark: str) -> None:
    world.write("pyproject.toml", f'[project]\nname = "own"\ndependencies = ["{pin}"]\n')
    found = world.freeze()
    assert len(found.conflicts) == bool(conflict)
    assert len(found.remarks) == bool(remark)
    assert all(conflict in one.message for one in found.conflicts)
    assert all(remark in one for one in found.remarks)
    assert all(one.places == ("pyproject.toml:3",) for one in found.conflicts)


@pytest.mark.parametrize(
    ("files", "conflict", "remark"),
    [
        ({"docker/README.md": "vllm==0.3.0"}, "", ""),
        ({"Dockerfile": "ARG VLLM_TAG=v0.1.0"}, "", ""),
        ({"Dockerfile": "ARG VLLM_TAG=v0.3.0"}, "pins 0.3.0; current of vllm is v0.1.0", ""),
        ({"VLLM_STABLE_COMMIT": "0123456789"}, "", "lacks 0123456789"),
        ({".github/workflows/ci.yml": "VLLM_TAG: v0.3.0"}, "", "pins 0.3.0; current of vllm"),
        (
            {"requirements.txt": "vllm==0.1.0", "docker/Dockerfile": "FROM h/vllm:v0.3.0"},
            "",
            "docker/Dockerfile:1 pins 0.3.0; current of vllm",
        ),
        (
            {"requirements.txt": "vllm==0.3.0", "docker/Dockerfile": "FROM h/vllm:v0.1.0"},
            "requirements.txt:1 pins 0.3.0; current of vllm",
            "",
        ),
    ],
)
def test_what_builds_say(world: World, files: dict[str, str], conflict: str, remark: str) -> None:
    for name, text in files.items():
        (world.root / name).parent.mkdir(exist_ok=True, parents=True)
        world.write(name, text + "\n")
    found = world.freeze()
    assert len(found.conflicts) == bool(conflict)
    assert len(found.remarks) == bool(remark)
    assert all(conflict in one.message for one in found.conflicts)
    assert all(remark in one for one in found.remarks)


def test_what_it_runs_on_stands_in_a_dockerfile(world: World) -> None:
    world.change('current = "v0.1.0"\n', "")
    world.write("Dockerfile", "ARG VLLM_TAG=v0.1.0\n")
    world.write("README.md", "vllm==0.3.0\n")
    current = require(world.freeze(), "vllm", "current")
    assert (current.how, current.version) == (How.PINNED, "0.1.0")
    assert current.found_in == "Dockerfile:1"


def test_the_target_is_made_for_another_vllm(world: World) -> None:
    world.change('target = "v0.2.0"', 'target = "v0.3.0"')
    one = only(world.freeze())
    assert (one.name, one.end) == ("vllm", "target")
    assert one.message.startswith("target of up, v2 (")
    assert (
        "is made for vllm v0.2.0 (.github/vllm-release-tag.commit); target of vllm is v0.3.0"
        in (one.message)
    )


def test_one_lock_that_fits_is_enough(world: World) -> None:
    lock = git(world.vllm, "rev-parse", "v0.3.0^{commit}")
    commit(world.upstream, {".github/vllm-main-verified.commit": f"{lock}\n"})
    git(world.upstream, "tag", "v4")
    world.change('target = "v2"', 'target = "v4"')
    world.change('target = "v0.2.0"', 'target = "v0.3.0"')
    assert world.freeze().conflicts == ()
    world.change('target = "v0.3.0"', 'target = "v0.2.0"')
    assert "is made for vllm v0.3.0" in only(world.freeze()).message


def test_current_and_target_are_the_same(world: World) -> None:
    world.change('target = "v2"', f'target = "{world.sha("v1")}"')
    world.change('target = "v0.2.0"', 'target = "v0.1.0"')
    first = git(world.vllm, "rev-parse", "v0.1.0")[:12]
    found = world.freeze()
    assert found.conflicts == ()
    assert found.remarks == (
        f"up: current and target are the same, {world.sha('v1')[:12]}",
        f"vllm: current and target are the same, v0.1.0 ({first})",
    )


def test_going_back_is_no_upgrade(world: World) -> None:
    world.change('current = "v1"', 'current = "v3"')
    world.write("own/npu.py", LOCAL.format(note=world.sha("v3")[:9]))
    one = only(world.freeze())
    assert one.message.startswith("target of up, v2 (")
    assert "is older than current, v3 (" in one.message


def test_a_tag_that_is_a_branch_too_is_remarked(world: World) -> None:
    git(world.upstream, "branch", "v2", "v3")
    said = "up target: 'v2' names refs/tags/v2 and refs/heads/v2: refs/tags/v2 counts"
    assert world.freeze().remarks == (said,)


def test_a_history_that_is_cut_off_is_remarked(world: World) -> None:
    git(world.root, "clone", "-q", "--depth=2", f"file://{world.upstream}", "../shallow")
    world.change('current = "v1"\ntarget = "v2"', 'current = "v2"\ntarget = "main"')
    world.change("../up-stream", "../shallow")
    world.change('target = "v0.2.0"', 'target = "v0.3.0"')
    world.write("own/npu.py", RUNNER)
    said = "../shallow is a shallow clone, and its history is cut off"
    assert world.freeze().remarks == (f"{said}: git -C ../shallow fetch --unshallow",)


def test_without_current_the_notes_say_it(world: World) -> None:
    world.change('current = "v1"\n', "")
    current = require(world.freeze(), "up", "current")
    assert (current.how, current.revision) == (How.NOTES, world.sha("v1"))
    assert (current.found_in, current.version) == ("own/npu.py:5", "1")


def test_without_notes_the_pins_say_it(world: World) -> None:
    world.change('current = "v1"\n', "")
    world.write("own/npu.py", "class OmniRunner:\n    pass\n")
    world.write("requirements.txt", "up-stream==1\n")
    current = require(world.freeze(), "up", "current")
    assert (current.how, current.revision) == (How.PINNED, world.sha("v1"))
    assert current.found_in == "requirements.txt:1"
    # It moved with the upgrade, and says nothing of the copies any more.
    world.write("requirements.txt", "up-stream==2\n")
    current = require(world.freeze(), "up", "current")
    assert (current.how, current.revision) == (How.PROVENANCE, None)
    assert current.label == "what each method was made from"


def test_where_each_method_has_its_own_base_nothing_disagrees(world: World) -> None:
    world.change('current = "v1"\n', "")
    first, third = (world.sha(revision)[:9] for revision in ("v1", "v3"))
    other = LOCAL.format(note=third).replace("class OmniRunner", "class Other")
    world.write("own/npu.py", LOCAL.format(note=first) + other.replace("def run", "def go"))
    world.change("[[port]]", '[[port]]\nlocal = "own/npu.py::Other"\n'
                 'upstream = "up:pkg/runner.py::Runner"\n\n[[port]]')  # fmt: skip
    world.write("requirements.txt", "up-stream==1\nup-stream==3\n")
    found = world.freeze()
    assert require(found, "up", "current").how is How.PROVENANCE
    assert (found.conflicts, found.remarks) == ((), ())


def test_folders_serve_as_ends(world: World) -> None:
    for revision in ("v1", "v2"):
        git(world.upstream, "worktree", "add", "-q", f"../up-{revision[1:]}.0", revision)
    old = 'repository = "../up-stream"\ncurrent = "v1"\ntarget = "v2"'
    world.change(old, 'current = "../up-1.0"\ntarget = "../up-2.0"')
    world.write("own/npu.py", LOCAL.format(note="80d8c194f").replace("up-stream", "up"))
    found = world.freeze()
    current, target = (require(found, "up", end) for end in ("current", "target"))
    assert (current.revision, current.version) == (None, "1.0")
    assert current.digest != target.digest
    assert found.conflicts == ()
    assert len(found.remarks) == 1
    assert "which nothing here can compare with ../up-1.0" in found.remarks[0]
    world.write("requirements.txt", "up==3.0\n")
    assert "requirements.txt:1 pins 3.0" in only(world.freeze()).message
    world.change("../up-2.0", "../up-1.0")
    assert "up: current and target are the same" in world.freeze().remarks[1]


def test_a_person_may_override(world: World) -> None:
    world.write("own/npu.py", LOCAL.format(note="80d8c194f"))
    world.write("requirements.txt", "up-stream==3\n")
    found = world.freeze()
    assert len(found.blocking()) == 2

    def left(rule: str, port: str = "*") -> int:
        return len(found.blocking([OverrideSettings(rule, "because", port)]))

    assert left("identity-conflict") == 0
    assert left("identity-conflict", "Omni*") == 1
    assert left("identity-conflict", "Other") == 2
    assert left("another-rule") == 2


def test_an_unknown_revision_is_an_error(world: World) -> None:
    world.change('target = "v2"', 'target = "v9"')
    with pytest.raises(RevisionError, match="unknown revision 'v9'") as caught:
        world.freeze()
    assert caught.value.path.endswith("omni-port.toml ([upstream.up] target)")


def test_the_json_has_everything(world: World) -> None:
    world.write("own/npu.py", LOCAL.format(note="80d8c194f"))
    document = json.loads(json.dumps(world.freeze().to_json()))
    assert [end["how"] for end in document["ends"]].count("configured") == 5
    assert document["ends"][0]["checkout"]["branch"] == "main"
    assert document["ends"][0]["revision"] == world.sha("v1")
    (one,) = document["conflicts"]
    assert (one["rule"], one["port"]) == ("identity-conflict", "OmniRunner")
    assert document["checkout"]["head"] == git(world.root, "rev-parse", "HEAD")


def test_a_project_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("up-1.0", "up-2.0"):
        (tmp_path / name / "pkg").mkdir(parents=True)
        (tmp_path / name / "pkg" / "runner.py").write_text(f"# {name}\n{RUNNER}")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "npu.py").write_text("class OmniRunner:\n    pass\n")
    (tmp_path / "omni-port.toml").write_text(
        '[upstream.up]\ncurrent = "up-1.0"\ntarget = "up-2.0"\n'
        '[[port]]\nlocal = "own/npu.py::OmniRunner"\nupstream = "up:pkg/runner.py::Runner"\n'
    )
    monkeypatch.chdir(tmp_path)
    found = freeze_identity(require_project(tmp_path))
    assert found.checkout is None
    assert [end.checkout for end in found.ends] == [None, None]
    assert (found.conflicts, found.remarks) == ((), ())
