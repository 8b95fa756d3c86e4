"""A whole upgrade in real repositories: what each command says, and how far the result is.

    python benchmarks/upgrade.py [--corpus FOLDER] [--folder FOLDER] [--keep] [--only t5]
        [--patched CLONE[@REV]]... [--ascend CLONE@[CURRENT..]REV] [--whole] [--page FILE.md]

Builds the repositories (upgrade_world.py), runs ``init``, ``plan``, ``upgrade`` and ``check``
there, and compares the methods with what the team shipped, as replay.py does; see score.py.
With ``--patched`` the same for a clone of another port, whose next release is not known: what
counts is that it runs, and that no line of a block is lost. ``--ascend`` is a clone of
vllm-ascend, for the commits that its notes name; without it, releases stand for them. Where the
gate stops, the upgrade is run again with the rules that stop it set aside, to see the rest.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cases import TRANSITIONS, Case, Transition, iter_cases
from fetch_corpus import default_corpus
from replay import write_between
from score import Score, add
from upgrade_blocks import Blocks, count_blocks
from upgrade_scores import score_file
from upgrade_steps import Ran, render_ran, run_commands
from upgrade_world import World, build_patched_world, build_world, run_git

START, END = "<!-- upgrade: start -->", "<!-- upgrade: end -->"
REASON = "to see what is left"
_OVERRIDE = re.compile(r"--override '([\w-]+)=REASON'")
# Code that a stop shows beside a place; none of it is ours to print.
_VALUE = re.compile(r"(: (?:is|made as) )(?!a |an |another).*\(was .*")
_WIDTH = 160
_CODE = re.compile(r"^(\s+(?:was|now) +\S+:\d+) .*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Measured:
    """What an upgrade came to: its commands, the blocks, the score of each method it copies.

    *stable* says whether a second upgrade left the files as they were, *shown* that the page has
    what ``plan`` and ``upgrade`` printed.
    """

    title: str
    ran: list[Ran]
    blocks: Blocks
    scores: dict[Case, Score]
    stable: bool
    shown: bool = False


def measure(world: World, title: str, cases: list[Case], *, shown: bool = False) -> Measured:
    """Run the upgrade in *world*, and compare with what was shipped in *cases*."""
    upgrade: tuple[str, ...] = ("upgrade",)
    ran = run_commands(world.downstream, [("init", *world.init), ("plan",), upgrade])
    if stops := dict.fromkeys(_OVERRIDE.findall(ran[-1].out)):
        upgrade = ("upgrade", *(f"--override={rule}={REASON}" for rule in stops))
        ran += run_commands(world.downstream, [upgrade])
    ran += run_commands(world.downstream, [("check",)])
    after = run_git(world.downstream, "diff")
    scores = {case: score_file(case, world.downstream) for case in cases}
    blocks = count_blocks(world.downstream)
    ran += run_commands(world.downstream, [upgrade])
    return Measured(title, ran, blocks, scores, run_git(world.downstream, "diff") == after, shown)


def render(measured: Measured) -> str:
    """Return the Markdown of one upgrade: its commands, then its methods and its blocks."""
    first, again = measured.ran[:-1], measured.ran[-1]
    seconds, cpu = sum(ran.seconds for ran in first), sum(ran.cpu for ran in first)
    stable = "leaves the files as they are" if measured.stable else "CHANGES THE FILES AGAIN"
    lines = [
        f"## {measured.title}",
        "",
        "| command | exit code | seconds | of processor time |",
        "|---|---:|---:|---:|",
        *(f"| `{r.line}` | {r.code} | {r.seconds:.1f} | {r.cpu:.1f} |" for r in first),
        f"| **all** | | {seconds:.1f} | {cpu:.1f} |",
        "",
        *_score_lines(measured.scores),
        f"{str(measured.blocks)[0].upper()}{str(measured.blocks)[1:]}.",
        f"A second `omni-port upgrade` (exit code {again.code}, {again.seconds:.1f} s) {stable}.",
        *(_printed(first) if measured.shown else ()),
    ]
    return "\n".join(lines)


def _printed(ran: list[Ran]) -> Iterator[str]:
    """What plan and the last upgrade printed, without the upstream's code that stops quote."""
    for name in ("plan", "upgrade"):
        one = [one for one in ran if one.arguments[0] == name][-1]
        text = _VALUE.sub(r"\1... (was ...)", _CODE.sub(r"\1", one.out.rstrip("\n")))
        lines = text.split("\n")
        if name == "upgrade":  # what is overruled is shown as a diff
            lines = [line for line in lines if not line.startswith(" " * 6)]
        cut = (line if len(line) <= _WIDTH else f"{line[: _WIDTH - 3]}..." for line in lines)
        yield from ("", "```text", f"$ {one.line}", *cut, "```")


def _score_lines(scores: dict[Case, Score]) -> Iterator[str]:
    if scores:
        yield "| method | todo | saved | conflicts | lost |"
        yield "|---|---:|---:|---:|---:|"
        for case, score in scores.items():
            yield _score_line(f"`{case.name.partition('/')[2]}`", score)
        yield _score_line("**all**", add(list(scores.values())))
        yield ""
        for case, score in scores.items():
            if score.error:
                yield f"- {case.name}: {score.error}"


def _score_line(name: str, score: Score) -> str:
    return f"| {name} | {score.todo} | {score.saved:.3f} | {score.conflicts} | {score.lost} |"


@contextmanager
def _scratch(given: Path | None, *, keep: bool) -> Iterator[Path]:
    if given is not None:
        yield given
    elif keep:
        yield Path(tempfile.mkdtemp(prefix="omni-port-upgrade-"))
    else:
        with tempfile.TemporaryDirectory(prefix="omni-port-upgrade-") as folder:
            yield Path(folder)


def iter_measured(
    corpus: Path,
    folder: Path,
    transitions: list[Transition],
    patched: Sequence[str] = (),
    upstream: str | None = None,
) -> Iterator[Measured]:
    """Build and measure each of *transitions*, then the ports *patched*, each ``CLONE[@REV]``."""
    for transition in transitions:
        world = build_world(corpus, folder / transition.name, transition)
        title = f"vllm-omni {transition.omni[0]} to {transition.omni[1]}"
        yield measure(world, title, list(iter_cases(corpus, (transition,))))
    for place in patched:
        clone, _, revision = place.partition("@")
        name = Path(clone).resolve().name.removesuffix(".git")
        revision = revision or "HEAD"
        world = build_patched_world(corpus, folder / name, Path(clone), upstream, revision)
        targets = " and ".join(
            part.partition("=")[2].removeprefix("../") for part in world.init[1::2]
        )
        yield measure(world, f"{name} at {revision}, to {targets}", [], shown=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Run whole upgrades in real repositories.")
    parser.add_argument("--corpus", type=Path, default=default_corpus())
    parser.add_argument("--folder", type=Path, help="where to build; it must not be there yet")
    parser.add_argument("--keep", action="store_true", help="keep the folder, and name it")
    parser.add_argument(
        "--only", choices=[t.name for t in TRANSITIONS], action="append", help="repeatable"
    )
    parser.add_argument(
        "--patched",
        metavar="CLONE[@REV]",
        action="append",
        default=[],
        help="a clone of another port",
    )
    parser.add_argument(
        "--ascend", metavar="CLONE@REV", help="what its copies of vllm-ascend move to"
    )
    parser.add_argument("--only-patched", action="store_true", help="no transition of vllm-omni")
    parser.add_argument("--whole", action="store_true", help="print all that commands print")
    parser.add_argument("--page", type=Path, help="a Markdown page to write the tables into")
    arguments = parser.parse_args()
    names = [] if arguments.only_patched else arguments.only or ["t5"]
    wanted = [t for t in TRANSITIONS if t.name in names]
    measured = []
    with _scratch(arguments.folder, keep=arguments.keep) as folder:
        patched = (arguments.patched, arguments.ascend)
        for one in iter_measured(arguments.corpus, folder, wanted, *patched):
            measured.append(one)
            for ran in one.ran:
                print(render_ran(ran, whole=arguments.whole))
            print(render(one) + "\n")
        if arguments.keep or arguments.folder:
            print(f"kept: {folder}")
    if arguments.page:
        write_between(arguments.page, START, END, "\n\n".join(map(render, measured)))
    bad = any(ran.crashed for one in measured for ran in one.ran)
    return int(bad or not all(one.stable for one in measured))


if __name__ == "__main__":
    sys.exit(main())
