"""What `breaks` says of real ports, beside what their teams then changed.

    python benchmarks/breaks.py --clones FOLDER [--corpus FOLDER] [--only NAME] [--verbose]

A transition is a port's release, the vLLM release that it is pinned to, and its next release with
the vLLM of that. A break that `breaks` names for the step of vLLM is *saved work* where the next
release of the port has it no more, at the same place and about the same name. FOLDER holds a clone
(or a bare one) of each port, by its name; the releases of vLLM come from the corpus, and by pip
where it lacks one. Also what is found at the port's own pin, where all of it should fit.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fetch_corpus import Release, default_corpus, unpack_release
from omni_port.plan.breaks import Breaks, find_breaks, read_side
from omni_port.sources.upstream import Upstream


@dataclass(frozen=True, slots=True)
class Step:
    """A port's release with its pin, and the next one with its own."""

    port: str
    old: str
    pin: str
    new: str
    aim: str

    @property
    def package(self) -> str:
        """The import package of the port."""
        return self.port.lower().replace("-", "_")


STEPS = (
    Step("vllm-gaudi", "v0.13.0", "0.13.0", "v0.14.1", "0.14.1"),
    Step("vllm-gaudi", "v0.14.1", "0.14.1", "v0.16.0", "0.16.0"),
    Step("vllm-gaudi", "v0.16.0", "0.16.0", "v0.17.1", "0.17.1"),
    Step("vllm-gaudi", "v0.17.1", "0.17.1", "v0.19.0", "0.19.0"),
    Step("vllm-gaudi", "v0.19.1", "0.19.1", "v0.21.0", "0.21.0"),
    Step("vllm-gaudi", "v0.21.0", "0.21.0", "v0.24.0", "0.24.0"),
    Step("vllm-gaudi", "v0.24.0", "0.24.0", "v0.26.0", "0.26.0"),
    Step("vllm-metax", "v0.13.0", "0.13.0", "v0.14.0", "0.14.1"),
    Step("vllm-metax", "v0.17.0", "0.17.1", "v0.18.0", "0.18.0"),
    Step("vllm-metax", "v0.18.0", "0.18.0", "v0.19.0", "0.19.0"),
    Step("vllm-metax", "v0.19.0", "0.19.0", "v0.20.0", "0.20.0"),
    Step("vllm-metax", "v0.20.0", "0.20.0", "v0.21.0", "0.21.0"),
    Step("vllm-metax", "v0.21.0", "0.21.0", "v0.22.0", "0.22.0"),
    Step("vllm-ascend", "v0.21.0rc1", "0.21.0", "v0.22.1rc1", "0.22.0"),
    Step("vllm-ascend", "v0.22.1rc1", "0.22.0", "v0.23.0", "0.23.0"),
    Step("vllm-ascend", "v0.23.0", "0.23.0", "v0.24.0rc1", "0.24.0"),
    Step("vllm-ascend", "v0.24.0rc1", "0.24.0", "v0.25.1rc1", "0.25.1"),
)


@dataclass(frozen=True, slots=True)
class Result:
    """The breaks of a step, which of them are saved work, what is found at the pin, seconds."""

    step: Step
    breaks: Breaks
    saved: frozenset[int]
    before: int
    seconds: float


def run(step: Step, clones: Path, corpus: Path) -> Result:
    """Return what `breaks` says of *step*."""
    pin, aim = (_upstream(version, corpus) for version in (step.pin, step.aim))
    with tempfile.TemporaryDirectory() as folder:
        old, new = Path(folder) / "old", Path(folder) / "new"
        for tag, into in ((step.old, old), (step.new, new)):
            _unpack(_clone(step.port, clones), tag, step.package, into)
        started = time.process_time()
        upstream = Upstream("vllm", str(aim), str(pin))
        found = find_breaks([upstream], [old / step.package], old)
        seconds = time.process_time() - started
        now = read_side([Upstream("vllm", str(aim), None)], [new / step.package], new)
        still = {(p.path, p.misfit.finding.code, p.misfit.subject) for p in now.misfits}
        then = read_side([Upstream("vllm", str(pin), None)], [old / step.package], old)
    saved = {
        number
        for number, one in enumerate(found.places)
        if (one.path, one.misfit.finding.code, one.misfit.subject) not in still
    }
    return Result(step, found, frozenset(saved), len(then.told), seconds)


def _upstream(version: str, corpus: Path) -> Path:
    release = Release.of_vllm(version)
    if not unpack_release(release, corpus):
        raise SystemExit(f"could not be had: {release}")
    return corpus / release.folder


def _clone(port: str, clones: Path) -> Path:
    for path in sorted(clones.iterdir()):
        if path.name.lower().endswith(port):
            return next((p for p in (path / "repo", path) if p.is_dir()), path)
    raise SystemExit(f"{clones} has no clone of {port}")


def _unpack(clone: Path, tag: str, package: str, into: Path) -> None:
    command = ["git", "-C", str(clone), "archive", tag, package]
    done = subprocess.run(command, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(into, filter="data")


def render(results: Sequence[Result]) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield "| port | vLLM | breaks | saved work | precision | possible | at the pin | CPU |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    total = [0, 0, 0]
    for one in results:
        sure = [n for n, place in enumerate(one.breaks.places) if place.certainty != "possible"]
        saved = [n for n in sure if n in one.saved]
        possible = len(one.breaks.places) - len(sure)
        total = [total[0] + len(sure), total[1] + len(saved), total[2] + possible]
        step = one.step
        yield (
            f"| {step.port} {step.old} | {step.pin} to {step.aim} | {len(sure)} | {len(saved)} "
            f"| {_share(len(saved), len(sure))} | {possible} | {one.before} | {one.seconds:.0f} s |"
        )
    yield (
        f"| **all** | | **{total[0]}** | **{total[1]}** | **{_share(total[1], total[0])}** "
        f"| {total[2]} | | |"
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "-"


def _tell(one: Result) -> None:
    for number, place in enumerate(one.breaks.places):
        word = "saved" if number in one.saved else "not  "
        at = place.misfit.finding
        where = f"{one.step.port} {place.path}:{at.line}"
        print(f"{word} {place.certainty:8} {where} {at.code} {at.message} [{place.instead}]")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, default=default_corpus())
    parser.add_argument("--only", action="append", default=[], metavar="PORT[@TAG]")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    chosen = [s for s in STEPS if not given.only or {s.port, f"{s.port}@{s.old}"} & set(given.only)]
    results = []
    for step in chosen:
        results.append(run(step, given.clones, given.corpus))
        if given.verbose:
            _tell(results[-1])
            sys.stdout.flush()
    print("\n".join(render(results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
