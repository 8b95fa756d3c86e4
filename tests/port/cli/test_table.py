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


@pytest.mark.parametrize("name", ["show", "verify"])
def test_a_release_that_the_table_does_not_know(command: Command, name: str) -> None:
    ran = command("table", name, "--target", "vllm-ascend==0.99.0")
    assert ran.code == ExitCode.USAGE
    assert "knows no vllm-ascend 0.99.0" in ran.err
    assert "vllm-ascend==0.30.0rc2" in ran.err


def test_a_build_of_a_release_is_that_release(command: Command) -> None:
    assert "does not list" in command("table", "show", "--target", "0.23.0.post1").err


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


def test_verify_without_trees_holds_the_table_against_its_facts(command: Command) -> None:
    ran = command("table", "verify", "--target", "0.19.1rc1")
    assert ran.code == ExitCode.DONE
    assert "vllm-ascend==0.19.1rc1,vllm==0.19.1: " in ran.err
    assert " 0 do not" in ran.err


def test_verify_without_trees_finds_a_row_of_yours_that_nothing_bears_out(
    command: Command, own: Path
) -> None:
    ran = command("table", "verify", "--target", "0.19.1rc1", "--table", own)
    assert ran.code == ExitCode.WOULD_CHANGE
    assert ran.text == "our-runner: vllm_ascend.ours.NPURunner: the module or the name is gone\n"


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    folder = tmp_path / "trees"
    for release, takes in (("1.0", "kind"), ("2.0", "kind, *, size=1"), ("3.0", "kind, *, size=1")):
        package = folder / f"acc-{release}" / "acc"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "queues.py").write_text(f"def queue({takes}): ...\n")
    return folder


ACC = """\
name = "acc"
distribution = "acc"
releases = ["1.0", "2.0", "3.0"]

[[symbol]]
id = "queue"
gpu = "gpu.queue"
npu = "acc.queues.queue"

[[symbol]]
id = "gone"
gpu = "gpu.gone"
npu = "acc.queues.gone"
"""


def test_signatures(command: Command, trees: Path, tmp_path: Path) -> None:
    table, out = tmp_path / "acc.toml", tmp_path / "facts.json"
    table.write_text(ACC)
    ran = command("table", "signatures", "--trees", trees, "-o", out, "--table", table)
    assert ran.code == ExitCode.DONE
    assert ran.err == "2 names in 3 trees\n"
    facts = json.loads(out.read_text())
    assert facts["releases"] == {"acc": ["1.0", "2.0", "3.0"]}
    assert facts["names"]["acc.queues.gone"] == []
    assert facts["names"]["acc.queues.queue"] == [
        {"since": "1.0", "until": "1.0", "sort": "function", "takes": "kind"},
        {"since": "2.0", "until": "3.0", "sort": "function", "takes": "kind, *, size=..."},
    ]
    named = command("table", "signatures", "--tree", f"acc@1.0={trees}/acc-1.0", "--table", table)
    assert '"takes":"kind"' in named.text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("signatures",), "name trees with their releases"),
        (("signatures", "--tree", "acc=."), "name trees with their releases"),
        (("signatures", "--tree", "acc"), "'acc' is no tree"),
        (("verify", "--tree", "acc@newest=."), "is no tree"),
        (("signatures", "--trees", "."), "holds no trees"),
    ],
)
def test_trees_that_are_none(
    command: Command, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    ran = command("table", *[str(tmp_path) if one == "." else one for one in arguments])
    assert ran.code in (ExitCode.USAGE, ExitCode.INPUT)
    assert says in ran.err


def test_verify_names_any_package(command: Command, trees: Path, tmp_path: Path) -> None:
    table = tmp_path / "acc.toml"
    table.write_text(ACC)
    tree = f"acc={trees}/acc-2.0"
    ran = command("table", "verify", "--table", table, "--tree", tree, "--target", "2.0")
    assert ran.text == "gone: acc.queues.gone: the module or the name is gone\n"
    assert ran.code == ExitCode.WOULD_CHANGE
