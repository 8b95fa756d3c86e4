"""What a check found, as JSON, and the line that sums it up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from omni_codemods.findings.model import Severity
from omni_port import __version__
from omni_port.base.words import count
from omni_port.methods.check import Upstream
from omni_port.methods.translate_files import Translation
from omni_port.report.document import Json, error_json, finding_json


def render_check_json(checked: Sequence[Translation], upstreams: Sequence[Upstream]) -> str:
    """Return the document; its schema is ``schemas/check.json``."""
    counts = count_severities(checked)
    document: Json = {
        "version": 1,
        "tool": {"name": "omni-port", "version": __version__},
        "trees": [
            {"package": u.package, "address": str(u.address), "revision": u.revision}
            for u in upstreams
        ],
        "files": [_file(one) for one in checked],
        "summary": {
            "files": len(checked),
            "failed": sum(one.error is not None for one in checked),
            **{f"{severity.value}s": counts[severity] for severity in Severity},
        },
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _file(one: Translation) -> Json:
    found = one.result.findings if one.result else ()
    error = None if one.error is None else error_json(one.error)
    return {"path": one.path, "findings": [finding_json(f) for f in found], "error": error}


def count_severities(checked: Sequence[Translation]) -> Counter[Severity]:
    """Return how many findings there are of each severity."""
    return Counter(f.severity for one in checked if one.result for f in one.result.findings)


def render_check_closing(checked: Sequence[Translation]) -> str:
    """Return how much was found in how many files."""
    counts = count_severities(checked)
    parts = [count(counts[severity], severity.value) for severity in Severity if counts[severity]]
    failed = sum(one.error is not None for one in checked)
    if failed:
        parts.append(f"{count(failed, 'file')} failed")
    return f"{count(len(checked), 'file')}: {', '.join(parts) or 'nothing found'}"
