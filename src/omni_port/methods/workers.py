"""Worker processes: one item at a time each, so that one that dies takes one item with it.

Not :mod:`concurrent.futures`: there a worker that dies breaks the pool without saying what it was
at, and the workers of a parent that was killed wait for ever.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

# How often a worker looks whether its parent is still there, in seconds.
_WATCH = 0.2
_PR_SET_PDEATHSIG = 1


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection
    at: int = -1

    def say_end(self) -> str:
        """Return how it ended, once it did."""
        self.process.join()
        code = self.process.exitcode or 0
        with contextlib.suppress(ValueError):
            if code < 0:
                return (
                    f"worker process {self.process.pid} was killed by {signal.Signals(-code).name}"
                )
        return f"worker process {self.process.pid} ended with exit code {code}"


@dataclass(slots=True)
class Workers(Generic[_Item, _Result]):
    """*jobs* processes that apply *function* to items.

    *died* makes the result of an item whose worker died, from the item and what became of it.
    The workers end with their parent, however that ends.
    """

    function: Callable[[_Item], _Result]
    died: Callable[[_Item, str], _Result]
    jobs: int

    def map(self, items: Sequence[_Item]) -> Iterator[_Result]:
        """Yield the result of each item, in order."""
        workers: list[_Worker] = []
        try:
            workers.extend(self._start() for _ in range(min(self.jobs, len(items))))
            yield from self._map(items, workers)
        finally:
            for worker in workers:
                worker.process.kill()
            for worker in workers:
                worker.process.join()
                worker.connection.close()

    def _map(self, items: Sequence[_Item], workers: list[_Worker]) -> Iterator[_Result]:
        done: dict[int, _Result] = {}
        given = 0
        for wanted in range(len(items)):
            while wanted not in done:
                for worker in workers:
                    if worker.at < 0 and given < len(items):
                        worker.at, given = given, given + 1
                        with contextlib.suppress(OSError):  # it died: seen below
                            worker.connection.send(items[worker.at])
                for worker in self._ready(workers):
                    at, worker.at = worker.at, -1
                    try:
                        done[at] = worker.connection.recv()
                    except (EOFError, OSError):
                        done[at] = self.died(items[at], worker.say_end())
                        worker.connection.close()
                        workers[workers.index(worker)] = self._start()
            yield done.pop(wanted)

    @staticmethod
    def _ready(workers: Sequence[_Worker]) -> list[_Worker]:
        """Wait, and return those that have a result, or are dead."""
        busy = [worker for worker in workers if worker.at >= 0]
        found = wait([worker.connection for worker in busy])
        return [worker for worker in busy if worker.connection in found]

    def _start(self) -> _Worker:
        # Forking shares the modules that are loaded; elsewhere than on Linux it is not safe.
        linux = sys.platform == "linux"
        context: ForkContext | SpawnContext = get_context("fork") if linux else get_context("spawn")
        ours, theirs = context.Pipe()
        # The signal is sent when the thread ends that started the worker.
        by_main = threading.current_thread() is threading.main_thread()
        process = context.Process(
            target=_serve, args=(self.function, theirs, os.getpid(), by_main), daemon=True
        )
        process.start()
        theirs.close()
        return _Worker(process, ours)


def _serve(
    function: Callable[[_Item], _Result], connection: Connection, parent: int, by_main: bool
) -> None:
    # An interrupt is the parent's to handle: it stops the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    if by_main and sys.platform == "linux":
        _die_with_parent()
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    while True:
        try:
            item = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(function(item))


def _die_with_parent() -> None:
    """Ask the kernel for a signal when the parent ends; a thread cannot run in a long parse."""
    with contextlib.suppress(Exception):
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os._exit(1)
