"""Kill upgrades: are the files as before or as after, and does the next run finish the job?

    python benchmarks/upgrade_kill.py [--corpus FOLDER] [--times N] [--only t3]

Half of the runs are killed (SIGKILL) at a random moment of the whole run, half a moment after they
first write something, which is where it matters.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cases import TRANSITIONS
from fetch_corpus import default_corpus
from upgrade_steps import program, run_command
from upgrade_world import build_world, run_git

# How long after its first write a run may live: about as long as writing takes.
_MOMENT = 0.05
_POLL = 0.0005
_STATE = ".omni-port"


def read_files(repository: Path) -> dict[str, bytes]:
    """Return the Python files that are not as committed, and all that git does not know."""
    changed = run_git(repository, "diff", "--name-only", "HEAD").splitlines()
    new = run_git(repository, "ls-files", "--others", "--exclude-standard").splitlines()
    names = [*changed, *(name for name in new if not name.startswith(_STATE))]
    return {name: (repository / name).read_bytes() for name in names}


def reset(repository: Path) -> None:
    """Take back what an upgrade did."""
    run_git(repository, "checkout", "--quiet", "--", ".")
    shutil.rmtree(repository / _STATE, ignore_errors=True)


def kill_one(repository: Path, delay: float, *, at_writing: bool) -> bool:
    """Start an upgrade and kill it after *delay*, or that long after its first write.

    Returns whether it was killed before it ended.
    """
    process = subprocess.Popen(
        [program(), "upgrade"], cwd=repository, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while at_writing and process.poll() is None and not (repository / _STATE).exists():
        time.sleep(_POLL)
    time.sleep(delay)
    process.kill()
    return process.wait() != 0 and process.returncode < 0


def iter_outcomes(repository: Path, times: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield for each run when it was killed and what it left; both as words."""
    before = read_files(repository)
    seconds = run_command(repository, ["upgrade"]).seconds
    after = read_files(repository)
    for number in range(times):
        reset(repository)
        at_writing = bool(number % 2)
        delay = chance.uniform(0, _MOMENT if at_writing else seconds)
        killed = kill_one(repository, delay, at_writing=at_writing)
        when = "at writing" if at_writing else "at any moment"
        left = read_files(repository)
        state = {True: "as before", False: "MIXED"}[left == before]
        state = "as after" if left == after else state
        run_command(repository, ["upgrade"])
        finished = "finished by the next run" if read_files(repository) == after else "NOT FINISHED"
        yield (when if killed else "not in time"), f"{state}, {finished}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill upgrades and look what they leave.")
    parser.add_argument("--corpus", type=Path, default=default_corpus())
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--only", choices=[t.name for t in TRANSITIONS], default="t3")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    (transition,) = (t for t in TRANSITIONS if t.name == arguments.only)
    with tempfile.TemporaryDirectory(prefix="omni-port-kill-") as folder:
        world = build_world(arguments.corpus, Path(folder, "world"), transition)
        run_command(world.downstream, ["init", *world.init])
        chance = random.Random(arguments.seed)
        found = Counter(iter_outcomes(world.downstream, arguments.times, chance))
    for (when, what), times in sorted(found.items()):
        print(f"{times:4} {when}: {what}")
    return int(any("MIXED" in what or "NOT" in what for _, what in found))


if __name__ == "__main__":
    sys.exit(main())
