"""Calls between a rebuilt function and its file."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.rebuild.callers import check_callers

OLD = "def f(self, a, b):\n    return a\n"


def said(text: str, before: str = OLD, name: str = "R.f") -> list[str]:
    found = check_callers(text, name, before)
    assert {f.code for f in found} <= {"OP405"}
    lines = text.split("\n")
    assert all("(" in lines[f.line - 1][f.column :] for f in found)
    return [f.message.partition(" is at line ")[2].partition(", ")[2] for f in found]


def cls(*functions: str, head: str = "class R:") -> str:
    return f"{head}\n" + textwrap.indent("\n".join(functions), "    ")


def caller(call: str, name: str = "g") -> str:
    return f"def {name}(self, a):\n    return {call}\n"


NEW = "def f(self, a, b, num):\n    return a\n"


@pytest.mark.parametrize(
    ("new", "call", "message"),
    [
        (NEW, "self.f(a, 1)", "also wants num"),
        (NEW, "self.f(a, b=1)", "also wants num"),
        (NEW.replace("b, num", "b, *, num"), "self.f(a, 1)", "also wants num"),
        (NEW.replace(", b, num", ""), "self.f(a, 1)", "takes 1 positional arguments, and gets 2"),
        (NEW.replace("b, num", "c"), "self.f(a, b=1)", "does not take b=; also wants c"),
        (NEW.replace("b, num", "n=0, b=1"), "self.f(a, 1)", "takes argument 2 as n, which was b"),
        (NEW.replace("a, b, num", "b, a"), "self.f(a, 1)",
         "takes argument 1 as b, which was a; takes argument 2 as a, which was b"),
        (f"@torch.inference_mode()\n{NEW}", "self.f(a, 1)", "also wants num"),
        (NEW, "R.f(self, a, 1)", "also wants num"),
        (NEW, "[self.f(x, 1) for x in a]", "also wants num"),
    ],
)  # fmt: skip
def test_a_caller_that_stays_old(new: str, call: str, message: str) -> None:
    assert said(cls(new, caller(call))) == [message]
    assert said(cls(caller(call), new)) == [message]


@pytest.mark.parametrize(
    ("new", "call"),
    [
        (NEW, "self.f(a, 1, 2)"),
        (NEW, "self.f(*a)"),
        (NEW, "self.f(a, 1, **a)"),
        (NEW.replace("num", "num=1"), "self.f(a, 1)"),
        (NEW.replace("num", "*rest"), "self.f(a, 1)"),
        (NEW.replace("num", "**rest"), "self.f(a, 1)"),
        (OLD, "self.f(a, 1)"),
        (NEW, "self.f(a)"),  # did not fit before either
        (NEW, "a.f(a, 1)"),  # of something else
        (NEW, "self.a.f(a, 1)"),
        (NEW, "super().f(a, 1)"),
        (NEW, "f(a, 1)"),
        (f"@wrapped\n{NEW}", "self.f(a, 1)"),
        (OLD.replace("a, b", "x, y"), "self.f(a, 1)"),  # other names, same places
    ],
)
def test_a_caller_that_fits_or_cannot_be_told(new: str, call: str) -> None:
    assert said(cls(new, caller(call))) == []


def test_a_class_of_the_file_that_inherits_it() -> None:
    text = cls(NEW) + "\n" + cls(caller("self.f(a, 1)"), head="class S(R):")
    assert said(text) == ["also wants num"]
    own = cls(NEW) + "\n" + cls(OLD, caller("self.f(a, 1)"), head="class S(R):")
    assert said(own) == []
    elsewhere = cls(NEW) + "\n" + cls(caller("self.f(a, 1)"), head="class S(other.T, R):")
    assert said(elsewhere) == []


def test_functions_of_the_module() -> None:
    old, new = "def f(a):\n    return a\n", "def f(a, b):\n    return a\n"
    assert said(new + "\ndef g(x):\n    return f(x)\n", old, "f") == ["also wants b"]
    assert said(new + "\ndef g(f):\n    return f(1)\n", old, "f") == []


def test_a_new_call_of_what_is_still_the_old_copy() -> None:
    before = "def g(self, a):\n    return self.f(a, 1)\n"
    text = cls(OLD, caller("self.f(a, 1, 2)"))
    assert said(text, before, "R.g") == ["takes 2 positional arguments, and gets 3"]
    assert said(text, caller("self.f(a, 1, 2)"), "R.g") == []


@pytest.mark.parametrize(
    ("new", "callers", "found"),
    [(NEW, "self.f(a, 1)", 1), (OLD, "self.f(a, 1)", 0), (OLD, "self.f(a)", 0)],
)
def test_the_function_alone_says_whether_to_look(new: str, callers: str, found: int) -> None:
    text = cls(new, caller(callers))
    assert len(check_callers(text, "R.f", OLD, new)) == found


def test_conflicts_are_read_as_the_target_has_them() -> None:
    hunk = f"<<<<<<< local\n    {OLD[:22]}\n||||||| base\n=======\n    {NEW[:27]}\n>>>>>>> target\n"
    text = f"class R:\n{hunk}        return a\n" + textwrap.indent(caller("self.f(a, 1)"), "    ")
    found = check_callers(text, "R.f", OLD)
    assert [text.split("\n")[f.line - 1].strip() for f in found] == ["return self.f(a, 1)"]


def test_a_function_that_is_one_conflict() -> None:
    new = textwrap.indent(NEW, "    ")
    written = f"<<<<<<< local\n{new}||||||| base\n=======\n{new}>>>>>>> target\n"
    text = f"class R:\n{written}" + textwrap.indent(caller("self.f(a, 1)"), "    ")
    assert len(check_callers(text, "R.f", OLD, written)) == 1


def test_what_is_no_python_has_no_finding() -> None:
    assert check_callers("class R(:\n", "R.f", OLD) == ()
    assert check_callers(cls(NEW), "R.f", "def (:\n") == ()


@pytest.mark.parametrize(
    ("before", "now", "call", "message"),
    [
        (OLD, f"async {OLD}", "self.f(a, 1)", ["is awaited now"]),
        (OLD, f"async {OLD}", "await self.f(a, 1)", []),
        (f"async {OLD}", OLD, "await self.f(a, 1)", ["is not awaited any more"]),
        (f"async {OLD}", f"async {OLD}", "self.f(a, 1)", []),
        (
            "def f(self):\n    return 1\n",
            "@property\ndef f(self):\n    return 1\n",
            "self.f()",
            ["is a property now, and is not called"],
        ),
        (
            "def f(self):\n    return 1\n",
            "@functools.cached_property\ndef f(self):\n    return 1\n",
            "self.f()",
            ["is a property now, and is not called"],
        ),
        (
            "@property\ndef f(self):\n    return 1\n",
            "@property\ndef f(self):\n    return 2\n",
            "self.f()",
            [],
        ),
    ],
)
def test_a_function_of_another_kind(before: str, now: str, call: str, message: list[str]) -> None:
    text = cls(now, f"async {caller(call)}")
    assert said(text, before) == message
    found = check_callers(text, "R.f", before, now)
    assert len(found) == len(message)
