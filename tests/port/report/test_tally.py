from __future__ import annotations

import pytest

from omni_codemods.findings.model import Change, Finding, Severity, TranslateResult
from omni_port.base.errors import ExitCode, InputError, VerificationError
from omni_port.base.files import Source
from omni_port.methods.tally import Tally
from omni_port.methods.translate_files import Translation
from omni_port.report.tally import render_closing, render_statistics

CHANGED = Translation(
    "x",
    Source("a", "utf-8"),
    TranslateResult(
        "b",
        (Change("one", 1, 0, "a", "b"), Change("two", 1, 0, "a", "b"), Change("two", 1, 0, "", "")),
        (Finding("OP101", 1, 0, "m"), Finding("OP121", 1, 0, "m", severity=Severity.NOTE)),
        (Finding("OP130", 1, 0, "m", severity=Severity.NOTE),),
    ),
)
SAME = Translation("y", Source("a", "utf-8"), TranslateResult("a"))


def tally(*translations: Translation) -> Tally:
    counted = Tally()
    for translation in translations:
        counted.add(translation)
    return counted


def test_closing_line() -> None:
    assert render_closing(tally(CHANGED, SAME)) == (
        "3 names translated, 1 needs a person, 1 left on purpose (2 files, 1 changed)"
    )
    assert render_closing(tally()) == (
        "0 names translated, 0 need a person, 0 left on purpose (0 files, 0 changed)"
    )
    failed = Translation("z", error=InputError("m"))
    assert "1 file failed" in render_closing(tally(failed))


def test_statistics_are_sorted_by_use() -> None:
    assert render_statistics(tally(CHANGED)) == "2  two\n1  one"
    assert render_statistics(tally(SAME)) == ""


@pytest.mark.parametrize(
    ("translations", "check", "code"),
    [
        ((), True, ExitCode.DONE),
        ((SAME,), True, ExitCode.DONE),
        ((CHANGED,), False, ExitCode.DONE),
        ((CHANGED,), True, ExitCode.WOULD_CHANGE),
        ((CHANGED, Translation("z", error=InputError("m"))), True, ExitCode.INPUT),
        (
            (
                Translation("z", error=VerificationError("m")),
                Translation("z", error=InputError("m")),
            ),
            False,
            ExitCode.BUG,
        ),
    ],
)
def test_exit_code(translations: tuple[Translation, ...], check: bool, code: ExitCode) -> None:
    assert tally(*translations).exit_code(check=check) == code
