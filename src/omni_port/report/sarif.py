"""Findings as SARIF 2.1.0, which code scanning reads."""

from __future__ import annotations

import json
import os
import urllib.parse
from collections.abc import Sequence

from omni_codemods.findings.model import Finding, Severity
from omni_port import __version__
from omni_port.base.errors import OmniPortError
from omni_port.methods.translate_files import Translation

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_Json = dict[str, object]


def render_sarif(translations: Sequence[Translation]) -> str:
    """Return one SARIF run with the findings, and the files that failed as notifications."""
    results = [
        _result(translation.path, finding)
        for translation in translations
        for finding in (translation.result.findings if translation.result else ())
    ]
    errors = [_notification(t.path, t.error) for t in translations if t.error is not None]
    run: _Json = {
        "tool": {"driver": _driver(translations)},
        "columnKind": "unicodeCodePoints",
        "results": results,
        "invocations": [
            {"executionSuccessful": not errors, "toolExecutionNotifications": errors},
        ],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _driver(translations: Sequence[Translation]) -> _Json:
    codes = sorted({f.code for t in translations if t.result for f in t.result.findings})
    return {"name": "omni-port", "version": __version__, "rules": [_rule(code) for code in codes]}


def _rule(code: str) -> _Json:
    from omni_codemods.findings.codes import CODES

    known = CODES.get(code)
    if known is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": known.title},
        "fullDescription": {"text": known.meaning},
        "help": {"text": known.remedy},
    }


def _result(path: str, finding: Finding) -> _Json:
    text = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    return {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [_location(path, finding.line, finding.column)],
    }


def _notification(path: str, error: OmniPortError) -> _Json:
    return {
        "level": "error",
        "message": {"text": error.message},
        "locations": [_location(path, error.line, error.column)],
    }


def _location(path: str, line: int | None, column: int | None) -> _Json:
    place: _Json = {"artifactLocation": {"uri": urllib.parse.quote(os.fsencode(path))}}
    if line is not None:
        region = {"startLine": line}
        if column is not None:
            region["startColumn"] = column + 1
        place["region"] = region
    return {"physicalLocation": place}
