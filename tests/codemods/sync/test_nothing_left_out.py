"""What the sibling changed is in the copy, or the account names it."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.model import Outcome, RebaseResult
from omni_codemods.sync.sibling import Sibling
from omni_codemods.sync.sync_method import sync_method

EMPTY = "class R:\n    def other(self):\n        pass\n"
BODY = """\
a = self.open(n)
b = self.model(a)
if self.ready:
    self.send(b)
self.close(a)
return b
"""


def method(body: str, head: str = "def f(self, n):") -> str:
    return "class R:\n" + textwrap.indent(f"{head}\n{textwrap.indent(body, '    ')}", "    ")


def sync(copy: str, after: str, before: str = "") -> RebaseResult:
    sibling = Sibling(
        before or method(BODY),
        after,
        cls="R",
        upstream_base=EMPTY,
        upstream_target=EMPTY,
        upstream_class="R",
    )
    return sync_method(local=copy, sibling=sibling, method="f")


def test_a_parameter_that_the_sibling_gained_comes() -> None:
    result = sync(method(BODY), method(BODY, "def f(self, n, mode=None):"))
    assert "def f(self, n, mode=None):" in result.text


def test_a_parameter_that_cannot_come_is_named() -> None:
    copy = method(BODY, "def f(self, n, kind=1):")
    result = sync(copy, method(BODY, "def f(self, m):"), method(BODY, "def f(self, n):"))
    assert "def f(self, m, kind=1):" in result.text or result.edits


@pytest.mark.parametrize("line", ["b = self.model(a)", "self.send(b)", "self.close(a)"])
def test_a_change_of_what_the_copy_has_not_is_named(line: str) -> None:
    changed = line.replace(")", ", mode=1)")
    lines = BODY.splitlines(keepends=True)
    copy = "".join(x for x in lines if x.strip() != line).replace(
        "if self.ready:\nself", "if self.ready:\n    pass\nself"
    )
    result = sync(method(copy), method(BODY.replace(line, changed)))
    assert changed not in result.text
    assert [e.outcome for e in result.edits] == [Outcome.PROPOSED]


def test_of_a_deletion_that_is_proposed_nothing_is_done() -> None:
    copy = method(BODY.replace("    self.send(b)\n", "    self.mine(b)\n    self.send(b)\n"))
    lines = BODY.splitlines(keepends=True)
    result = sync(copy, method("".join([*lines[:1], *lines[5:]])))
    assert result.text == copy
    assert [e.outcome for e in result.edits] == [Outcome.PROPOSED]


def test_a_statement_that_the_sibling_moved_is_not_lost() -> None:
    before = "out = None\nself.open(n)\nself.model(n)\nself.close(n)\nreturn n\n"
    after = "self.open(n)\nself.model(n)\nout = None\nself.close(n)\nreturn n\n"
    result = sync(method(before), method(after), method(before))
    assert result.text == method(after)
    assert not result.findings
