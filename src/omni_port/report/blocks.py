"""The inventory of fenced blocks as text, JSON, or the Markdown list that teams keep by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import click

from omni_codemods.findings.model import Block, FenceKind, Finding, Severity
from omni_port import __version__
from omni_port.base.words import count
from omni_port.report.document import Json, finding_json
from omni_port.report.markdown import cell, code
from omni_port.report.rebase_text import render_span, shorten
from omni_port.report.text import render_finding


@dataclass(frozen=True, slots=True)
class Listed:
    """A block with the first line of code in it, and how many lines of code it has."""

    block: Block
    summary: str
    code_lines: int

    @property
    def kind(self) -> str:
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


def render_blocks_text(inventory: Inventory) -> str:
    """Return one line a block, then the findings."""
    return "\n".join(_text_lines(inventory))


def _text_lines(inventory: Inventory) -> Iterator[str]:
    for listed in inventory.blocks:
        block = listed.block
        scope = block.scope or "(module)"
        place = click.style(f"{inventory.path}:{block.span.start}", bold=True)
        label = f"  {block.opening.label}" if block.opening.label else ""
        lines = f"lines {render_span(block.span)} ({count(listed.code_lines, 'line')} of code)"
        yield f"{place}: {scope}  {lines}  {block.opening.dialect} {listed.kind}{label}"
        yield f"    {shorten(listed.summary)}"
    for finding in inventory.findings:
        yield render_finding(inventory.path, finding)


def render_blocks_json(inventories: Sequence[Inventory]) -> str:
    """Return a JSON document; its schema is ``schemas/blocks.json``."""
    document: Json = {
        "version": 1,
        "tool": {"name": "omni-port", "version": __version__},
        "files": [_file(inventory) for inventory in inventories],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _file(inventory: Inventory) -> Json:
    return {
        "path": inventory.path,
        "blocks": [_block(listed) for listed in inventory.blocks],
        "findings": [finding_json(finding) for finding in inventory.findings],
    }


def _block(listed: Listed) -> Json:
    block = listed.block
    return {
        "scope": block.scope,
        "start": block.span.start,
        "end": block.span.end,
        "kind": listed.kind,
        "dialect": block.opening.dialect,
        "label": block.opening.label,
        "code_lines": listed.code_lines,
        "summary": listed.summary,
    }


def render_blocks_markdown(inventory: Inventory) -> str:
    """Return a section a file, with a table of its blocks; empty where it has none."""
    if not inventory.blocks and not inventory.findings:
        return ""
    lines = [f"## {code(inventory.path)}", ""]
    if inventory.blocks:
        lines += [
            "| where | lines | kind | dialect | label | first line |",
            "|---|---|---|---|---|---|",
        ]
    for listed in inventory.blocks:
        block = listed.block
        cells = (
            code(block.scope) or "(module)",
            render_span(block.span),
            listed.kind,
            block.opening.dialect,
            cell(block.opening.label),
            code(shorten(listed.summary)),
        )
        lines.append(f"| {' | '.join(cells)} |")
    if inventory.findings:
        lines.append("")
    lines += [f"- line {f.line}: {f.code} {cell(f.message)}" for f in inventory.findings]
    return "\n".join([*lines, ""])
