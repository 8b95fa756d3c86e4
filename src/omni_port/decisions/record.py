"""The decisions of a project, in a file that git carries: ``omni-port.decisions.toml``.

Readable, mergeable (an answer is a table of its own, the newest last), and keyed by content.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import tomlkit

from omni_port.base import files
from omni_port.base.errors import ConfigurationError
from omni_port.base.writing import write_file
from omni_port.decisions.question import Question
from omni_port.project.project import Project

NAME = "omni-port.decisions.toml"
SIDES = ("local", "target", "base", "both")
TEXT = "text"
# What becomes of a proposal, or of what need only be looked at.
TAKE, LEAVE = "take", "leave"
_HEAD = """\
# What people decided where a local copy and its upstream changed the same code, and which of the
# GPU sibling's changes they took or left. Written by `omni-port decide`, `take` and `leave`; an
# answer is known by what was asked, not by its line.
"""


class Decision(msgspec.Struct, frozen=True, rename="kebab", omit_defaults=True):
    """An answer: *take* is a side, ``both`` (target's, then local's), or ``text``; of a proposal
    ``take`` or ``leave``, *parts* are the keys of its code then.

    *upgrade* names the ends of the upgrade in which it was given: in another one the same answer
    is only proposed. *by* is who gave it; one that is *proposed* waits for a person.
    """

    key: str
    take: str
    because: str
    upgrade: str = ""
    by: str = ""
    on: str = ""
    proposed: bool = False
    places: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    local: str = ""
    base: str = ""
    target: str = ""
    text: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    decision: tuple[Decision, ...] = ()


def load_decisions(project: Project) -> tuple[Decision, ...]:
    """Return the decisions of *project*, oldest first; raises ConfigurationError."""
    path = project.root / NAME
    if not path.exists():
        return ()
    try:
        found = msgspec.toml.decode(files.read_bytes(path), type=_File)
    except (msgspec.DecodeError, ValueError) as error:
        hint = "mend it; `omni-port decide` writes an answer anew"
        raise ConfigurationError(f"no decisions: {error}", hint=hint, path=str(path)) from error
    for one in found.decision:
        if one.take not in (*SIDES, TEXT, TAKE, LEAVE):
            message = f"decision {one.key}: take is {one.take!r}"
            hint = f"write one of {', '.join((*SIDES, TEXT, TAKE, LEAVE))}"
            raise ConfigurationError(message, hint=hint, path=str(path))
    return found.decision


def save_decisions(project: Project, decisions: Iterable[Decision]) -> Path:
    """Write *decisions* and return the file; an answer to the same question replaces an older."""
    path = project.root / NAME
    kept = {(one.key, one.upgrade): one for one in decisions}
    tables = tomlkit.aot()
    for one in kept.values():
        table = tomlkit.table()
        for key, value in msgspec.to_builtins(one).items():
            long = isinstance(value, str) and "\n" in value
            table[key] = tomlkit.string(value, multiline=True) if long else value
        tables.append(table)
    document = tomlkit.document()
    document["decision"] = tables
    data = (_HEAD + "\n" + tomlkit.dumps(document).lstrip("\n")).encode("utf-8")
    before = files.read_bytes(path) if path.exists() else None
    write_file(path, data, seen=before, new=before is None)
    return path


def upgrade_of(project: Project) -> str:
    """Return the ends of the upgrade that *project* configures, by which decisions are known."""
    ends = project.settings.upstream.items()
    return ", ".join(f"{name} {end.current or '?'}..{end.target}" for name, end in ends)


def answers(decisions: Iterable[Decision], upgrade: str) -> dict[str, Decision]:
    """Return what holds in *upgrade*, by question: given in it, and accepted."""
    return {
        one.key: one
        for one in decisions
        if one.upgrade == upgrade and not one.proposed and one.take not in (TAKE, LEAVE)
    }


def settled_parts(decisions: Iterable[Decision], upgrade: str) -> dict[str, Decision]:
    """Return the last decision on each proposal, by the keys of its code.

    What was left stays left in every upgrade, since it is known by its code; what was taken is in
    the text after the *upgrade* that it was taken in.
    """
    return {
        key: one
        for one in decisions
        for key in one.parts
        if not one.proposed and (one.take == LEAVE or (one.take == TAKE and one.upgrade == upgrade))
    }


def taken_parts(decisions: Iterable[Decision], upgrade: str) -> frozenset[str]:
    """Return the keys of the code that was taken in *upgrade*."""
    settled = settled_parts(decisions, upgrade)
    return frozenset(key for key, one in settled.items() if one.take == TAKE)


def proposal(decisions: Iterable[Decision], question: Question, upgrade: str) -> Decision | None:
    """Return the newest answer that is only proposed: of somebody else, or of another upgrade."""
    known = [
        one
        for one in decisions
        if one.key == question.key and (one.proposed or one.upgrade != upgrade)
    ]
    return known[-1] if known else None
