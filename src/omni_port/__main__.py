"""``python -m omni_port`` and the ``omni-port`` command."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    from omni_port.cli import run

    code = run(sys.argv[1:])
    # The process ends: to look through all that was parsed once more would take longer than most
    # commands do.
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    main()
