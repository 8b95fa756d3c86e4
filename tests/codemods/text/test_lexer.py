"""Text → logical lines, on every shape that a line can have."""

from __future__ import annotations

import pytest

from omni_codemods.findings.errors import SourceError
from omni_codemods.text.lexer import Lexed, lex, split_lines, tokenize_text


def heads(lexed: Lexed) -> list[str]:
    return [line.tokens[0].text for line in lexed.logical]


def spans(text: str) -> list[tuple[int, int]]:
    return [(line.start, line.end) for line in lex(text).logical]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\nb\n", ["a\n", "b\n"]),
        ("a\r\nb\r\n", ["a\r\n", "b\r\n"]),
        ("a\rb", ["a\r", "b"]),
        ("a\x0cb\nc\n", ["a\x0cb\n", "c\n"]),
        ("a\u2028b\n", ["a\u2028b\n"]),
        ("a\x1cb\x85c\n", ["a\x1cb\x85c\n"]),
    ],
)
def test_only_what_python_counts_as_a_line_end_splits(text: str, expected: list[str]) -> None:
    assert split_lines(text) == expected
    assert "".join(split_lines(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "f'{x}'",
        'f"a {x:>{w}} b"',
        "rf'{x!r}'",
        'f"""a\n{x}\nb"""',
        "f'{x + f\"{y}\"}'",
    ],
)
def test_an_f_string_is_one_token(text: str) -> None:
    tokens = [t for t in tokenize_text(f"a = {text}\n") if t.text.strip()]
    assert [t.text for t in tokens] == ["a", "=", text]
    assert (tokens[2].line, tokens[2].column) == (1, 4)
    assert tokens[2].end_line == 1 + text.count("\n")
    assert tokens[2].end_column == len(f"a = {text}".rpartition("\n")[2])


def test_two_f_strings_in_one_line_are_two_tokens() -> None:
    texts = [t.text for t in tokenize_text("f'a' f'{b}'\n") if t.text.strip()]
    assert texts == ["f'a'", "f'{b}'"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n", [(1, 1), (2, 2)]),
        ("f(\n    a,\n)\nb\n", [(1, 3), (4, 4)]),
        ("a = 1 + \\\n    2\nb\n", [(1, 2), (3, 3)]),
        ("a; b\n", [(1, 1)]),
        ("if a: b\n", [(1, 1)]),
        ("x = '''\n\n'''\n", [(1, 3)]),
        ("@d\ndef f(): pass\n", [(1, 1), (2, 2)]),
    ],
)
def test_a_logical_line_spans_its_physical_ones(text: str, expected: list[tuple[int, int]]) -> None:
    assert spans(text) == expected


def test_depth_counts_blocks() -> None:
    lexed = lex("if a:\n  if b:\n      c\n  d\ne\n")
    assert [line.depth for line in lexed.logical] == [0, 1, 2, 1, 0]


def test_comments_on_their_own_line_are_kept_apart() -> None:
    lexed = lex("# one\nif a:\n    # two\n    b  # three\n        # odd\n# four\n")
    assert [(c.text, c.line, c.column) for c in lexed.comments] == [
        ("# one", 1, 0),
        ("# two", 3, 4),
        ("# odd", 5, 8),
        ("# four", 6, 0),
    ]
    assert [t.text for t in lexed.logical[1].tokens] == ["b", "# three"]


def test_comments_inside_brackets_belong_to_the_line() -> None:
    lexed = lex("f(\n    # one\n    a,  # two\n)\n")
    assert lexed.comments == ()
    assert [t.text for t in lexed.logical[0].tokens if t.is_comment] == ["# one", "# two"]


def test_lines_that_start_inside_a_string_are_known() -> None:
    lexed = lex("x = '''a\n  b\nc'''\ny = 'd'\nz = f'''\n{x}\n'''\n")
    assert lexed.string_interior == {2, 3, 6, 7}


def test_a_backslash_does_not_make_a_string_interior() -> None:
    assert lex("a = 1 + \\\n  2\n").string_interior == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "def f[T: int](x: T) -> T:\n    return x\n",
        "try:\n    a\nexcept* E:\n    b\n",
        "type Pair[T] = tuple[T, T]\n",
        "match x:\n    case [a, *_]:\n        b\n",
    ],
)
def test_grammar_newer_than_the_running_python_is_read(text: str) -> None:
    assert "".join(lex(text).lines) == text
    assert heads(lex(text))[0] == text.split(maxsplit=1)[0].rstrip(":")


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n"])
def test_text_without_code_has_no_logical_lines(text: str) -> None:
    assert lex(text).logical == ()


def test_without_a_final_newline() -> None:
    assert heads(lex("a\nb")) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "line"),
    [("f(\n", 2), ("a\nx = '''b\n", 2), ("if a:\n        b\n    c\n", 3)],
)
def test_what_cannot_be_tokenized_names_its_line(text: str, line: int) -> None:
    with pytest.raises(SourceError, match="not Python") as caught:
        lex(text)
    assert caught.value.line is not None
    assert abs(caught.value.line - line) <= 1  # Pythons differ on where an open bracket fails
