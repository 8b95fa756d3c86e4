"""The inventory of fenced blocks as text, or the Markdown list that teams keep by hand."""

from __future__ import annotations

from collections.abc import Iterator

import click

from omni_port.base.shown import safe_name
from omni_port.base.words import count
from omni_port.methods.blocks import Inventory
from omni_port.report.markdown import cell, code
from omni_port.report.rebase_text import render_span, shorten
from omni_port.report.text import render_finding


def render_blocks_text(inventory: Inventory) -> str:
    """Return one line a block, then the findings."""
    return "\n".join(_text_lines(inventory))


def _text_lines(inventory: Inventory) -> Iterator[str]:
    for listed in inventory.blocks:
        block = listed.block
        scope = block.scope or "(module)"
        place = click.style(f"{safe_name(inventory.path)}:{block.span.start}", bold=True)
        label = f"  {block.opening.label}" if block.opening.label else ""
        lines = f"lines {render_span(block.span)} ({count(listed.code_lines, 'line')} of code)"
        yield f"{place}: {scope}  {lines}  {block.opening.dialect} {listed.kind}{label}"
        yield f"    {shorten(listed.summary)}"
    for finding in inventory.findings:
        yield render_finding(inventory.path, finding)


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
