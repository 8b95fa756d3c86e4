"""The fenced blocks of a file, listed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.model import Block, FenceKind, Finding, Severity
from omni_port.base.address import Address
from omni_port.base.errors import OmniPortError, from_library
from omni_port.project.project import CURRENT, Port, Project
from omni_port.sources.file_at import Located, read_address


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
        """Whether a fence has no partner, or one looks forgotten."""
        return any(f.severity is Severity.ERROR or f.code in _forgotten() for f in self.findings)


@dataclass(frozen=True, slots=True)
class Copied:
    """What a file, or *name* in it, is a copy of: the class or function that *base* names."""

    base: Located
    name: str | None = None


def _forgotten() -> frozenset[str]:
    from omni_codemods.findings import codes

    found = (codes.BLOCK_IN_BLOCK, codes.DASHES_CLOSE_NOTHING, codes.UPSTREAM_IN_BLOCK)
    return frozenset(code.code for code in found)


def build_inventory(path: str, text: str) -> Inventory:
    """Return the inventory of *text*; raises SourceError where it cannot be tokenized."""
    from omni_codemods.functions.fences import parse_fences

    fences = parse_fences(text)
    lines = text.split("\n")
    listed = tuple(_listed(block, lines) for block in fences.blocks)
    return Inventory(path, listed, fences.findings)


def with_bases(inventory: Inventory, text: str, copied: Sequence[Copied]) -> Inventory:
    """Return *inventory* with what its blocks have of the code that *text* was copied from.

    Raises OmniPortError for a base that is no Python.
    """
    from omni_codemods.rebase.copied_blocks import check_copied_blocks

    found: dict[Finding, None] = {}
    for one in copied:
        try:
            found |= dict.fromkeys(
                check_copied_blocks(
                    text,
                    one.base.source.text,
                    local_name=one.name,
                    base_name=one.base.address.qualname,
                )
            )
        except OmniCodemodsError as error:
            path = inventory.path if error.side == "local" else str(one.base.address)
            raise from_library(error, path=path) from error
    every = sorted([*inventory.findings, *found], key=lambda f: (f.line, f.column))
    return replace(inventory, findings=tuple(every))


def read_base(address: Address) -> Copied:
    """Return the base at *address*, of a whole file; raises OmniPortError."""
    return Copied(read_address(address))


def bases_of(project: Project, path: Path) -> Iterator[Copied]:
    """Yield what the file *path* is a copy of, by the ports of *project*.

    A base that has to be found in a history is left out, as is one that cannot be read: that is
    no matter of the fences.
    """
    for port in project.ports:
        if os.path.realpath(project.local(port.local).path) == os.path.realpath(path):
            yield from _base_of(project, port)


def _base_of(project: Project, port: Port) -> Iterator[Copied]:
    if port.base is None and project.settings.upstream[port.source].current is None:
        return
    try:
        base = read_address(project.at(port.upstream, CURRENT, port.base))
    except OmniPortError:
        return
    yield Copied(base, port.local.qualname)


def _listed(block: Block, lines: Sequence[str]) -> Listed:
    within = [line.strip() for line in lines[block.span.start - 1 : block.span.end]]
    within = [line for line in within if line and not line.startswith("#")]
    return Listed(block, within[0] if within else "", len(within))
