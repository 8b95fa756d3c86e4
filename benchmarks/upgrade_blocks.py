"""What became of the fenced blocks of a project in an upgrade that was not committed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.functions.fences import parse_fences
from upgrade_world import run_git


@dataclass(frozen=True, slots=True)
class Blocks:
    """Changed files, their conflicts, their blocks, and the code lines of blocks that are gone.

    *gone* are ``path:line`` of the old file. They are not lost if the upgrade says
    so: what the GPU sibling took out of a method goes from the copy too.
    """

    files: int
    conflicts: int
    blocks: int
    lines: int
    gone: tuple[str, ...] = ()

    def __str__(self) -> str:
        told = f"files changed: {self.files}, conflicts in them: {self.conflicts}"
        blocks = f"blocks: {self.blocks}, of {self.lines} code lines"
        gone = f"gone of these: {len(self.gone)}"
        return "; ".join((told, blocks, f"{gone} ({', '.join(self.gone)})" if self.gone else gone))


def count_blocks(repository: Path) -> Blocks:
    """Compare the changed Python files of *repository* with HEAD."""
    changed = run_git(repository, "diff", "--name-only", "--", "*.py").splitlines()
    conflicts = blocks = lines = 0
    gone: list[str] = []
    for path in changed:
        before = run_git(repository, "show", f"HEAD:{path}")
        after = (repository / path).read_text("utf-8") if (repository / path).exists() else ""
        conflicts += len(re.findall(r"^<{7} ", after, re.MULTILINE))
        flat = re.sub(r"\s+", "", after)
        found = list(_fenced(before))
        blocks += len({block for block, _, _ in found})
        lines += len(found)
        gone += [f"{path}:{n}" for _, n, code in found if _flat(code) not in flat]
    return Blocks(len(changed), conflicts, blocks, lines, tuple(gone))


def _fenced(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield number of the block, number and text of each of its code lines."""
    try:
        fenced = parse_fences(text).blocks
    except OmniCodemodsError:
        return
    lines = text.split("\n")
    for index, block in enumerate(fenced):
        for number in range(block.span.start, block.span.end + 1):
            code = lines[number - 1].split("#")[0].strip()
            if _flat(code):
                yield index, number, code


def _flat(code: str) -> str:
    return re.sub(r"\s+|,$", "", code)
