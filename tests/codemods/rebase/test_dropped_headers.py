"""A header that the upstream dropped, in local code around it; a call that it dropped."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.model import Outcome, RebaseResult
from omni_codemods.rebase.method import rebase_method

FENCE = "# ---- Omni-new ----\n"
BODY = "self.debug = self.make(n)\nself.two(n)\n"


def method(body: str) -> str:
    lines = f"p = self.p(n)\nself.note(p)\n{body}z = self.z(p)\nself.end(z)\nreturn z\n"
    return f"class R:\n    def f(self, n):\n{textwrap.indent(lines, ' ' * 8)}"


def rebase(base: str, local: str, target: str) -> RebaseResult:
    return rebase_method(base=method(base), local=method(local), target=method(target), method="f")


def under(header: str, body: str = BODY) -> str:
    return f"{header}\n{textwrap.indent(body, '    ')}"


@pytest.mark.parametrize("fence", ["", FENCE])
@pytest.mark.parametrize("header", ["if self.ready:", "for i in n:", "with self.lock:", "while n:"])
@pytest.mark.parametrize("wrap", ["with self.mine():", "if self.mine:", "for a in self.mine:"])
def test_a_local_wrap_follows_the_code_out_of_a_dropped_header(
    wrap: str, header: str, fence: str
) -> None:
    local = f"{fence}{under(wrap, under(header))}{fence}"
    result = rebase(under(header), local, BODY)
    assert result.text == method(f"{fence}{under(wrap)}{fence}")
    assert not result.needs_person


def test_a_block_that_put_code_under_the_dropped_header_keeps_it() -> None:
    held = under("if self.ready:", f"self.mine()\n{BODY}")
    fenced = f"{FENCE}{held}{FENCE}"
    result = rebase(under("if self.ready:"), fenced, BODY)
    assert result.text == method(fenced)
    assert any("if self.ready:" in edit.overruled for edit in result.edits)


def test_a_wrap_with_a_last_clause() -> None:
    local = under("try:", under("if self.ready:")) + "finally:\n    self.mine()\n"
    result = rebase(under("if self.ready:"), local, BODY)
    assert result.text == method(under("try:") + "finally:\n    self.mine()\n")


def test_what_stands_beside_the_dropped_header_stays_beside_its_code() -> None:
    local = f"self.before(p)\n{under('if self.ready:')}self.behind(p)\n"
    result = rebase(under("if self.ready:"), local, BODY)
    assert result.text == method(f"self.before(p)\n{BODY}self.behind(p)\n")


def test_a_block_in_a_call_does_not_own_the_call() -> None:
    call = "m = self.build(\n    p,\n    seq=1,\n)\n"
    local = call.replace("    seq", f"    {FENCE}    mine=n,\n    {FENCE}    seq")
    result = rebase(call, local, "m = None\n")
    assert [edit.outcome for edit in result.edits] == [Outcome.CONFLICT]
    (conflict,) = result.conflicts
    assert "m = None" in conflict.target
