"""A name → the function and its lines, and what is said when there is no such function."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.errors import MethodNotFound, SourceError
from omni_codemods.text.outline import definitions, iter_functions, locate


def found(text: str, method: str, cls: str | None = None) -> tuple[str, int, int]:
    located = locate(textwrap.dedent(text).lstrip("\n"), method, cls)
    return located.qualname, located.start, located.end


def refused(text: str, method: str, cls: str | None = None) -> MethodNotFound:
    with pytest.raises(MethodNotFound) as caught:
        locate(textwrap.dedent(text), method, cls, side="base")
    assert caught.value.side == "base"
    return caught.value


PLAIN = """
def first():
    a

class A:
    x = 1

    def run(self):
        b

    def stop(self):
        c
"""


def test_a_function_at_module_level() -> None:
    assert found(PLAIN, "first") == ("first", 1, 2)


@pytest.mark.parametrize(("method", "cls"), [("run", "A"), ("A.run", None), ("run", None)])
def test_a_method(method: str, cls: str | None) -> None:
    assert found(PLAIN, method, cls) == ("A.run", 7, 8)


def test_the_text_is_those_lines() -> None:
    assert locate(PLAIN, "run").text == "    def run(self):\n        b\n"


def test_decorators_belong_to_the_function() -> None:
    text = """
    x = 1
    # above
    @one
    @two(
        3,
    )
    # between
    def f():
        a
    """
    assert found(text, "f") == ("f", 3, 9)


def test_async_functions() -> None:
    assert found("async def f():\n    a\n", "f") == ("f", 1, 2)


@pytest.mark.parametrize(
    ("after", "end"),
    [
        ("        # ---- Omni-new ----\n", 4),
        ("\n\n        # far below\n    def g(self): pass\n", 6),
        ("    # of the class\n", 3),
        ("# of the module\n", 3),
        ("      # deeper than the def\n", 4),
        ("\n", 3),
        ("    # of the class\n        # deep, but behind it\n", 3),
        ("        # one\n\n        # two\n\nx = 1\n", 6),
    ],
)
def test_comments_that_close_the_body_belong_to_it(after: str, end: int) -> None:
    located = locate(f"class A:\n    def f(self):\n        a\n{after}", "f")
    assert (located.start, located.end) == (2, end)


def test_comments_under_an_indented_body_in_tabs() -> None:
    assert locate("class A:\n\tdef f(self):\n\t\ta\n\t\t# end\n", "f").end == 4


def test_nested_classes() -> None:
    text = """
    class A:
        class B:
            def f(self):
                a

    class B:
        def f(self):
            b
    """
    assert found(text, "f", "A.B") == ("A.B.f", 3, 4)
    assert found(text, "f", "B") == ("B.f", 7, 8)
    assert found(text, "A.B.f") == ("A.B.f", 3, 4)


def test_a_nested_class_by_its_last_name() -> None:
    assert found("class A:\n    class B:\n        def f(self): a\n", "f", "B") == ("A.B.f", 3, 3)


def test_functions_in_functions_are_not_found() -> None:
    assert "no function inner" in str(refused("def f():\n    def inner():\n        a\n", "inner"))


@pytest.mark.parametrize(
    "header", ["if x:", "try:", "with x:", "for x in y:", "while x:", "if TYPE_CHECKING:"]
)
def test_conditional_definitions(header: str) -> None:
    tail = "finally:\n    pass\n" if header == "try:" else ""
    assert found(f"{header}\n    def f():\n        a\n{tail}", "f") == ("f", 2, 3)


def test_definitions_in_every_clause() -> None:
    text = """
    try:
        def a(): pass
    except E:
        def b(): pass
    else:
        def c(): pass
    finally:
        def d(): pass
    if x:
        pass
    else:
        class K:
            def e(self): pass
    """
    names = [d.qualname for d in definitions(textwrap.dedent(text))]
    assert sorted(names) == ["K", "K.e", "a", "b", "c", "d"]


def test_the_last_definition_counts() -> None:
    text = """
    class A:
        @overload
        def f(self, a): ...
        @overload
        def f(self, b): ...
        def f(self, c):
            a
    """
    assert found(text, "f", "A") == ("A.f", 6, 7)
    assert found("if x:\n    def f(): a\nelse:\n    def f(): b\n", "f") == ("f", 4, 4)


def test_module_level_wins_over_methods() -> None:
    text = "class A:\n    def f(self): a\n\ndef f(): b\n"
    assert found(text, "f") == ("f", 4, 4)


def test_two_methods_of_one_name_need_a_class() -> None:
    text = "class A:\n    def f(self): a\nclass B:\n    def f(self): b\n"
    error = refused(text, "f")
    assert "A.f, B.f" in error.message
    assert "PATH::CLASS" in error.hint
    assert found(text, "f", "B") == ("B.f", 4, 4)


@pytest.mark.parametrize(
    ("method", "cls", "hint"),
    [
        ("runn", None, "did you mean A.run?"),
        ("A.ran", None, "did you mean A.run?"),
        ("stap", "A", "did you mean A.stop?"),
        ("zzz", None, ""),
        ("run", "Aa", "did you mean A?"),
        ("run", "Unlike", "known: A"),
    ],
)
def test_close_matches(method: str, cls: str | None, hint: str) -> None:
    assert refused(PLAIN, method, cls).hint == hint


def test_a_method_of_another_class_is_not_taken() -> None:
    error = refused("class A:\n    def f(self): a\nclass B:\n    pass\n", "f", "B")
    assert error.message == "no function B.f"


def test_definitions_say_where_they_stand_and_what_they_extend() -> None:
    (cls, method) = definitions("@d\nclass A(B, c.D[int]):\n    @e\n    def f(self):\n        x\n")
    assert (cls.is_class, cls.start, cls.end, cls.column) == (True, 1, 5, 0)
    assert cls.bases == ("B", "c.D[int]")
    assert (method.is_class, method.start, method.end, method.column) == (False, 3, 5, 4)
    assert method.bases == ()


def test_definitions_come_in_the_order_of_the_text() -> None:
    text = "try:\n    def a(): pass\nexcept E:\n    def b(): pass\nelse:\n    def c(): pass\n"
    assert [d.qualname for d in definitions(text)] == ["a", "b", "c"]


def test_a_null_byte_is_not_python() -> None:
    with pytest.raises(SourceError, match="null bytes"):
        locate("x = '\0'\n", "f")


@pytest.mark.parametrize("text", ["def f(:\n", "class C:\n  a\n b\n"])
def test_what_is_not_python_names_the_side(text: str) -> None:
    with pytest.raises(SourceError) as caught:
        locate(text, "f", side="target")
    assert caught.value.side == "target"
    assert caught.value.line is not None


def test_form_feeds_do_not_shift_lines() -> None:
    assert found("x = 1\n\x0c\ndef f():\n    a\n", "f") == ("f", 3, 4)


def test_crlf() -> None:
    located = locate("def f():\r\n    a\r\n    # end\r\nb\r\n", "f")
    assert located.text == "def f():\r\n    a\r\n    # end\r\n"


def test_every_function_is_cut_out_as_locate_does() -> None:
    twice = "    def f(self):\n        x\n        # end\n"
    text = f"def a():\n    pass\n\n\nclass B:\n{twice}\n{twice}"
    found = list(iter_functions(text))
    assert [f.qualname for f in found] == ["a", "B.f"]
    assert found == [locate(text, "a"), locate(text, "f", "B")]
    assert list(iter_functions("x = 1\n")) == []
