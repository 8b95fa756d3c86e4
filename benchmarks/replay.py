"""Replay real upgrades: how much of what a team wrote by hand does a tool write?

    python benchmarks/replay.py [--gpu] [--corpus FOLDER] [--only REGEX] [--page FILE.md]

Prints a Markdown table of omni-port beside ``git merge-file``, or with ``--gpu`` of a rebase with
and without a sync after it; ``--page`` writes it into a page between its two comments. What the
numbers mean is in score.py.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cases import SIBLINGS, TRANSITIONS, UPSTREAM_CLASS, Case, iter_cases, sibling_file
from fetch_corpus import default_corpus
from omni_codemods.findings.errors import OmniCodemodsError
from score import Score, add, flat_line, score_failure, score_result

if TYPE_CHECKING:
    from omni_codemods.sync.sibling import Sibling

Tools = Mapping[str, Callable[[Case], tuple[str, str]]]

START, END = "<!-- replay: start -->", "<!-- replay: end -->"
GPU_START, GPU_END = "<!-- replay --gpu: start -->", "<!-- replay --gpu: end -->"


@dataclass(frozen=True, slots=True)
class Row:
    """A case with the score of each tool."""

    case: Case
    scores: dict[str, Score]
    seconds: dict[str, float]


def run_git(case: Case) -> tuple[str, str]:
    """Return what ``git merge-file`` makes of the methods, and the class they stand in."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, side in (("local", case.local), ("base", case.base), ("target", case.target)):
            path = Path(folder, name)
            path.write_text(side.method, "utf-8")
            paths.append(str(path))
        command = ["git", "merge-file", "-p", "--diff3", *paths]
        merged = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"class Merged:\n{merged.stdout}", "Merged"


def run_omni_port(case: Case, sibling: Sibling | None = None) -> tuple[str, str]:
    """Return the local file with the method rebased, and the class of the method."""
    from omni_codemods.rebase.method import rebase_method

    result = rebase_method(
        local=case.local.read(),
        base=case.base.read(),
        target=case.target.read(),
        method=case.method,
        local_class=case.local_class,
        base_class=UPSTREAM_CLASS,
        target_class=UPSTREAM_CLASS,
        sibling=sibling,
    )
    return result.text, case.local_class


def run_with_sync(case: Case) -> tuple[str, str]:
    """Return the local file with the method rebased, then synced with its GPU sibling."""
    from omni_codemods.sync.sibling import Sibling

    before, after = (sibling_file(side) for side in (case.local, case.truth))
    sibling = Sibling(
        before.read_text("utf-8"),
        after.read_text("utf-8"),
        cls=SIBLINGS[case.local_class],
        package="vllm_omni",
        module=f"vllm_omni.worker.{after.stem}",
    )
    return run_omni_port(case, sibling)


def dropped_by_sibling(case: Case) -> frozenset[str]:
    """The lines that the GPU sibling's file has before and not after."""
    before, after = (
        {flat_line(line) for line in sibling_file(side).read_text("utf-8").splitlines()}
        for side in (case.local, case.truth)
    )
    return frozenset(before - after)


TOOLS: dict[str, Callable[[Case], tuple[str, str]]] = {
    "omni-port": run_omni_port,
    "git merge-file": run_git,
}
GPU_TOOLS: dict[str, Callable[[Case], tuple[str, str]]] = {
    "omni-port": run_omni_port,
    "with sync": run_with_sync,
}


def measure(case: Case, tools: Tools = TOOLS) -> Row:
    """Run every one of *tools* on *case*."""
    scores: dict[str, Score] = {}
    seconds: dict[str, float] = {}
    for name, tool in tools.items():
        start = time.perf_counter()
        try:
            text, class_name = tool(case)
            seconds[name] = time.perf_counter() - start
            dropped = dropped_by_sibling(case) if tool is run_with_sync else frozenset[str]()
            scores[name] = score_result(case, text, class_name, dropped)
        except (OmniCodemodsError, ValueError) as error:
            scores[name] = score_failure(case, str(error))
    return Row(case, scores, seconds)


def render(rows: list[Row]) -> str:
    """Return the Markdown table: one line a case, and the totals of each transition."""
    tools = list(rows[0].scores) if rows else list(TOOLS)
    heads = [f"{tool} {what}" for tool in tools for what in ("saved", "conflicts", "lost")]
    lines = [f"| case | todo | {' | '.join(heads)} |", "|---|---:|" + "---:|" * len(heads)]
    for transition in TRANSITIONS:
        held = [row for row in rows if row.case.name.startswith(f"{transition.name}/")]
        lines += [_line(f"`{row.case.name}`", [row]) for row in held]
        if held:
            before, after = transition.omni
            lines.append(_line(f"**{transition.name}: {before} to {after}**", held))
    lines.append(_line("**all**", rows))
    errors = [
        f"- {row.case.name}: {tool}: {score.error}"
        for row in rows
        for tool, score in row.scores.items()
        if score.error
    ]
    return "\n".join([*lines, "", _speed(rows), *(["", *errors] if errors else [])])


def _line(name: str, rows: Iterable[Row]) -> str:
    held = list(rows)
    cells = []
    todo = 0
    for tool in held[0].scores:
        total = add([row.scores[tool] for row in held])
        todo = total.todo
        cells += [f"{total.saved:.3f}", str(total.conflicts), str(total.lost)]
    return f"| {name} | {todo} | {' | '.join(cells)} |"


def _speed(rows: list[Row]) -> str:
    tool = "with sync" if rows and "with sync" in rows[0].scores else "omni-port"
    times = sorted(row.seconds[tool] for row in rows if tool in row.seconds)
    if not times:
        return "No case ran."
    middle, high = times[len(times) // 2], times[int(len(times) * 0.95)]
    return (
        f"{len(rows)} methods; the engine takes {middle * 1000:.0f} ms at the median and "
        f"{high * 1000:.0f} ms at the 95th percentile, parsing of whole files included."
    )


def write_between(page: Path, start: str, end: str, text: str) -> None:
    """Put *text* between the comments *start* and *end* of *page*.

    Raises ValueError where they lack.
    """
    before, opening, rest = page.read_text("utf-8").partition(start)
    _, closing, after = rest.partition(end)
    if not opening or not closing:
        raise ValueError(f"{page} has no {start} and {end}")
    page.write_text(f"{before}{start}\n\n{text}\n\n{end}{after}", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Replay real upgrades beside git merge-file.")
    parser.add_argument("--corpus", type=Path, default=default_corpus())
    parser.add_argument("--only", default="", help="regular expression on the name of the case")
    parser.add_argument("--gpu", action="store_true", help="rebase alone beside rebase and sync")
    parser.add_argument("--page", type=Path, help="a Markdown page to write the table into")
    arguments = parser.parse_args()
    cases = [c for c in iter_cases(arguments.corpus) if re.search(arguments.only, c.name)]
    if not cases:
        print(f"no case in {arguments.corpus}", file=sys.stderr)
        return 1
    rows = [measure(case, GPU_TOOLS if arguments.gpu else TOOLS) for case in cases]
    table = render(rows)
    print(table)
    if arguments.page:
        marks = (GPU_START, GPU_END) if arguments.gpu else (START, END)
        write_between(arguments.page, *marks, table)
    ours = ("omni-port", "with sync")
    return int(any(row.scores[tool].error for row in rows for tool in ours if tool in row.scores))


if __name__ == "__main__":
    sys.exit(main())
