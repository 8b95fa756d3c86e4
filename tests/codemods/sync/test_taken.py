"""Proposals that a person took: put in, checked, and with what hangs together."""

from __future__ import annotations

import ast

import pytest

from omni_codemods.findings.model import Outcome, RebaseResult
from omni_codemods.sync.sibling import Sibling
from omni_codemods.sync.sync_method import sync_method
from omni_codemods.sync.taken import NOTHING_TAKEN, Taken, proposal_key

HEAD = "import torch\n\n\nclass {}:\n"
BODY = """\
    def run(self, batch):
        rows = self.prepare(batch)
        hidden = self.model(rows)
        out = self.pack(hidden)
        return out

    def other(self):
        return 1
"""
GPU = HEAD.format("GPU") + BODY
NPU = HEAD.format("NPU") + BODY


def sync(
    after: str, taken: Taken = NOTHING_TAKEN, *, local: str = NPU, before: str = GPU
) -> RebaseResult:
    sibling = Sibling(before, after, cls="GPU", package="vllm_omni", taken=taken)
    return sync_method(local=local, sibling=sibling, method="run", local_class="NPU")


def take(after: str, *codes: str, only: bool = False, local: str = NPU) -> RebaseResult:
    return sync(after, Taken(frozenset(map(proposal_key, codes)), only), local=local)


def proposed(result: RebaseResult) -> list[str]:
    return [e.proposed for e in result.edits if e.outcome is Outcome.PROPOSED]


def put(*lines: str, behind: str = "        hidden = self.model(rows)\n", text: str = GPU) -> str:
    assert behind in text
    return text.replace(behind, behind + "".join(f"        {line}\n" for line in lines))


def test_what_is_proposed_has_a_key_that_layout_does_not_change() -> None:
    (edit,) = sync(put("self.tell( hidden,  1 )  # why")).edits
    assert edit.outcome is Outcome.PROPOSED
    assert edit.key == proposal_key("self.tell(hidden, 1)\n")


@pytest.mark.parametrize("only", [False, True])
@pytest.mark.parametrize(
    "lines",
    [
        ("self.tell(hidden)",),
        ("for row in rows:", "    self.tell(row)"),
        ("if rows:", "    self.tell(1)", "else:", "    self.tell(2)"),
        ("with self.lock:", "    self.tell(", "        rows,", "    )"),
    ],
)
def test_what_was_taken_is_put_in(lines: tuple[str, ...], *, only: bool) -> None:
    after = put(*lines)
    result = take(after, "\n".join(lines), only=only)
    assert result.text == put(*lines, text=NPU)
    (edit,) = result.edits
    assert edit.outcome is Outcome.CARRIED
    assert edit.reason.startswith("taken; ")
    again = take(after, "\n".join(lines), only=only, local=result.text)
    assert again.text == result.text


def test_with_only_nothing_else_travels_or_is_proposed() -> None:
    after = put(
        "vllm_omni.count(rows)",
        text=put("self.tell(hidden)", behind="        rows = self.prepare(batch)\n"),
    )
    assert sync(after).text != NPU
    result = take(after, "self.tell(hidden)", only=True)
    assert result.text == put(
        "self.tell(hidden)", behind="        rows = self.prepare(batch)\n", text=NPU
    )
    assert len(result.edits) == 1


def test_what_was_taken_replaces_what_the_sibling_replaced() -> None:
    after = GPU.replace(
        "        out = self.pack(hidden)\n", "        with lock:\n            go(1)\n"
    )
    (code,) = proposed(sync(after))
    (edit,) = sync(after).edits
    assert edit.reason.endswith("taken whole, it takes the place of `out = self.pack(hidden)`")
    result = take(after, code)
    assert result.text == after.replace("class GPU", "class NPU")


def test_where_the_copy_has_another_version_a_person_decides() -> None:
    before = GPU.replace("rows = self.prepare(batch)", "rows = vllm_omni.prepare(batch, 1)")
    after = GPU.replace("rows = self.prepare(batch)", "rows = vllm_omni.prepare(batch, 2)")
    local = NPU.replace("rows = self.prepare(batch)", "rows = vllm_omni.prepare(batch, 3)")
    (code,) = proposed(sync(after, local=local, before=before))
    result = sync(after, Taken(frozenset({proposal_key(code)})), local=local, before=before)
    assert len(result.conflicts) == 1
    assert "prepare(batch, 2)" in result.conflicts[0].target + result.conflicts[0].local


METHOD = "    def tell(self, rows):\n        return torch.add(rows, 1)\n"


def test_a_gained_method_is_put_behind_its_neighbour_with_what_it_needs() -> None:
    after = put("self.tell(hidden)").replace("    def other", f"{METHOD}\n    def other")
    local = NPU.replace("import torch\n\n\n", "")
    found = sync(after, local=local)
    assert {e.cause for e in found.edits} == {
        "it needs self.tell, which the sibling gained and the NPU class has not"
    }
    keys = frozenset(e.key for e in found.edits)
    result = sync(after, Taken(keys), local=local)
    ast.parse(result.text)
    assert result.text.startswith("import torch\n")
    assert f"        return out\n\n{METHOD}\n    def other" in result.text
    assert "        self.tell(hidden)\n" in result.text
    assert proposed(result) == []
    assert sync(after, Taken(keys), local=result.text).text == result.text


def test_a_gained_method_at_the_end_of_the_file() -> None:
    after = GPU + "\n" + METHOD
    result = take(after, METHOD, local=NPU.rstrip("\n"))
    assert result.text == NPU + "\n" + METHOD
    (edit,) = result.edits
    lines = result.text.split("\n")
    assert edit.result is not None
    assert "def tell" in lines[edit.result.start - 1]


def test_what_hangs_together_has_one_cause() -> None:
    found = sync(
        put(
            "rate = self.count(7)",
            "self.tell(rate)",
            text=put("self.b(1)", behind="        rows = self.prepare(batch)\n"),
        )
    )
    causes = [e.cause for e in found.edits]
    assert causes.count("") >= 1
