from __future__ import annotations

from omni_codemods.findings.model import Finding, Severity, TranslateResult
from omni_port.base.errors import InputError
from omni_port.methods.translate_files import Translation
from omni_port.report.github import render_github


def test_properties_and_data_are_escaped() -> None:
    finding = Finding("OP101", 3, 4, "50% of\nit: a, b", "do", Severity.ERROR)
    result = TranslateResult("", findings=(finding,))
    assert render_github(Translation("a,b:c.py", result=result)) == (
        "::error file=a%2Cb%3Ac.py,title=OP101,line=3,col=5::50%25 of%0Ait: a, b%0Ado"
    )


def test_levels() -> None:
    findings = tuple(Finding("OP101", 1, 0, "m", severity=severity) for severity in Severity)
    lines = render_github(Translation("x", result=TranslateResult("", findings=findings)))
    assert [line.split(" ")[0] for line in lines.split("\n")] == [
        "::error",
        "::warning",
        "::notice",
    ]


def test_an_error_without_a_place() -> None:
    assert render_github(Translation("x", error=InputError("bad"))) == "::error file=x::bad"


def test_nothing_found() -> None:
    assert render_github(Translation("x", result=TranslateResult(""))) == ""
