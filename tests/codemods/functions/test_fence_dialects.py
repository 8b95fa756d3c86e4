"""One comment → a fence of its dialect, or none; and which comments are looked at."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Fence, FenceKind
from omni_codemods.functions.fence_dialects import MARKED, may_hold_blocks, may_hold_fences
from omni_codemods.functions.fences import (
    BANNER,
    DASHES,
    MODIFY,
    NOTE,
    PATCH,
    Fences,
    find_fence,
    parse_fences,
)
from omni_codemods.text.lexer import Token

RULE = "# " + "-" * 60


def fences(text: str) -> Fences:
    return parse_fences(textwrap.dedent(text))


def spans(text: str) -> list[tuple[int, int]]:
    return [(b.span.start, b.span.end) for b in fences(text).blocks]


def codes(text: str) -> list[tuple[str, int]]:
    return [(f.code, f.line) for f in fences(text).findings]


def read(comment: str, *, own_line: bool = True) -> Fence | None:
    token = Token(0, comment, 3, 4, 3, 4 + len(comment))
    return find_fence(token, own_line=own_line)


@pytest.mark.parametrize(
    ("comment", "dialect", "kind", "label"),
    [
        (f"#  {'-' * 38} Omni-new {'-' * 38}", BANNER, FenceKind.OPENING, ""),
        ("# ---Omni-new---", BANNER, FenceKind.OPENING, ""),
        ("# ---- Omni-new ----", BANNER, FenceKind.OPENING, ""),
        ("#---- omni-new ----", BANNER, FenceKind.OPENING, ""),
        ("# ---- Omni-new: talker ----", BANNER, FenceKind.OPENING, "talker"),
        ("# ---- Omni-new ----   ", BANNER, FenceKind.OPENING, ""),
        ("# Omni-new ----", BANNER, FenceKind.OPENING, ""),
        (RULE, DASHES, FenceKind.CLOSING, ""),
        ("#" + "-" * 10, DASHES, FenceKind.CLOSING, ""),
        ("# Omni-new", NOTE, FenceKind.TRAILING, ""),
        ("# Omni-new: keep the talker", NOTE, FenceKind.TRAILING, "keep the talker"),
        ("# omni-specific", NOTE, FenceKind.TRAILING, ""),
        ("# Omni-specific: two outputs", NOTE, FenceKind.TRAILING, "two outputs"),
        ("# ### PATCH START: talker", PATCH, FenceKind.OPENING, "talker"),
        ("# ### PATCH END: talker", PATCH, FenceKind.CLOSING, "talker"),
        ("# ### PATCH END", PATCH, FenceKind.CLOSING, ""),
        ("# ### PATCH START: talker ###", PATCH, FenceKind.OPENING, "talker"),
        ("# PATCH START talker", PATCH, FenceKind.OPENING, "talker"),
        ("# === VLLM_X MODIFY START ===", MODIFY, FenceKind.OPENING, "VLLM_X"),
        ("# === VLLM_X MODIFY END ===", MODIFY, FenceKind.CLOSING, "VLLM_X"),
        ("# X modify start", MODIFY, FenceKind.OPENING, "X"),
        ("# X modify end", MODIFY, FenceKind.CLOSING, "X"),
        ("# X modify begin", MODIFY, FenceKind.OPENING, "X"),
        ("# --- Omni-new: reason ---", BANNER, FenceKind.OPENING, "reason"),
        ("# --- Omni-new - reason ---", BANNER, FenceKind.OPENING, "reason"),
        ("# ---- Omni-new ---- reason", BANNER, FenceKind.OPENING, "reason"),
        ("# —— Omni-new ——", BANNER, FenceKind.OPENING, ""),
        ("# — Omni-new: reason —", BANNER, FenceKind.OPENING, "reason"),
        ("# ──── Omni-new ────", BANNER, FenceKind.OPENING, ""),
        ("# ==== Omni-new ====", BANNER, FenceKind.OPENING, ""),
        ("#### Omni-new ####", BANNER, FenceKind.OPENING, ""),
        ("# ---- Omni new ----", BANNER, FenceKind.OPENING, ""),
        ("# ---- Omni-specific ----", BANNER, FenceKind.OPENING, ""),
        ("# " + "—" * 20, DASHES, FenceKind.CLOSING, ""),
        ("# Omni-new start", MARKED, FenceKind.OPENING, ""),
        ("# Omni-new end", MARKED, FenceKind.CLOSING, ""),
        ("# OMNI-NEW BEGIN", MARKED, FenceKind.OPENING, ""),
        ("# Omni-new: start", MARKED, FenceKind.OPENING, ""),
        ("# Omni-new (end)", MARKED, FenceKind.CLOSING, ""),
        ("# Omni-new start: talker", MARKED, FenceKind.OPENING, "talker"),
        (
            "# Omni-new start, as the talker needs it",
            MARKED,
            FenceKind.OPENING,
            "as the talker needs it",
        ),
        ("# ---- Omni-new start ----", MARKED, FenceKind.OPENING, ""),
        ("# ---- Omni-new end: talker ----", MARKED, FenceKind.CLOSING, "talker"),
        ("# end of Omni-new", MARKED, FenceKind.CLOSING, ""),
        ("# ---- begin Omni-new: talker ----", MARKED, FenceKind.OPENING, "talker"),
        ("# Omni-new: start the talker", NOTE, FenceKind.TRAILING, "start the talker"),
        ("# Omni-new end of the road", NOTE, FenceKind.TRAILING, "end of the road"),
        ("# Omni-new — reason", NOTE, FenceKind.TRAILING, "reason"),
    ],
)
def test_each_dialect(comment: str, dialect: str, kind: FenceKind, label: str) -> None:
    assert read(comment) == Fence(kind, dialect, 3, 4, comment, label)


@pytest.mark.parametrize(
    "comment",
    [
        "# plain",
        "#",
        "# --- a heading ---",
        "# ----- 9 --",
        "# ---------",  # nine dashes
        "# =========================",
        "# see the Omni-new runner",
        "# the Omni-new block above",
        "# omni-newer",
        "# ---- Omni-news ----",
        "# OMNI: for the GPU runner",
        "# [Omni] talker",
        "# dispatch start",
        "# PATCHED START",
        "# PATCH: START",
        "# we modify start and end",
        "# patched by hand",
        "# ====",
        "# ————",  # four
        "# Omni new features are nice",
        "# OmniNewRequest is wrapped",
        "# the end of Omni-new code",
    ],
)
def test_what_is_no_fence(comment: str) -> None:
    assert read(comment) is None


@pytest.mark.parametrize("comment", [RULE, "# ---- Omni-new ----"])
def test_banners_and_dashes_stand_on_their_own_line(comment: str) -> None:
    found = read(comment, own_line=False)
    assert found is None or found.kind is FenceKind.TRAILING


# -- trailing markers -----------------------------------------------------------------------


def test_a_trailing_marker_is_a_block_of_its_line() -> None:
    found = fences("def f(\n    a,\n    b,  # Omni-new: more\n):\n    c = 1  # omni-specific\n")
    assert [(b.span.start, b.span.end, b.closing, b.opening.label) for b in found.blocks] == [
        (3, 3, None, "more"),
        (5, 5, None, ""),
    ]
    assert found.findings == ()


def test_a_note_on_its_own_line_is_a_block_of_that_line() -> None:
    assert spans("def f():\n    # Omni-specific: why\n    a\n") == [(2, 2)]


def test_a_trailing_marker_neither_opens_nor_closes() -> None:
    text = """
    def f():
        # ---- Omni-new ----
        a  # Omni-new
        # Omni-new: why
        b
        # ---- Omni-new ----
    """
    assert spans(text) == [(3, 7), (4, 4), (5, 5)]


# -- what is no comment ---------------------------------------------------------------------


def test_markers_inside_strings_are_no_fences() -> None:
    text = '''
    def f():
        """
        # ---- Omni-new ----
        # PATCH START: x
        """
        x = "# PATCH END: x"
        y = f"""
    # ---- Omni-new ----
    {x}"""
        # PATCH START: real
        a
        # PATCH END: real
    '''
    assert spans(text) == [(11, 13)]
    assert codes(text) == []


@pytest.mark.parametrize("text", ["", "x = 1\n", f"{RULE}\nx = 1\n", "this is ( no Python\n"])
def test_text_without_a_marker_is_not_looked_at(text: str) -> None:
    assert parse_fences(text) == Fences((), (), ())


def test_text_with_a_marker_must_be_readable() -> None:
    with pytest.raises(SourceError):
        parse_fences("x = (\n# Omni-new\n")


def test_crlf() -> None:
    found = parse_fences("def f():\r\n    # PATCH START: x\r\n    a\r\n    # PATCH END: x\r\n")
    assert [(b.span.start, b.span.end, b.opening.label) for b in found.blocks] == [(2, 4, "x")]
    assert found.findings == ()


def test_tabs_are_columns_in_characters() -> None:
    found = parse_fences("def f():\n\t# PATCH START: x\n\ta\n\t# PATCH END: x\n")
    assert [(b.opening.column, b.span.end) for b in found.blocks] == [(1, 4)]


# -- before anything is parsed --------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "# ---- Omni-new ----",
        "    # — Omni-new —",
        "x = 1  # Omni-new start",
        "x = 1  # ---- Omni-new ----",
        "x = '#'  # PATCH START: x",
        "# === X MODIFY START ===\r",
    ],
)
def test_a_file_that_may_hold_blocks(line: str) -> None:
    assert may_hold_blocks(f"y = 1\n{line}\nz = 1\n".encode())


@pytest.mark.parametrize(
    "line",
    ["# Omni-new", "x = 1  # Omni-new: why", "# see Omni-new", "x = 'omni-new'", "# " + "-" * 40],
)
def test_a_mark_of_one_line_is_not_enough(line: str) -> None:
    assert not may_hold_blocks(f"y = 1\n{line}\nz = 1\n".encode())


def test_a_mark_of_one_line_is_a_fence() -> None:
    assert may_hold_fences("x = 1  # Omni-new\n")
    assert not may_hold_fences("x = 1  # the Omni-new runner\n")
