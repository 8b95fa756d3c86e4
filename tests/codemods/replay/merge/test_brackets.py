"""Arguments, parameters, items: three lists → one, by name and place."""

from __future__ import annotations

import ast
import textwrap

import pytest

from omni_codemods.rebuild.attempts import WORDS
from omni_codemods.replay.merge.brackets import Merge
from omni_codemods.replay.merge.statement import merge_statement
from parsed import statement


def merged(base: str, local: str, target: str, *, merge: Merge | None = None) -> str | None:
    """The merged own text, dedented, without the final newline."""
    one, mine, theirs = statement(base), statement(local), statement(target)
    text = merge_statement(one, mine, theirs, merge or Merge())
    return None if text is None else textwrap.dedent(text).removesuffix("\n")


def call(base: str, local: str, target: str) -> str | None:
    """The merged arguments of a call."""
    text = merged(*(f"f({x})" for x in (base, local, target)))
    return None if text is None else text.removeprefix("f(").removesuffix(")")


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        # added
        ("a", "a, b", "a, c", "a, c, b"),
        ("a", "b, a", "a, c", "b, a, c"),
        ("a", "b, a", "c, a", "c, b, a"),
        ("", "a", "b", "b, a"),
        ("", "k=a", "l=b", "l=b, k=a"),
        ("a, b", "a, x, b", "a, b, y", "a, x, b, y"),
        ("a, b, c", "a, x, b, c", "a, b, y, c", "a, x, b, y, c"),
        ("a", "a, k=b", "a, l=c", "a, l=c, k=b"),
        # both added the same
        ("a", "a, b", "a, b", "a, b"),
        ("a", "a, b", "a, b, c", "a, b, c"),
        ("a", "a, k=b", "a, l=c, k=b", "a, l=c, k=b"),
        ("", "*a", "*a, b", "*a, b"),
        # removed
        ("a, b, c", "a, c", "a, b, c, d", "a, c, d"),
        ("a, b, c", "a, b, c, d", "a, c", "a, c, d"),
        ("a, b", "a", "b", ""),
        ("a, k=b", "a", "c, k=b", "c"),
        # changed
        ("a, b", "A, b", "a, B", "A, B"),
        ("k=a, l=b", "k=A, l=b", "k=a, l=B", "k=A, l=B"),
        ("g(a), b", "g(a, c), b", "g(a), b, d", "g(a, c), b, d"),
        # keywords go by name, whatever their order
        ("k=a, l=b", "l=b, k=A", "k=a, l=B", "k=A, l=B"),
        ("k=a, l=b", "k=A, l=b", "l=b, k=a", "l=b, k=A"),
        # a value that got a name
        ("a, k=b", "a, k=b, m=c", "a, n=b", "a, n=b, m=c"),
        # a positional argument never comes behind a keyword
        ("a", "a, b", "a, k=c", "a, b, k=c"),
        ("k=a", "k=a, l=b", "c, k=a", "c, k=a, l=b"),
        ("k=a", "b, k=a", "l=c, k=a", "b, l=c, k=a"),
        # unpacking
        ("*a, **b", "*a, k=c, **b", "*a, l=d, **b", "*a, l=d, k=c, **b"),
        ("a, **b", "a, **b, k=c", "a, d, **b", "a, d, **b, k=c"),
    ],
)
def test_arguments(base: str, local: str, target: str, expected: str) -> None:
    assert call(base, local, target) == expected


@pytest.mark.parametrize(
    ("base", "local", "target"),
    [
        ("a", "b", "c"),
        ("k=a", "k=b", "k=c"),
        ("", "k=a", "k=b"),
        ("a, k=b", "a, k=c", "a"),
        ("a, k=b", "a", "a, k=c"),
        ("a, b", "a, B", "a"),
        ("g(a)", "g(b)", "g(c)"),
        ("**a", "**b", "**c"),
    ],
)
def test_both_changed_the_same_argument(base: str, local: str, target: str) -> None:
    assert call(base, local, target) is None
    assert call(base, target, local) is None


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("self", "self, a", "self, b", "self, b, a"),
        ("self, a: A = 1", "self, a: A = 2", "self, a: B = 1", "self, a: B = 2"),
        ("self, a: A", "self, a: A = 1", "self, a: B", None),  # side by side
        ("self, a=1", "self, a=2", "self, a: int = 1", "self, a: int = 2"),
        ("self, a=1", "self, a=2", "self, a=1, b=3", "self, a=2, b=3"),
        ("self, a, b", "self, b", "self, a, b, c", "self, b, c"),
        (
            "self, **kwargs",
            "self, a=1, **kwargs",
            "self, b=2, **kwargs",
            "self, b=2, a=1, **kwargs",
        ),
        ("self, *args", "self, *args, a=1", "self, b, *args", "self, b, *args, a=1"),
    ],
)
def test_parameters(base: str, local: str, target: str, expected: str | None) -> None:
    text = merged(*(f"def f({x}):\n    pass" for x in (base, local, target)))
    assert text == (None if expected is None else f"def f({expected}):")
    if text is not None:
        ast.parse(f"{text}\n    pass")


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("self, a", "self, a, b: int = 1", "self, a, *, c", "self, a, b: int = 1, *, c"),
        ("self, a: int", "self, a: int, m", "self, a: int, t: int", "self, a: int, t: int, m"),
        ("self, a", "self, m: int, a", "self, t, a", "self, t, m: int, a"),
        ("self, a=1", "self, a=1, *, m=2", "self, a=1, t=3", "self, a=1, t=3, *, m=2"),
    ],
)
def test_parameters_keep_their_order_and_kind(
    base: str, local: str, target: str, expected: str
) -> None:
    text = merged(*(f"def f({x}):\n    pass" for x in (base, local, target)))
    assert text == f"def f({expected}):"


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("return a, b", "return a, b, c", "return a, b, d", "return a, b, d, c"),
        ("return (a, b)", "return (a, b, c)", "return a, b, d", "return a, b, d, c"),
        ("return a, b", "return (a, b, c)", "return (a, d, b)", "return (a, d, b, c)"),
        ("a, b = x", "a, b, c = x", "a, b, d = x", "a, b, d, c = x"),
        ("(a, b) = x", "(a, b, c) = x", "a, d, b = x", "a, d, b, c = x"),
        ("x = a, b", "x = a, b, c", "y = a, b", "y = a, b, c"),
        ("x = [a]", "x = [a, b]", "x = [c, a]", "x = [c, a, b]"),
        ("x = {a}", "x = {a, b}", "x = {c, a}", "x = {c, a, b}"),
        ("x: A[B]", "x: A[B, C]", "x: D[B]", None),  # name and bracket are one piece
    ],
)
def test_tuples_and_lists(base: str, local: str, target: str, expected: str | None) -> None:
    assert merged(base, local, target) == expected


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("x = v[a:b]", "x = v[a:b, m]", "x = v[a:c]", "x = v[a:c, m]"),
        ("x = v[a]", "x = v[a:b]", "x = v[a, c]", "x = v[a:b, c]"),
    ],
)
def test_indices_keep_their_order(base: str, local: str, target: str, expected: str) -> None:
    assert merged(base, local, target) == expected


def test_packed_and_unpacked_in_one_order() -> None:
    pack = merged("return a, b", "return a, b, m", "return a, b, t")
    unpack = merged("a, b = x", "a, b, m = x", "a, b, t = x")
    assert pack == "return a, b, t, m"
    assert unpack == "a, b, t, m = x"


@pytest.mark.parametrize(
    ("base", "local", "target"),
    [
        ("return a, b", "return b", "return a"),
        ("a, b = x", "b = x", "a = x"),
    ],
)
def test_a_bare_tuple_does_not_become_one_of_one(base: str, local: str, target: str) -> None:
    assert merged(base, local, target) is None


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("'a': 1", "'a': 1, 'b': 2", "'a': 1, 'c': 3", "'a': 1, 'c': 3, 'b': 2"),
        ("'a': 1", '"a": 2', "'a': 1, 'c': 3", "\"a\": 2, 'c': 3"),
        ("'a': 1, 'b': 2", "'b': 2", "'a': 1, 'b': 3", "'b': 3"),
        ("'a': 1, **b", "'a': 1, 'c': 2, **b", "'a': 3, **b", "'a': 3, 'c': 2, **b"),
        ("A.b: 1", "A.b: 1, A.c: 2", "A.b: 1, A.d: 3", "A.b: 1, A.d: 3, A.c: 2"),
    ],
)
def test_dictionaries(base: str, local: str, target: str, expected: str) -> None:
    assert merged(*(f"x = {{{d}}}" for d in (base, local, target))) == f"x = {{{expected}}}"


@pytest.mark.parametrize(
    ("base", "local", "target"),
    [("'a': 1", "'a': 2", "'a': 3"), ("", "'a': 1", "'a': 2"), ("'a': 1", "", "'a': 2")],
)
def test_both_changed_the_same_entry(base: str, local: str, target: str) -> None:
    assert merged(*(f"x = {{{d}}}" for d in (base, local, target))) is None


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("a", "a, b", "a, c", "with a, c, b:"),
        ("a as x", "a as x, b as y", "a(d) as x", "with a(d) as x, b as y:"),
        ("a(p)", "a(p, q)", "a(p), b", "with a(p, q), b:"),
        ("a, b", "b", "a, b, c", "with b, c:"),
    ],
)
def test_with_items(base: str, local: str, target: str, expected: str) -> None:
    assert merged(*(f"with {w}:\n    pass" for w in (base, local, target))) == expected


@pytest.mark.parametrize(
    ("local", "expected"),
    [
        ("with a, b:\n    pass", "with (\n    a,\n    c,\n    b,\n):"),
        ("with (\n    a,\n    b,\n):\n    pass", "with (\n    a,\n    c,\n    b,\n):"),
    ],
)
def test_with_items_in_parentheses(local: str, expected: str) -> None:
    target = "with (\n    a,\n    c,\n):\n    pass"
    assert merged("with a:\n    pass", local, target) == expected


EXPLODED = "f(\n    a,\n    b,\n)"


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        # the layout is the target's: exploded, packed, on one line
        ("f(a)", "f(a, m)", EXPLODED, "f(\n    a,\n    b,\n    m,\n)"),
        (EXPLODED, "f(\n    a,\n    b,\n    m,\n)", "f(a, b, t)", "f(a, b, t, m)"),
        ("f(a)", "f(a, m)", "f(\n    a, b\n)", "f(\n    a, b, m,\n)"),
        ("f(a)", "f(m, a)", "f(\n    a, b\n)", "f(\n    m,\n    a, b,\n)"),
        ("f(a)", "f(a, m)", "f(a,\n  b)", "f(a,\n  b, m)"),
        ("f(a)", "f(a, m)", "f(\n    a,\n    b\n)", "f(\n    a,\n    b,\n    m,\n)"),
        ("f(a)", "f(a, m)", "f(a, b,)", "f(a, b, m,)"),
        ("f()", "f(m)", "f(\n    a,\n)", "f(\n    a,\n    m,\n)"),
        # a nested bracket comes along at its new depth
        (
            "f(a)",
            "f(a, g(\n    m,\n))",
            EXPLODED,
            "f(\n    a,\n    b,\n    g(\n        m,\n    ),\n)",
        ),
    ],
)
def test_layout(base: str, local: str, target: str, expected: str) -> None:
    assert merged(base, local, target) == expected


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        # a comment stays at its element
        (
            "f(a)",
            "f(\n    a,\n    m,  # mine\n)",
            "f(a, b)",
            "f(\n    a,\n    b,\n    m,  # mine\n)",
        ),
        (
            "f(a)",
            "f(\n    a,\n    # why\n    m,\n)",
            EXPLODED,
            "f(\n    a,\n    b,\n    # why\n    m,\n)",
        ),
        (
            "f(a)",
            "f(a, m)",
            "f(\n    a,  # one\n    # two\n    b,\n)",
            "f(\n    a,  # one\n    # two\n    b,\n    m,\n)",
        ),
        # the target's comments win where local's are base's, local's where local changed them
        (
            "f(\n    a,  # one\n)",
            "f(\n    a,  # one\n    m,\n)",
            "f(\n    a,  # two\n    b,\n)",
            "f(\n    a,  # two\n    b,\n    m,\n)",
        ),
        (
            "f(\n    a,\n)",
            "f(\n    a,  # mine\n    m,\n)",
            EXPLODED,
            "f(\n    a,  # mine\n    b,\n    m,\n)",
        ),
        # comments that belong to no element
        (
            "f(a)",
            "f(a, m)",
            "f(  # head\n    a,\n    b,\n    # foot\n)",
            "f(  # head\n    a,\n    b,\n    m,\n    # foot\n)",
        ),
    ],
)
def test_comments_at_elements(base: str, local: str, target: str, expected: str) -> None:
    assert merged(base, local, target) == expected


@pytest.mark.parametrize(
    ("local", "target", "expected"),
    [
        (
            "f(\n    a,\n    # PATCH START: x\n    m,\n    # PATCH END: x\n)",
            "f(a, b)",
            "f(\n    a,\n    b,\n    # PATCH START: x\n    m,\n    # PATCH END: x\n)",
        ),
        (
            "f(\n    # PATCH START: x\n    m,\n    # PATCH END: x\n    a,\n)",
            "f(a, b)",
            "f(\n    # PATCH START: x\n    m,\n    # PATCH END: x\n    a,\n    b,\n)",
        ),
        (
            "f(\n    a,\n    m,  # Omni-new\n)",
            EXPLODED,
            "f(\n    a,\n    b,\n    m,  # Omni-new\n)",
        ),
    ],
)
def test_fenced_elements_keep_their_fences(local: str, target: str, expected: str) -> None:
    assert merged("f(a)", local, target) == expected


def test_a_fenced_element_overrules_the_target_s_of_that_name() -> None:
    merge = Merge()
    local = "f(\n    a,\n    k=m,  # Omni-new\n)"
    assert merged("f(a)", local, "f(a, k=b)", merge=merge) == "f(\n    a,\n    k=m,  # Omni-new\n)"
    assert merge.overruled


def test_a_fenced_element_that_the_target_deleted_is_kept() -> None:
    local = "f(\n    a,\n    k=m,  # Omni-new\n)"
    text = merged("f(a, k=b)", local, "f(a, l=c)")
    assert text is not None
    assert "k=m,  # Omni-new" in text
    assert "l=c" in text


def test_a_trailing_comma_is_not_doubled() -> None:
    text = merged("f(a)", "f(a, m,)", "f(\n    a,\n    b,\n)")
    assert text is not None
    assert ",," not in text.replace("\n", "").replace(" ", "")


def spread(text: str, *marks: str) -> str:
    """``f(...)`` over several lines; each of *marks* is a line put before the last element."""
    parts = text.split(", ")
    lines = [*(f"{x}," for x in parts[:-1]), *marks, f"{parts[-1]},"]
    return "f(\n" + "".join(f"    {x}\n" for x in lines) + ")"


FENCE = "# ---- Omni-new ----"
BLOCK = (FENCE, "m=n,", FENCE)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        # what stood beside the block is gone
        ("f(\n    a,\n)", f"f(\n    a,\n    {FENCE}\n    m=n,\n    {FENCE}\n)"),
        ("f(\n    k=c,\n)", f"f(\n    {FENCE}\n    m=n,\n    {FENCE}\n    k=c,\n)"),
        # the upstream has the same elsewhere: absorbed, both fences with it
        ("f(\n    a,\n    k=b,\n    m=n,\n)", "f(\n    a,\n    k=b,\n    m=n,\n)"),
        ("f(a, m=n, k=b)", "f(a, m=n, k=b)"),
    ],
)
def test_a_block_of_elements_stays_whole_or_goes(target: str, expected: str) -> None:
    merge = Merge()
    assert merged(spread("a, k=b"), spread("a, k=b", *BLOCK), target, merge=merge) == expected
    assert bool(merge.absorbed) == (FENCE not in expected)


@pytest.mark.parametrize("target", ["f(a, m=n, k=b, t=c)", "f(a, o=p, k=b, t=c)"])
def test_a_block_of_elements_is_not_absorbed_in_part(target: str) -> None:
    local = spread("a, k=b", FENCE, "m=n,", "o=p,", FENCE)
    text = merged(spread("a, k=b"), local, target)
    assert text is not None
    assert text.count("m=n") == text.count("o=p") == 1
    assert f"{FENCE}\n    m=n,\n    o=p,\n    {FENCE}" in text


def test_a_block_overrules_a_keyword_of_its_name() -> None:
    merge = Merge()
    text = merged(spread("a, k=b"), spread("a, k=b", *BLOCK), "f(a, k=b, m=c)", merge=merge)
    assert merge.overruled
    assert text == f"f(\n    a,\n    {FENCE}\n    m=n,\n    {FENCE}\n    k=b,\n)"


@pytest.mark.parametrize(
    "local",
    [
        "f(\n    a,\n    # PATCH START: x\n    m=n,\n    k=b,\n    # PATCH END: x\n)",
        f"f(\n    a,\n    {FENCE}\n    k=b,\n    {FENCE}\n    m=n,\n)",
        "f(\n    a,\n    k=b,  # Omni-new\n    m=n,\n)",
    ],
)
def test_what_a_block_only_holds_and_the_target_removed_is_a_conflict(local: str) -> None:
    assert merged("f(a, k=b)", local, "f(a, t=c)") is None


def test_a_block_that_would_come_apart_is_a_conflict() -> None:
    local = f"f(\n    {FENCE}\n    k=b,\n    l=m,\n    {FENCE}\n    o=p,\n)"
    assert merged("f(k=b, l=c, o=p)", local, "f(k=b, o=p, l=c, t=d)") is None


def test_a_block_reaches_over_what_the_target_adds() -> None:
    local = f"f(\n    {FENCE}\n    a,\n    m=n,\n    {FENCE}\n    k=b,\n)"
    text = merged("f(a, k=b)", local, "f(a, t=c, k=b)")
    assert text == f"f(\n    {FENCE}\n    a,\n    m=n,\n    {FENCE}\n    t=c,\n    k=b,\n)"


@pytest.mark.parametrize(
    ("base", "local", "target", "moved"),
    [
        ("f(a)", "f(a, m)", "f(a, t)", ["m is number 3, in local 2"]),
        ("f(a, b)", "f(a, m, b)", "f(a, b, t)", ["t is number 4, in the upstream 3"]),
        ("return a, b", "return a, b, m", "return a, b, t", ["m is number 4, in local 3"]),
        ("x = [a]", "x = [a, m]", "x = [a, t]", ["m is number 3, in local 2"]),
        ("f(a, b, c)", "f(a, c)", "f(a, b, c, t)", ["t is number 3, in the upstream 4"]),
        ("f(a)", "f(a, m=n)", "f(a, t)", []),
        ("f(a)", "f(a, m)", "f(a, t=c)", []),
        ("f(a)", "f(m, a)", "f(a)", []),
        ("f(a, b)", "f(a, b, m)", "f(a, c)", []),
        ("x = {a}", "x = {a, m}", "x = {a, t}", []),
        ("f(*a)", "f(*a, m)", "f(*a, t)", []),
        ("with a:\n    pass", "with a, m:\n    pass", "with a, t:\n    pass", []),
    ],
)
def test_what_stands_at_another_position_is_said(
    base: str, local: str, target: str, moved: list[str]
) -> None:
    merge = Merge(words=WORDS)
    assert merged(base, local, target, merge=merge) is not None
    assert merge.moved == moved


def test_parameters_have_positions_although_they_have_names() -> None:
    merge = Merge(words=WORDS)
    sides = ("self, a=1", "self, a=1, m=2", "self, a=1, t=3")
    text = merged(*(f"def f({x}):\n    pass" for x in sides), merge=merge)
    assert text == "def f(self, a=1, t=3, m=2):"
    assert merge.moved == ["m=2 is number 4, in local 3"]


@pytest.mark.parametrize(
    ("base", "local", "target"),
    [
        # a positional argument in the place of one that the other side gave a name to
        ("f(a, b, c)", "f(a, b, c=c)", "f(a, b, c, t)"),
        ("f(a, b, c)", "f(a, b, d=c)", "f(a, b, c, t)"),
        ("f(a, b)", "f(a=a, b=b)", "f(a, b, t)"),
        ("f(a, b, c)", "f(a, b, c, m)", "f(a, b, c=c)"),
        # two more indices
        ("x = v[a]", "x = v[a, m]", "x = v[a, t]"),
    ],
)
def test_positions_that_cannot_be_right_are_a_conflict(base: str, local: str, target: str) -> None:
    assert merged(base, local, target) is None


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("f(a, b, c)", "f(a, b, c=c)", "f(a, b, c, k=t)", "f(a, b, c=c, k=t)"),
        ("f(a, c)", "f(a, c=c)", "f(a, t, c)", "f(a, t, c=c)"),
    ],
)
def test_a_name_for_an_argument_beside_others(
    base: str, local: str, target: str, expected: str
) -> None:
    assert merged(base, local, target) == expected


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        # a tuple of one keeps its comma, and is other code than what stands in parentheses
        ("x = (a, b)", "x = (a,)", "x = (c, b)", "x = (c,)"),
        ("return (a)", "return (a,)", "return (b)", None),
        ("x = (a)", "x = (a, m)", "x = (b)", None),
        ("x = v[a, b]", "x = v[a]", "x = v[c, b]", "x = v[c]"),
        ("f(a,)", "f(m,)", "f(\n    a,\n    b,\n)", "f(\n    m,\n    b,\n)"),
        # what belongs to no element of the list
        ("f(lambda a, b: c)", "f(lambda a, b: c, m)", "f(lambda a, b: t)", "f(lambda a, b: t, m)"),
        (
            "x = [a for a, b in c]",
            "x = [a for a, b in c if m]",
            "x = [\n    t(a) for a, b in c\n]",
            "x = [\n    t(a) for a, b in c if m\n]",
        ),
        (
            "f(a for a in b)",
            "f(m for a in b)",
            "f(\n    a for a in t\n)",
            "f(\n    m for a in t\n)",
        ),
        # any key names an entry of a dict
        ("x = {}", "x = {A.k: m}", "x = {A.k: t}", None),
        ("x = {1: a}", "x = {1: m}", "x = {1: a, 2: t}", "x = {1: m, 2: t}"),
    ],
)
def test_what_a_comma_makes(base: str, local: str, target: str, expected: str | None) -> None:
    assert merged(base, local, target) == expected
