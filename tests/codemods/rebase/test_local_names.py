"""Base and target in local's names: imported ones however they are spelt, and variables."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.model import RebaseResult, Severity
from omni_codemods.rebase import rebase_method

FIRST = "p = self.first(n)\nself.note(p)\n"
LAST = "self.last(p)\nreturn p\n"


def file_of(imports: str, body: str, header: str = "def f(self, n):") -> str:
    code = textwrap.indent(FIRST + body + LAST, "        ")
    return f"{imports}\n\nclass R:\n    {header}\n{code}"


def rebased(
    base: tuple[str, str], local: tuple[str, str], target: tuple[str, str], header: str = ""
) -> RebaseResult:
    header = header or "def f(self, n):"
    return rebase_method(
        local=file_of(*local, header),
        base=file_of(*base, header),
        target=file_of(*target, header),
        method="f",
        target_module="pkg.runner",
    )


def body_of(result: RebaseResult) -> str:
    """What stands between the lines that all have."""
    text = textwrap.dedent(result.text.partition("note(p)\n")[2])
    return text.partition("self.last")[0]


@pytest.mark.parametrize(
    ("theirs", "ours", "call", "mine"),
    [
        ("from pkg import util", "from pkg.util import prep", "util.prep", "prep"),
        ("from pkg.util import prep", "from pkg import util", "prep", "util.prep"),
        ("import numpy", "import numpy as np", "numpy.zeros", "np.zeros"),
        ("from pkg import util as u", "from pkg import util", "u.prep", "util.prep"),
        ("from pkg.util import Prep", "from pkg.util import Prep as P", "Prep", "P"),
        ("from .util import prep", "from pkg import util", "prep", "util.prep"),
        ("import pkg.util", "from pkg.util import prep", "pkg.util.prep", "prep"),
        ("from pkg.util import Prep", "from pkg import util", "Prep.make", "util.Prep.make"),
    ],
)
def test_an_import_under_another_spelling(theirs: str, ours: str, call: str, mine: str) -> None:
    result = rebased(
        (theirs, f"v = {call}(n, self.old)\n"),
        (ours, f"v = {mine}(n, self.old)\n"),
        (theirs, f"v = {call}(n, self.new)\n"),
    )
    assert not result.needs_person
    assert body_of(result) == f"v = {mine}(n, self.new)\n"
    assert result.imports_added == result.imports_removed == ()


def test_new_upstream_lines_are_spelt_so_too() -> None:
    result = rebased(
        ("from pkg import util", "v = util.prep(n)\n"),
        ("from pkg.util import prep", "v = prep(n)\n"),
        ("from pkg import util", "v = util.prep(n)\nw = util.prep(util.rest(v))\n"),
    )
    assert body_of(result) == "v = prep(n)\nw = prep(util.rest(v))\n"
    assert result.imports_added == ("from pkg import util",)


@pytest.mark.parametrize(
    ("theirs", "ours", "call", "mine", "why"),
    [
        ("from pkg import util", "from own.util import prep", "util.prep", "prep", "another thing"),
        ("from pkg import util", "def prep(*a):\n    return a", "util.prep", "prep", "no import"),
        ("", "from pkg.util import prep", "self.prep", "prep", "an attribute"),
    ],
)
def test_what_is_not_the_same_name(theirs: str, ours: str, call: str, mine: str, why: str) -> None:
    result = rebased(
        (theirs, f"v = {call}(n, self.old)\n"),
        (ours, f"v = {mine}(n, self.old)\n"),
        (theirs, f"v = {call}(n, self.new)\n"),
    )
    assert result.conflicts, why


def test_a_variable_of_that_name_is_left_alone() -> None:
    result = rebased(
        ("from pkg import util", "v = util.prep(n)\n"),
        ("from pkg.util import prep", "v = prep(n)\n"),
        ("from pkg import util", "prep = 1\nv = util.prep(n, prep)\n"),
    )
    assert "util.prep(n, prep)" in result.text


def test_what_local_spells_in_two_ways_is_left_alone() -> None:
    imports = "from pkg import util\nfrom pkg.util import prep"
    result = rebased(
        ("from pkg import util", "v = util.prep(n)\n"),
        (imports, "v = prep(n)\nself.mine(util.prep)\n"),
        ("from pkg import util", "v = util.prep(n)\nw = util.prep(v)\n"),
    )
    assert "w = util.prep(v)" in result.text


def test_a_name_that_is_another_thing_there_is_left_alone() -> None:
    imports = "from pkg import util\nfrom other import prep"
    result = rebased(
        ("from pkg import util", "v = util.prep(n)\n"),
        ("from pkg.util import prep", "v = prep(n)\n"),
        (imports, "v = util.prep(n)\nw = prep(util.prep)\n"),
    )
    assert "w = prep(util.prep)" in result.text


RENAMED = "h = self.model(p)\nself.use(h)\n", "hs = self.model(p)\nself.use(hs)\n"


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("self.log(h)\n", "self.log(hs)\n"),
        ("self.log(h.h, h=h, k=self.h)\n", "self.log(hs.h, h=hs, k=self.h)\n"),
        ("self.log(f'{h} h {h.h!r:>{h}}')\n", "self.log(f'{hs} h {hs.h!r:>{hs}}')\n"),
        ("self.log('h')\n", "self.log('h')\n"),
        ("h = self.more(h)\n", "hs = self.more(hs)\n"),
        ("v = [h for h in h]\n", "v = [hs for hs in hs]\n"),
    ],
)
def test_a_renamed_variable_in_new_upstream_lines(new: str, expected: str) -> None:
    base, local = RENAMED
    result = rebased(("", base), ("", local), ("", base + new))
    assert body_of(result) == local + expected
    assert not result.needs_person
    notes = [f.code for f in result.findings if f.severity is Severity.NOTE]
    assert notes == (["OP406"] if "hs" in expected else [])


@pytest.mark.parametrize(
    ("base", "local", "new", "expected"),
    [
        (
            "for i in p:\n    self.a(i)\n",
            "for row in p:\n    self.a(row)\n",
            "    self.b(i)\n",
            "self.b(row)",
        ),
        (
            "with p as a:\n    self.a(a)\n",
            "with p as b:\n    self.a(b)\n",
            "    self.c(a)\n",
            "self.c(b)",
        ),
        ("x, y = p\nself.a(x, y)\n", "u, v = p\nself.a(u, v)\n", "self.b(y, x)\n", "self.b(v, u)"),
        (
            "h = self.model(p)\nself.use(h, 1)\n",
            "hs = self.model(p)\nself.use(hs, self.mine)\n",
            "self.log(h)\n",
            "self.log(hs)",
        ),
    ],
)
def test_other_ways_to_bind(base: str, local: str, new: str, expected: str) -> None:
    assert expected in rebased(("", base), ("", local), ("", base + new)).text


def test_a_renamed_parameter() -> None:
    body = "self.use(n)\n"
    base, target = file_of("", body), file_of("", f"{body}self.log(n)\n")
    local = file_of("", "self.use(rows)\n", "def f(self, rows):").replace("first(n)", "first(rows)")
    result = rebase_method(local=local, base=base, target=target, method="f")
    assert "self.log(rows)" in result.text
    assert "def f(self, rows):" in result.text


@pytest.mark.parametrize(
    ("base", "local", "target", "why"),
    [
        (
            "h = self.a(p)\nself.use(h)\n",
            "hs = self.b(p)\nself.use(hs)\n",
            "h = self.a(p)\nself.use(h)\nlog(h)\n",
            "bound otherwise",
        ),
        (
            "h = self.a(p)\nself.use(h)\n",
            "hs = self.a(p)\nh = 1\nself.use(hs)\n",
            "h = self.a(p)\nself.use(h)\nlog(h)\n",
            "still there",
        ),
        (
            "h = self.a(p)\nself.use(h)\nself.c(h)\n",
            "x = self.a(p)\nself.use(x)\ny = x\nself.c(y)\n",
            "h = self.a(p)\nself.use(h)\nself.c(h)\nlog(h)\n",
            "two names",
        ),
    ],
)
def test_what_is_no_renaming(base: str, local: str, target: str, why: str) -> None:
    result = rebased(("", base), ("", local), ("", target))
    assert "OP406" not in [f.code for f in result.findings], why
    assert "log(h)" in result.text
