"""What the GPU sibling gained, on the NPU copy: small files, end to end."""

from __future__ import annotations

import ast

import pytest

from omni_codemods.findings.errors import MethodNotFound, NotACopy, SourceError
from omni_codemods.findings.model import EditKind, Outcome, RebaseResult, Severity, Span
from omni_codemods.rebase.method import rebase_method
from omni_codemods.sync.sibling import Sibling
from omni_codemods.sync.sync_method import sync_method

GPU = """\
import torch
from vllm_omni.audio import split_audio


class GPURunner:
    def run(self, batch):
        rows = self.prepare(batch)
        hidden = self.model(rows)
        hidden, audio = split_audio(hidden)
        return self.pack(hidden)
"""
NPU = """\
import torch
from vllm_omni.audio import split_audio


class NPURunner(Base):
    def run(self, batch):
        rows = self.prepare(batch)
        hidden = self.model(rows, fast=True)
        # ---- Omni-new ----
        hidden, audio = split_audio(hidden)
        # ---- Omni-new ----
        return self.pack(hidden)
"""
SPLIT = "        hidden, audio = split_audio(hidden)\n"
PACK = "        return self.pack(hidden)\n"
MODEL = "        hidden = self.model(rows)\n"


def changed(old: str, new: str, text: str = GPU) -> str:
    assert old in text
    return text.replace(old, new)


def sync(after: str, *, before: str = GPU, local: str = NPU, **options: str) -> RebaseResult:
    sibling = Sibling(before, after, cls="GPURunner", package="vllm_omni", **options)  # type: ignore[arg-type]
    return sync_method(local=local, sibling=sibling, method="run", local_class="NPURunner")


def outcomes(result: RebaseResult) -> list[str]:
    return [e.outcome.value for e in result.edits]


def codes(result: RebaseResult) -> list[str]:
    return [f.code for f in result.findings]


def test_a_change_beside_the_downstreams_own_code_travels() -> None:
    after = changed(PACK, "        self.omni_audio(audio)\n" + PACK)
    result = sync(after)
    assert result.text == changed(PACK, "        self.omni_audio(audio)\n" + PACK, NPU)
    (edit,) = result.edits
    assert edit.outcome is Outcome.CARRIED
    assert edit.edit.kind is EditKind.SIBLING
    assert edit.edit.span == Span(10, 10)
    assert edit.result == Span(12, 12)
    assert edit.proposed == ""
    assert not result.needs_person


def test_it_is_translated_with_its_import() -> None:
    line = "        torch.cuda.synchronize()  # omni\n"
    result = sync(changed(SPLIT, SPLIT + line))
    assert "torch.npu.synchronize()  # omni\n" in result.text
    assert "torch.cuda" not in result.text
    helper = "        omni_store(audio)\n"
    after = changed(SPLIT, SPLIT + helper)
    after = "from vllm_omni.store import omni_store\n" + after
    result = sync(after)
    assert result.imports_added == ("from vllm_omni.store import omni_store",)
    assert helper in result.text
    ast.parse(result.text)


def test_what_nothing_speaks_for_is_proposed_with_its_code() -> None:
    new = "        torch.cuda.synchronize()\n        if rows:\n            self.trace(rows)\n"
    result = sync(changed(MODEL, new + MODEL))
    assert result.text == NPU
    (edit,) = result.edits
    assert edit.outcome is Outcome.PROPOSED
    assert edit.proposed == "torch.npu.synchronize()\nif rows:\n    self.trace(rows)\n"
    assert edit.edit.span == Span(8, 10)
    assert edit.result is None
    assert "nothing tells" in edit.reason


def test_with_the_siblings_upstream_it_is_exact() -> None:
    theirs = "        self.trace(rows)\n"
    mine = "        self.count(rows)\n"
    upstream = changed(SPLIT, "").replace("GPURunner", "Up")
    ends = {"upstream_base": upstream, "upstream_class": "Up"}
    after = changed(MODEL, theirs + mine + MODEL)
    target = changed(MODEL, theirs + MODEL, upstream)
    result = sync(after, upstream_target=target, **ends)
    start = "        hidden = self.model("
    assert result.text == changed(start, mine + start, NPU)
    proposed = [e for e in result.edits if e.outcome is Outcome.PROPOSED]
    assert [e.proposed for e in proposed] == ["self.trace(rows)\n"]
    assert "upstream" in proposed[0].reason


def test_a_method_that_the_siblings_upstream_lacks_is_all_its_own() -> None:
    upstream = "class Up:\n    def other(self):\n        pass\n"
    after = changed(MODEL, "        self.trace(rows)\n" + MODEL)
    result = sync(after, upstream_base=upstream, upstream_target=upstream, upstream_class="Up")
    assert "self.trace(rows)" in result.text


ATTACH = "        self.attach_omni(audio)\n"
GAINED = changed(PACK, ATTACH + PACK).replace("GPURunner:", "GPURunner(Up, Connectors):")


def test_what_needs_a_base_that_the_sibling_gained_is_only_proposed() -> None:
    result = sync(GAINED)
    assert result.text == NPU
    (edit,) = result.edits
    assert edit.outcome is Outcome.PROPOSED
    assert edit.proposed == "self.attach_omni(audio)\n"
    assert "Up, Connectors" in edit.reason
    assert "the NPU class has not" in edit.reason
    changed_call = "        return self.pack(self.attach_omni(hidden))\n"
    after = GAINED.replace(ATTACH, "").replace(PACK, changed_call)
    assert sync(after).text == NPU


@pytest.mark.parametrize(
    ("before", "local"),
    [
        (GPU.replace("GPURunner:", "GPURunner(Up, Connectors):"), NPU),
        (GPU, NPU.replace("(Base)", "(Base, Up, x.Connectors)")),
        (GPU, NPU + "\n    def attach_omni(self, audio):\n        return audio\n"),
        (GPU.replace(MODEL, MODEL + "        self.attach_omni(rows)\n"), NPU),
    ],
    ids=["the sibling had it before", "the copy has it", "defined here", "used before"],
)
def test_what_the_copy_may_well_have_travels(before: str, local: str) -> None:
    assert ATTACH in sync(GAINED, before=before, local=local).text


HELPER = "\n    def keep_omni(self, audio):\n        return audio\n"
KEEP = "        kept = self.keep_omni(audio)\n"


@pytest.mark.parametrize("exact", [False, True])
def test_what_calls_a_method_that_the_sibling_gained_is_proposed_with_it(exact: bool) -> None:
    ends = {"upstream_base": GPU, "upstream_target": GPU} if exact else {}
    read = "        if kept:\n            self.tell_omni(kept)\n"
    result = sync(changed(PACK, KEEP + read + PACK) + HELPER, **ends)
    assert result.text == NPU
    needs, method = result.edits
    assert needs.proposed == (KEEP + read).replace("        ", "", 1).replace("\n        ", "\n")
    assert (
        needs.reason
        == "it needs self.keep_omni, which the sibling gained and the NPU class has not"
    )
    assert method.proposed == HELPER[1:].replace("    ", "", 1).replace("\n    ", "\n")
    assert outcomes(result) == ["proposed", "proposed"]


@pytest.mark.parametrize(
    ("before", "local"),
    [
        (GPU + HELPER, NPU),
        (GPU, NPU + HELPER),
        (GPU, changed(PACK, "        self.keep_omni(hidden)\n" + PACK, NPU)),
    ],
    ids=["the sibling had it before", "defined here", "called here already"],
)
def test_a_call_of_another_method_travels(before: str, local: str) -> None:
    assert KEEP in sync(changed(PACK, KEEP + PACK) + HELPER, before=before, local=local).text


def test_a_rebased_class_may_inherit_what_the_sibling_gained() -> None:
    after = changed(PACK, KEEP + PACK) + HELPER
    sibling = Sibling(GPU, after, cls="GPURunner", package="vllm_omni")
    inherits = frozenset({"keep_omni"})
    result = sync_method(
        local=NPU, sibling=sibling, method="run", local_class="NPURunner", inherited=inherits
    )
    assert KEEP in result.text


@pytest.mark.parametrize("exact", [False, True])
def test_an_unchanged_sibling_changes_nothing(exact: bool) -> None:
    ends = {"upstream_base": GPU, "upstream_target": GPU} if exact else {}
    result = sync(GPU, **ends)
    assert (result.text, result.edits, result.findings) == (NPU, (), ())
    result = sync("# a comment more\n" + changed(SPLIT, "        # why\n" + SPLIT))
    assert (result.text, result.edits) == (NPU, ())


def test_what_the_copy_says_already_is_absorbed() -> None:
    after = changed(PACK, "        self.omni_audio(audio)\n" + PACK)
    result = sync(after, local=changed(PACK, "        self.omni_audio(audio)\n" + PACK, NPU))
    assert outcomes(result) == ["absorbed"]
    assert "NPU copy" in result.edits[0].reason


def test_a_second_sync_changes_nothing() -> None:
    after = changed(PACK, "        self.omni_audio(audio)\n" + PACK)
    first = sync(after)
    second = sync(after, local=first.text)
    assert second.text == first.text
    assert outcomes(second) == ["absorbed"]


def test_a_change_in_a_block_is_a_conflict_and_a_second_sync_waits_for_it() -> None:
    after = changed("split_audio(hidden)", "split_audio(hidden, self.rate)")
    result = sync(after, local=changed("split_audio(hidden)", "split_audio(hidden, 1)", NPU))
    assert outcomes(result) == ["conflict"]
    (conflict,) = result.conflicts
    lines = result.text.split("\n")
    assert lines[conflict.line - 1] == "<<<<<<< NPU copy"
    assert "split_audio(hidden, 1)" in conflict.local
    assert "split_audio(hidden, self.rate)" in conflict.target
    assert result.needs_person
    again = sync(after, local=result.text)
    assert again.text == result.text
    assert codes(again) == ["OP502"]


def test_where_the_copy_has_another_version_the_siblings_is_proposed() -> None:
    before = changed("self.model(rows)", "self.model(rows, mode=1)")
    after = changed("self.model(rows)", "self.model(rows, mode=self.omni)")
    local = changed("fast=True", "mode=2", NPU)
    result = sync(after, before=before, local=local)
    assert result.text == local
    assert outcomes(result) == ["proposed"]
    assert "another version" in result.edits[0].reason
    assert result.edits[0].proposed == "hidden = self.model(rows, mode=self.omni)\n"


def test_spans_are_lines_of_the_sibling_before_translation() -> None:
    head = "from vllm.compilation.cuda_graph import (\n    CUDAGraphStat,\n    CUDAGraphWrapper,\n"
    head += ")\n"
    use = "        self.omni = CUDAGraphWrapper(self.omni)\n"
    after = head + changed(SPLIT, SPLIT + use)
    acl = "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper\n"
    result = sync(after, before=head + GPU, local=acl + NPU)
    (edit,) = result.edits
    assert after.split("\n")[edit.edit.span.start - 1] == use.rstrip()
    assert "ACLGraphWrapper(self.omni)" in result.text


HUNK = """\
<<<<<<< local (x.py)
        rows = self.prepare(batch, 1)
||||||| base (y.py)
        rows = self.prepare(batch, 2)
=======
        rows = self.prepare(batch, 3)
>>>>>>> target (z.py)
"""


def test_hunks_of_a_rebase_stay_and_lines_count_them() -> None:
    local = changed("        rows = self.prepare(batch)\n", HUNK, NPU)
    after = changed(PACK, "        self.omni_audio(audio)\n" + PACK)
    result = sync(after, local=local)
    assert result.text == changed(PACK, "        self.omni_audio(audio)\n" + PACK, local)
    (edit,) = result.edits
    assert edit.result is not None
    assert "self.omni_audio(audio)" in result.text.split("\n")[edit.result.start - 1]
    assert result.conflicts == ()


def test_crlf_stays() -> None:
    after = changed(PACK, "        self.omni_audio(audio)\n" + PACK)
    local = changed("        rows = self.prepare(batch)\n", HUNK, NPU).replace("\n", "\r\n")
    result = sync(after, local=local)
    assert "\n" not in result.text.replace("\r\n", "")
    assert HUNK.replace("\n", "\r\n") in result.text
    assert "self.omni_audio(audio)\r\n" in result.text


def test_after_a_rebase_both_are_in_one_account() -> None:
    base = changed(SPLIT, "").replace("GPURunner", "Up")
    target = changed("self.prepare(batch)", "self.prepare(batch, deep=True)", base)
    sibling = Sibling(
        GPU,
        changed(PACK, "        self.prepare(audio)\n" + PACK),
        cls="GPURunner",
        package="vllm_omni",
    )
    result = rebase_method(
        local=NPU,
        base=base,
        target=target,
        method="run",
        local_class="NPURunner",
        base_class="Up",
        target_class="Up",
        sibling=sibling,
    )
    assert "self.prepare(batch, deep=True)" in result.text
    assert "        self.prepare(audio)\n" + PACK in result.text
    assert [e.edit.kind for e in result.edits].count(EditKind.SIBLING) == 1
    assert {e.edit.kind for e in result.edits} == set(EditKind)


def test_a_rebase_whose_sibling_lacks_the_method_says_so() -> None:
    other = GPU.replace("def run", "def walk")
    base = changed(SPLIT, "").replace("GPURunner", "Up")
    result = rebase_method(
        local=NPU,
        base=base,
        target=base,
        method="run",
        local_class="NPURunner",
        base_class="Up",
        target_class="Up",
        sibling=Sibling(other, other, cls="GPURunner"),
    )
    assert result.text == NPU
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("OP502", Severity.NOTE)
    assert "gpu-base" in finding.message


def test_errors_name_their_side() -> None:
    with pytest.raises(MethodNotFound) as missing:
        sync(GPU.replace("def run", "def walk"))
    assert missing.value.side == "gpu-target"
    with pytest.raises(MethodNotFound) as absent:
        sync(GPU, local=NPU.replace("def run", "def walk"))
    assert absent.value.side == "local"
    with pytest.raises(SourceError) as broken:
        sync("class GPURunner(:\n")
    assert broken.value.side == "gpu-target"
    with pytest.raises(NotACopy) as strange:
        sync(GPU, local="class NPURunner:\n    def run(self):\n        return 1\n")
    assert strange.value.side == "gpu-base"


def test_a_change_of_what_a_block_holds_as_it_was_says_so() -> None:
    before = "class R:\n    def run(self):\n        self.select()\n"
    after = before.replace("self.select()", "pass")
    fence = "        # ---- Omni-new ----\n"
    copy = before.replace("        self.select()\n", f"{fence}        self.select()\n{fence}")
    sibling = Sibling(base=before, target=after, cls="R")
    result = sync_method(
        local=copy, method="run", local_class="R", sibling=sibling, policy="strict"
    )
    assert [c.reason for c in result.conflicts] == ["a block holds the code that changed"]
