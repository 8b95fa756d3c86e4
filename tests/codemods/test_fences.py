"""Marker comments → fences, fences → blocks: every dialect, every way to pair, every trap."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.codes import CODES
from omni_codemods.errors import SourceError
from omni_codemods.fences import (
    BANNER,
    DASHES,
    MODIFY,
    NOTE,
    PATCH,
    Fences,
    find_fence,
    parse_fences,
)
from omni_codemods.lexer import Token
from omni_codemods.model import Fence, FenceKind, Severity

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


# -- one comment ----------------------------------------------------------------------------


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
    ],
)
def test_what_is_no_fence(comment: str) -> None:
    assert read(comment) is None


@pytest.mark.parametrize("comment", [RULE, "# ---- Omni-new ----"])
def test_banners_and_dashes_stand_on_their_own_line(comment: str) -> None:
    found = read(comment, own_line=False)
    assert found is None or found.kind is FenceKind.TRAILING


# -- pairing --------------------------------------------------------------------------------


def test_a_banner_closes_what_the_same_banner_opened() -> None:
    text = """
    def f():
        # ---- Omni-new ----
        a
        # ---- Omni-new ----
        b
        # ---- Omni-new ----
        c
        # ---- Omni-new ----
    """
    assert spans(text) == [(3, 5), (7, 9)]
    kinds = [f.kind for f in fences(text).fences]
    assert kinds == [FenceKind.OPENING, FenceKind.CLOSING] * 2
    assert codes(text) == []


def test_the_spelling_of_the_two_banners_may_differ() -> None:
    text = f"""
    def f():
        #  {"-" * 30} Omni-new {"-" * 30}
        a
        # ---Omni-new---
    """
    assert spans(text) == [(3, 5)]
    assert codes(text) == []


def test_a_line_of_dashes_closes() -> None:
    assert spans(f"def f():\n    # ---- Omni-new ----\n    a\n    {RULE}\n") == [(2, 4)]


def test_a_line_of_dashes_never_opens() -> None:
    text = f"""
    def f():
        {RULE}
        # Phase 1
        {RULE}
        a
        # ---- Omni-new ----
        b
        {RULE}
        {RULE}
        c
    """
    assert spans(text) == [(7, 9)]
    assert codes(text) == []
    assert [f.line for f in fences(text).fences] == [7, 9]


def test_a_line_of_dashes_at_another_column_closes_nothing() -> None:
    text = f"""
    def f():
        # ---- Omni-new ----
        if a:
            {RULE}
            b
        # ---- Omni-new ----
    """
    assert spans(text) == [(3, 7)]


def test_a_line_of_dashes_closes_no_patch() -> None:
    text = f"def f():\n    # PATCH START: x\n    {RULE}\n    a\n    # PATCH END: x\n"
    assert spans(text) == [(2, 5)]


def test_fences_pair_at_one_column_only() -> None:
    text = """
    def f():
        # ---- Omni-new ----
        if a:
            # ---- Omni-new ----
            b
            # ---- Omni-new ----
        # ---- Omni-new ----
    """
    assert spans(text) == [(3, 8), (5, 7)]


def test_fences_pair_in_one_function_only() -> None:
    text = """
    class A:
        def f(self):
            a
            # ---- Omni-new ----
        def g(self):
            # ---- Omni-new ----
            b
            # ---- Omni-new ----
    """
    assert spans(text) == [(7, 9)]
    assert codes(text) == [("OP201", 5)]
    assert [b.scope for b in fences(text).blocks] == ["A.g"]


def test_an_orphan_inverts_nothing() -> None:
    text = """
    class A:
        def f(self):
            a
            # ---- Omni-new ----

        def g(self):
            # ---- Omni-new ----
            b
            # ---- Omni-new ----
            c
            # ---- Omni-new ----
            d
            # ---- Omni-new ----
    """
    assert spans(text) == [(8, 10), (12, 14)]
    (finding,) = fences(text).findings
    assert (finding.code, finding.line, finding.column) == ("OP201", 5, 8)
    assert finding.severity is Severity.ERROR


def test_nested_functions_are_scopes_of_their_own() -> None:
    text = """
    def f():
        # ---- Omni-new ----
        def g():
            # ---- Omni-new ----
            a
            # ---- Omni-new ----
        # ---- Omni-new ----
        def h():
            # ---- Omni-new ----
            b
        c
    """
    assert [(b.scope, b.span.start, b.span.end) for b in fences(text).blocks] == [
        ("f", 3, 8),
        ("f.g", 5, 7),
    ]
    assert codes(text) == [("OP201", 10)]


def test_async_functions_are_scopes_too() -> None:
    text = "async def f():\n    # PATCH START: x\n    a\n    # PATCH END: x\n"
    assert [b.scope for b in fences(text).blocks] == ["f"]


def test_class_level_fences_pair_with_each_other() -> None:
    text = """
    class A:
        def f(self):
            a

        # ---- Omni-new ----
        def g(self):
            # ---- Omni-new ----
            b
            # ---- Omni-new ----

        def h(self):
            c
        # ---- Omni-new ----

        def i(self):
            d
    """
    assert [(b.scope, b.span.start, b.span.end) for b in fences(text).blocks] == [
        ("A", 6, 14),
        ("A.g", 8, 10),
    ]


def test_a_class_level_block_may_end_with_the_file() -> None:
    text = (
        "class A:\n    # ---- Omni-new ----\n    def f(self):\n        a\n    # ---- Omni-new ----"
    )
    assert [(b.scope, b.span.end) for b in fences(text).blocks] == [("A", 5)]


def test_module_level_has_the_empty_scope() -> None:
    text = "# PATCH START: x\nimport a\n# PATCH END: x\n\ndef f():\n    b\n"
    assert [(b.scope, b.span.start, b.span.end) for b in fences(text).blocks] == [("", 1, 3)]


def test_a_closing_fence_below_the_last_statement_is_the_function_s() -> None:
    text = """
    class A:
        def f(self):
            # ---- Omni-new ----
            a
            # ---- Omni-new ----

        def g(self): b
    """
    assert [(b.scope, b.span.end) for b in fences(text).blocks] == [("A.f", 6)]


@pytest.mark.parametrize("keyword", ["else:", "elif c:"])
def test_a_closing_fence_before_another_clause(keyword: str) -> None:
    text = f"""
    def f():
        if a:
            # ---- Omni-new ----
            b
            # ---- Omni-new ----
        {keyword}
            d
    """
    assert spans(text) == [(4, 6)]


def test_an_opening_fence_before_a_clause_closed_after_it() -> None:
    text = """
    def f():
        if a:
            b
        # PATCH START: x
        elif c:
            d
        else:
            e
        # PATCH END: x
    """
    assert spans(text) == [(5, 10)]


def test_a_fence_inside_call_arguments() -> None:
    text = """
    def f():
        return g(
            a,
            # PATCH START: x
            b,
            # PATCH END: x
            c,  # Omni-new
        )
    """
    assert spans(text) == [(5, 7), (8, 8)]
    assert codes(text) == []


def test_back_to_back_blocks_and_equal_labels() -> None:
    text = """
    def f():
        # PATCH START: x
        a
        # PATCH END: x
        # PATCH START: x
        b
        # PATCH END: x
    """
    assert spans(text) == [(3, 5), (6, 8)]
    assert codes(text) == []


def test_blocks_of_two_dialects_may_nest_at_one_column() -> None:
    text = """
    def f():
        # ---- Omni-new ----
        # PATCH START: x
        a
        # PATCH END: x
        # ---- Omni-new ----
    """
    assert spans(text) == [(3, 7), (4, 6)]


def test_nested_patches_close_from_the_inside() -> None:
    text = """
    def f():
        # PATCH START: outer
        # PATCH START: inner
        a
        # PATCH END: inner
        # PATCH END: outer
    """
    assert [(b.opening.label, b.span.start, b.span.end) for b in fences(text).blocks] == [
        ("outer", 3, 7),
        ("inner", 4, 6),
    ]


def test_a_missing_closing_label_is_fine() -> None:
    assert codes("# PATCH START: x\na\n# PATCH END\n") == []


def test_a_different_closing_label_is_reported() -> None:
    found = fences("# PATCH START: x\na\n# PATCH END: y\n")
    assert [(f.code, f.line, f.column, f.severity) for f in found.findings] == [
        ("OP202", 3, 0, Severity.WARNING)
    ]
    assert len(found.blocks) == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def f():\n    # PATCH START: x\n    a\n", 2),
        ("def f():\n    a\n    # PATCH END: x\n", 3),
        ("def f():\n    # X modify end\n    a\n", 2),
        ("def f():\n    # ---- Omni-new ----\n    a\n", 2),
        ("def f():\n    # PATCH START: x\n    a\n  # PATCH END: x\n    b\n", 2),
    ],
)
def test_a_fence_without_partner_makes_no_block(text: str, line: int) -> None:
    assert spans(text) == []
    assert ("OP201", line) in codes(text)


def test_findings_come_in_the_order_of_the_text() -> None:
    text = "# PATCH END: a\nx\n# PATCH START: b\ny\n# PATCH END: c\n# PATCH END: d\n"
    assert codes(text) == [("OP201", 1), ("OP202", 5), ("OP201", 6)]


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


@pytest.mark.parametrize("code", ["OP201", "OP202"])
def test_the_example_of_the_code_shows_it(code: str) -> None:
    assert [f.code for f in parse_fences(CODES[code].example).findings] == [code]
