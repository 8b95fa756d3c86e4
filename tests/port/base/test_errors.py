from __future__ import annotations

import pickle

import pytest

from omni_codemods.findings.errors import (
    FenceError,
    MethodNotFound,
    NotACopy,
    SourceError,
    TableError,
)
from omni_port.base.errors import ExitCode, InputError, OmniPortError, from_library


def test_exit_codes_are_the_contract() -> None:
    assert {code.name: int(code) for code in ExitCode} == {
        "DONE": 0,
        "WOULD_CHANGE": 1,
        "USAGE": 2,
        "PERSON": 3,
        "INPUT": 4,
        "BUG": 70,
        "INTERRUPTED": 130,
    }


@pytest.mark.parametrize("code", ExitCode)
def test_every_exit_code_has_a_meaning(code: ExitCode) -> None:
    assert code.meaning.endswith(".")


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (TableError, ExitCode.USAGE),
        (SourceError, ExitCode.INPUT),
        (FenceError, ExitCode.INPUT),
        (MethodNotFound, ExitCode.INPUT),
        (NotACopy, ExitCode.INPUT),
    ],
)
def test_library_errors_keep_what_they_say(kind: type[SourceError], code: ExitCode) -> None:
    error = from_library(kind("m", hint="h", line=3, column=4, side="base"), path="x.py")
    assert error.exit_code == code
    assert (error.message, error.hint, error.place) == ("base: m", "h", "x.py:3:5")


def test_place_says_what_is_known() -> None:
    assert InputError("m").place == ""
    assert InputError("m", path="x").place == "x"
    assert InputError("m", path="x", line=2).place == "x:2"
    assert InputError("m", path="x", line=2, column=0).place == "x:2:1"


def test_errors_come_back_from_a_worker_whole() -> None:
    error = InputError("m", hint="h", path="p", line=1, column=2)
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is InputError
    assert vars(back) == vars(error)


def test_every_error_is_of_the_tree() -> None:
    assert issubclass(InputError, OmniPortError)


def test_a_conflict_that_is_left_is_called_one() -> None:
    hunk = "<<<<<<< local\nb = 2\n||||||| base\nb = 1\n=======\nb = 3\n>>>>>>> target\n"
    error = from_library(SourceError("not Python", line=9), path="x.py", text=f"a = 1\n{hunk}")
    assert (error.message, error.place) == ("a conflict is left here", "x.py:2")
    assert error.hint.startswith("decide between its sides")
    error = from_library(SourceError("not Python", line=9), path="x.py", text="a = (\n")
    assert (error.message, error.place) == ("not Python", "x.py:9")
    error = from_library(MethodNotFound("no method"), path="x.py", text=hunk)
    assert error.message == "no method"
