"""What is layout, and what is not."""

from __future__ import annotations

import pytest

from omni_codemods.findings.errors import SourceError
from omni_codemods.text.canonical import normal_tokens
from omni_codemods.text.lexer import tokenize_text
from parsed import statement


def normal(text: str) -> tuple[str, ...]:
    return statement(text).key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f(a, b)", "f(\n    a,\n    b,\n)"),
        ("f( a,b )", "f(a, b)"),
        ("x = a + b", "x = a + \\\n    b"),
        ("f(a)  # why", "f(a)"),
        ("f(\n    a,  # why\n    # and how\n    b)", "f(a, b)"),
        ("x = 'a'", 'x = "a"'),
        ("x = '''a'''", 'x = """a"""'),
        ("x = b'a'", 'x = B"a"'),
        ("x = u'a'", 'x = "a"'),
        ("x = f'{a}'", 'x = F"{a}"'),
        ("x = (a)", "x = a"),
        ("x = ((a + b))", "x = a + b"),
        ("x = (\n    a\n    if b\n    else c\n)", "x = a if b else c"),
        ("return (a and b)", "return a and b"),
        ("assert (a == b), c", "assert a == b, c"),
        ("if (a and b):\n    pass", "if a and b:\n    pass"),
        ("while (a):\n    pass", "while a:\n    pass"),
        ("for x in (rows):\n    pass", "for x in rows:\n    pass"),
        ("x += (a + b)", "x += a + b"),
        ("f((a), b)", "f(a, b)"),
        ("f(x=(a + b))", "f(x=a + b)"),
        ("x = [(a), b,]", "x = [a, b]"),
        ("x = {(a): (b),}", "x = {a: b}"),
        ("x = (a) if b else c", "x = a if b else c"),
        ("x = [(a) for a in b]", "x = [a for a in b]"),
        ("from m import (\n    a,\n    b,\n)", "from m import a, b"),
        ("with (\n    a as x,\n    b as y,\n):\n    pass", "with a as x, b as y:\n    pass"),
        ("with (a as x):\n    pass", "with a as x:\n    pass"),
        ("x: int = (a)", "x: int = a"),
        ("del (a)", "del a"),
        ("x = a[(b)]", "x = a[b]"),
        ("x = (a * b)", "x = a * b"),
        ("x = (\n    a\n    ** b\n)", "x = a**b"),
        ("re.match(\n    a,\n)", "re.match(a)"),
        ("x = (yield_of(a))", "x = yield_of(a)"),
        ("x = a if b else (c)", "x = a if b else c"),
        ("x = a if b else (c or d)", "x = a if b else c or d"),
        ("x = [a for a in (b) if (c)]", "x = [a for a in b if c]"),
        ("x = [a for (b, c) in d]", "x = [a for b, c in d]"),
        ("x = -(a.b[c](d)) ** (e)", "x = -a.b[c](d) ** e"),
        ("await (f(a))", "await f(a)"),
        ("return (a, b)", "return a, b"),
        ("return (\n    a,\n    *b,\n)", "return a, *b"),
        ("x = (yield a)", "x = yield a"),
        ("(yield a, b)", "yield (a, b)"),
        ("(a, b) = f(c)", "a, b = f(c)"),
        ("x = (\n    a,\n    b,\n) = f(c)", "x = a, b = f(c)"),
        ("x = (a,)", "x = a,"),
        ("x: tuple[int, int] = (a, b)", "x: tuple[int, int] = a, b"),
        ("for (a, b) in (c, d):\n    pass", "for a, b in c, d:\n    pass"),
        ("for (\n    a\n) in b:\n    pass", "for a in b:\n    pass"),
        ("del (a, b)", "del a, b"),
        ("if (a := b):\n    pass", "if a := b:\n    pass"),
        (
            "match (a, b):\n    case (c, d):\n        pass",
            "match a, b:\n    case c, d:\n        pass",
        ),
        ("from m import (\n    a,\n)", "from m import a"),
        ("x = 'a' f'{b}'", 'x = f"a{b}"'),
        ("x = '{a}' f'{b}'", 'x = f"{{a}}{b}"'),
        ("x = 1. + .5 + 0XFF + 1E+5", "x = 1.0 + 0.5 + 0xff + 1e5"),
    ],
)
def test_layout_does_not_count(one: str, other: str) -> None:
    assert normal(one) == normal(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = (a,)", "x = (a)"),
        ("x = (a,)", "x = a"),
        ("x = a,", "x = a"),
        ("return (a,)", "return a"),
        ("x = m[a,]", "x = m[a]"),
        ("x = (a + b) * c", "x = a + b * c"),
        ("x = not (a and b)", "x = not a and b"),
        ("x = a - (b - c)", "x = a - b - c"),
        ("x = (a or b) and c", "x = a or b and c"),
        ("f((a, b))", "f(a, b)"),
        ("f((x for x in a), b)", "f(x for x in a, b)"),
        ("x = (y := a)", "x = y = a"),
        ("f((a := b))", "f(a=b)"),
        ("x = [(a, b), c]", "x = [a, b, c]"),
        ("x = -(a + b)", "x = -a + b"),
        ("x = (a).b", "x = (b).a"),
        ("x = (a, b).count(c)", "x = a, b.count(c)"),
        ("x = ()", "x = []"),
        ("f()", "f"),
        ("f(())", "f()"),
        ("x = 'a'", "x = 'b'"),
        ("x = 'a'", "x = b'a'"),
        ("x = r'\\n'", "x = '\\n'"),
        ("x = '  a'", "x = ' a'"),
        ("x = f'{a}'", "x = '{a}'"),
        ("x = a if b else c", "x = c if b else a"),
        ("from m import a, b", "from m import b, a"),
        ("f(a, b)", "f(b, a)"),
        ("f(*a)", "f(a)"),
        ("f(**a)", "f(*a)"),
        ("for x in (a, b):\n    pass", "for x in a:\n    pass"),
        ("x = (lambda: a)()", "x = lambda: a()"),
        ("x = (await_(a))[b]", "x = await_(a[b])"),
        ("x = '\\1' '2'", "x = '\\12'"),
        ("(x): int", "x: int"),
        ("x = ...[a,]", "x = ...[a]"),
        ("with ((a, b)):\n    pass", "with (a, b):\n    pass"),
        ("match (a,):\n    case _:\n        pass", "match (a):\n    case _:\n        pass"),
        ("x = lambda y=(a, b): y", "x = lambda y=a, b=b: y"),
        ("for x in a in (b or c):\n    pass", "for x in a in b or c:\n    pass"),
    ],
)
def test_what_changes_the_meaning_counts(one: str, other: str) -> None:
    assert normal(one) != normal(other)


def test_a_named_character_keeps_its_braces() -> None:
    # The other is no Python, which not every tokenizer says.
    try:
        other = normal("x = f'\\N{{DASH}}{b}'")
    except SourceError:
        return
    assert normal("x = '\\N{DASH}' f'{b}'") != other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = (a if b else c) if d else e", "x = a if b else c if d else e"),
        ("x = (lambda: a) if b else c", "x = lambda: a if b else c"),
        ("f((a if b else c) if d else e)", "f(a if b else c if d else e)"),
        ("if a in (b or c):\n    pass", "if a in b or c:\n    pass"),
        ("x = a in (b in c)", "x = a in b in c"),
        ("x = a not in (b if c else d)", "x = a not in b if c else d"),
    ],
)
def test_parentheses_around_an_operand_count(one: str, other: str) -> None:
    assert normal(one) != normal(other)


def test_a_string_is_the_same_in_either_quotes() -> None:
    assert normal("x = 'say \"a\"'") == normal(r'x = "say \"a\""')
    assert normal(r"x = 'it\'s'") == normal('x = "it\'s"')
    assert normal(r"x = '\\'") != normal(r"x = '\\\\'")
    assert normal(r"x = r'\''") == normal(r'x = r"\'"')
    assert normal(r"x = f'it\'s {a}\n'") == normal(r'x = f"it\'s {a}\n"')
    assert normal("""x = f'{a["b"]}'""") == ("x", "=", """f'{a["b"]}'""")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('"""Say it.  \n\n    Once.\n    """', '"""Say it.\n\n        Once.\n\n"""'),
        ('""" Say it. """', '"""Say it."""'),
        ("'it'", '"it"'),
        ('r"""\\d\n"""', "r'''\\d'''"),
    ],
)
def test_white_space_at_the_ends_of_a_docstring_s_lines_does_not_count(
    one: str, other: str
) -> None:
    assert normal(one) == normal(other)


def test_white_space_in_another_string_counts() -> None:
    assert normal('x = """a  \nb"""') != normal('x = """a\nb"""')
    assert normal('f("""a  \nb""")') != normal('f("""a\nb""")')


def test_prefixes_are_lower_case_and_u_is_none() -> None:
    assert normal("x = RB'a' + U'b'") == ("x", "=", 'rb"a"', "+", '"b"')


def test_tokens_come_out_in_their_order() -> None:
    tokens = [t for t in tokenize_text("f(a, # c\n  b,)\n") if t.text.strip()]
    assert normal_tokens(tokens) == ("f", "(", "a", ",", "b", ")")


def test_unbalanced_tokens_are_taken_as_they_are() -> None:
    """Pieces of statements come here too: nothing is dropped, nothing raised."""
    tokens = [t for t in tokenize_text("f((x = a)\n)\n") if t.text.strip()]
    assert normal_tokens(tokens[:3]) == ("f", "(", "(")
    assert normal_tokens(tokens[-1:]) == (")",)
