from __future__ import annotations

from pathlib import Path

import pytest

from commandline import Command
from omni_codemods.findings.codes import CODES
from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.impact.kinds import KINDS
from omni_codemods.table.table import packaged
from omni_port.base.errors import ExitCode
from omni_port.plan.gate import load_rules

NAMES = [
    *CODES,
    *KINDS,
    *(str(int(code)) for code in ExitCode),
    *(one.value for kind in (Outcome, Evidence) for one in kind),
    *(rule.name for rule in load_rules()),
]


def test_everything_that_a_message_names_is_explained(command: Command) -> None:
    listed = command("explain").text.split("\n")
    for name in NAMES:
        assert name in listed
    for name in dict.fromkeys(NAMES):
        ran = command("explain", name)
        assert ran.code == ExitCode.DONE
        assert len(ran.text) > len(name) + 20


def test_a_code_has_its_example_and_what_to_do(command: Command) -> None:
    text = command("explain", "op201").text
    assert text.startswith("OP201: a fence without a partner\n\n")
    assert "    # ---- Omni-new ----  (OP201)\n" in text
    assert "\n\nWhat to do: Put its partner" in text


@pytest.mark.parametrize(
    "name",
    ["torch-cuda.synchronize", "torch.cuda.synchronize", "torch.npu.synchronize", "device"],
)
def test_an_id_of_the_statistics_and_a_name_of_either_side(command: Command, name: str) -> None:
    assert command("explain", name).code == ExitCode.DONE
    assert command("table", "explain", name).text.count("\n") > 1


def test_every_entry_of_the_table_is_known_by_its_id(command: Command) -> None:
    ids = [entry.id for entry in packaged().entries][::20]
    for one in ids:
        assert one in command("explain", one).text


def test_what_nothing_is_called_is_told_the_nearest(command: Command) -> None:
    ran = command("explain", "orphn")
    assert ran.code == ExitCode.USAGE
    assert "nothing is called 'orphn'" in ran.err
    assert "did you mean orphan?" in ran.err


def test_rules_of_a_project_are_explained_too(command: Command) -> None:
    Path("omni-port.toml").write_text(
        '[[gate.rule]]\nname = "ours"\nchange = ["seam-gone"]\ndecision = "Ask Kim."\n'
    )
    assert "Ask Kim." in command("explain", "ours").text
