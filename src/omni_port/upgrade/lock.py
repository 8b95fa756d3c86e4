"""One upgrade of a project at a time."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from omni_port.base.errors import InputError
from omni_port.base.locks import Held, held
from omni_port.base.user_cache import user_cache


@contextlib.contextmanager
def locked(project: Path) -> Iterator[None]:
    """Hold the lock of the project file; raises InputError where another run has it: which one.

    The lock lies in the user's account: a run that stops before it writes leaves nothing in the
    project. What cannot be locked is not: where nothing can be written, the run will say so itself.
    """
    real = os.path.realpath(project)
    path = user_cache("locks") / hashlib.sha256(os.fsencode(real)).hexdigest()[:32]
    with contextlib.ExitStack() as stack:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            stack.enter_context(held(path))
        except Held as error:
            who = f": {error.holder}" if error.holder else ""
            message = f"another upgrade of this project is running{who}"
            raise InputError(message, hint="wait for its end", path=str(project)) from error
        except OSError:
            pass
        yield
