from __future__ import annotations

import json
from pathlib import Path

import pytest

from commandline import Command
from omni_port.base.errors import ExitCode

OWN = """\
name = "ours"
extends = true

[[symbol]]
id = "our-runner"
gpu = "ours.gpu.Runner"
npu = "vllm_ascend.ours.NPURunner"
note = "ours since the beginning"
source = "https://example.org/runner"
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "ours.toml"
    path.write_text(OWN)
    return path


def test_show_says_for_which_release(command: Command) -> None:
    ran = command("table", "show", "--target", "vllm-ascend==0.19.1rc1")
    assert ran.code == ExitCode.DONE
    assert "vllm.forward_context.set_forward_context" in ran.text
    assert "entries hold for vllm-ascend==0.19.1rc1" in ran.err


def test_show_picks_by_release(command: Command) -> None:
    shown = [
        command("table", "show", "--target", release, "--kind", "needed-keyword").text
        for release in ("0.13.0", "0.19.1rc1")
    ]
    assert "skip_compiled" not in shown[0]
    assert "skip_compiled" in shown[1]


def test_show_json(command: Command) -> None:
    entries = json.loads(command("table", "show", "--format", "json", "--kind", "keyword").text)
    assert entries
    assert {entry["kind"] for entry in entries} == {"keyword"}


def test_show_a_release_that_the_table_does_not_list(command: Command) -> None:
    assert "does not list" in command("table", "show", "--target", "vllm-ascend==99.0").err


@pytest.mark.parametrize("target", ["vllm-cuda==1.0", "vllm-ascend==nonsense"])
def test_show_a_wrong_target(command: Command, target: str) -> None:
    ran = command("table", "show", "--target", target)
    assert ran.code == ExitCode.USAGE
    assert ran.out == b""


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("CUDAGraphWrapper", "becomes vllm_ascend.compilation.acl_graph.ACLGraphWrapper"),
        ("set-forward-context", "becomes vllm_ascend.ascend_forward_context"),
        ("torch.cuda.Event", "becomes torch.npu.Event"),
        ("torch.cuda.nothing_like_it", "left and reported"),
        ("CUDAGraphStat", "stays"),
        ("slot_mapping", "dropped and reported"),
        ("ubatch_slices", "dropped and reported"),
    ],
)
def test_explain(command: Command, name: str, says: str) -> None:
    ran = command("table", "explain", name)
    assert ran.code == ExitCode.DONE
    assert says in ran.text


def test_explain_says_since_when_and_by_what_source(command: Command, own: Path) -> None:
    text = command("table", "explain", "our-runner", "--table", own).text
    assert "ours.gpu.Runner becomes vllm_ascend.ours.NPURunner" in text
    assert "note: ours since the beginning" in text
    assert "source: https://example.org/runner" in text
    older = command("table", "explain", "NPUInputBatch", "--target", "0.12.0rc1").text
    assert "from 0.13.0; not for vllm-ascend==0.12.0rc1" in older


def test_explain_an_unknown_name_offers_close_ones(command: Command) -> None:
    ran = command("table", "explain", "CUDAGraphWraper")
    assert "no entry is about CUDAGraphWraper" in ran.text
    assert "CUDAGraphWrapper" in ran.err


def test_check(command: Command, own: Path) -> None:
    ran = command("table", "check", own)
    assert ran.code == ExitCode.DONE
    assert "1 entry, 0 problems" in ran.err


@pytest.mark.parametrize(
    ("extra", "code", "says"),
    [
        ('[[symbol]]\nid = "x"\ngpu = "a.B"\nnpu = 3\n', ExitCode.USAGE, "symbol[1].npu"),
        ('[[symbol]]\nid = "x"\nnonsense = 1\n', ExitCode.USAGE, "nonsense"),
        ("[[symbol]\n", ExitCode.USAGE, "not TOML"),
        ('[[symbol]]\nid = "our-runner"\ngpu = "a.B"\n', ExitCode.USAGE, "our-runner"),
        (
            '[[symbol]]\nid = "x"\ngpu = "ours.gpu.Runner"\nnpu = "a.B"\n',
            ExitCode.WOULD_CHANGE,
            "both answer for ours.gpu.Runner",
        ),
        (
            '[[symbol]]\nid = "x"\ngpu = "a.B"\nnpu = "a.B"\n',
            ExitCode.WOULD_CHANGE,
            "x never fires",
        ),
    ],
)
def test_check_finds(command: Command, own: Path, extra: str, code: ExitCode, says: str) -> None:
    own.write_text(f"{OWN}\n{extra}")
    ran = command("table", "check", own)
    assert ran.code == code
    assert says in ran.text + ran.err


def test_check_an_entry_outside_of_all_releases(command: Command, own: Path) -> None:
    text = OWN.replace("extends = true", 'distribution = "d"\nreleases = ["1.0"]')
    own.write_text(f'{text}since = "2.0"\n')
    ran = command("table", "check", own)
    assert ran.code == ExitCode.WOULD_CHANGE
    assert "our-runner never fires: none of the table's releases" in ran.text


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    package = tmp_path / "tree" / "vllm_ascend"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "ours.py").write_text("class NPURunner: ...\n")
    return package.parent


@pytest.mark.parametrize("inside", ["", "vllm_ascend"])
def test_verify_a_folder(command: Command, own: Path, tree: Path, inside: str) -> None:
    own.write_text(OWN.replace("extends = true\n", ""))
    ran = command("table", "verify", "--table", own, "--vllm-ascend", tree / inside)
    assert ran.code == ExitCode.DONE
    assert "1 entry: 1 hold, 0 do not, 0 cannot be checked" in ran.err


def test_verify_says_what_fell(command: Command, own: Path, tree: Path) -> None:
    (tree / "vllm_ascend" / "ours.py").write_text("class Other: ...\n")
    ran = command("table", "verify", "--table", own, "--vllm-ascend", tree)
    assert ran.code == ExitCode.WOULD_CHANGE
    assert "our-runner: vllm_ascend.ours.NPURunner: the module or the name is gone" in ran.text


def test_verify_where_there_is_no_such_package(command: Command, tmp_path: Path) -> None:
    ran = command("table", "verify", "--vllm-ascend", tmp_path)
    assert ran.code == ExitCode.INPUT
    assert "holds no package vllm_ascend" in ran.err
