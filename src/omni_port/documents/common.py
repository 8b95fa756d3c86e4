"""What several documents have: the tool, findings, errors, spans; and how one is printed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from omni_codemods.findings.model import Finding, Severity, Span
from omni_port import __version__
from omni_port.base.errors import OmniPortError

T = TypeVar("T")

Line = Annotated[int, Meta(ge=1)]
Column = Annotated[int, Meta(ge=0, description="0-based, in characters")]
Count = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Commit = Annotated[str, Meta(pattern="^[0-9a-f]{40,64}$")]


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a document: its keys are its fields, in their order, and no others."""


class Tool(Value, frozen=True):
    """What wrote the document."""

    name: Literal["omni-port"]
    version: str


class Lines(Value, frozen=True):
    """Lines, both included."""

    start: Line
    end: Line


class FindingValue(Value, frozen=True):
    """A finding; its page is named after its code."""

    code: Annotated[str, Meta(pattern="^OP[0-9]{3}$")]
    severity: Severity
    line: Line
    column: Column
    message: str
    hint: str


class ErrorValue(Value, frozen=True):
    """What stopped one file or method, and the exit code that it gives."""

    message: str
    hint: str
    line: Line | None
    column: Column | None
    exit_code: int


def this_tool() -> Tool:
    """Return the tool that runs."""
    return Tool("omni-port", __version__)


def publish(value: object, kind: type[T]) -> T:
    """Return *value* as the part *kind* of a document: field by field, by their names."""
    return msgspec.convert(value, kind, from_attributes=True)


def make_lines(span: Span | None) -> Lines | None:
    """Return the lines of *span*, or nothing where there are none."""
    return None if span is None else Lines(span.start, span.end)


def make_findings(findings: Iterable[Finding]) -> tuple[FindingValue, ...]:
    """Return findings as they are published: lines 1-based, columns 0-based, as in the library."""
    return tuple(publish(finding, FindingValue) for finding in findings)


def make_error(error: OmniPortError) -> ErrorValue:
    """Return an error as it is published."""
    return ErrorValue(error.message, error.hint, error.line, error.column, int(error.exit_code))


def render_document(document: msgspec.Struct) -> str:
    """Return *document* as JSON text, without a final newline."""
    return json.dumps(msgspec.to_builtins(document), indent=2, ensure_ascii=False)
