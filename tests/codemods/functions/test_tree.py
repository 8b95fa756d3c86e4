"""A function as nested statements: whatever its shape, every line belongs to one node."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.errors import SourceError
from omni_codemods.functions.tree import Kind, Node, Tree, parse_function
from parsed import body_of, node, statement, suite, tree_of

SHAPES = {
    "plain": "def f(a):\n    x = 1\n    return x\n",
    "method": "    def f(self):\n        a\n\n        b\n",
    "tabs": "def f():\n\tif a:\n\t\tb\n\tc\n",
    "tabs_in_a_class": "\tdef f(self):\n\t\tif a:\n\t\t\tb\n",
    "mixed_widths": "def f():\n   if a:\n         b\n   else:\n      c\n",
    "decorators": "@one\n# why\n@two(\n    a,\n)\n\n# and\ndef f():\n    pass\n",
    "async": (
        "async def f():\n    async with a as b:\n"
        "        await c\n    async for x in y:\n        pass\n"
    ),
    "docstring": 'def f():\n    """One.\n\n    Two.\n    """\n',
    "string_at_column_0": "def f():\n    x = '''\nleft\n    inner\n'''\n    return x\n",
    "f_string_at_column_0": "def f():\n    x = f'''\n{left}\n'''\n",
    "blank_lines": "def f():\n\n    a\n\n\n    b\n\n    # c\n\n    d\n",
    "white_space_lines": "    def f():\n        a\n        \n  \n        b\n",
    "comments_at_odd_columns": (
        "def f():\n    a\n  # left\n        # right\n    b\n# far left\n    c\n    # last\n"
    ),
    "comment_in_an_empty_suite": (
        "def f():\n    if a:\n        # nothing yet\n        pass\n        # after\n"
    ),
    "comments_before_else": (
        "def f():\n    if a:\n        b\n        # deep\n    # shallow\n    else:\n        c\n"
    ),
    "trailing_comments": "def f(a,  # one\n      b):  # two\n    c  # three\n",
    "if_elif_else": (
        "def f():\n    if a:\n        b\n    elif c:\n        d\n    else:\n        e\n"
    ),
    "one_line_suites": "def f():\n    if a: b\n    else: c\n    for x in y: z\n",
    "mixed_suites": "def f():\n    if a: b\n    elif c:\n        d\n    else: e\n",
    "semicolons": "def f():\n    a; b; c\n    if d: e; g\n",
    "try_full": (
        "def f():\n    try:\n        a\n    except A as e:\n"
        "        b\n    except (B, C):\n        c\n"
        "    else:\n        d\n    finally:\n        g\n"
    ),
    "try_star": "def f():\n    try:\n        a\n    except* A:\n        b\n",
    "while_else": "def f():\n    while a:\n        b\n    else:\n        c\n",
    "for_else": "def f():\n    for a in b:\n        c\n    else:\n        d\n",
    "match": (
        "def f(x):\n    match x:\n        # first\n        case [a, *_] if a:\n            b\n"
        "        case {'k': v}:\n            c\n        case _:\n            d\n"
    ),
    "nested": (
        "def f():\n    def g():\n        def h():\n            a\n        return h\n    return g\n"
    ),
    "inner_class": "def f():\n    class A:\n        x = 1\n\n        def m(self):\n            a\n",
    "type_parameters": (
        "def f[T: (int, str), *Ts, **P](x: T) -> T:\n    type A[V] = list[V]\n    return x\n"
    ),
    "backslash": (
        "def f():\n    x = a + \\\n        b\n    with a as b, \\\n         c as d:\n        e\n"
    ),
    "exploded_header": (
        "def f(\n    a: int = 1,\n    *,\n    b: str = ')',\n) -> dict[str, int]:\n    return {}\n"
    ),
    "form_feed": "def f():\n    a\n\x0c\n    b\n",
    "lambda_default": "def f(a=lambda: 1, *args, **kwargs):\n    x = lambda: {1: 2}\n",
    "walrus": "def f():\n    if (n := len(a)) > 1:\n        return n\n",
    "comment_at_the_end": "def f():\n    if a:\n        b\n        # deep\n    # shallow\n",
    "commented_out_code": "def f():\n    a\n#    b\n#    c\n    d\n",
}


def lines_of(tree: Tree) -> list[str]:
    """The text put together from the nodes, each once, with the blank lines before it."""
    out: list[str] = []

    def visit(node: Node) -> None:
        out.extend(node.blanks)
        out.extend(node.lines)
        for child in node.children:
            visit(child)

    visit(tree.root)
    return [*out, *tree.tail]


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_every_line_belongs_to_exactly_one_node(text: str) -> None:
    tree = parse_function(text)
    assert lines_of(tree) == list(tree.lines)


def test_a_function_on_one_line() -> None:
    assert parse_function("def f(): pass\n").root.children[0].word == "def"


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_nodes_say_on_which_line_they_stand(text: str) -> None:
    tree = parse_function(text)
    for found in tree.root.walk():
        start, end = found.line, found.line + len(found.lines) - 1
        assert found.lines == tree.lines[start - 1 : end]
        assert found.end_line == max([end, *(c.end_line for c in found.children)])


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_parents_and_indices_agree(text: str) -> None:
    root = parse_function(text).root
    assert root.parent is None
    for parent in root.walk():
        for i, child in enumerate(parent.children):
            assert child.parent is parent
            assert child.index == i


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_indented_or_not_it_is_the_same_code(text: str) -> None:
    plain = parse_function(text)
    if plain.interior:
        return  # strings that span lines are not indented with the code
    deeper = parse_function(textwrap.indent(textwrap.dedent(text), "        "))
    assert deeper.root.code == plain.root.code


def test_a_method_is_dedented() -> None:
    tree = parse_function("    def f(self):\n        a\n")
    assert tree.text == "def f(self):\n    a\n"
    assert [n.indent for n in tree.root.walk()] == ["", "", "    "]


def test_lines_inside_a_string_are_not_dedented() -> None:
    tree = parse_function("    def f():\n        x = '''\n        y\n    z'''\n")
    assert tree.lines[2:] == ("        y\n", "    z'''\n")
    assert tree.interior == {3, 4}


def test_lines_left_of_the_function_are_not_dedented() -> None:
    tree = parse_function("    def f():\n        a\n# left\n        b\n")
    assert tree.lines[2] == "# left\n"
    assert 3 in tree.interior


def test_white_space_lines_come_through_as_they_are() -> None:
    tree = parse_function("    def f():\n        a\n          \n        b\n")
    assert node(tree, "b").blanks == ("          \n",)


def test_blank_lines_at_the_end_are_the_tail() -> None:
    assert parse_function("def f():\n    a\n\n\n").tail == ("\n", "\n")


def test_a_compound_has_a_clause_for_each_header() -> None:
    found = body_of(parse_function(SHAPES["try_full"]))[0]
    assert found.kind is Kind.COMPOUND
    assert [c.word for c in found.children] == ["try", "except", "except", "else", "finally"]
    assert {c.kind for c in found.children} == {Kind.CLAUSE}


def test_decorators_are_a_clause_of_their_own() -> None:
    root = parse_function(SHAPES["decorators"]).root
    holder, header = root.children
    assert (holder.word, header.word) == ("@", "def")
    assert [c.key[0] for c in holder.children] == ["@", "# why", "@", "# and"]


def test_async_is_named_by_what_it_starts() -> None:
    tree = parse_function(SHAPES["async"])
    assert [n.word for n in tree.root.walk() if n.kind is Kind.CLAUSE] == ["def", "with", "for"]


def test_cases_of_a_match_are_compounds_of_one_clause() -> None:
    (match,) = body_of(parse_function(SHAPES["match"]))
    assert [c.kind for c in match.children[0].children] == [
        Kind.COMMENT,
        Kind.COMPOUND,
        Kind.COMPOUND,
        Kind.COMPOUND,
    ]


def test_a_compound_on_one_line_is_a_statement() -> None:
    first, second = body_of(tree_of("if a: b\nelse: c\nfor x in y: z"))
    assert second.kind is Kind.STATEMENT
    assert first.kind is Kind.COMPOUND
    assert [c.word for c in first.children] == ["if", "else"]


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("if a:\n    b\n    # here\nc", "if"),
        ("if a:\n    b\n# here\nc", "def"),
        ("if a:\n    b\n  # here\nc", "def"),
        ("if a:\n    b\n        # here\nc", "if"),
        ("if a:\n    b\n    # here\nelse:\n    c", "if"),
        ("for x in y:\n    if a:\n        b\n    # here\nc", "for"),
    ],
)
def test_a_comment_stands_in_the_block_of_its_column(text: str, owner: str) -> None:
    found = node(tree_of(text), "# here")
    assert found.parent is not None
    assert found.parent.word == owner


def test_a_comment_before_else_stands_between_the_clauses() -> None:
    tree = tree_of("if a:\n    b\n# here\nelse:\n    c")
    found = node(tree, "# here")
    assert found.parent is not None
    assert found.parent.kind is Kind.COMPOUND
    assert [c.kind for c in found.parent.children] == [Kind.CLAUSE, Kind.COMMENT, Kind.CLAUSE]


def test_a_comment_is_its_own_head_and_no_code() -> None:
    tree = tree_of("a  # one\n# two\nb")
    comment = node(tree, "# two")
    assert not comment.is_code
    assert comment.head == "# two"
    assert node(tree, "a").head == "a"
    assert tree.root.code == tree_of("a\nb").root.code


def test_equal_code_is_equal_whatever_the_layout() -> None:
    one = tree_of("if (a and b):\n    f(x,\n      y)\n# c\nelse:\n\n    g('a')")
    other = tree_of('if a and b:\n    f(x, y)\nelse:\n    g(\n        "a",\n    )')
    assert one.root.code == other.root.code
    assert one.root.features == other.root.features


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("if a:\n    b\nc", "if a:\n    b\n    c"),
        ("if a:\n    b\nelse:\n    c", "if a:\n    b\nif c:\n    c"),
        ("a\nb", "b\na"),
        ("a", "a\na"),
    ],
)
def test_other_structure_is_other_code(one: str, other: str) -> None:
    assert tree_of(one).root.code != tree_of(other).root.code


def test_size_counts_the_tokens_of_code_below() -> None:
    tree = tree_of("if a:\n    b = c\n    # note")
    assert node(tree, "b = c").size == 3
    assert node(tree, "if a").size == 3 + 3  # comments below weigh nothing


def test_text_leaves_the_leading_blank_lines_out() -> None:
    tree = tree_of("a\n\nif b:\n\n    c\n\n    d")
    found = body_of(tree)[1]
    assert found.text() == "    if b:\n\n        c\n\n        d\n"
    assert found.blanks == ("\n",)


def test_statement_text_is_exact() -> None:
    assert statement("f( a,\n    b )   # why").text() == "    f( a,\n        b )   # why\n"


@pytest.mark.parametrize(
    "text",
    ["", "a\n", "# only\n", "def f():\n    a\nb\n", "class A:\n    x = 1\ndef f():\n    a\n"],
)
def test_what_is_not_one_function_is_refused(text: str) -> None:
    with pytest.raises(SourceError):
        parse_function(text)


def test_an_error_names_the_line_of_the_function() -> None:
    with pytest.raises(SourceError) as caught:
        parse_function("    def f():\n        a\n            b\n      c\n")
    assert caught.value.line == 4


def test_repr_shows_kind_line_and_code() -> None:
    assert repr(node(tree_of(suite("a")), "a")) == "<statement 3: a>"
