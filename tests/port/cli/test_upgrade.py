from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from commandline import Command
from gitrepos import commit, git, make_repository, needs_git
from omni_codemods.functions.conflict_markers import HUNK
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import load_schema
from worlds import PATCH, RUNNER, make_world, texts


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_world(tmp_path)


def test_it_says_what_is_left_and_exits_three(command: Command, root: Path) -> None:
    ran = command("upgrade")
    assert ran.code == ExitCode.PERSON
    assert ran.err == ""
    lines = ran.text.splitlines()
    assert [line.split()[0] for line in lines[:7]] == [
        "freeze-identity",
        "inventory",
        "diff",
        "gate",
        "rebase",
        "checks",
        "report",
    ]
    assert "  OmniNPUModelRunner.load_model: rebased; 1 carried, 1 moved, 1 absorbed" in lines
    assert "  _build_batch: rebased; 2 carried" in lines
    left = lines[lines.index("Left for a person, in this order:") + 1 :]
    assert left[0].startswith(f"  {RUNNER}:91: conflict 1: OmniNPUModelRunner.execute_model: ")
    assert "local added 1 statement" in left[1], "facts stand below it"
    assert left[-3].endswith("(-v lists them)")
    assert left[-1] == "Next: decide and mend what is left, then run `omni-port upgrade` again"


def test_verbose_lists_everything(command: Command, root: Path) -> None:
    plain = command("upgrade", "--dry-run").text
    verbose = command("-v", "upgrade", "--dry-run").text
    assert "2 guessed places (-v lists them)" in plain
    assert verbose.count(": guessed place ") == 2
    assert "-v lists them" not in verbose


def test_what_is_next_where_it_was_stopped(command: Command, root: Path) -> None:
    target = root / "upstream-2" / "npu_runner.py"
    target.write_text(target.read_text().replace("class NPUModelRunner", "class OtherRunner"))
    last = command("upgrade").text.splitlines()[-1]
    assert last.startswith("Next: Name the class")


def test_json_keeps_to_its_schema(command: Command, root: Path) -> None:
    schema = load_schema("upgrade")
    for arguments in (["--dry-run"], [], []):
        ran = command("upgrade", "--format", "json", *arguments)
        document = json.loads(ran.out)
        jsonschema.validate(document, schema)
        assert document["needs_person"]
    assert document["resumed"]
    for file in document["files"]:
        for method in file["methods"]:
            jsonschema.validate(method["account"], load_schema("rebase"))
    jsonschema.validate(document["plan"], load_schema("plan"))


def test_a_stopped_upgrade_in_json(command: Command, root: Path) -> None:
    target = root / "upstream-2" / "npu_runner.py"
    target.write_text(target.read_text().replace("class NPUModelRunner", "class OtherRunner"))
    ran = command("upgrade", "--format", "json")
    document = json.loads(ran.out)
    jsonschema.validate(document, load_schema("upgrade"))
    assert ran.code == ExitCode.PERSON
    assert document["stop"]
    assert document["files"] == []


def test_a_stop_fits_on_one_screen_and_says_what_to_decide(command: Command, root: Path) -> None:
    target = root / "upstream-2" / "npu_runner.py"
    target.write_text(target.read_text().replace("class NPUModelRunner", "class OtherRunner"))
    before = texts(root)
    ran = command("upgrade")
    assert ran.code == ExitCode.PERSON
    assert len(ran.text.splitlines()) < 40
    assert "STOPPED" in ran.text
    assert "--override" in ran.text
    assert "OmniNPUModelRunner" in ran.text
    assert texts(root) == before


def test_the_diff_goes_to_stdout_and_nothing_is_written(command: Command, root: Path) -> None:
    before = texts(root)
    ran = command("upgrade", "--diff")
    assert ran.code == ExitCode.PERSON
    assert f"--- a/{RUNNER}" in ran.text or RUNNER in ran.text.splitlines()[0]
    assert '+        with self.memory.track("weights"):' in ran.text
    assert "Left for a person" in ran.err
    assert texts(root) == before
    assert not (root / ".omni-port").exists()


def test_a_dry_run_after_the_upgrade_writes_nothing_either(command: Command, root: Path) -> None:
    command("upgrade")
    before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}
    ran = command("upgrade", "--dry-run")
    assert ran.code == ExitCode.PERSON
    assert {p: p.read_bytes() for p in root.rglob("*") if p.is_file()} == before


def test_the_papers_are_made_and_a_persons_words_stay(command: Command, root: Path) -> None:
    command("upgrade")
    (folder,) = (root / ".omni-port" / "papers").iterdir()
    assert {p.name for p in folder.iterdir()} == {"decide.md", "pull-request.md", "checklist.md"}
    checklist = folder / "checklist.md"
    checklist.write_text(checklist.read_text().replace("- [ ] Accuracy", "- [x] Accuracy"))
    (folder / "decide.md").write_text("thought\n")
    (root / PATCH).write_text("# touched\n" + (root / PATCH).read_text())
    command("upgrade")
    assert "- [x] Accuracy" in checklist.read_text()
    assert not (folder / "checklist-2.md").exists()
    assert (folder / "decide.md").read_text() == "thought\n"
    assert (folder / "decide-2.md").exists()


def test_each_paper_says_its_own(command: Command, root: Path) -> None:
    command("upgrade")
    decide, pull, checklist = (
        next(root.rglob(name)).read_text()
        for name in ("decide.md", "pull-request.md", "checklist.md")
    )
    for record in ("freeze-identity", "gate", "report"):
        assert f"| {record} | PASS |" in decide
    assert "## Question 1\n\n`local/omni_npu_runner.py:" in decide
    assert "- [ ] Decide question 1, `local/omni_npu_runner.py:" in checklist
    assert "- [ ] Accuracy on the full data set" in checklist
    assert "OmniNPUModelRunner.load_model" in pull
    assert sum(len(text.split()) for text in (decide, pull, checklist)) < 1200


def own_template(root: Path, name: str, text: bytes) -> Path:
    template = root / "tp" / f"{name}.j2"
    template.parent.mkdir(exist_ok=True)
    template.write_bytes(text)
    config = root / "omni-port.toml"
    if "[papers]" not in config.read_text():
        config.write_text(config.read_text() + '\n[papers]\ntemplates = "tp"\n')
    return template


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("checklist.md", b"\n{% if %}", "checklist.md.j2:2: error: "),
        ("commit.txt", b"{{ ports | nofilter }}", "commit.txt.j2:1: error: "),
        ("decide.md", b"\xff", "decide.md.j2: error: "),
        ("plan.md", b"{{", "plan.md.j2:1: error: "),
    ],
)
def test_a_template_that_is_none_is_named_before_anything_is_done(
    command: Command, root: Path, name: str, text: bytes, says: str
) -> None:
    own_template(root, name, text)
    before = texts(root)
    ran = command("upgrade")
    assert ran.code == ExitCode.USAGE
    assert says in ran.err
    assert "mend the template" in ran.err
    assert texts(root) == before
    assert not (root / ".omni-port").exists()


def test_a_plan_by_a_template_that_fails(command: Command, root: Path) -> None:
    own_template(root, "plan.md", b"\n{{ plan.nope }}")
    ran = command("plan", "--format", "markdown")
    assert ran.code == ExitCode.USAGE
    assert "plan.md.j2:2: error: the template cannot be rendered" in ran.err
    assert command("upgrade").code == ExitCode.USAGE
    assert not (root / ".omni-port").exists()


def test_a_folder_of_templates_that_is_not_there(command: Command, root: Path) -> None:
    own_template(root, "checklist.md", b"x").unlink()
    (root / "tp").rmdir()
    ran = command("upgrade")
    assert ran.code == ExitCode.USAGE
    assert "omni-port.toml: error: no folder 'tp'" in ran.err
    assert not (root / ".omni-port").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"\n\n{{ run.nope.x }}", "checklist.md.j2:3: the template cannot be rendered"),
        (b"\n{{ 1 / 0 }}", "checklist.md.j2:2: the template cannot be rendered: division by zero"),
        (
            b"{% if false %}x{% endif %}",
            "checklist.md.j2: the template cannot be rendered: nothing",
        ),
    ],
)
def test_papers_that_cannot_be_made_are_said_and_the_files_stay(
    command: Command, root: Path, text: bytes, says: str
) -> None:
    own_template(root, "checklist.md", text)
    ran = command("upgrade")
    assert ran.code == ExitCode.INPUT
    assert says in ran.text
    assert ran.err == ""
    assert HUNK.search(texts(root)[RUNNER])


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ('target = "vllm-ascend=0.19"', "omni-port.toml: error: table: target vllm-ascend=0.19"),
        ('tables = ["nope.toml"]', "nope.toml: error: cannot be read"),
    ],
)
def test_a_table_that_is_not_there_stops_before_anything_is_written(
    command: Command, root: Path, key: str, says: str
) -> None:
    config = root / "omni-port.toml"
    config.write_text(f"{key}\n{config.read_text()}")
    before = texts(root)
    ran = command("upgrade")
    assert ran.code in (ExitCode.USAGE, ExitCode.INPUT)
    assert says in ran.err
    assert texts(root) == before
    assert not (root / ".omni-port").exists()


def test_a_conflict_from_before_is_named_as_one(command: Command, root: Path) -> None:
    command("upgrade")
    shutil.rmtree(root / ".omni-port")
    before = texts(root)
    for arguments in (["plan"], ["upgrade"], ["rebase-method", "--method", "load_model", "-i"]):
        ran = command(*arguments)
        assert ran.code == ExitCode.INPUT
        assert f"{RUNNER}:91: error: a conflict is left here\n" in ran.err
    assert texts(root) == before


def test_what_was_carried_asks_nothing(command: Command, root: Path) -> None:
    runner = root / RUNNER
    text = runner.read_text()
    before = '"""Load the weights from path'
    assert before in text
    runner.write_text(text.replace(before, '"""Load all weights from path', 1))
    command("upgrade")
    (checklist,) = root.rglob("checklist.md")
    assert "load_model" not in checklist.read_text()


def test_the_paper_of_a_stop_is_renewed_once_it_goes_on(command: Command, root: Path) -> None:
    target = root / "upstream-2" / "npu_runner.py"
    text = target.read_text()
    target.write_text(text.replace("class NPUModelRunner", "class OtherRunner"))
    command("upgrade")
    (paper,) = root.rglob("decide.md")
    assert "| gate | STOPPED |" in paper.read_text()
    target.write_text(text)
    command("upgrade")
    assert "| gate | PASS |" in paper.read_text()
    assert not list(root.rglob("decide-2.md"))


@needs_git
def test_commit(command: Command, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(root / "nobody"))
    make_repository(root)
    git(root, "config", "user.name", "n")
    git(root, "config", "user.email", "e@example.org")
    commit(root, {})
    ran = command("upgrade", "--commit")
    assert ran.code == ExitCode.PERSON
    assert "nothing is committed" in ran.err
    for path, text in texts(root).items():
        decided = HUNK.sub(lambda hunk: hunk["target"], text)
        (root / path).write_text(decided.replace("warm_up(hidden)", "warm_up(None)"))
    ran = command("upgrade", "--commit")
    assert ran.code == ExitCode.DONE
    assert ran.err.count("committed ") == 2
    assert git(root, "rev-list", "--count", "HEAD") == "3"
    assert "nothing to commit" in command("upgrade", "--commit").err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--commit", "--dry-run"], "exclude each other"),
        (["--override", "seam-gone"], "RULE=REASON"),
        (["--override", "seam-gon=because"], "seam-gone"),
    ],
)
def test_usage(command: Command, root: Path, arguments: list[str], says: str) -> None:
    ran = command("upgrade", *arguments)
    assert ran.code == ExitCode.USAGE
    assert says in ran.err
    assert ran.out == b""
    assert not (root / ".omni-port").exists()


def test_without_a_project(command: Command, tmp_path: Path) -> None:
    ran = command("upgrade")
    assert ran.code == ExitCode.USAGE
    assert "omni-port init" in ran.err


def test_check_without_files_checks_the_ports(command: Command, root: Path) -> None:
    ran = command("check")
    assert ran.code == ExitCode.DONE
    assert "2 files" in ran.err
    command("upgrade")
    ran = command("check")
    assert ran.code == ExitCode.WOULD_CHANGE
    assert f"{RUNNER}:91:1: error: OP602" in ran.text
    config = root / "omni-port.toml"
    config.write_text(config.read_text() + '\n[check]\nignore = ["OP602", "OP610"]\n')
    assert command("check").code == ExitCode.DONE
    ran = command("check", "--ascend", "upstream-2")
    assert ran.code == ExitCode.USAGE
    assert "--ascend is for a FILE" in ran.err
