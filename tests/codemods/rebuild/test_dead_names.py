"""Names that the result works out and nothing reads."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.model import Finding, Severity
from omni_codemods.rebuild.dead_names import check_dead_names
from omni_codemods.rebuild.settle_imports import Rebuilt
from parsed import suite

BASE = "out = Out(a=q)\nself.push(out)"
MINE = "out = Mine(a=q)\nself.push(out)"
READS = "out = Out(a=q, b=y)\nself.push(out)"


def found(
    new: str,
    target: str,
    local: str = MINE,
    base: str = BASE,
    files: tuple[str, str] | None = None,
) -> list[Finding]:
    """The findings of functions by their bodies; those with a header come as they are."""
    old, before, result, upstream = (
        x if x.startswith("def ") else suite(x) for x in (local, base, new, target)
    )
    rebuilt = Rebuilt(old, (result, result), 7, before, upstream, result)
    return list(check_dead_names(rebuilt, *(files or (old, upstream))))


def names(new: str, target: str, local: str = MINE, base: str = BASE) -> list[str]:
    return [f.message.split()[2].rstrip(":") for f in found(new, target, local, base)]


@pytest.mark.parametrize(
    "binder",
    [
        "y = self.g(n)",
        "y = None\nif self.spec:\n    y = self.g(n)",
        "y = None\nif self.spec:\n    y = self.g(n)\nelse:\n    y = 1\n    pass",
        "y: int = self.g(n)",
        "y = self.g(n)\nif y is not None:\n    y = y.cpu()",
        "y = 1\ny += 1\nwhile y:\n    y = y - 1",
        "with self.g(n) as y:\n    self.go(n)",
        "try:\n    self.go(n)\nexcept E as e:\n    y = 1",
        "if (y := self.g(n)) is None:\n    self.go(n)",
        "x, (y, *rest) = self.g(n)\nself.use(x, rest)",
        "y = x = self.g(n)\nself.use(x)",
        "y = []\nfor r in q:\n    y.append(r)",
        "y = {}\ny['k'] = self.g(n)",
        "y = defaultdict(list)\ny.update(k=1)",
        "y = set()\ny.add(q)",
    ],
)
def test_what_only_the_overruled_reader_read(binder: str) -> None:
    (finding,) = found(f"{binder}\n{MINE}", f"{binder}\n{READS}")
    assert finding.code == "OP421"
    assert finding.severity is Severity.ERROR
    assert "nothing reads y: the upstream's code" in finding.message
    assert "out = Out(a=q, b=y)" in finding.message
    lines = suite(f"{binder}\n{MINE}").split("\n")
    assert lines[finding.line - 7][finding.column] == "y"


@pytest.mark.parametrize(
    "binder",
    ["def y():\n    return 1", "class y:\n    pass", "from pkg import y", "import pkg as y"],
)
def test_what_a_definition_or_an_import_binds(binder: str) -> None:
    (finding,) = found(f"self.go(n)\n{binder}\n{MINE}", f"self.go(n)\n{binder}\n{READS}")
    assert "nothing reads y: the upstream's code" in finding.message
    assert finding.line == 9


@pytest.mark.parametrize(
    "filled",
    [
        "y = self.rows\ny.append(q)",  # what others have too
        "y = self.rows\ny['k'] = 1",
        "y = []\ny = self.rows\ny.append(q)",
        "y = []\ny.append(q)\nself.go(y.pop())",
        "y = []\ny.sort(key=q)",  # no filling: not known
        "y = []\nself.rows = y\ny.append(q)",
    ],
)
def test_a_container_that_others_see_or_that_is_read(filled: str) -> None:
    assert found(f"{filled}\n{MINE}", f"{filled}\n{READS}") == []


@pytest.mark.parametrize(
    "reader",
    [
        "self.log(y)",
        "self.x[y] = 1",
        "self.x = y",
        "if y:\n    self.go(n)",
        "if y:\n    return None",
        "for r in y:\n    self.go(r)",
        "z = [y for _ in q]\nself.go(z)",
        "z = self.h(y)",  # it runs with it, whatever becomes of z
        "def inner():\n    return y\nself.go(inner)",
        "self.go(lambda: y)",
        "assert y",
        "del self.x[y]",
        "z = y\nself.go(z)",
        "self.go(**locals())",
    ],
)
def test_any_other_reader_keeps_it_alive(reader: str) -> None:
    both = f"y = self.g(n)\n{reader}\n"
    assert names(f"{both}{MINE}", f"{both}{READS}") == []


@pytest.mark.parametrize(
    ("new", "target", "local"),
    [
        (MINE, READS, MINE),  # not bound at all
        (f"y = 1\n{MINE}", f"y = 1\n{BASE}", MINE),  # dead in the upstream itself
        (f"y = 1\n{MINE}", f"y = 1\n{READS}", f"y = 1\n{MINE}"),  # dead in local before
        (f"global y\ny = 1\n{MINE}", f"global y\ny = 1\n{READS}", MINE),
    ],
)
def test_what_is_none_of_our_making(new: str, target: str, local: str) -> None:
    assert names(new, target, local=local) == []


def test_a_chain_is_said_once_where_it_ends() -> None:
    both = "y = 1\nz = y\n"
    assert names(f"{both}{MINE}", f"{both}out = Out(b=z)\nself.push(out)") == ["z"]


def test_a_local_name_whose_reader_was_not_carried() -> None:
    (finding,) = found(f"mm = self.mm(n)\n{BASE}", BASE, f"mm = self.mm(n)\n{BASE}\nuse(mm)")
    assert "nothing reads mm: local code" in finding.message
    assert finding.message.endswith("use(mm)")


def test_a_new_parameter() -> None:
    mine, theirs = (suite(x, "def run(self, n, y=None):") for x in (MINE, READS))
    (finding,) = found(mine, theirs)
    assert (finding.line, finding.column) == (7, 17)


def test_a_new_attribute_that_no_file_names_elsewhere() -> None:
    both, reads = "self.y = self.g(n)\n", "out = Out(b=self.y)\nself.push(out)"
    assert names(both + MINE, both + reads) == ["self.y"]
    elsewhere = suite(both + reads) + suite("return self.y", "def other(self):")
    files = (suite(MINE), elsewhere)
    assert found(both + MINE, both + reads, files=files) == []
    assert names(both + MINE, both + reads, base=both + BASE) == []


def test_whichever_way_conflicts_are_resolved() -> None:
    written = textwrap.indent(
        f"y = 1\n<<<<<<< local\n{MINE}\n||||||| base\n{BASE}\n=======\n{READS}\n>>>>>>> target\n",
        "    ",
    ).replace("    <<<", "<<<")
    for mark in ("<<<<<<<", "|||||||", "=======", ">>>>>>>"):
        written = written.replace(f"    {mark}", mark)
    sides = (suite(f"y = 1\n{MINE}"), suite(f"y = 1\n{READS}"))
    upstream = suite(f"y = 1\n{READS}")
    text = f"def run(self):\n{written}"
    rebuilt = Rebuilt(suite(MINE), sides, 1, suite(BASE), upstream, text)
    assert check_dead_names(rebuilt) == ()
    dead = text.replace(READS.split("\n")[0], BASE.split("\n")[0])
    rebuilt = Rebuilt(suite(MINE), (sides[0],) * 2, 1, suite(BASE), upstream, dead)
    assert [f.line for f in check_dead_names(rebuilt)] == [2]


def test_what_cannot_be_read_says_nothing() -> None:
    assert found("y = (", f"y = 1\n{READS}") == []
    assert found(f"y = 1\n{MINE}", "y = (") == []
