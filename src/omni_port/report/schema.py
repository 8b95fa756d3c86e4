"""The published JSON Schemas of the reports, and of the project file."""

from __future__ import annotations

import importlib.resources
import json
from typing import Any

SCHEMAS = (
    "translate",
    "rebase",
    "blocks",
    "provenance",
    "drift",
    "check",
    "plan",
    "upgrade",
    "project",
)


def load_schema(name: str) -> dict[str, Any]:
    """Return the schema *name*, one of ``SCHEMAS``."""
    folder = importlib.resources.files("omni_port.report") / "schemas"
    schema: dict[str, Any] = json.loads((folder / f"{name}.json").read_text("utf-8"))
    return schema
