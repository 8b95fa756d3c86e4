from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from commandline import Command
from followed import CONFIGURATION as FOLLOWED
from followed import make_project as followed_project
from followed import make_upstreams
from gitrepos import fingerprint, git, needs_git
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import load_schema
from planned import CONFIGURATION, LOCAL, WITHOUT, make_project, write
from worlds import make_world


def test_a_pass_fits_one_screen(command: Command, tmp_path: Path) -> None:
    make_world(tmp_path)
    ran = command("plan")
    assert ran.code == ExitCode.DONE
    lines = ran.text.splitlines()
    assert len(lines) < 24
    assert lines[0] == "identity"
    assert "inventory  6 copied functions of 2 ports: 16 blocks, 2 pieces of drift" in lines
    assert "impact  2 mechanical, 6 behavioral, 0 architectural" in lines
    assert "  and 2 more: omni-port -v plan shows all" in lines
    assert lines[-1] == "gate  PASS"
    assert ran.err == ""


def test_verbose_leaves_out_nothing(command: Command, tmp_path: Path) -> None:
    make_world(tmp_path)
    ran = command("-v", "plan")
    assert "more: omni-port -v plan" not in ran.text
    assert "mechanical    NPUModelRunner._build_batch: also takes allow_partial=False" in ran.text
    assert "local/batch_patch.py:9: _build_batch: 2 blocks" in ran.text


def test_a_stop_says_what_to_decide(command: Command, tmp_path: Path) -> None:
    make_project(tmp_path, WITHOUT)
    ran = command("plan")
    assert ran.code == ExitCode.PERSON
    gate = ran.text[ran.text.index("gate") :]
    assert gate == (
        "gate  STOPPED by seam-gone\n"
        "  seam-gone\n"
        "    uplib.runner.Runner.capture: gone, and nothing like it is in its class: "
        "nothing calls the override\n"
        "      was      uplib/runner.py:10  def capture(self, size):\n"
        "      now      not there\n"
        "      used by  Mine.capture (runner.py:14)\n"
        "    why      Nothing calls the override any more: it would stay in the file, and its "
        "feature would be off without an error.\n"
        "    affects  Mine\n"
        "             mine/runner.py\n"
        "    decide   Name the method in which the override's code belongs now, or give up what "
        "it did.\n"
        "    go on    --override 'seam-gone=REASON'\n"
    )


def test_what_stops_is_not_told_twice(command: Command, tmp_path: Path) -> None:
    make_project(tmp_path, WITHOUT)
    assert command("plan").text.count("Runner.capture:") == 1


def test_the_override_that_is_spelled_out_works(command: Command, tmp_path: Path) -> None:
    make_project(tmp_path, WITHOUT)
    ran = command("plan", "--override", "seam-gone=the seam was never used")
    assert ran.code == ExitCode.DONE
    assert (
        "overridden seam-gone for Runner.capture: the seam was never used (the command line)"
        in (ran.text)
    )
    assert ran.text.splitlines()[-2] == "gate  PASS"


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("seam-gone", "is not RULE=REASON: the reason lands in the report"),
        ("seam-gone=", "is not RULE=REASON"),
        ("seem-gone=why", "did you mean seam-gone"),
    ],
)
def test_overrides_that_do_not_count(
    command: Command, tmp_path: Path, override: str, message: str
) -> None:
    make_project(tmp_path, WITHOUT)
    ran = command("plan", "--override", override)
    assert ran.code == ExitCode.USAGE
    assert ran.out == b""
    assert message in " ".join(ran.err.split())


def test_notes_stop_nothing(command: Command, tmp_path: Path) -> None:
    make_project(tmp_path)
    write(tmp_path, {"mine/runner.py": LOCAL.replace("return None", "return gather(size)")})
    write(tmp_path, {"up-2/uplib/tools.py": "def gather(batch, device):\n    return batch.ids\n"})
    ran = command("plan")
    assert ran.code == ExitCode.DONE
    assert "  note look-after-the-rebase: gather\n" in ran.text
    assert "behavioral    gather: also wants device\n" in ran.text


@pytest.mark.parametrize("target", [None, WITHOUT])
def test_json_keeps_to_its_schema(command: Command, tmp_path: Path, target: str | None) -> None:
    if target is None:
        make_world(tmp_path)
    else:
        make_project(tmp_path, target)
    ran = command("plan", "--format", "json", "--override", "base-class-replaced=why")
    document = json.loads(ran.text)
    jsonschema.validate(document, load_schema("plan"))
    assert ran.code == (ExitCode.DONE if target is None else ExitCode.PERSON)
    assert document["outcome"] == ("pass" if target is None else "stopped")
    assert sum(document["summary"].values()) == len(document["changes"])
    assert all(
        change in document["changes"] for s in document["gate"]["stops"] for change in s["changes"]
    )


def test_json_says_what_text_does(command: Command, tmp_path: Path) -> None:
    make_project(tmp_path, WITHOUT)
    document = json.loads(command("plan", "--format", "json").text)
    (stop,) = document["gate"]["stops"]
    assert (stop["rule"], stop["ports"], stop["paths"]) == (
        "seam-gone",
        ["Mine"],
        ["mine/runner.py"],
    )
    (copy,) = document["inventory"]
    assert copy["blocks"] == [{"start": 9, "end": 11, "label": ""}]
    assert copy["uses"] == ["uplib.tools.gather"]


def test_markdown(command: Command, tmp_path: Path) -> None:
    make_project(tmp_path, WITHOUT)
    ran = command("plan", "--format", "markdown")
    assert ran.code == ExitCode.PERSON
    assert ran.text.startswith(
        "## Gate: STOPPED\n\n### seam-gone\n\n- `uplib.runner.Runner.capture`: "
    )
    assert "**To decide.** Name the method in which" in ran.text
    assert "`--override 'seam-gone=REASON'`" in ran.text
    assert (
        "| `mine/runner.py:6` `Mine.run` | `uplib.runner.Runner.run` | 100% | 1 | 0 | the same |"
        in (ran.text)
    )
    rows = [line for line in ran.text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in rows)
    assert "\n\n\n\n" not in ran.text


def test_a_template_of_the_project_replaces_the_packaged_one(
    command: Command, tmp_path: Path
) -> None:
    make_project(tmp_path, configuration=CONFIGURATION + '\n[papers]\ntemplates = "papers"\n')
    write(tmp_path, {"papers/plan.md.j2": "{{ gate.outcome.value }} {{ plan.copies | length }}\n"})
    assert command("plan", "--format", "markdown").text == "pass 1\n"


def test_one_class(command: Command, tmp_path: Path) -> None:
    make_world(tmp_path)
    ran = command("plan", "--class", "_build_batch")
    assert "inventory  1 copied function of 1 port: 2 blocks, 0 pieces of drift" in ran.text
    ran = command("plan", "--class", "_built_batch")
    assert ran.code == ExitCode.USAGE
    assert "no port '_built_batch'" in ran.err


def test_since(command: Command, tmp_path: Path) -> None:
    make_world(tmp_path)
    ran = command("plan", "--since", "2026-01-31")
    assert "history  none of ascend (both ends are folders: they have no history), none" in ran.text
    assert "since 2026-01-31\n" in ran.text


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_nothing_is_written(command: Command, tmp_path: Path, form: str) -> None:
    make_project(tmp_path, WITHOUT)
    before = fingerprint(tmp_path)
    command("plan", "--format", form)
    assert fingerprint(tmp_path) == before


def test_without_a_project(command: Command, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()  # what stands above is not looked at
    ran = command("plan")
    assert ran.code == ExitCode.USAGE
    assert "omni-port init" in ran.err


def test_a_revision_that_nobody_configured(command: Command, tmp_path: Path) -> None:
    make_project(tmp_path, configuration=CONFIGURATION.replace('current = "up-1"\n', ""))
    ran = command("plan")
    assert ran.code == ExitCode.USAGE
    assert "[upstream.up] says no 'current' revision" in ran.err


@needs_git
def test_evidence_that_disagrees_blocks(command: Command, tmp_path: Path) -> None:
    make_upstreams(tmp_path)
    down = followed_project(tmp_path)
    third = git(tmp_path / "npulib", "rev-parse", "v3^{commit}")[:9]
    local = down / "down/npu/npu_runner.py"
    head, _, rest = local.read_text().partition("        ids = ")
    note = f"        # Upstream source: npulib commit {third}\n"
    local.write_text(f"{head}{note}        ids = {rest}")
    text = FOLLOWED.replace('"../npulib"', '"npulib"').replace('"."', '"down"')
    for path in ("down/npu", "down/gpu"):
        text = text.replace(f'"{path}', f'"down/{path}')
    (tmp_path / "omni-port.toml").write_text(text)
    ran = command("plan")
    assert ran.code == ExitCode.PERSON
    gate = ran.text[ran.text.index("gate  ") :].splitlines()
    assert gate[0] == "gate  BLOCKED by identity-conflict"
    assert gate[1] == "  identity-conflict"
    assert gate[2].startswith(f"    1 note at copies names npulib {third}; current of npulib is v1")
    assert gate[3].startswith("      down/down/npu/npu_runner.py:")
    assert gate[-1] == "    go on    --override 'identity-conflict=REASON'"
    document = json.loads(command("plan", "--format", "json").text)
    jsonschema.validate(document, load_schema("plan"))
    assert document["outcome"] == "blocked"
    (conflict,) = document["gate"]["stops"][0]["conflicts"]
    assert {**conflict, "rule": "identity-conflict"} in document["identity"]["conflicts"]
    told = command("plan", "--format", "markdown").text
    assert told.startswith("## Gate: BLOCKED\n\n### identity-conflict\n\n- 1 note at copies names")
    ran = command("plan", "--override", "identity-conflict=the note is of the next copy")
    assert ran.code == ExitCode.DONE
    assert (
        "overridden identity-conflict: the note is of the next copy (the command line)" in ran.text
    )


def test_what_this_python_cannot_parse_is_named(command: Command, tmp_path: Path) -> None:
    make_project(tmp_path, "class Runner(:\n")
    ran = command("plan")
    assert ran.code == ExitCode.PERSON
    assert "  remark: this Python cannot parse uplib.runner: no change there is known\n" in ran.text
    assert "gate  STOPPED by upstream-not-readable\n" in ran.text
    document = json.loads(command("plan", "--format", "json").text)
    jsonschema.validate(document, load_schema("plan"))
    assert document["unread"] == ["uplib.runner"]
    assert "cannot parse uplib.runner" in command("plan", "--format", "markdown").text


@needs_git
def test_the_history_of_repositories(command: Command, tmp_path: Path) -> None:
    make_upstreams(tmp_path)
    down = followed_project(tmp_path)
    (down / "omni-port.toml").write_text(FOLLOWED)
    (tmp_path / "omni-port.toml").write_text(
        FOLLOWED.replace('"../npulib"', '"npulib"')
        .replace('"."', '"down"')
        .replace('"down/', '"down/down/')
    )
    ran = command("plan")
    assert "history  2 commits of npulib, 0 commits of siblings\n" in ran.text
    assert "  npulib    v1 (" in ran.text
    ran = command("-v", "plan")
    assert ran.text.count("  npulib ") == 3
    assert " 2026-03-01 m\n" in ran.text
    told = command("plan", "--format", "markdown").text
    assert "- npulib: 2 commits to `npulib/worker/runner.py`\n" in told
    assert "| npulib | `" in told
