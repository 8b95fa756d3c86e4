"""The fenced blocks of a file, listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from omni_codemods.findings.model import Block, FenceKind, Finding, Severity


@dataclass(frozen=True, slots=True)
class Listed:
    """A block with the first line of code in it, and how many lines of code it has."""

    block: Block
    summary: str
    code_lines: int

    @property
    def kind(self) -> Literal["block", "line"]:
        """``line`` for a trailing note, ``block`` for a pair."""
        return "line" if self.block.opening.kind is FenceKind.TRAILING else "block"


@dataclass(frozen=True, slots=True)
class Inventory:
    """The blocks of one file, and what is odd about its fences."""

    path: str
    blocks: tuple[Listed, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def broken(self) -> bool:
        """Whether a fence has no partner."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def build_inventory(path: str, text: str) -> Inventory:
    """Return the inventory of *text*; raises SourceError where it cannot be tokenized."""
    from omni_codemods.functions.fences import parse_fences

    fences = parse_fences(text)
    lines = text.split("\n")
    listed = tuple(_listed(block, lines) for block in fences.blocks)
    return Inventory(path, listed, fences.findings)


def _listed(block: Block, lines: Sequence[str]) -> Listed:
    within = [line.strip() for line in lines[block.span.start - 1 : block.span.end]]
    within = [line for line in within if line and not line.startswith("#")]
    return Listed(block, within[0] if within else "", len(within))
