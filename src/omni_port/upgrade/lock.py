"""One upgrade of a project at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from omni_port.base.errors import InputError
from omni_port.base.locks import Held, held
from omni_port.upgrade.store import Store


@contextlib.contextmanager
def locked(store: Store) -> Iterator[None]:
    """Hold the lock of the project; raises InputError where another run has it: which one.

    What cannot be locked is not: where nothing can be written, the run will say so itself.
    """
    with contextlib.ExitStack() as stack:
        is_new = not store.folder.parent.exists()
        try:
            home = store.make_home()
        except InputError:
            yield
            return
        try:
            stack.enter_context(held(home / "lock"))
        except Held as error:
            who = f": {error.holder}" if error.holder else ""
            message = f"another upgrade of this project is running{who}"
            raise InputError(message, hint="wait for its end", path=str(home)) from error
        except OSError:
            pass
        if is_new:  # before the lock is given up: nobody else has it by then
            stack.callback(_leave_no_trace, home)
        yield


def _leave_no_trace(home: Path) -> None:
    """Remove what only the lock needed, where the run stopped before it wrote anything."""
    own = {".gitignore", "lock", "lock-holder"}
    with contextlib.suppress(OSError):
        if {one.name for one in home.iterdir()} <= own:
            for name in own:
                (home / name).unlink(missing_ok=True)
            home.rmdir()
