from __future__ import annotations

import json
from pathlib import Path

import pytest

from commandline import Command
from gitrepos import commit, make_repository, needs_git
from omni_port.cli.schema import load_schema

OLD = """\
class Pool:
    def __init__(self, size):
        self.size = size
        self.pcp_rank = make_rank(size)

    def take(self, n, hint=None):
        return n


def get(head, dtype):
    return dtype


LIMIT = 1
"""
NEW = """\
class Pool:
    def __init__(self, size, events):
        self.size = size
        self.dcp_rank = make_rank(size)

    def take(self, n, hint=None, *, group=0):
        return n


def get(dtype, head):
    return dtype
"""
CALLER = "from up.pool import Pool\n\npool = Pool(4, events=[1])\n"
LOCAL = """\
from up.pool import LIMIT, Pool, get

before = get(1, 2)
broken = missing_before


class Mine(Pool):
    def take(self, n, hint=None):
        return self.pcp_rank + LIMIT


pool = Pool(4)
"""


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for end, text in (("one", OLD), ("two", NEW)):
        folder = tmp_path / end / "up"
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        (folder / "pool.py").write_text(text)
        (folder / "use.py").write_text(CALLER)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "__init__.py").write_text("")
    (mine / "pool.py").write_text(LOCAL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


UPSTREAM = ("--upstream", "up=one..two")


def test_what_fits_the_old_one_alone_is_told_with_its_change(command: Command, world: Path) -> None:
    ran = command("breaks", *UPSTREAM, "mine")
    assert ran.code == 1
    assert "mine/pool.py:1:21: OP607 up.pool has no LIMIT" in ran.text
    assert "mine/pool.py:3:10: OP609 argument 1 of get is dtype now (was head)" in ran.text
    assert "OP608 take does not take group" in ran.text
    assert "OP616 no class of Mine sets or defines pcp_rank" in ran.text
    assert "instead: upstream keeps it in dcp_rank now (made the same way)" in ran.text
    assert "OP609 Pool.__init__ (up/pool.py:2) also wants events" in ran.text
    assert "instead: upstream's own caller passes events=[1] (up/use.py:3)" in ran.text
    assert "missing_before" not in ran.text
    assert "2 files: 5 places in 5 changes" in ran.err


def test_nothing_breaks_between_the_same_revisions(command: Command, world: Path) -> None:
    ran = command("breaks", "--upstream", "up=one..one", "mine")
    assert (ran.code, ran.text) == (0, "")
    assert "2 files: nothing breaks" in ran.err


def test_the_second_run_reads_from_the_cache_and_says_the_same(
    command: Command, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = command("breaks", *UPSTREAM, "mine")
    monkeypatch.setattr("omni_port.methods.readings.read_contract", None)
    assert command("breaks", *UPSTREAM, "mine").text == first.text
    for kept in (world / "cache" / "omni-port" / "readings").iterdir():
        kept.write_bytes(b"broken")
    monkeypatch.undo()


def test_a_changed_file_is_read_anew(command: Command, world: Path) -> None:
    command("breaks", *UPSTREAM, "mine")
    (world / "two" / "up" / "pool.py").write_text(NEW + "LIMIT = 2\n")
    assert "LIMIT" not in command("breaks", *UPSTREAM, "mine").text
    (world / "mine" / "pool.py").write_text("from up.pool import LIMIT\n")
    assert command("breaks", *UPSTREAM, "mine").code == 0


def test_a_broken_cache_is_no_cache(command: Command, world: Path) -> None:
    first = command("breaks", *UPSTREAM, "mine")
    for kept in (world / "cache" / "omni-port" / "readings").iterdir():
        kept.write_bytes(b"broken")
    assert command("breaks", *UPSTREAM, "mine").text == first.text


def test_a_baseline_knows_what_is_known(command: Command, world: Path) -> None:
    known = ("--since-good", "good.json")
    assert command("breaks", *UPSTREAM, "mine", *known).code == 2
    assert command("breaks", *UPSTREAM, "mine", *known, "--update").code == 0
    assert command("breaks", *UPSTREAM, "mine", *known).code == 0
    text = (world / "mine" / "pool.py").read_text()
    (world / "mine" / "pool.py").write_text("\n" + text + "other = Pool(5)\nPool(1, 2, 3)\n")
    ran = command("breaks", *UPSTREAM, "mine", *known)
    assert "known" in ran.err


@pytest.mark.parametrize("form", ["json", "markdown", "github", "sarif"])
def test_each_format_names_the_places(command: Command, world: Path, form: str) -> None:
    ran = command("breaks", *UPSTREAM, "mine", "--format", form)
    assert ran.code == 1
    assert "OP607" in ran.text
    assert "mine/pool.py" in ran.text
    if form == "json":
        jsonschema = pytest.importorskip("jsonschema")
        document = json.loads(ran.text)
        jsonschema.validate(document, load_schema("breaks"))
        assert document["summary"]["sure"] == len(
            [one for group in document["groups"] for one in group["breaks"]]
        )


@needs_git
def test_the_commit_is_named_where_the_upstream_is_a_repository(
    command: Command, world: Path
) -> None:
    repo = make_repository(world / "repo")
    old = commit(repo, {"up/__init__.py": "", "up/pool.py": OLD}, "Begin")
    commit(repo, {"up/pool.py": OLD.replace("LIMIT = 1\n", "")}, "Drop the limit (#12)")
    commit(repo, {"up/pool.py": NEW}, "Give pools events (#34)")
    ran = command("breaks", "--upstream", f"up={repo}@{old}..main", "mine", "--format", "json")
    groups = json.loads(ran.text)["groups"]
    causes = {g["subject"]: (g["cause"]["subject"], g["cause"]["pull"]) for g in groups}
    assert causes["up.pool.LIMIT"] == ("Drop the limit (#12)", "12")
    assert causes["up.pool.Pool.__init__"] == ("Give pools events (#34)", "34")


def test_an_end_is_missing(command: Command, world: Path) -> None:
    ran = command("breaks", "--upstream", "up=one", "mine")
    assert ran.code == 2


def test_nothing_to_look_at(command: Command, world: Path) -> None:
    (world / "bare").mkdir()
    ran = command("breaks", *UPSTREAM, "bare")
    assert ran.code == 0
    assert "0 files" in ran.err


def test_copies_of_what_changed_are_named(command: Command, world: Path) -> None:
    body = "    a = n + 1\n    b = a * 2\n    c = b - n\n    d = c + b\n    return {}\n"
    for end, last in (("one", "d"), ("two", "d + a")):
        (world / end / "up" / "work.py").write_text(f"def work(n):\n{body.format(last)}")
        (world / end / "up" / "same.py").write_text(f"def same(n):\n{body.format('d')}")
    (world / "mine" / "work.py").write_text(f"def work(n):\n    mine()\n{body.format('d')}")
    (world / "mine" / "same.py").write_text(f"def same(n):\n    mine()\n{body.format('d')}")
    (world / "mine" / "pool.py").write_text("def other(n):\n    return n\n")
    ran = command("breaks", *UPSTREAM, "mine")
    assert ran.code == 0
    assert "  mine/work.py:1: work, of up.work.work: its body changed" in ran.text
    assert "same" not in ran.text
    assert "1 copied function changed" in ran.err
