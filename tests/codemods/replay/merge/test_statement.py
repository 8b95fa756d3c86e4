"""Three versions of a statement → one: what merges, what stays, what a person must decide."""

from __future__ import annotations

import ast
import itertools
import textwrap

import pytest

from omni_codemods.replay.merge.brackets import Merge
from omni_codemods.replay.merge.statement import find_marker, merge_statement
from parsed import node, statement, tree_of


def merged(base: str, local: str, target: str) -> str | None:
    """The merged own text, dedented, without the final newline."""
    text = merge_statement(statement(base), statement(local), statement(target), Merge())
    return None if text is None else textwrap.dedent(text).removesuffix("\n")


def own(text: str) -> str:
    """The own text of the statement *text*, without the body of a compound one."""
    return textwrap.dedent("".join(statement(text).lines)).removesuffix("\n")


MERGES = {
    "two operators": ("x = a + b", "x = A + b", "x = a + B", "x = A + B"),
    "both sides of an assignment": ("x = f()", "y = f()", "x = g()", "y = g()"),
    "an operand more": ("x = a", "x = a and b", "x = a", "x = a and b"),
    "a condition and its value": (
        "return a if b else c",
        "return A if b else c",
        "return a if B else c",
        "return A if B else c",
    ),
    "a call and a subscript": ("x = f(a)[b]", "x = f(a, c)[b]", "x = f(a)[B]", "x = f(a, c)[B]"),
    "a chain of calls": ("f(a).g(b)", "f(a, c).g(b)", "f(a).g(b, d)", "f(a, c).g(b, d)"),
    "nested calls": (
        "f(g(a), h(b))",
        "f(g(a, c), h(b))",
        "f(g(a), h(b, d))",
        "f(g(a, c), h(b, d))",
    ),
    "annotation and value": ("x: A = a", "x: A = b", "x: B = a", "x: B = b"),
    "return type and parameter": (
        "def f(a) -> A:\n    pass",
        "def f(a, b) -> A:\n    pass",
        "def f(a) -> B:\n    pass",
        "def f(a, b) -> B:\n    pass".partition("\n")[0],
    ),
    "augmented assignment": ("x += a", "x += b", "x += a", "x += b"),
    "assert and its message": ("assert a, b", "assert A, b", "assert a, B", "assert A, B"),
    "import lists": (
        "from m import a, b",
        "from m import a, b, c",
        "from m import a, b",
        "from m import a, b, c",
    ),
    "loop variable and iterable": (
        "for x in f(a):\n    pass",
        "for y in f(a):\n    pass",
        "for x in f(a, b):\n    pass",
        "for y in f(a, b):",
    ),
    "the header of an if": (
        "if a and b:\n    pass",
        "if A and b:\n    pass",
        "if a and B:\n    pass",
        "if A and B:",
    ),
    "string and call": ("log('a', b)", "log('A', b)", "log('a', B)", "log('A', B)"),
    "bare tuples": ("return a, b", "return a, b, c", "return A, b", "return A, b, c"),
    "packed and bare tuples": (
        "return (a, b)",
        "return (a, b, c)",
        "return a, b, d",
        "return a, b, d, c",
    ),
    "unpacking": ("a, b = f()", "a, b, c = f()", "a, b = g()", "a, b, c = g()"),
    "with items": (
        "with a as b:\n    pass",
        "with a as b, c as d:\n    pass",
        "with a as b, e:\n    pass",
        "with a as b, e, c as d:",
    ),
    "the call in a with": (
        "with f(a) as b:\n    pass",
        "with f(a, c) as b:\n    pass",
        "with f(a, d) as b:\n    pass",
        "with f(a, d, c) as b:",
    ),
}


@pytest.mark.parametrize(("base", "local", "target", "expected"), MERGES.values(), ids=MERGES)
def test_changes_in_different_places_merge(
    base: str, local: str, target: str, expected: str
) -> None:
    assert merged(base, local, target) == expected


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("f(a)", "await f(a)", "f(a, b)", "await f(a, b)"),
        ("x = f(a)", "y = x = f(a)", "x = f(b)", "y = x = f(b)"),
        ("f(a)", "x = f(a)", "f(a, b)", "x = f(a, b)"),
    ],
)
def test_an_addition_in_front(base: str, local: str, target: str, expected: str) -> None:
    assert merged(base, local, target) == expected


def test_a_lambda_is_a_positional_argument() -> None:
    assert merged("f(lambda: a)", "f(lambda: a, b)", "f(lambda: c)") == "f(lambda: c, b)"


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("x = a + b", "x = (\n    a + c\n)", "x = d + b", "x = d + c"),
        ("x = a + b", "x = a + c", "x = (\n    d\n    + b\n)", "x = d + c"),
        ("return a + b", "return (\n    a\n    + c\n)", "return d + b", "return d + c"),
        ("return(a + b)", "return a + c", "return d + b", "return d + c"),
        (
            "if a and b:\n    pass",
            "if (\n    a\n    and b\n    and mine\n):\n    pass",
            "if new and a and b:\n    pass",
            "if new and a and b and mine:",
        ),
        (
            "while a < b:\n    pass",
            "while a < c:\n    pass",
            "while (\n    d < b\n):\n    pass",
            "while d < c:",
        ),
        ("assert a == b", "assert (\n    a == c\n)", "assert d == b", "assert d == c"),
    ],
)
def test_parentheses_around_a_changed_expression(
    base: str, local: str, target: str, expected: str
) -> None:
    assert merged(base, local, target) == expected


@pytest.mark.parametrize(
    ("base", "local", "target"),
    [
        ("x = a + b", "x = (\n    a + c  # why\n)", "x = d + b"),
        ("x = (a, b)", "x = (a, c)", "x = (d)"),
        ("x = a + b", "x = (a + c) * 2", "x = d - b"),
        ("x = a + b", "x = f(a + c)", "x = d + b"),
    ],
)
def test_parentheses_that_are_not_left_out(base: str, local: str, target: str) -> None:
    assert merged(base, local, target) is None


CONFLICTS = {
    "the same operand": ("x = a", "x = b", "x = c"),
    "the same argument": ("f(a)", "f(b)", "f(c)"),
    "the same keyword": ("f(k=a)", "f(k=b)", "f(k=c)"),
    "the callee": ("f(a)", "g(a)", "h(a)"),
    "operand and its operator": ("x = a", "x = a + b", "x = a - c"),
    "an added keyword of one name": ("f()", "f(k=a)", "f(k=b)"),
    "changed here, deleted there": ("f(a, k=b)", "f(a, k=c)", "f(a)"),
    "deleted here, changed there": ("f(a, k=b)", "f(a)", "f(a, k=c)"),
    "the same condition": ("if a:\n    pass", "if b:\n    pass", "if c:\n    pass"),
    "the annotation": ("x: A = a", "x: B = a", "x: C = a"),
    "a nested argument": ("f(g(a))", "f(g(b))", "f(g(c))"),
}


@pytest.mark.parametrize(("base", "local", "target"), CONFLICTS.values(), ids=CONFLICTS)
def test_two_changes_of_one_place_are_a_conflict(base: str, local: str, target: str) -> None:
    assert merged(base, local, target) is None
    assert merged(base, target, local) is None


TEXTS = [
    "x = f(a, b)",
    "x = f(\n    a,  # one\n    b,\n)",
    "return a, b",
    "with a as b:\n    pass",
    "x = {'a': 1, **b}",
    "if a and (b or c):\n    pass",
    "x = a if b else c",
    "f(a)[b].c(d)",
    "x: A = f()  # note",
    "def f(a, /, b=1, *c, d: int = 2, **e) -> A:\n    pass",
    "x = [a for a in b if c]",
    "x = '''a\n  b'''",
    "a = b = c, d",
    "x = (a,)",
]


@pytest.mark.parametrize("text", TEXTS)
def test_one_change_alone_is_taken(text: str) -> None:
    assert merged(text, text, text) == own(text)
    for other in ("x = other(y)", "return None"):
        assert merged(other, text, text) == own(text)
        assert merged(text, text, other) == other


@pytest.mark.parametrize(("one", "other"), list(itertools.permutations(TEXTS, 2)))
def test_a_change_of_the_upstream_alone_gives_the_upstream_s(one: str, other: str) -> None:
    assert merged(one, one, other) == own(other)


@pytest.mark.parametrize(
    ("base", "local"),
    [
        ("f(a)", "f(a, b)"),
        ("x = f(a)", "x = f(b) + c"),
        ("return a, b", "return a, (b, c)"),
        ("x = a if b else c", "x = a if d and b else c"),
        ("with a as b:\n    pass", "with a(c) as b, d:\n    pass"),
        ("f(\n    a,\n    b,\n)", "f(\n    a,\n    b,\n    c,\n)"),
        ("x = '''a\n  b'''", "x = '''a\n  c'''"),
        ("x: A", "x: A = B"),
    ],
)
def test_a_change_of_local_alone_gives_local_s(base: str, local: str) -> None:
    assert merged(base, local, base) == own(local)


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("f(a)", "f(a, b)", "f(\n    a,\n    k=c,\n)", "f(\n    a,\n    b,\n    k=c,\n)"),
        ("f(\n    a,\n)", "f(\n    a,\n    b,\n)", "f(a, k=c)", "f(a, b, k=c)"),
        ("f(a)", "f(\n    a\n)", "f( a )", "f( a )"),
        ("f(a)", "f(\n    a\n)", "f( b )", "f( b )"),
        ("x = 'a' + c", 'x = "a" + c', "x = 'b' + c", "x = 'b' + c"),
        ("x  =  a + b", "x = a + c", "x   =  d + b", "x   =  d + c"),
    ],
)
def test_the_layout_is_the_target_s(base: str, local: str, target: str, expected: str) -> None:
    assert merged(base, local, target) == expected


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("f(a)  # one", "f(b)  # one", "f(a)  # two", "f(b)  # two"),
        ("f(a)  # one", "f(b)  # two", "f(a)  # one", "f(b)  # two"),
        ("f(a)", "f(b)  # mine", "f(a)", "f(b)  # mine"),
        ("f(a)", "f(b)", "f(a)  # theirs", "f(b)  # theirs"),
        ("f(a)", "f(b)  # mine", "f(a)  # theirs", "f(b)  # theirs"),
        ("f(a)", "f(b)  # Omni-new", "f(a)  # theirs", "f(b)  # Omni-new"),
        ("f(a)  # type: ignore", "f(b)  # type: ignore", "f(a, c)", "f(b, c)"),
    ],
)
def test_the_comment_behind_a_statement(base: str, local: str, target: str, expected: str) -> None:
    assert merged(base, local, target) == expected


def test_a_fenced_argument_overrules() -> None:
    base, local, target = map(statement, ("f(k=a)", "f(\n    k=b,  # Omni-new\n)", "f(k=c)"))
    merge = Merge()
    text = merge_statement(base, local, target, merge)
    assert text is not None
    assert "k=b,  # Omni-new" in text
    assert merge.overruled


def test_nothing_is_overruled_without_a_fence() -> None:
    merge = Merge()
    base, local, target = map(statement, ("f(a)", "f(a, b)", "f(a, c)"))
    assert merge_statement(base, local, target, merge)
    assert not merge.overruled


def test_the_indentation_is_the_target_s() -> None:

    deep = node(tree_of("if a:\n    if b:\n        f(x)"), "f(x)")
    text = merge_statement(statement("f(x)"), statement("f(\n    x,\n    y,\n)"), deep, Merge())
    assert text == "            f(\n                x,\n                y,\n            )\n"


def test_strings_over_several_lines_stay() -> None:
    local = "f('''a\n  b''', c)"
    assert merged("f('''a\n  b''')", local, "f('''a\n  b''', k=d)") == own(
        "f('''a\n  b''', c, k=d)"
    )


@pytest.mark.parametrize("triple", list(itertools.permutations(["f(a)", "f(a, b=1)", "f(a, *c)"])))
def test_what_is_merged_parses(triple: tuple[str, str, str]) -> None:
    text = merged(*triple)
    assert text is not None
    ast.parse(text)


@pytest.mark.parametrize(
    ("comment", "is_marker"),
    [("# Omni-new", True), ("# PATCH START: x", True), ("# why", False), ("", False)],
)
def test_markers(comment: str, is_marker: bool) -> None:
    assert find_marker(comment) is is_marker


OPERANDS = ("x\n    and n", "x\n    and self.mine\n    and n", "x\n    and n\n    and self.theirs")


@pytest.mark.parametrize(
    "frame",
    [
        "if {}:\n    pass",
        "while {}:\n    pass",
        "for i in {}:\n    pass",
        "with {}:\n    pass",
        "with {} as w:\n    pass",
        "assert {}",
        "assert {}, 'why'",
        "return {}",
        "return not {}",
        "yield {}",
        "raise {}",
        "y = {}",
        "y: bool = {}",
        "y += {}",
        "y = (z := {})",
        "y = await {}",
        "y = lambda: {}",
        "y = a if {} else b",
        "y = {} if a else b",
        "y = [i for i in {}]",
        "y = [i for i in a if {}]",
        "y = v[{}]",
        "y = v[0, {}]",
        "y = {{k: {}}}",
        "f({})",
        "f(a, {})",
        "f(k={})",
        "f(g({}))",
        "{}.g()",
    ],
)
def test_parentheses_around_an_operand_stay_such(frame: str) -> None:
    base, local, target = (frame.format(f"(\n    {x}\n)") for x in OPERANDS)
    whole = "x\n    and self.mine\n    and n\n    and self.theirs"
    assert merged(base, local, target) == frame.format(f"(\n    {whole}\n)").split("\n    pass")[0]


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        ("f(\n    a\n)", "f(\n    m\n    + a\n)", "f(\n    a\n    + t\n)", "m\n    + a\n    + t"),
        (
            "x = (\n    a\n    + b\n)",
            "x = (\n    m\n    + b\n)",
            "x = (\n    a\n    + t\n)",
            "m\n    + t",
        ),
    ],
)
def test_one_line_changed_by_each(base: str, local: str, target: str, expected: str) -> None:
    opener = target[: target.index("(") + 1]
    comma = "," if opener == "f(" else ""
    assert merged(base, local, target) == f"{opener}\n    {expected}{comma}\n)"


FENCE = "# ---- Omni-new ----"


@pytest.mark.parametrize(
    ("local", "target", "expected"),
    [
        (
            f"x\n    {FENCE}\n    and m\n    {FENCE}\n    and n",
            "x\n    and n\n    and t",
            f"x\n    {FENCE}\n    and m\n    {FENCE}\n    and n\n    and t",
        ),
        (
            f"x\n    and n\n    {FENCE}\n    and m\n    {FENCE}",
            "t\n    and n",
            f"t\n    and n\n    {FENCE}\n    and m\n    {FENCE}",
        ),
        (f"x\n    {FENCE}\n    and m\n    {FENCE}\n    and n", "n\n    and t", None),
        (f"x\n    {FENCE}\n    and n\n    {FENCE}\n    and m", "x\n    and t", None),
    ],
)
def test_fences_between_operands(local: str, target: str, expected: str | None) -> None:
    base, local, target = (f"if (\n    {x}\n):\n    pass" for x in ("x\n    and n", local, target))
    wanted = None if expected is None else f"if (\n    {expected}\n):"
    assert merged(base, local, target) == wanted


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        # parentheses that only one side has are never taken for others
        (
            "if not (a and b):\n    pass",
            "if (\n    not (a and m)\n):\n    pass",
            "if not (t and a and b):\n    pass",
            "if not (t and a and m):",
        ),
        (
            "assert a - (b * c == d)",
            "assert a - ((not b) * c == d)",
            "assert (\n    a * t - (b * c == d)\n)",
            "assert a * t - ((not b) * c == d)",
        ),
        ("f(k=not (a and b))", "f(k=(not (a and m)))", "f(k=not (t and b))", "f(k=not (t and m))"),
        ("f(k=a + b)", "f(k=(\n    a + m\n))", "f(k=t + b)", "f(k=t + m)"),
        ("f(a + b)", "f(a + m)", "f((\n    t + b\n))", "f(t + m)"),
        # two words never stick together
        ("f(k=a or b)", "f(k=not a or b)", "f(k=a or t)", "f(k=not a or t)"),
        (
            "f(k=a + b or c)",
            "f(k=m or a + b or c)",
            "f(k=a + b or c or t)",
            "f(k=m or a + b or c or t)",
        ),
        ('f("a" in b)', 'f(not "a" in b)', 'f("a" in t)', 'f(not "a" in t)'),
    ],
)
def test_parentheses_that_one_side_has(base: str, local: str, target: str, expected: str) -> None:
    assert merged(base, local, target) == expected


def test_a_comment_in_parentheses_that_one_side_has() -> None:
    local = "if (\n    a  # why\n    and m\n):\n    pass"
    assert merged("if a and b:\n    pass", local, "if t and b:\n    pass") is None
