"""``omni-port schema``, and the schemas of everything that is published as JSON."""

from __future__ import annotations

import importlib
import json
from typing import Any

import click
import msgspec

from omni_port.base.errors import ExitCode

# Each document: where its struct is. "project" is the configuration, which people write.
SCHEMAS = {
    "translate": "omni_port.documents.translate:TranslateDocument",
    "rebase": "omni_port.documents.rebase:RebaseDocument",
    "blocks": "omni_port.documents.blocks:BlocksDocument",
    "provenance": "omni_port.documents.provenance:ProvenanceDocument",
    "drift": "omni_port.documents.drift:DriftDocument",
    "check": "omni_port.documents.check:CheckDocument",
    "breaks": "omni_port.documents.breaks:BreaksDocument",
    "plan": "omni_port.documents.plan:PlanDocument",
    "upgrade": "omni_port.upgrade.document:UpgradeDocument",
    "decide": "omni_port.documents.decide:DecideDocument",
    "project": "omni_port.project.settings:Settings",
}
_TITLES = {"project": "omni-port.toml, and [tool.omni-port] in pyproject.toml"}


@click.command()
@click.argument("name", type=click.Choice(tuple(SCHEMAS)))
def schema(name: str) -> ExitCode:
    """Print the JSON Schema of a document, or of the project file.

    NAME is the command that prints the document with --format json; `rebase` is what
    rebase-method and sync-method write with --report FILE.json.
    """
    click.echo(json.dumps(load_schema(name), indent=2))
    return ExitCode.DONE


def load_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema *name*, one of ``SCHEMAS``: made from the struct of the document."""
    module, _, struct = SCHEMAS[name].partition(":")
    kind = getattr(importlib.import_module(module), struct)
    found = json.loads(msgspec.json.encode(msgspec.json.schema(kind)))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:omni-port:{name}:1",
        "title": _TITLES.get(name) or (kind.__doc__ or "").strip().rstrip("."),
        **found,
    }
