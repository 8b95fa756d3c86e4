"""The fenced blocks of files, as ``blocks --format json`` prints them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from omni_port.documents.common import (
    Count,
    FindingValue,
    Line,
    Tool,
    Value,
    make_findings,
    this_tool,
)
from omni_port.methods.blocks import Inventory, Listed


class BlockValue(Value, frozen=True):
    """A block: *start* and *end* are its fences, *summary* its first line of code."""

    scope: Annotated[
        str,
        Meta(description="dotted name of the innermost function or class, empty at module level"),
    ]
    start: Line
    end: Line
    kind: Literal["block", "line"]
    dialect: str
    label: str
    code_lines: Count
    summary: str


class BlocksFile(Value, frozen=True):
    """A file with its blocks, and what is odd about its fences."""

    path: str
    blocks: tuple[BlockValue, ...]
    findings: tuple[FindingValue, ...]


class BlocksDocument(Value, frozen=True):
    """What omni-port blocks --format json prints."""

    version: Literal[1]
    tool: Tool
    files: tuple[BlocksFile, ...]


def make_blocks_document(inventories: Sequence[Inventory]) -> BlocksDocument:
    """Return the document."""
    return BlocksDocument(1, this_tool(), tuple(map(_file, inventories)))


def _file(inventory: Inventory) -> BlocksFile:
    return BlocksFile(
        inventory.path,
        tuple(map(_block, inventory.blocks)),
        make_findings(inventory.findings),
    )


def _block(listed: Listed) -> BlockValue:
    block = listed.block
    return BlockValue(
        block.scope,
        block.span.start,
        block.span.end,
        listed.kind,
        block.opening.dialect,
        block.opening.label,
        listed.code_lines,
        listed.summary,
    )
