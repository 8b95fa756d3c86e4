"""Copies that have another name than what they are a copy of, given by address."""

from __future__ import annotations

from pathlib import Path

import pytest

from commandline import Command, Ran

BASE = """\
class G:
    def _ids(self, n):
        a = self.a(n)
        b = self.b(a)
        c = self.c(b)
        return c

    def other(self):
        return 1


def free(n):
    a = start(n)
    b = middle(a)
    return b
"""
TARGET = BASE.replace("self.b(a)", "self.b(a, 1)").replace("middle(a)", "middle(a, 2)")
_BLOCK = "        # ---- Omni-new ----\n        self.talk(a)\n        # ---- Omni-new ----\n"
LOCAL = (
    "class L:\n"
    + BASE.partition("\n")[2].partition("\n    def other")[0].replace("_ids", "_ids_mine")
    + "\n\ndef mine(n):\n    a = start(n)\n    talk(a)  # Omni-new\n"
    + "    b = middle(a)\n    return b\n"
).replace("        b = self", f"{_BLOCK}        b = self")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Command:
    monkeypatch.chdir(tmp_path)
    for name, text in (("l.py", LOCAL), ("g.py", BASE), ("t.py", TARGET)):
        (tmp_path / name).write_text(text)
    return command


def rebase(run: Command, *arguments: str) -> Ran:
    return run("rebase-method", *arguments)


@pytest.mark.parametrize(
    "sides",
    [
        ("l.py", "g.py::G._ids", "t.py::G._ids", "_ids_mine"),
        ("l.py::L", "g.py::G._ids", "t.py::G._ids", "_ids_mine"),
        ("l.py::L", "g.py::G._ids", "t.py::G", "_ids_mine"),
        ("l.py::L", "g.py::G", "t.py::G._ids", "_ids_mine"),
        ("l.py::L._ids_mine", "g.py::G._ids", "t.py::G._ids", "_ids_mine"),
        ("l.py::L._ids_mine", "g.py::G._ids", "t.py::G._ids", "_ids"),
        ("l.py::L._ids_mine", "g.py::G", "t.py::G", "_ids"),
    ],
)
def test_a_method_by_address(run: Command, sides: tuple[str, str, str, str]) -> None:
    local, base, target, method = sides
    ran = rebase(
        run, f"--local={local}", f"--base={base}", f"--target={target}", f"--method={method}"
    )
    assert (ran.code, ran.err[-200:]) == (0, ran.err[-200:])
    assert ran.text == LOCAL.replace("self.b(a)", "self.b(a, 1)")


@pytest.mark.parametrize("name", ["_ids", "G._ids"])
def test_a_method_by_its_name(run: Command, name: str) -> None:
    sides = ("--local=l.py::L", "--base=g.py", "--target=t.py", "--method=_ids_mine")
    ran = rebase(run, *sides, f"--base-method={name}")
    assert ran.text == LOCAL.replace("self.b(a)", "self.b(a, 1)")


def test_a_function(run: Command) -> None:
    ran = rebase(run, "--local=l.py", "--base=g.py::free", "--target=t.py::free", "--method=mine")
    assert ran.code == 0
    assert ran.text == LOCAL.replace("middle(a)", "middle(a, 2)")


def test_a_name_that_nothing_says(run: Command) -> None:
    sides = ("--local=l.py::L", "--base=g.py::G", "--target=t.py::G", "--method=_ids_mine")
    ran = rebase(run, *sides)
    assert ran.code == 4
    assert "base: no function G._ids_mine" in ran.err
    assert "a copy under another name: --base-method NAME" in ran.err


def test_a_class_is_a_class(run: Command) -> None:
    sides = ("--local=l.py::L", "--base=g.py::Lost", "--target=t.py::G", "--method=_ids_mine")
    ran = rebase(run, *sides)
    assert ran.code == 4
    assert "base: no class Lost" in ran.err


@pytest.mark.parametrize(
    "sides",
    [
        ("l.py::L", "g.py::G._ids", "t.py::G._ids", "_ids_mine"),
        ("l.py::L._ids_mine", "g.py::G", "t.py::G", "_ids"),
    ],
)
def test_a_sibling_under_another_name(run: Command, sides: tuple[str, str, str, str]) -> None:
    local, base, target, method = sides
    gpu = (f"--gpu-base={base}", f"--gpu-target={target}")
    ran = run("sync-method", f"--local={local}", *gpu, f"--method={method}")
    assert ran.code == 0, ran.err
    assert "the sibling changed nothing that this method lacks" in ran.err


def test_where_it_comes_from(run: Command) -> None:
    upstream = ("--upstream=g.py::G._ids", "--upstream=t.py::G._ids")
    ran = run("provenance", "--local=l.py::L._ids_mine", *upstream)
    assert ran.code == 0, ran.err
    assert "L._ids_mine: g.py" in ran.text
