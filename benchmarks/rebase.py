"""The speed of ``rebase-method``: the engine, the whole command, and how time grows with length.

python benchmarks/rebase.py [--corpus FOLDER] [--runs N]
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Callable
from pathlib import Path

from cases import UPSTREAM_CLASS, Case, iter_cases
from fetch_corpus import default_corpus
from replay import run_git, run_omni_port
from timing import Timed, best_of, render_times, time_command

LENGTHS = (100, 300, 1_000, 3_000, 10_000)


def time_engine(cases: list[Case], runs: int) -> str:
    """Return the median and the 95th percentile over *cases* of the engine and of git."""
    lines = [
        "### Per method, whole files in and out",
        "",
        "| tool | p50 | p95 |",
        "|---|---:|---:|",
    ]
    for name, tool in (("engine", run_omni_port), ("git merge-file", run_git)):
        times = sorted(min(_time_afresh(tool, case) for _ in range(runs)) for case in cases)
        middle, high = times[len(times) // 2], times[int(len(times) * 0.95)]
        lines.append(f"| {name} | {middle * 1000:.0f} ms | {high * 1000:.0f} ms |")
    return "\n".join([*lines, ""])


def time_longest(case: Case, runs: int) -> str:
    """Return how long the engine takes for *case*, having seen none of its files before."""
    seconds = min(_time_afresh(run_omni_port, case) for _ in range(runs))
    lines = case.local.method.count("\n"), case.target.read().count("\n")
    return (
        f"Of these the longest, {lines[0]} lines on a file of {lines[1]}: {seconds * 1000:.0f} ms\n"
    )


def _time_afresh(tool: Callable[[Case], object], case: Case) -> float:
    """Return the seconds of one run that remembers no file from an earlier one."""
    for name, module in list(sys.modules.items()):
        if name.startswith("omni_codemods"):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
    return best_of(1, functools.partial(tool, case))


def time_whole_command(case: Case, runs: int) -> list[Timed]:
    """Time the command on the longest method, beside what importing libcst alone takes."""
    command = ["omni-port", "rebase-method", "--method", case.method]
    command += ["--local", f"{case.local.path}::{case.local_class}"]
    command += ["--base", f"{case.base.path}::{UPSTREAM_CLASS}"]
    command += ["--target", f"{case.target.path}::{UPSTREAM_CLASS}"]
    return [
        time_command("omni-port rebase-method", command, runs=runs),
        time_command("import libcst", ["python", "-c", "import libcst"], runs=runs),
    ]


def time_growth() -> str:
    """Return how the engine's time grows with the number of statements of a made-up method."""
    lines = ["### Growth", "", "| statements | seconds | µs a statement |", "|---:|---:|---:|"]
    for length in LENGTHS:
        base, local, target = make_method(length), make_method(length, 7), make_method(length, 11)
        seconds = best_of(1, functools.partial(_rebase, base, local, target))
        lines.append(f"| {length} | {seconds:.2f} | {seconds / length * 1e6:.0f} |")
    return "\n".join([*lines, ""])


def make_method(length: int, every: int = 0) -> str:
    """Return a method of *length* statements; with *every*, each such one has an addition."""
    lines = ["def run(self, batch):"]
    for number in range(length):
        indent = "    " if number % 10 < 5 else "        "
        if number % 10 == 5:
            lines.append(f"    if self.flag_{number} and batch.size > {number}:")
        lines.append(
            f"{indent}value_{number} = self.step_{number % 37}(batch, {number}, mode={number})"
        )
        if every and number % (every * 10) == 0:
            lines.append(f"{indent}self.note_{every}(value_{number})")
    return "\n".join([*lines, ""])


def _rebase(base: str, local: str, target: str) -> None:
    from omni_codemods.rebase.method import rebase_method

    rebase_method(local=local, base=base, target=target, method="run")


def main() -> int:
    parser = argparse.ArgumentParser(description="The speed of rebase-method.")
    parser.add_argument("--corpus", type=Path, default=default_corpus())
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    cases = list(iter_cases(arguments.corpus))
    if not cases:
        print(f"no case in {arguments.corpus}: make corpus", file=sys.stderr)
        return 1
    longest = max(cases, key=lambda case: len(case.target.method))
    lines = longest.target.method.count("\n")
    print(time_engine(cases, arguments.runs))
    print(time_longest(longest, arguments.runs))
    title = f"The whole command, {longest.name} ({lines} lines)"
    print(render_times(title, time_whole_command(longest, arguments.runs), unit="import libcst"))
    print(time_growth())
    return 0


if __name__ == "__main__":
    sys.exit(main())
