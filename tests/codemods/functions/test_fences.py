"""Fences → blocks: every way to pair, every trap."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.codes import CODES
from omni_codemods.findings.model import FenceKind, Severity
from omni_codemods.functions.fences import (
    Fences,
    parse_fences,
)

RULE = "# " + "-" * 60


def fences(text: str) -> Fences:
    return parse_fences(textwrap.dedent(text))


def spans(text: str) -> list[tuple[int, int]]:
    return [(b.span.start, b.span.end) for b in fences(text).blocks]


def codes(text: str) -> list[tuple[str, int]]:
    return [(f.code, f.line) for f in fences(text).findings]


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


@pytest.mark.parametrize("code", ["OP201", "OP202", "OP203", "OP204"])
def test_the_example_of_the_code_shows_it(code: str) -> None:
    assert [f.code for f in parse_fences(CODES[code].example).findings] == [code]


# -- behind code ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("a  # Omni-new start\nb  # Omni-new end\n", [(2, 3)]),
        ("if a:  # Omni-new start\n    b\n# Omni-new end\n", [(2, 4)]),
        ("# Omni-new start\nif a:\n    b  # Omni-new end\n", [(2, 4)]),
        ("a  # PATCH START: x\nb\n# PATCH END: x\n", [(2, 4)]),
        ("# ---- Omni-new ----\na\nb  # ---- Omni-new ----\nc\n", [(2, 4)]),
        ("a  # ---- Omni-new ----\nb\n# ---- Omni-new ----\nc\n", [(2, 4)]),
        (
            "a  # ---- Omni-new ----\nb\n# ---- Omni-new ----\nc\n# ---- Omni-new ----\n",
            [(2, 2), (4, 6)],
        ),
        ("a  # ---- Omni-new ----\nb\n", [(2, 2)]),
        ("a  # ---- Omni-new ----\nb  # ---- Omni-new ----\n", [(2, 2), (3, 3)]),
        ("f(\n    a,\n    b,  # Omni-new start\n    c,  # Omni-new end\n)\n", [(4, 5)]),
        ("# Omni-new start\na\n# ---- Omni-new ----\n", [(2, 4)]),
        (f"# Omni-new start\na\n{RULE}\n", [(2, 4)]),
    ],
)
def test_fences_behind_code(body: str, blocks: list[tuple[int, int]]) -> None:
    text = "def f():\n" + textwrap.indent(body, "    ")
    assert spans(text) == blocks
    assert codes(text) == []


@pytest.mark.parametrize(
    "body",
    [
        "a\nb  # Omni-new end\n",
        "a  # Omni-new start\nb\n",
        "# ---- Omni-new ----\na  # ---- Omni-new ----\nb  # ---- Omni-new ----\n",
        "# Omni-new start\na\n# Omni-new start\n",
    ],
)
def test_what_cannot_be_told_is_an_orphan(body: str) -> None:
    found = codes("def f():\n" + textwrap.indent(body, "    "))
    assert {code for code, _ in found} == {"OP201"}


# -- forgotten fences -----------------------------------------------------------------------


def test_a_block_in_a_block_is_found_in_one_function_alone() -> None:
    nested = """
    def f():
        # PATCH START: a
        x
        # PATCH START: b
        y
        # PATCH END: b
        # PATCH END: a
    """
    assert codes(nested) == [("OP203", 5)]
    around = """
    class R:
        # PATCH START: methods
        def f(self):
            # PATCH START: b
            y
            # PATCH END: b
        # PATCH END: methods
    """
    assert codes(around) == []


@pytest.mark.parametrize(
    ("below", "found"),
    [
        (f"{RULE}\n", [("OP204", 6)]),
        (f"{RULE}\n# a heading\n{RULE}\n", []),
        (f"    {RULE}\n", []),
    ],
)
def test_dashes_that_close_nothing(below: str, found: list[tuple[str, int]]) -> None:
    body = "# ---- Omni-new ----\na\n# ---- Omni-new ----\nb\n" + below
    assert codes("def f():\n" + textwrap.indent(body, "    ") + "    c\n") == found


def test_dashes_before_a_block_or_in_another_function_are_no_closing_ones() -> None:
    text = f"""
    def f():
        {RULE}
        a
        # ---- Omni-new ----
        b
        # ---- Omni-new ----
    def g():
        {RULE}
        c
    """
    assert codes(text) == []
