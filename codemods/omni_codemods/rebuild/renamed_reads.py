"""Local code that reads an attribute by a name which the upstream renamed away."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from omni_codemods.findings.codes import RENAMED_ATTRIBUTE
from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.names.reads import as_module
from omni_codemods.names.renamed_chains import (
    Read,
    count_chain,
    find_renamed_chains,
    is_gone,
    iter_chains,
)
from omni_codemods.text.outline import definitions
from omni_codemods.text.parsing import shared_tree


@dataclass(frozen=True, slots=True)
class Version:
    """A function, and the text of the whole file that it stands in."""

    function: str
    file: str


def check_renamed_reads(
    written: str, start: int, file: str, before: Version, after: Version, severity: Severity
) -> Iterator[Finding]:
    """Yield a finding for each chain in *written* that *after* spells otherwise than *before*.

    *written* is the new function with its conflicts, which are read as the target has them, and
    starts at line *start* of *file*. Nothing where *after* has the chain anywhere still, or where
    *file* sets it of its own.
    """
    new = _tree(blank_hunks(written))
    old, upstream = _tree(before.function), _tree(after.function)
    if new is None or old is None or upstream is None:
        return
    theirs = {read.chain for read in iter_chains(upstream[0])}
    reads = [read for read in iter_chains(new[0]) if read.chain not in theirs]
    said = {chain for read in iter_chains(old[0]) for chain in _prefixes(read.chain)}
    wanted = {chain for read in reads for chain in _prefixes(read.chain)} & said
    shown = find_renamed_chains([old[0]], [upstream[0]], wanted) if wanted else {}
    for chain, places in _by_chain(reads, shown, before, after).items():
        spelling, found = places
        if not _is_own(chain, file, before.file):
            yield _finding(chain, spelling, found, start - new[1], severity)


def _by_chain(
    reads: list[Read], shown: Mapping[str, str], before: Version, after: Version
) -> dict[str, tuple[str, list[Read]]]:
    out: dict[str, tuple[str, list[Read]]] = {}
    elsewhere: dict[str, str | None] = {}
    for read in reads:
        for chain in _prefixes(read.chain):
            spelling = shown.get(chain)
            if spelling is None and _has_gone(chain, before.file, after.file):
                if chain not in elsewhere:
                    elsewhere[chain] = _in_files(chain, before, after)
                spelling = elsewhere[chain]
            if spelling is not None and is_gone(chain, spelling, after.file):
                out.setdefault(chain, (spelling, []))[1].append(read)
                break
    return out


def _prefixes(chain: str) -> Iterator[str]:
    """*chain* and what it starts with, the longest first, down to two names."""
    parts = chain.split(".")
    for size in range(len(parts), 1, -1):
        yield ".".join(parts[:size])


def _has_gone(chain: str, before: str, after: str) -> bool:
    return chain in before and count_chain(chain, after) == 0 and count_chain(chain, before) > 0


def _in_files(chain: str, before: Version, after: Version) -> str | None:
    """The new spelling of *chain* that any function of the two files shows."""
    try:
        old, new = (dict(_functions(side.file, chain)) for side in (before, after))
    except SourceError:
        return None
    both = [(_tree(old[name]), _tree(new[name])) for name in old if name in new and old[name]]
    trees = [(one[0], other[0]) for one, other in both if one is not None and other is not None]
    shown = find_renamed_chains([x for x, _ in trees], [x for _, x in trees], {chain})
    return shown.get(chain)


def _functions(file: str, chain: str) -> Iterator[tuple[str, str]]:
    """The functions of *file* by name: in the older one, empty where *chain* is not in it."""
    lines = file.splitlines(keepends=True)
    says = count_chain(chain, file) > 0
    for found in definitions(file):
        if not found.is_class:
            text = "".join(lines[found.start - 1 : found.end])
            yield found.qualname, text if not says or count_chain(chain, text) else ""


def _is_own(chain: str, file: str, base: str) -> bool:
    """Whether *file* sets the attribute *chain* where the upstream never did."""
    spelt = r"(?<![\w.])" + re.escape(chain) + r"\s*(?::[^=\n]+)?=(?!=)"
    return bool(re.search(spelt, file)) and not re.search(spelt, base)


def _tree(text: str) -> tuple[ast.Module, int] | None:
    """The tree of a function, and how many lines it stands below the first."""
    source = as_module(text)
    tree = shared_tree(source)
    return None if tree is None else (tree, 1 + source.count("\n") - text.count("\n"))


def _finding(
    chain: str, spelling: str, reads: list[Read], above: int, severity: Severity
) -> Finding:
    first = reads[0]
    more = ", ".join(str(x.line + above) for x in reads[1:])
    also = f" (also on line {more})" if more else ""
    return Finding(
        RENAMED_ATTRIBUTE.code,
        first.line + above,
        first.column,
        f"local code says {chain}{also}, and the upstream now says {spelling} where it said that",
        f"if the local code means the same, write {spelling}",
        severity,
    )
