"""``python -m omni_port`` and the ``omni-port`` command."""

from __future__ import annotations

import gc
import signal
import sys
from types import FrameType


def main() -> None:
    """Run the command line and exit with its code."""
    from omni_port.cli import run

    # What else ends a process ends this one like Ctrl-C: temporary files and workers go with it.
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # A nohup stays one.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)
    code = run(sys.argv[1:])
    # The process ends: to look through all that was parsed once more would take longer than most
    # commands do.
    gc.freeze()
    sys.exit(code)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
