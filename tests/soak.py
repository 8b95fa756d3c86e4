"""Trials for as long as there is time: kills, saves meanwhile, hostile files, random worlds.

    python tests/soak.py --minutes 30 --seed 1 [--only killed ...]

Each trial is made of one seed, and runs in a folder of its own. Prints how many of each ran, and
each that went wrong with its seed and what it saw: the same seed makes the same trial, but for what
the machine's scheduling adds. Exit 1 where one went wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from random import Random

import random_worlds
from worlds import make_world

GPU = b"import torch\n\n\ndef run(x):\n    torch.cuda.synchronize()\n    return x.to('cuda')\n"
NPU = GPU.replace(b"cuda", b"npu")
SAVED = GPU + b"mine = 1\n"
_COMMAND = (sys.executable, "-m", "omni_port")
# As in the command-line contract: what a command may end with, and never 70.
_CODES = frozenset({0, 1, 2, 3, 4})
_MOST_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Failure:
    """What a trial saw that must not be."""

    trial: str
    seed: int
    what: str


def killed_translation(random: Random, folder: Path) -> Iterator[str]:
    """SIGKILL or SIGTERM at a random moment: whole files, no orphans, and a rerun finishes."""
    paths = _files(folder, random.randrange(20, 200))
    jobs = random.choice(("1", "2", "4"))
    signals = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
    yield from _stopped(["translate", "--in-place", "--jobs", jobs, "."], folder, random, signals)
    for path in paths:
        if path.read_bytes() not in (GPU, NPU):
            yield f"{path.name} is neither the old file nor the new one"
    yield from command_ends(["translate", "--in-place", "."], folder, {0})
    yield from (f"{p.name} is not translated" for p in paths if p.read_bytes() != NPU)
    yield from _strangers(folder, {p.name for p in paths})


def killed_upgrade(random: Random, folder: Path) -> Iterator[str]:
    """The same in an upgrade: a rerun comes to what a run that nobody killed comes to."""
    whole, killed = (make_world(folder / name) for name in ("whole", "killed"))
    yield from command_ends(["upgrade"], whole, {0, 3})
    yield from _stopped(["upgrade"], killed, random, (signal.SIGKILL, signal.SIGTERM))
    yield from command_ends(["upgrade"], killed, {0, 3})
    for path in sorted(whole.rglob("*.py")):
        other = killed / path.relative_to(whole)
        if not other.is_file() or other.read_bytes() != path.read_bytes():
            yield f"{path.relative_to(whole)} differs from that of a run in one piece"


def saved_meanwhile(random: Random, folder: Path) -> Iterator[str]:
    """Somebody saves files while they are translated: each save is there afterwards."""
    paths = _files(folder, random.randrange(20, 100))
    saved = random.sample(paths, 8)
    command = [*_COMMAND, "translate", "--in-place", "--jobs", random.choice(("1", "2")), "."]
    process = _start(command, folder)
    for path in saved:
        time.sleep(random.uniform(0, 0.1))
        path.write_bytes(SAVED)
    said = process.communicate(timeout=_MOST_SECONDS)[1]
    if process.returncode not in (0, 4):
        yield f"exit {process.returncode}: {said[-500:]!r}"
    for path in saved:
        if path.read_bytes() not in (SAVED, SAVED.replace(b"cuda", b"npu")):
            yield f"the save of {path.name} is lost"


def hostile_file(random: Random, folder: Path) -> Iterator[str]:
    """A file that nobody would write: no command calls it a bug of omni-port."""
    (folder / "odd.py").write_bytes(_hostile(random))
    (folder / "good.py").write_bytes(GPU)
    for command in (
        ["translate", "--in-place", "."],
        ["blocks", "."],
        ["check", "odd.py"],
        ["rebase-method", "odd.py", "--method", "run", "--base", "odd.py", "--target", "good.py"],
    ):
        yield from command_ends(command, folder, _CODES)
    if (folder / "good.py").read_bytes() != NPU:
        yield "the other file of the folder is not translated"


def random_world(random: Random, folder: Path) -> Iterator[str]:
    """A method with random edits on both sides: nothing wrong in silence."""
    seed = random.randrange(10**9)
    for world in random_worlds.worlds(seed, 20, sync=random.random() < 0.5):
        verdict = random_worlds.try_world(world.base, *world.sides(), sync=world.sync)
        if verdict.faults and verdict.word.startswith(("silent", "crashed")):
            sync = " --sync" if world.sync else ""
            yield f"random_worlds.py --seed {world.seed} --count 1{sync}: {verdict.faults[0]}"


Trial = Callable[[Random, Path], Iterator[str]]
_TRIALS: tuple[Trial, ...] = (
    killed_translation,
    killed_upgrade,
    saved_meanwhile,
    hostile_file,
    random_world,
)


def _files(folder: Path, count: int) -> list[Path]:
    paths = [folder / f"m{index:03}.py" for index in range(count)]
    for path in paths:
        path.write_bytes(GPU)
    return paths


def _start(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def _stopped(
    arguments: list[str], folder: Path, random: Random, signals: Sequence[signal.Signals]
) -> Iterator[str]:
    """Run a command and stop it at a random moment; its workers end within seconds."""
    process = _start([*_COMMAND, *arguments], folder)
    time.sleep(random.uniform(0, 1.5))
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(random.choice(signals))
    process.communicate(timeout=_MOST_SECONDS)
    ends = time.monotonic() + 5
    while left := _group(process.pid):
        if time.monotonic() > ends:
            os.killpg(process.pid, signal.SIGKILL)
            yield f"orphans: {left}"
            return
        time.sleep(0.05)


def _group(group: int) -> list[str]:
    """The processes of a group that still run."""
    found: list[str] = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, _, its = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(its) == group and state != "Z":
                found.append(entry.name)
    return found


def command_ends(arguments: list[str], folder: Path, codes: Set[int]) -> Iterator[str]:
    """Run a command; yield what is wrong unless it ends in time with one of *codes*."""
    command = [*_COMMAND, *arguments]
    try:
        ran = subprocess.run(command, cwd=folder, capture_output=True, timeout=_MOST_SECONDS)
    except subprocess.TimeoutExpired:
        yield f"{' '.join(arguments)} has not ended after {_MOST_SECONDS} s"
        return
    if ran.returncode not in codes or b"Traceback" in ran.stderr:
        yield f"{' '.join(arguments)} exits {ran.returncode}: {ran.stderr[-500:]!r}"


def _strangers(folder: Path, known: set[str]) -> Iterator[str]:
    yield from (f"left behind: {p.name}" for p in folder.iterdir() if p.name not in known)


def _hostile(random: Random) -> bytes:
    """Python that was damaged, nested, or never was any."""
    deep = random.choice((50, 500, 5_000, 20_000))
    kinds: tuple[Callable[[], bytes], ...] = (
        lambda: random.randbytes(random.randrange(2_000)),
        lambda: (
            b"# coding: " + random.choice((b"base64", b"rot13", b"utf-16", b"nope")) + b"\n" + GPU
        ),
        lambda: b"x = " + b"(" * deep + b"1" + b")" * deep + b"\n" + GPU,
        lambda: b"x = " + b" + ".join([b"a"] * deep) + b"\n" + GPU,
        lambda: b"".join(b" " * i + b"if x:\n" for i in range(min(deep, 500))) + GPU,
        lambda: GPU + b"# ---- Omni-new ----\n" * (deep % 501),
        lambda: b"\xff\xfe" + GPU.decode().encode("utf-16-le"),
        lambda: _damaged(random, GPU * random.randrange(1, 20)),
    )
    return random.choice(kinds)()


def _damaged(random: Random, text: bytes) -> bytes:
    out = bytearray(text)
    for _ in range(random.randrange(1, 8)):
        at = random.randrange(len(out))
        out[at : at + random.randrange(3)] = random.randbytes(random.randrange(4))
    return bytes(out)


def run_trial(trial: Trial, seed: int) -> list[Failure]:
    """Run one trial in a folder of its own, which is removed."""
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        seen = list(trial(Random(f"{trial.__name__} {seed}"), Path(folder)))
    return [Failure(trial.__name__, seed, what) for what in seen]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run trials until the time is over, and print what happened."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", choices=[t.__name__ for t in _TRIALS])
    given = parser.parse_args(arguments)
    trials = [t for t in _TRIALS if not given.only or t.__name__ in given.only]
    ran, failures = Counter[str](), list[Failure]()
    ends, seed = time.monotonic() + 60 * given.minutes, given.seed
    while time.monotonic() < ends or not ran:
        for trial in trials:
            found = run_trial(trial, seed)
            ran[trial.__name__] += 1
            failures += found
            for one in found:
                print(f"{one.trial} --seed {one.seed}: {one.what}", flush=True)
        seed += 1
    for name, count in ran.items():
        wrong = len({one.seed for one in failures if one.trial == name})
        print(f"{name}: {count} trials from seed {given.seed}, {wrong} went wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
