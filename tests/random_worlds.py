"""Worlds at random: released methods with random edits on both sides, judged by an oracle.

    python tests/random_worlds.py --seed 1 --count 20000 [--sync] [--keep FOLDER]

Prints what it did: how many worlds were decided, left to a person, refused; and each silent fault,
one that nothing of the result tells, reduced. Exit 1 where there was one.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.model import RebaseResult
from omni_codemods.rebase.method import rebase_method
from omni_codemods.sync.sibling import Sibling
from omni_codemods.sync.sync_method import sync_method
from oracle import judge
from random_edits import LOCAL, UPSTREAM, Edit, Side, is_method

CORPUS = Path(os.environ.get("OMNI_CORPUS", Path.home() / ".cache" / "omni-port" / "corpus"))
# Released files and their classes; methods of other releases are not looked at here.
RELEASED = {
    **{
        f"ascend-{version}/vllm_ascend/worker/model_runner_v1.py": "NPUModelRunner"
        for version in (
            "0.12.0rc1",
            "0.14.0rc1",
            "0.15.0rc1",
            "0.17.0rc1",
            "0.19.1rc1",
            "0.25.1rc1",
        )
    },
}
WRITTEN = Path(__file__).parent.parent / "fixtures" / "world" / "upstream-1" / "npu_runner.py"
_FEWEST, _MOST = 8, 220


@dataclass(frozen=True, slots=True)
class World:
    """A base method, and the seeds of the edits of both sides; the same seeds give the same world.

    *skip* are the edits that are left out, by side and number.
    """

    name: str
    base: str
    seed: int
    sync: bool = False
    skip: frozenset[tuple[str, int]] = frozenset()

    def sides(self) -> tuple[str, str]:
        """Local and target."""
        random = Random(self.seed)
        most = random.choice((1, 1, 2, 3))
        local = self._edited(LOCAL, "local", "mine", most, fences=True)
        target = self._edited(
            UPSTREAM, "target", "theirs", random.choice((1, 2, 3, 4)), fences=False
        )
        return local, target

    def _edited(self, edits: Sequence[Edit], who: str, tag: str, most: int, *, fences: bool) -> str:
        text, side = self.base, Side(tag, fences)
        for number in range(most):
            random = Random(f"{self.seed} {who} {number}")
            edit = random.choice(edits)
            if (who, number) in self.skip:
                continue
            for _ in range(4):
                new = edit(random, text, side)
                if new is not None and is_method(new):
                    text = new
                    break
        return text


@dataclass(frozen=True, slots=True)
class Trial:
    """The texts of a world, and what the tool made of them."""

    base: str
    local: str
    target: str
    result: RebaseResult

    @property
    def text(self) -> str:
        """The method in the result."""
        return self.result.text.removeprefix("class R:\n")


def file_of(method: str) -> str:
    """A module with the method alone."""
    return f"class R:\n{method}"


def run(base: str, local: str, target: str, *, sync: bool) -> Trial:
    """Rebase or sync the method. Raises OmniCodemodsError where the tool refuses."""
    name = _name(base)
    if not sync:
        result = rebase_method(
            base=file_of(base), local=file_of(local), target=file_of(target), method=name
        )
        return Trial(base, local, target, result)
    empty = "class R:\n    def other(self):\n        pass\n"
    sibling = Sibling(
        file_of(base), file_of(target), cls="R", upstream_base=empty, upstream_target=empty,
        upstream_class="R",
    )  # fmt: skip
    return Trial(
        base, local, target, sync_method(local=file_of(local), sibling=sibling, method=name)
    )


def _name(method: str) -> str:
    cls = ast.parse(file_of(method)).body[0]
    assert isinstance(cls, ast.ClassDef)
    first = cls.body[0]
    assert isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef))
    return first.name


def released() -> list[tuple[str, str]]:
    """Names and texts of the released methods that are at hand."""
    return _all_methods({CORPUS / path: cls for path, cls in RELEASED.items()})


def written() -> list[tuple[str, str]]:
    """Names and texts of the methods of the written world."""
    return _all_methods({WRITTEN: "NPUModelRunner"})


def _all_methods(classes: dict[Path, str]) -> list[tuple[str, str]]:
    out: dict[str, str] = {}
    for path, cls in classes.items():
        if not path.exists():
            continue
        for name, text in _methods(path.read_text(encoding="utf-8"), cls):
            if _FEWEST <= text.count("\n") <= _MOST and is_method(text):
                out.setdefault(text, f"{path.parts[-4]}:{name}")
    return [(name, text) for text, name in out.items()]


def _methods(source: str, cls: str) -> Iterator[tuple[str, str]]:
    lines = source.splitlines(keepends=True)
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name == cls:
            for inner in node.body:
                if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    first = min([inner.lineno, *(d.lineno for d in inner.decorator_list)])
                    yield inner.name, "".join(lines[first - 1 : inner.end_lineno])


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a world: a word for it, and what the oracle says against it."""

    word: str
    faults: tuple[str, ...] = ()
    trial: Trial | None = None


def try_world(base: str, local: str, target: str, *, sync: bool) -> Verdict:
    """Run the tool on three methods, and judge what it says is done."""
    try:
        trial = run(base, local, target, sync=sync)
    except OmniCodemodsError as error:
        return Verdict(f"refused: {type(error).__name__}")
    except Exception as error:
        return Verdict("crashed", (f"{type(error).__name__}: {error}",))
    if trial.result.needs_person:
        codes = sorted({f.code for f in trial.result.findings if f.code.startswith("OP31")})
        faults = tuple(f"{f.code}: {f.message}" for f in trial.result.findings if f.code in codes)
        if codes and not trial.result.conflicts:
            return Verdict(f"audit {codes[0]}", faults, trial)
        return Verdict("a person", (), trial)
    found = judge(base, local, target, trial.text, trial.result, sync=sync)
    return Verdict("silent" if found else "decided", tuple(found), trial)


def reduce_world(world: World, kinds: frozenset[str]) -> tuple[str, str, str]:
    """The texts of the smallest world found that has a fault of the same kind."""

    def fails(base: str, local: str, target: str) -> bool:
        if not all(map(is_method, (base, local, target))):
            return False
        verdict = try_world(base, local, target, sync=world.sync)
        return bool(kinds & {fault.split(":")[0] for fault in verdict.faults})

    for who in ("local", "target"):
        for number in range(4):
            fewer = replace(world, skip=world.skip | {(who, number)})
            if fails(fewer.base, *fewer.sides()):
                world = fewer
    texts = (world.base, *world.sides())
    return _without_common(texts, fails)


def _without_common(texts: tuple[str, str, str], fails: object) -> tuple[str, str, str]:
    """Take out, one after the other, what stands in all three texts."""
    assert callable(fails)
    shrunk = True
    while shrunk:
        shrunk = False
        for run_lines in _runs(texts[0]):
            if not all(text.count(run_lines) == 1 for text in texts):
                continue
            fewer = tuple(text.replace(run_lines, "") for text in texts)
            if fails(*fewer):
                texts, shrunk = (fewer[0], fewer[1], fewer[2]), True
                break
    return texts


def _runs(text: str) -> list[str]:
    """The statements of a method as text, the longest first."""
    lines = text.splitlines(keepends=True)
    tree = ast.parse(file_of(text))
    spans = {
        (node.lineno - 2, (node.end_lineno or 0) - 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno > 2
    }
    runs = ["".join(lines[first:last]) for first, last in spans]
    runs += [line for line in lines if line.strip().startswith("#")]
    return sorted(set(runs), key=len, reverse=True)


def show(base: str, local: str, target: str, verdict: Verdict) -> str:
    """A failing world as Markdown."""
    parts = [f"- {fault}" for fault in verdict.faults]
    for title, text in (("base", base), ("local", local), ("target", target)):
        parts.append(f"\n{title}:\n\n```python\n{text}```")
    if verdict.trial is not None:
        parts.append(f"\nresult:\n\n```python\n{verdict.trial.text}```\n")
        for one in verdict.trial.result.edits:
            span = f"{one.edit.span.start - 1}-{one.edit.span.end - 1}"
            parts.append(
                f"- {span} {one.edit.kind.value} {one.edit.change} {one.outcome.value} "
                f"{one.evidence.value}: {one.reason}"
            )
    return "\n".join(parts) + "\n"


def worlds(
    seed: int, count: int, *, sync: bool, methods: Sequence[tuple[str, str]] = ()
) -> Iterator[World]:
    """*count* worlds of *methods* (default: released ones), the first made of *seed*."""
    known = methods or released() or written()
    for number in range(seed, seed + count):
        name, base = Random(f"method {number}").choice(known)
        yield World(name, base, number, sync)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run worlds, and print what happened."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--sync", action="store_true")
    parser.add_argument(
        "--keep", type=Path, help="write each silent fault to a page in this folder"
    )
    parser.add_argument("--also", action="append", default=[], help="show these too: 'audit OP314'")
    parser.add_argument("--most", type=int, default=10, help="stop after so many silent faults")
    given = parser.parse_args(arguments)
    start, words, told = time.monotonic(), Counter[str](), 0
    for world in worlds(given.seed, given.count, sync=given.sync):
        verdict = try_world(world.base, *world.sides(), sync=world.sync)
        words[verdict.word] += 1
        if verdict.faults and verdict.word.startswith(("silent", "crashed", *given.also)):
            told += not verdict.word.startswith("audit")
            kinds = frozenset(fault.split(":")[0] for fault in verdict.faults)
            texts = reduce_world(world, kinds)
            page = show(*texts, try_world(*texts, sync=world.sync))
            head = f"# seed {world.seed}, {world.name}\n\n"
            if given.keep is not None:
                given.keep.mkdir(parents=True, exist_ok=True)
                (given.keep / f"{'sync' if world.sync else 'rebase'}-{world.seed}.md").write_text(
                    head + page
                )
            print(head + page)
            if told >= given.most:
                break
    print(f"{sum(words.values())} worlds in {time.monotonic() - start:.0f} s")
    for word, number in words.most_common():
        print(f"  {word}: {number}")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
