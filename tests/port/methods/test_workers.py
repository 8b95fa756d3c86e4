from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from omni_port.methods.workers import Workers


def squared(number: int) -> int:
    return number * number


def slowest_first(number: int) -> int:
    time.sleep(0.05 if number == 0 else 0)
    return number


def deadly(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 5:
        os._exit(7)
    return number


def told(number: int, how: str) -> int | str:
    return f"{number}: {how}"


@pytest.mark.parametrize("function", [squared, slowest_first])
@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_results_come_in_order(function: Callable[[int], int], jobs: int) -> None:
    numbers = list(range(20))
    assert list(Workers(function, lambda n, _: n, jobs).map(numbers)) == list(
        map(function, numbers)
    )


def test_no_items_need_no_workers() -> None:
    assert list(Workers(squared, lambda n, _: n, 3).map([])) == []


def test_a_worker_that_dies_takes_one_item_with_it() -> None:
    workers: Workers[int, int | str] = Workers(deadly, told, 2)
    found = list(workers.map(range(8)))
    assert [one for one in found if isinstance(one, int)] == [0, 1, 2, 4, 6, 7]
    assert "was killed by SIGKILL" in str(found[3])
    assert "ended with exit code 7" in str(found[5])


PARENT = """
import sys, time
from pathlib import Path
from omni_port.methods.workers import Workers

def at_work(folder):
    import os
    Path(folder, str(os.getpid())).touch()
    time.sleep(600)

for _ in Workers(at_work, lambda item, how: None, 3).map([sys.argv[1]] * 3):
    pass
"""


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_workers_end_with_their_parent(tmp_path: Path, how: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)], stderr=subprocess.DEVNULL
    )
    while len(list(tmp_path.iterdir())) < 3:
        time.sleep(0.01)
    workers = [int(entry.name) for entry in tmp_path.iterdir()]
    assert all(map(is_running, workers))
    parent.send_signal(how)
    parent.wait()
    limit = time.monotonic() + 1
    while any(map(is_running, workers)) and time.monotonic() < limit:
        time.sleep(0.01)
    assert not any(map(is_running, workers))
