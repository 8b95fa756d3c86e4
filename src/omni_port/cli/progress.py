"""The line on a terminal that says what a command is doing, once it takes longer than a moment."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TextIO

from omni_port.base import progress

# Before that a command is simply quick; then the line is drawn so often.
_PATIENCE = 2.0
_PERIOD = 0.2
_CLEAR = "\r\x1b[K"


class Progress:
    """Shows the last step on *terminal* until :meth:`stop`.

    With *alone* a thread keeps the line alive. Where processes are forked there must be no thread:
    then the line is drawn when a step is said.
    """

    def __init__(
        self, terminal: TextIO, *, alone: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._terminal = terminal
        self._clock = clock
        self._began = clock()
        self._drawn = 0.0
        self._text = ""
        self._shown = False
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._unlisten = progress.listen(self.say)
        if alone:
            threading.Thread(target=self._keep, daemon=True).start()

    def say(self, text: str) -> None:
        """Take *text* as what is being done, and draw it if it is time."""
        self._text = text
        if self._clock() - max(self._began + _PATIENCE, self._drawn + _PERIOD) >= 0:
            self.draw()

    def draw(self) -> None:
        """Draw the line, with the seconds since the command began."""
        with self._lock:
            if not self._text or self._over.is_set():
                return
            self._drawn = self._clock()
            line = f"{self._text} ... {self._drawn - self._began:.0f} s"
            width = shutil.get_terminal_size().columns - 1
            self._terminal.write(_CLEAR + line[:width])
            self._terminal.flush()
            self._shown = True

    def clear(self) -> None:
        """Take the line away: something else is to be printed."""
        with self._lock:
            if self._shown:
                self._shown = False
                self._terminal.write(_CLEAR)
                self._terminal.flush()

    def stop(self) -> None:
        """Take the line away for good."""
        self._over.set()
        self._unlisten()
        self.clear()

    def _keep(self) -> None:
        if self._over.wait(_PATIENCE):
            return
        while not self._over.wait(_PERIOD):
            self.draw()


class _Clearing:
    """A stream before whose text the line is taken away."""

    def __init__(self, stream: TextIO, clear: Callable[[], None]) -> None:
        self._stream = stream
        self._clear = clear

    def write(self, text: str) -> int:
        self._clear()
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def start_progress(*, alone: bool) -> Callable[[], None]:
    """Show what is being done on stderr, and return what ends that; nothing in pipes."""
    terminal, out, err = sys.__stderr__, sys.stdout, sys.stderr
    if terminal is None or err is not terminal or not terminal.isatty():
        return lambda: None
    shown = Progress(terminal, alone=alone)
    sys.stderr = _Clearing(err, shown.clear)
    if out is not None and out.isatty():
        sys.stdout = _Clearing(out, shown.clear)

    def end() -> None:
        shown.stop()
        sys.stdout, sys.stderr = out, err

    return end
