"""What a project may configure: the keys of ``omni-port.toml`` and ``[tool.omni-port]``."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any, Literal

import msgspec


class UpstreamSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A project that is followed, at the revision that the copies were made from and the next.

    With *repository* (relative to the configuration file) *current* and *target* are revisions
    of it; without, they are folders of unpacked releases. Without *current*, each method's own
    base is looked for.
    """

    target: str
    current: str | None = None
    repository: str | None = None


class SiblingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The GPU siblings: *current* is what the copies are in step with.

    With *repository* both ends are revisions of it, else folders. Without *target* it is the
    working tree.
    """

    current: str
    target: str | None = None
    repository: str | None = None


class PortSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A local class, or function, and what it is a copy of.

    *local* and *sibling* are ``PATH::QUALNAME`` in this project, *upstream* and
    *sibling-upstream* are ``NAME:PATH::QUALNAME`` in an upstream. *methods* are the copied ones
    of a class (by default those that are copies); *base* is the revision that they were made
    from, where it is not the upstream's *current*.
    """

    local: str
    upstream: str
    sibling: str | None = None
    sibling_upstream: str | None = None
    methods: tuple[str, ...] | None = None
    base: str | None = None


class RuleSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A rule of the gate: what it says of upstream changes that match it.

    *change* are kinds of change, *impact* the classes; *upstream* and *port* are names and
    patterns (``*``). Without one of them, every value matches. *decision* is what a person has
    to decide. A rule with the name of a packaged one replaces it.
    """

    name: str
    action: Literal["stop", "note"] = "stop"
    change: tuple[str, ...] = ()
    impact: tuple[str, ...] = ()
    upstream: tuple[str, ...] = ()
    port: tuple[str, ...] = ()
    decision: str = ""


class OverrideSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A person's word that a rule does not stop this upgrade; *port* is a pattern."""

    rule: str
    reason: str
    port: str = "*"


class GateSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The gate: rules beside the packaged ones, and what a person overrides."""

    rule: tuple[RuleSettings, ...] = ()
    override: tuple[OverrideSettings, ...] = ()


class CheckSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The checks: codes of findings that are not wanted, such as ``OP612``."""

    ignore: tuple[str, ...] = ()


class PaperSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The papers: a folder of templates that replace the packaged ones, and where papers go."""

    templates: str | None = None
    folder: str | None = None


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Everything that a project may configure; the command line has the last word.

    *tables* are paths relative to the configuration file (absolute once loaded), *exclude* are
    patterns as in ``.gitignore``. *target* and *dialect* are for the table.
    """

    target: str | None = None
    dialect: str | None = None
    tables: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    upstream: dict[str, UpstreamSettings] = {}
    siblings: SiblingSettings | None = None
    port: tuple[PortSettings, ...] = ()
    gate: GateSettings = GateSettings()
    check: CheckSettings = CheckSettings()
    papers: PaperSettings = PaperSettings()


def project_schema() -> dict[str, Any]:
    """Return the JSON Schema of the configuration."""
    schema = msgspec.json.schema(Settings)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def hint_for(message: str) -> str:
    """Return what to do about the validation error *message*: the nearest key, or those known."""
    match = re.search(r"unknown field `([^`]*)`(?: - at `(.*)`)?", message)
    known = list(_known(match[2] or "$" if match else _place(message)))
    close = difflib.get_close_matches(match[1], known, 1) if match else []
    return f"did you mean {close[0]!r}?" if close else "known: " + ", ".join(known)


def _place(message: str) -> str:
    """The table that holds the key at fault."""
    found = re.search(r"at `([^`]*)`", message)
    return found[1].rpartition(".")[0] if found and "." in found[1] else "$"


_TABLES: dict[str, type[msgspec.Struct]] = {
    "upstream": UpstreamSettings,
    "siblings": SiblingSettings,
    "port": PortSettings,
    "gate": GateSettings,
    "rule": RuleSettings,
    "override": OverrideSettings,
    "check": CheckSettings,
    "papers": PaperSettings,
}


def _known(place: str) -> Iterator[str]:
    last = next((n for n in reversed(re.findall(r"\w+", place)) if n in _TABLES), "")
    for field in msgspec.structs.fields(_TABLES.get(last, Settings)):
        yield field.encode_name
