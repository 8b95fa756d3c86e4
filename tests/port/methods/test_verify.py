from __future__ import annotations

from textwrap import indent

import pytest

from omni_codemods.findings.model import (
    Conflict,
    Edit,
    EditKind,
    EditOutcome,
    Evidence,
    Outcome,
    RebaseResult,
    Severity,
    Span,
    TranslateResult,
)
from omni_codemods.functions.conflict_markers import resolve_hunks
from omni_port.base.errors import ExitCode, VerificationError
from omni_port.methods.verify import (
    check_blocks,
    verify_rebase,
    verify_translation,
)

LOCAL = """\
def f():
    # ---- Omni-new ----
    ours()
    # ---- Omni-new ----
    return 1
"""
HUNK = """\
def f():
<<<<<<< local (x.py)
    ours()
||||||| base (y.py)
    old()
=======
    new()
>>>>>>> target (z.py)
    return 1
"""


def orphan(start: int, end: int) -> EditOutcome:
    edit = Edit(EditKind.BLOCK, "insertion", Span(start, end), "ours()")
    return EditOutcome(edit, Outcome.ORPHAN, Evidence.GUESSED, "gone")


BASE = "def f():\n    return 1\n"


def test_a_sound_result_passes() -> None:
    verify_rebase(RebaseResult(LOCAL, "f"), path="x.py")
    assert check_blocks(LOCAL, BASE, RebaseResult(LOCAL, "f")) == ()


def test_a_result_that_does_not_parse() -> None:
    with pytest.raises(VerificationError, match="does not parse") as caught:
        verify_rebase(RebaseResult("def f(:\n", "f"), path="x.py")
    assert caught.value.exit_code == ExitCode.BUG


@pytest.mark.parametrize(
    "text",
    [
        LOCAL.replace("    ours()", "    if 1:\n        ours()"),
        LOCAL.replace("ours()", "ours(\n    )"),
        BASE.replace("return 1", "return ours(), 2"),
    ],
)
def test_a_block_may_move_and_be_laid_out_anew(text: str) -> None:
    assert check_blocks(LOCAL, BASE, RebaseResult(text, "f")) == ()


@pytest.mark.parametrize("local", [LOCAL, f"class A:\n    x = 1\n\n{indent(LOCAL, '    ')}"])
def test_a_block_that_is_lost(local: str) -> None:
    method = "A.f" if local.startswith("class") else "f"
    (finding,) = check_blocks(local, BASE, RebaseResult(BASE, method))
    assert (finding.code, finding.severity) == ("OP301", Severity.ERROR)
    assert local.split("\n")[finding.line - 1].strip() == "ours()"
    assert finding.message.endswith(": ours()")


def test_what_base_has_too_is_not_locals_own() -> None:
    base = BASE.replace("    return", "    ours()\n    return")
    assert check_blocks(LOCAL, base, RebaseResult(BASE, "f")) == ()


def test_a_block_that_is_told_of_may_be_missing() -> None:
    assert check_blocks(LOCAL, BASE, RebaseResult(BASE, "f", (orphan(2, 4),))) == ()


def test_an_account_of_another_place_does_not_help() -> None:
    assert check_blocks(LOCAL, BASE, RebaseResult(BASE, "f", (orphan(5, 5),)))


def test_conflicts_must_parse_resolved_either_way() -> None:
    conflict = Conflict(2, "ours()", "old()", "new()", "both")
    verify_rebase(RebaseResult(HUNK, "f", conflicts=(conflict,)), path="x.py")
    broken = HUNK.replace("    new()", "    new(")
    with pytest.raises(VerificationError, match="resolved to target does not parse"):
        verify_rebase(RebaseResult(broken, "f", conflicts=(conflict,)), path="x.py")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("side", "kept"), [("local", "ours()"), ("target", "new()")])
def test_resolve(newline: str, side: str, kept: str) -> None:
    resolved = resolve_hunks(HUNK.replace("\n", newline), side)
    assert resolved == f"def f():\n    {kept}\n    return 1\n".replace("\n", newline)


def test_resolve_an_empty_side() -> None:
    assert "ours" not in resolve_hunks(HUNK.replace("    new()\n", ""), "target")


def test_text_without_conflicts_stays() -> None:
    assert resolve_hunks(LOCAL, "local") == LOCAL


def test_a_stable_translation_passes() -> None:
    text = "import torch\n\ntorch.npu.synchronize()\n"
    verify_translation(TranslateResult(text), table=None, dialect="npu", path="x.py")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import torch\n\ntorch.cuda.synchronize()\n", "a second run would change"),
        ("import torch\n\ntorch.cuda.synchronize(\n", "cannot read the translation"),
    ],
)
def test_an_unsound_translation(text: str, says: str) -> None:
    with pytest.raises(VerificationError, match=says):
        verify_translation(TranslateResult(text), table=None, dialect="npu", path="x.py")
