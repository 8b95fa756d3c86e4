"""A translation as a JSON document; its schema is ``schemas/translate.json``."""

from __future__ import annotations

import json
from collections.abc import Sequence

from omni_codemods.findings.model import Change, Finding
from omni_port import __version__
from omni_port.base.diff import unified_diff
from omni_port.base.errors import OmniPortError
from omni_port.methods.translate_files import Translation
from omni_port.report.tally import Tally

Json = dict[str, object]


def render_json(
    translations: Sequence[Translation], tally: Tally, *, target: str, dialect: str, diff: bool
) -> str:
    """Return the document; with *diff*, each changed file has its unified diff."""
    document: Json = {
        "version": 1,
        "tool": {"name": "omni-port", "version": __version__},
        "target": target,
        "dialect": dialect,
        "files": [_file(translation, diff=diff) for translation in translations],
        "summary": {
            "changed": tally.changed,
            "unchanged": tally.unchanged,
            "failed": tally.failed,
            "translated": tally.translated,
            "need_person": tally.need_person,
            "kept": tally.kept,
        },
        "statistics": dict(sorted(tally.entries.items())),
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _file(translation: Translation, *, diff: bool) -> Json:
    if translation.error is not None:
        return {
            "path": translation.path,
            "status": "failed",
            "error": error_json(translation.error),
        }
    result = translation.result
    entry: Json = {
        "path": translation.path,
        "status": "changed" if translation.changed else "unchanged",
        "changes": [_change(change) for change in (result.changes if result else ())],
        "findings": [finding_json(finding) for finding in (result.findings if result else ())],
        "kept": [finding_json(finding) for finding in (result.kept if result else ())],
    }
    if diff and translation.changed:
        entry["diff"] = unified_diff(translation.before, translation.after, translation.path)
    return entry


def _change(change: Change) -> Json:
    return {
        "entry": change.entry,
        "line": change.line,
        "column": change.column,
        "before": change.before,
        "after": change.after,
    }


def finding_json(finding: Finding) -> Json:
    """Return a finding as JSON: lines 1-based, columns 0-based, as in the library."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "hint": finding.hint,
    }


def error_json(error: OmniPortError) -> Json:
    """Return an error as JSON."""
    return {
        "message": error.message,
        "hint": error.hint,
        "line": error.line,
        "column": error.column,
        "exit_code": int(error.exit_code),
    }
