"""Where two functions differ: what is listed, on which lines, and what is not."""

from __future__ import annotations

import pytest

from omni_codemods.findings.errors import SourceError
from omni_codemods.functions.code_diff import Differing, find_differing, pair_lines, same_function

BODY = """\
def step(self, batch):
    a = self.prepare(batch)
    b = self.forward(a, batch.positions)
    if b is None:
        return self.empty(batch)
    else:
        self.count += 1
    return self.sample(b, a)
"""

Lines = tuple[int, int] | None


def lines(found: tuple[Differing, ...]) -> list[tuple[Lines, Lines]]:
    def span(piece: object) -> Lines:
        where = getattr(piece, "span", None)
        return None if where is None else (where.start, where.end)

    return [(span(one.one), span(one.other)) for one in found]


def compare(old: str, new: str, text: str = BODY) -> list[tuple[Lines, Lines]]:
    assert old in text
    return lines(find_differing(text, text.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "self.forward(a, batch.positions)",
            "self.forward(\n        a,\n        batch.positions,\n    )",
        ),
        ("    a = ", "    # why\n\n    a = "),
        ("def step(self, batch):\n", 'def step(self, batch):\n    """What it does."""\n'),
        ("if b is None:", "if (b is None):"),
        ("    return self.sample(b, a)", "    return (self.sample(b, a))"),
        ("    else:\n        self.count += 1\n", "    else: self.count += 1\n"),
    ],
)
def test_layout_comments_and_docstrings(old: str, new: str) -> None:
    assert compare(old, new) == []
    assert same_function(BODY, BODY.replace(old, new))


LOOKS = """\
def f(a, b):
    {}
    last({})
"""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a, b = f()", "(a, b) = f()"),
        ("if a and not b:\n        g()", "if a and (not b):\n        g()"),
        ("if a: g()", "if a:\n        g()"),
        (
            "if a:\n        g()\n    elif a and not b:\n        h()",
            "if a:\n        g()\n    elif a and (not b):\n        h()",
        ),
        ("if a:\n        g()", "if a:\n        # why\n        g()"),
        ("if a:\n        g()", "if a:\n        'What it does.'\n        g()"),
        ("x = lambda: (1)", "x = lambda: 1"),
        pytest.param(
            "x = 1; y = 2",
            "x = 1\n    y = 2",
            marks=pytest.mark.xfail(strict=True, reason="a line of several is one statement"),
        ),
    ],
)
def test_what_only_looks_different_beside_what_is(one: str, other: str) -> None:
    left, right = LOOKS.format(one, 1), LOOKS.format(other, 2)
    ends = left.count("\n"), right.count("\n")
    assert lines(find_differing(left, right)) == [((ends[0],) * 2, (ends[1],) * 2)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("try:\n        g()\n    except A:\n        h()", "except B"),
        ("match a:\n        case 1:\n            g()", "case 2"),
        ("if a:\n        g()\n    elif b:\n        h()", "elif a"),
    ],
)
def test_headers_that_cannot_stand_alone(one: str, other: str) -> None:
    text = LOOKS.format(one, 1)
    word, _, rest = other.partition(" ")
    start = text.index(word) + len(word) + 1
    changed = text[:start] + rest + text[start + 1 :]
    line = text[:start].count("\n") + 1
    assert lines(find_differing(text, changed)) == [((line, line), (line, line))]


def test_a_number_that_stands_for_itself_is_code() -> None:
    assert find_differing("def f():\n    a()\n    1\n", "def f():\n    a()\n") != ()
    assert find_differing("def f():\n    a()\n    'x'\n", "def f():\n    a()\n") == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "for x in y:\n        g()\n        h()\n        i()",
            "for x in y:\n        g()\n        j()\n        i()",
        ),
        ("if x:\n        g()\n        h()", "if x:\n        g()\n    h()"),
    ],
)
def test_all_of_what_one_side_has_is_its_code(one: str, other: str) -> None:
    text = "def f():\n    {}\n    last()\n"
    bare = "def f():\n    last()\n"
    ((first,), (second,)) = (find_differing(bare, text.format(x)) for x in (one, other))
    assert first.other is not None
    assert second.other is not None
    assert first.other.code != second.other.code


def test_in_the_order_of_the_first() -> None:
    other = BODY.replace("    a = ", "    self.log()\n    a = ").replace("(b, a)", "(b)")
    assert lines(find_differing(BODY, other)) == [(None, (2, 2)), ((8, 8), (9, 9))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a, b = f()", "(a, b) = f()"),
        ("if a and not b: g()", "if a and (not b): g()"),
        ("if a: g()", "if a:\n        g()"),
        ("x = 'a' 'b'", 'x = "ab"'),
        ("x = 1; y = 2", "x = 1\n    y = 2"),
    ],
)
def test_what_only_looks_different(one: str, other: str) -> None:
    text = "def f():\n    {}\n    return 1\n"
    assert find_differing(text.format(one), text.format(other)) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("if (a or b) and c: g()", "if a or (b and c): g()"),
        ("x = (a,)", "x = (a)"),
        ("if a: g()\n    elif b: h()", "if a: g()\n    if b: h()"),
        ("x = 'a'", "x = b'a'"),
    ],
)
def test_what_looks_nearly_the_same(one: str, other: str) -> None:
    text = "def f():\n    {}\n    return 1\n"
    assert len(find_differing(text.format(one), text.format(other))) >= 1


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("positions)", "positions, fast=True)", [((3, 3), (3, 3))]),
        ("    b = ", "    self.log(a)\n    b = ", [(None, (3, 3))]),
        ("    else:\n        self.count += 1\n", "", [((6, 7), None)]),
        ("self, batch)", "self, batch, dry=False)", [((1, 1), (1, 1))]),
        ("if b is None:", "if b is None and a:", [((4, 4), (4, 4))]),
    ],
)
def test_a_difference_is_as_small_as_its_statement(
    old: str, new: str, where: list[tuple[Lines, Lines]]
) -> None:
    assert compare(old, new) == where


def test_neighbours_that_both_changed_are_told_apart() -> None:
    other = BODY.replace("prepare(batch)", "prepare(batch, 1)").replace("(b, a)", "(b, a, 2)")
    assert lines(find_differing(BODY, other)) == [((2, 2), (2, 2)), ((8, 8), (8, 8))]


def test_a_docstring_is_no_part_of_the_header_above_it() -> None:
    text = BODY.replace(":\n    a", ':\n    """Long.\n\n    Text.\n    """\n    a', 1)
    other = text.replace("self, batch", "self, batch, dry").replace("prepare(", "ready(")
    assert lines(find_differing(text, other)) == [((1, 1), (1, 1)), ((6, 6), (6, 6))]


WRAPPED = """\
def step(self, batch):
    with record("forward"):
        a = self.prepare(batch)
        b = self.forward(a, batch.positions)
    if b is None:
        return self.empty(batch)
    else:
        self.count += 1
    return self.sample(b, a)
"""


def test_what_one_side_has_below_a_with_is_the_same_code() -> None:
    assert lines(find_differing(BODY, WRAPPED)) == [(None, (2, 2))]
    assert lines(find_differing(WRAPPED, BODY)) == [((2, 2), None)]


def test_a_with_taken_apart_is_two_headers() -> None:
    one = WRAPPED.replace('record("forward")', 'record("forward"), self.lock()')
    other = (
        "def step(self, batch):\n"
        '    with record("forward"):\n'
        "        with self.lock():\n"
        "            a = self.prepare(batch)\n"
        "            b = self.forward(a, batch.positions)\n"
        "    if b is None:\n"
        "        return self.empty(batch)\n"
        "    else:\n"
        "        self.count += 1\n"
        "    return self.sample(b, a)\n"
    )
    assert lines(find_differing(one, other)) == [((2, 2), (2, 2)), (None, (3, 3))]


def test_how_far_a_header_reaches_is_part_of_it() -> None:
    text = "def f():\n    with lock():\n        one(a, b, c)\n        two(a, b, c)\n"
    text += "    three(a, b, c)\n"
    bare = text.replace("    with lock():\n", "").replace("        ", "    ")
    more = text.replace("    three", "        three")
    (near,), (far,) = find_differing(bare, text), find_differing(bare, more)
    assert near.other is not None
    assert far.other is not None
    assert near.other.span == far.other.span
    assert near.other.code != far.other.code


def test_an_else_is_never_that_of_another_if() -> None:
    one = "def f():\n    if a:\n        x(1)\n    else:\n        y(2)\n    return 1\n"
    other = "def f():\n    for b in c:\n        if b:\n            z(3)\n"
    other += "        else:\n            w(4)\n    return 1\n"
    ((left, right),) = lines(find_differing(one, other))
    assert (left, right) == ((2, 5), (2, 6))


def test_code_that_went_elsewhere_is_moved() -> None:
    text = BODY.replace("    a = ", "    self.tables.commit(batch.rows, batch.size)\n    a = ")
    line = "    self.tables.commit(batch.rows, batch.size)\n"
    other = text.replace(line, "").replace("    if b", line + "    if b")
    (moved,) = find_differing(text, other)
    assert moved.moved
    assert lines((moved,)) == [((2, 2), (4, 4))]


def test_what_differs_in_moved_code_is_told_too() -> None:
    line = "    self.tables.commit(batch.rows, batch.size, batch.kind, batch.shape, {})\n"
    one = BODY.replace("    a = ", line.format("1") + "    a = ")
    other = BODY.replace("    return self.sample", line.format("2") + "    return self.sample")
    moved, changed = find_differing(one, other)
    assert (moved.moved, changed.moved) == (True, False)
    assert lines((moved,)) == lines((changed,)) == [((2, 2), (8, 8))]


def test_code_that_went_into_a_new_branch_is_not_lost() -> None:
    line = "self.tables.commit(batch.rows, batch.size)\n"
    one = f"def f(self, batch):\n    if a:\n        x(1)\n    {line}    return 1\n"
    other = f"def f(self, batch):\n    if a:\n        x(1)\n    else:\n        {line}    return 1\n"
    assert lines(find_differing(one, other)) == [(None, (4, 5)), ((4, 4), None)]


def test_code_does_not_hang_on_lines_or_layout() -> None:
    one, other = BODY, BODY.replace("positions)", "positions, fast=(not a))")
    late = "\n\n# more\n" + other.replace("(not a)", "not a").replace(
        "self.forward(a,", "self.forward(\n a,"
    )
    (a,) = find_differing(one, other)
    (b,) = find_differing(one, late.lstrip().removeprefix("# more\n"))
    assert a.other is not None
    assert b.other is not None
    assert a.other.code == b.other.code
    assert a.other.span != b.other.span


def test_code_is_spelled_the_same_under_every_python() -> None:
    (found,) = find_differing("def f(): x = f'{a!r:>{b}}'\n", "def f(): x = f'{a!s}'\n")
    assert found.one is not None
    assert "".join(found.one.code) == (
        "[Assign(targets=[Name(id='x')],value=JoinedStr([FormattedValue(value=Name(id='a'),"
        "conversion=114,format_spec=JoinedStr([Constant(value='>'),"
        "FormattedValue(value=Name(id='b'),conversion=-1)]))]))]"
    )


def test_a_function_on_one_line_has_its_line() -> None:
    assert lines(find_differing("def f(): return 1\n", "def f(): return 2\n")) == [((1, 1), (1, 1))]


def test_the_header_of_a_function_on_one_line() -> None:
    found = find_differing("@a\ndef f(x): return 1\n", "@a\ndef f(y): return 1\n")
    assert lines(found) == [((2, 2), (2, 2))]


def test_a_function_on_one_line_below_its_decorators() -> None:
    one, other = (f"@a\n@b\ndef f(x): return {n}\n" for n in (1, 2))
    assert lines(find_differing(one, other)) == [((3, 3), (3, 3))]


def test_decorators() -> None:
    found = find_differing("@timed('x')\ndef f():\n    pass\n", "def f():\n    pass\n")
    assert lines(found) == [((1, 1), None)]


def test_lines_of_what_two_versions_share() -> None:
    one = "def f():\n    a(\n        1,\n        2,\n    )\n    b()\n"
    other = "def f():\n    import c\n    a(1)\n    b()\n"
    paired = pair_lines(one, other)
    assert (paired.starts[1], paired.starts[6], paired.ends[6]) == (1, 4, 4)
    assert (paired.starts[2], paired.ends[5]) == (3, 3)


def test_lines_of_what_is_nothing_like_it_was() -> None:
    one = "def f():\n    import a.b\n    import c.d\n\n    g(1, 2, 3)\n    h()\n"
    other = "def f():\n    from x.y import (\n        z,\n    )\n\n    g(1, 2, 3)\n    h()\n"
    paired = pair_lines(one, other)
    assert paired.starts == {1: 1, 2: 2, 3: 2, 5: 6, 6: 7}
    assert paired.ends == {1: 1, 2: 4, 3: 4, 5: 6, 6: 7}


def test_what_is_no_function() -> None:
    with pytest.raises(SourceError):
        find_differing("x = 1\n", BODY)
