"""How much of what tells an NPU method from its GPU twin does the table explain?

    python benchmarks/twins.py [--corpus FOLDER] [--omni RELEASE] [--page FILE]

A twin is a function or method that stands in vllm-omni's GPU worker and in its NPU worker, under
one name. The GPU module is translated, for the vllm-ascend of the same minor release; what agrees
with the NPU twin then, and did not before, the table explains; vllm-ascend's own methods say which
of the rest is copied from there. Prints Markdown.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path

from packaging.version import Version

from fetch_corpus import default_corpus
from omni_codemods.table.entries import NeededKeyword
from omni_codemods.table.table import Table, packaged
from omni_codemods.translate import translate
from replay import write_between
from twin_lines import Judge, Reason, Rest, code_lines, count_differing, read_side

RELEASES = ("0.18.0", "0.30.0")
START, END = "<!-- twins: start -->", "<!-- twins: end -->"
_NAMED = 6


@dataclass(frozen=True, slots=True)
class Twin:
    """One function: the lines that differ as it is, and those that do after translation."""

    name: str
    lines: int
    before: int
    rest: tuple[Rest, ...]

    @property
    def explained(self) -> int:
        """The lines that agree because of the table; below 0 where it made more of them differ."""
        return self.before - len(self.rest)


def target_of(omni: str) -> str:
    """Return the newest vllm-ascend release of the minor version of *omni* that the table knows."""
    minor = Version(omni).release[:2]
    known = [r for r in packaged().releases if Version(r).release[:2] <= minor]
    return known[-1]


def read_upstream(corpus: Path, release: str) -> tuple[str, dict[str, frozenset[str]]]:
    """Return the newest vllm-ascend in *corpus* up to *release*, and the lines of its methods."""
    found = [path.name.removeprefix("ascend-") for path in corpus.glob("ascend-*")]
    fitting = sorted((v for v in found if Version(v) <= Version(release)), key=Version)
    worker = corpus / f"ascend-{fitting[-1]}" / "vllm_ascend" / "worker"
    lines: dict[str, frozenset[str]] = {}
    for module in ("worker.py", "model_runner_v1.py"):
        if (worker / module).exists():
            functions = read_side((worker / module).read_text("utf-8")).functions
            lines |= {f.name: frozenset(code_lines(f)) for f in functions.values()}
    return fitting[-1], lines


def iter_twins(folder: Path, table: Table, upstream: dict[str, frozenset[str]]) -> Iterator[Twin]:
    """Yield the twins in the vllm-omni package *folder*, translated by *table*.

    *upstream* are the lines of vllm-ascend's methods, by name.
    """
    needed = frozenset(e.npu for e in table.entries if isinstance(e, NeededKeyword))
    for npu_path in sorted((folder / "platforms" / "npu" / "worker").glob("*.py")):
        gpu_path = folder / "worker" / npu_path.name.replace("npu_", "gpu_")
        if not gpu_path.exists():
            continue
        text = gpu_path.read_text("utf-8")
        gpu, npu = read_side(text), read_side(npu_path.read_text("utf-8"))
        done = read_side(translate(text, table=table).text)
        for name, function in gpu.functions.items():
            twin = npu.functions.get(name.replace("GPU", "NPU"))
            if twin is None:
                continue
            judge = Judge(done, npu, needed, upstream.get(twin.name, frozenset()))
            ours, theirs = code_lines(function), code_lines(twin)
            yield Twin(
                f"{npu_path.stem}.{twin.name}",
                len(theirs),
                count_differing(ours, theirs),
                tuple(judge.iter_rest(code_lines(done.functions[name]), theirs)),
            )


def render(title: str, twins: list[Twin]) -> str:
    """Return the Markdown of one release: a line a twin that differs, then names by reason."""
    differing = [twin for twin in twins if twin.before or twin.rest]
    heads = ["NPU method", "lines", "differ", "explained", "left", *(r.value for r in Reason)]
    lines = [
        f"## {title}",
        "",
        f"{len(twins)} twins, of which {len(twins) - len(differing)} agree as they are.",
        "",
        f"| {' | '.join(heads)} |",
        "|---|" + "---:|" * (len(heads) - 1),
        *(_twin_line(f"`{twin.name}`", [twin]) for twin in differing),
        _twin_line("**all**", twins),
        "",
        *(line for reason in Reason if (line := _reason_line(reason, twins))),
    ]
    return "\n".join(lines)


def _twin_line(name: str, twins: list[Twin]) -> str:
    reasons = Counter(rest.reason for twin in twins for rest in twin.rest)
    numbers = [
        sum(twin.lines for twin in twins),
        sum(twin.before for twin in twins),
        sum(twin.explained for twin in twins),
        sum(len(twin.rest) for twin in twins),
        *(reasons[reason] for reason in Reason),
    ]
    return f"| {name} | {' | '.join(map(str, numbers))} |"


def _reason_line(reason: Reason, twins: Iterable[Twin]) -> str:
    names = Counter(
        rest.name
        for twin in twins
        for rest in twin.rest
        if rest.reason is reason and rest.name.isidentifier() and not iskeyword(rest.name)
    )
    shown = ", ".join(f"`{name}`" for name, _ in names.most_common(_NAMED))
    return f"- {reason.value}, the names most often: {shown}" if shown else ""


def _section(corpus: Path, omni: str, folder: Path) -> str:
    release = target_of(omni)
    table = packaged().select(release)
    ascend, upstream = read_upstream(corpus, release)
    title = f"vllm-omni {omni}, translated for {table.target}; vllm-ascend {ascend}'s own methods"
    return render(title, list(iter_twins(folder, table, upstream)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--corpus", type=Path, default=default_corpus())
    parser.add_argument("--omni", action="append", metavar="RELEASE", help="repeatable")
    parser.add_argument("--page", type=Path, help="a Markdown page to write the tables into")
    arguments = parser.parse_args()
    parts = []
    for omni in arguments.omni or RELEASES:
        folder = arguments.corpus / f"omni-{omni}" / "vllm_omni"
        if not folder.is_dir():
            print(f"{folder} is not there: make corpus", file=sys.stderr)
            return 1
        parts.append(_section(arguments.corpus, omni, folder))
    print("\n\n".join(parts))
    if arguments.page:
        write_between(arguments.page, START, END, "\n\n".join(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
