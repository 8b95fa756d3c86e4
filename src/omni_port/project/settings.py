"""What a project may configure: the keys of ``omni-port.toml`` and ``[tool.omni-port]``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from omni_codemods.findings.suggest import suggest
from omni_codemods.text.dotted import owner_of

# Every description here stands in the JSON Schema, and in the reference of the documentation.


class UpstreamSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A project that is followed, at the revision that the copies were made from and the next.

    With *repository* (relative to the configuration file) *current* and *target* are revisions
    of it; without, they are folders of unpacked releases. Without *current*, each method's own
    base is looked for.
    """

    target: Annotated[
        str, Meta(min_length=1, description="the revision to move to, or the folder that has it")
    ]
    current: Annotated[
        str | None,
        Meta(description="the revision, or folder, that it runs on and the copies were made from"),
    ] = None
    repository: Annotated[
        str | None,
        Meta(description="a clone, relative to this file; without it the ends are folders"),
    ] = None


class SiblingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The GPU siblings: *current* is what the copies are in step with.

    With *repository* both ends are revisions of it, else folders. Without *target* it is the
    working tree.
    """

    current: Annotated[
        str,
        Meta(min_length=1, description="the revision, or folder, that the copies are in step with"),
    ]
    target: Annotated[
        str | None, Meta(description="that to be in step with; without it, the working tree")
    ] = None
    repository: Annotated[
        str | None,
        Meta(description="`.` for revisions of this project; without it the ends are folders"),
    ] = None


class PortSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A local class, or function, and what it is a copy of.

    *local* and *sibling* are ``PATH::QUALNAME`` in this project, *upstream* and
    *sibling-upstream* are ``NAME:PATH::QUALNAME`` in an upstream; *upstream-target* is that in the
    target, where it has another place there. *methods* are the copied ones of a class (by default
    those that are copies); *base* is the revision that they were made from, where it is not the
    upstream's *current*.
    """

    local: Annotated[
        str, Meta(description="`PATH::QUALNAME` of a class, a method or a function of this project")
    ]
    upstream: Annotated[
        str, Meta(description="`NAME:PATH::QUALNAME`: what it is a copy of, in the upstream NAME")
    ]
    upstream_target: Annotated[
        str | None,
        Meta(
            description="`NAME:PATH::QUALNAME`: what took over in the target, where it is another"
        ),
    ] = None
    sibling: Annotated[
        str | None, Meta(description="`PATH::QUALNAME` of the GPU class that it mirrors")
    ] = None
    sibling_upstream: Annotated[
        str | None, Meta(description="`NAME:PATH::QUALNAME`: what the sibling is made from")
    ] = None
    methods: Annotated[
        tuple[str, ...] | None,
        Meta(description="the copied methods of a class; without it, those that are copies"),
    ] = None
    base: Annotated[
        str | None,
        Meta(description="what it was made from, where that is not the upstream's `current`"),
    ] = None


class RuleSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A rule of the gate: what it says of upstream changes that match it.

    *change* are kinds of change, *impact* the classes; *upstream* and *port* are names and
    patterns (``*``). Without one of them, every value matches. *decision* is what a person has
    to decide. A rule with the name of a packaged one replaces it.
    """

    name: Annotated[str, Meta(description="what an override and a report call it")]
    action: Annotated[
        Literal["stop", "note"], Meta(description="whether it stops an upgrade or is only told")
    ] = "stop"
    change: Annotated[tuple[str, ...], Meta(description="kinds of upstream change")] = ()
    impact: Annotated[
        tuple[str, ...], Meta(description="`mechanical`, `behavioral` or `architectural`")
    ] = ()
    upstream: Annotated[tuple[str, ...], Meta(description="names of upstreams, with `*`")] = ()
    port: Annotated[tuple[str, ...], Meta(description="names of ports, with `*`")] = ()
    decision: Annotated[str, Meta(description="what a person has to decide")] = ""


class OverrideSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A person's word that a rule does not stop this upgrade; *port* is a pattern."""

    rule: Annotated[str, Meta(description="the name of the rule")]
    reason: Annotated[str, Meta(description="why it does not stop; it stands in every report")]
    port: Annotated[str, Meta(description="for these ports, with `*`")] = "*"


class GateSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The gate: rules beside the packaged ones, and what a person overrides."""

    rule: Annotated[
        tuple[RuleSettings, ...], Meta(description="rules; `[[gate.rule]]` adds one")
    ] = ()
    override: Annotated[
        tuple[OverrideSettings, ...],
        Meta(description="what does not stop; `[[gate.override]]` adds one"),
    ] = ()


class CheckSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The checks: codes of findings that are not wanted, such as ``OP612``."""

    ignore: Annotated[tuple[str, ...], Meta(description="codes that are not wanted")] = ()


class PaperSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The papers: a folder of templates that replace the packaged ones, and where papers go."""

    templates: Annotated[
        str | None, Meta(description="a folder; a template in it replaces the packaged one")
    ] = None
    folder: Annotated[str | None, Meta(description="where papers are written")] = None


class UpgradeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """An upgrade: the project's own formatter, run on each file that the upgrade changed."""

    format: Annotated[
        tuple[str, ...],
        Meta(description='a command and its arguments, such as `["ruff", "format", "{file}"]`'),
    ] = ()


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Everything that a project may configure; the command line has the last word.

    *tables* are paths relative to the configuration file (absolute once loaded), *exclude* are
    patterns as in ``.gitignore``. *target* and *dialect* are for the table.
    """

    target: Annotated[
        str | None, Meta(description="the release that the table aims at, as `--target`")
    ] = None
    dialect: Annotated[str | None, Meta(description="as `--dialect`")] = None
    tables: Annotated[
        tuple[str, ...],
        Meta(description="table files, relative to this file; `--table` replaces them"),
    ] = ()
    exclude: Annotated[
        tuple[str, ...], Meta(description="patterns as in `.gitignore`; `--exclude` adds to them")
    ] = ()
    upstream: Annotated[
        dict[str, UpstreamSettings],
        Meta(description="the projects that are followed, by name: `[upstream.NAME]`"),
    ] = {}
    siblings: Annotated[
        SiblingSettings | None, Meta(description="the GPU siblings: `[siblings]`")
    ] = None
    port: Annotated[
        tuple[PortSettings, ...], Meta(description="what is a copy: `[[port]]` adds one")
    ] = ()
    gate: Annotated[GateSettings, Meta(description="what stops an upgrade")] = GateSettings()
    check: Annotated[CheckSettings, Meta(description="the checks")] = CheckSettings()
    papers: Annotated[PaperSettings, Meta(description="the papers")] = PaperSettings()
    upgrade: Annotated[UpgradeSettings, Meta(description="an upgrade")] = UpgradeSettings()


# The tables of the configuration with their headings, for the reference.
TABLES: dict[str, type[msgspec.Struct]] = {
    "Top level": Settings,
    "[upstream.NAME]": UpstreamSettings,
    "[siblings]": SiblingSettings,
    "[[port]]": PortSettings,
    "[[gate.rule]]": RuleSettings,
    "[[gate.override]]": OverrideSettings,
    "[check]": CheckSettings,
    "[papers]": PaperSettings,
    "[upgrade]": UpgradeSettings,
}


_SPELT = {
    "str": "write it as a string, in quotes",
    "array": 'write it as a list, ["..."]',
    "object": "write it as a table of its own, in brackets",
}


def named(message: str, section: object) -> str:
    """Return the validation error *message* of *section* with the name of the upstream at fault.

    msgspec says ``$.upstream[...]`` of every one.
    """
    upstreams = section.get("upstream") if isinstance(section, dict) else None
    if "$.upstream[...]" not in message or not isinstance(upstreams, dict):
        return message
    for name, value in upstreams.items():
        try:
            msgspec.convert(value, UpstreamSettings)
        except msgspec.ValidationError:
            return message.replace("$.upstream[...]", f"$.upstream.{name}")
    return message


def hint_for(message: str) -> str:
    """Return what to do about the validation error *message*: the nearest key, or those known."""
    if missing := re.search(r"missing required field `([^`]*)`", message):
        return f'write {missing[1]} = "..." there'
    if (expected := re.match(r"Expected `(\w+)", message)) and expected[1] in _SPELT:
        return _SPELT[expected[1]]
    match = re.search(r"unknown field `([^`]*)`(?: - at `(.*)`)?", message)
    known = list(_known(match[2] or "$" if match else _place(message)))
    return suggest(match[1] if match else "", known)


def _place(message: str) -> str:
    """The table that holds the key at fault."""
    found = re.search(r"at `([^`]*)`", message)
    return owner_of(found[1]) if found and "." in found[1] else "$"


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
