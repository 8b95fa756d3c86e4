"""What a block of the copy holds goes with the sibling, if it is the sibling's, word for word."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import Conflict, EditKind, Outcome, RebaseResult
from omni_codemods.sync.sibling import Sibling
from omni_codemods.sync.sync_method import sync_method

FENCE = "# ---- Omni-new ----"
MARK = "# Omni-new"


def lines(*code: str) -> str:
    return "".join(f"        {line}\n" for line in code)


def whole(cls: str, body: str, rest: str = "") -> str:
    head = f"class {cls}:\n    def run(self, x):\n        a = self.begin(x)\n"
    return f"{head}{body}        return a\n{rest}"


def sync(
    before: str, after: str, copy: str, *, policy: str = "replay", rest: tuple[str, str] = ("", "")
) -> RebaseResult:
    sibling = Sibling(
        whole("Gpu", before, rest[0]), whole("Gpu", after, rest[1]), "Gpu", package="vllm_omni"
    )
    return sync_method(
        local=whole("Npu", copy),
        sibling=sibling,
        method="run",
        local_class="Npu",
        upstream="def run(self, x):\n    a = self.begin(x)\n    return a\n",
        policy=policy,
    )


def body_of(result: RebaseResult) -> str:
    return result.text.removeprefix(whole("Npu", "\0").partition("\0")[0]).removesuffix(
        "        return a\n"
    )


def followed(result: RebaseResult) -> list[str]:
    return [e.followed for e in result.edits if e.outcome is Outcome.FOLLOWED]


OLD = "self.process_outputs(a, x, flush=True)"
NEW = "self.process_outputs(a, x, flush=True, plan=x)"


def test_a_changed_statement() -> None:
    result = sync(lines(OLD), lines(NEW), lines(FENCE, OLD, FENCE))
    assert body_of(result) == lines(FENCE, NEW, FENCE)
    assert followed(result) == [f"@@ -1 +1 @@\n-    {OLD}\n+    {NEW}\n"]
    assert not result.conflicts
    assert not result.needs_person
    assert result.edits[0].asks
    assert result.edits[0].edit.kind is EditKind.SIBLING


def test_under_the_strict_policy_it_is_a_conflict() -> None:
    result = sync(lines(OLD), lines(NEW), lines(FENCE, OLD, FENCE), policy="strict")
    assert len(result.conflicts) == 1
    assert not followed(result)
    assert result.needs_person


def test_other_code_in_a_block_is_asked_about() -> None:
    mine = OLD.replace("True", "False")
    result = sync(lines(OLD), lines(NEW), lines(FENCE, mine, FENCE))
    assert len(result.conflicts) == 1
    assert not followed(result)


def test_the_layout_of_what_a_block_holds_is_no_difference() -> None:
    mine = ("self.process_outputs(", "    a, x,", "    flush=True,", ")")
    result = sync(lines(OLD), lines(NEW), lines(FENCE, *mine, FENCE))
    assert body_of(result) == lines(FENCE, NEW, FENCE)


def test_a_fence_behind_the_statement_stays() -> None:
    result = sync(lines(OLD), lines(NEW + "  # why"), lines(f"{OLD}  {MARK}"))
    assert body_of(result) == lines(f"{NEW}  {MARK}")
    assert followed(result)


def test_a_header_with_its_body_as_it_is() -> None:
    inside = "    self.own(a)"
    result = sync(
        lines("if self.ready(a):", inside),
        lines("if self.ready(a, x):", inside),
        lines(FENCE, "if self.ready(a):", inside, FENCE),
    )
    assert body_of(result) == lines(FENCE, "if self.ready(a, x):", inside, FENCE)
    assert "-    if self.ready(a):" in followed(result)[0]
    assert "self.own" not in followed(result)[0]


def test_deleted_code_goes_and_the_empty_block_with_it() -> None:
    result = sync(lines(OLD), "", lines(FENCE, OLD, FENCE))
    assert body_of(result) == ""
    assert OLD in followed(result)[0]
    assert not result.findings


def test_of_a_block_with_more_in_it_the_rest_stays() -> None:
    result = sync(lines(OLD), "", lines(FENCE, "self.mine(a)", OLD, FENCE))
    assert body_of(result) == lines(FENCE, "self.mine(a)", FENCE)
    assert not result.findings


def test_replaced_code_stands_in_the_fences() -> None:
    new = "b = self.other(1, 2, 3)"
    result = sync(lines(OLD), lines(new, "self.use(b)"), lines(FENCE, OLD, FENCE))
    assert body_of(result) == lines(FENCE, new, "self.use(b)", FENCE)
    assert f"-    {OLD}" in followed(result)[0]
    assert f"+    {new}" in followed(result)[0]


def test_code_that_the_sibling_moved_to_another_method_is_asked_about() -> None:
    there = f"\n    def end(self, a, x):\n        {OLD}\n"
    gone = "\n    def end(self, a, x):\n        pass\n"
    result = sync(lines(OLD), "", lines(FENCE, OLD, FENCE), rest=(gone, there))
    assert [c.target for c in result.conflicts] == [""]
    assert not followed(result)


def test_a_block_on_an_element_holds_that_element_alone() -> None:
    mine = ("self.state = State(", "    a,", "    npu,", f"    own,  {MARK}", ")")
    want = ("self.state = State(", "    a,", "    npu,", "    stats,", f"    own,  {MARK}", ")")
    result = sync(
        lines("self.state = State(a, own)"),
        lines("self.state = State(a, stats, own)"),
        lines(*mine),
    )
    assert [c.reason for c in result.conflicts] == []
    assert body_of(result) in (lines(*want), lines(*want[:2], want[3], want[2], *want[4:]))


@pytest.mark.parametrize("policy", ["replay", "strict"])
def test_a_marked_element_that_changed_is_asked_about(policy: str) -> None:
    mine = ("self.state = State(", "    a,", f"    own=1,  {MARK}", ")")
    result = sync(
        lines("self.state = State(a, own=1)"),
        lines("self.state = State(a, own=2)"),
        lines(*mine),
        policy=policy,
    )
    assert isinstance(result.conflicts[0], Conflict)


def test_a_second_sync_changes_nothing() -> None:
    first = sync(lines(OLD), lines(NEW), lines(FENCE, OLD, FENCE))
    again = sync(lines(OLD), lines(NEW), body_of(first))
    assert again.text == first.text
    assert not followed(again)
