from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from omni_port.base.errors import InputError
from omni_port.upgrade.lock import locked
from omni_port.upgrade.store import Store


def test_a_second_one_is_refused_until_the_first_is_done(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with locked(store):
        running = f"another upgrade of this project is running: process {os.getpid()} on"
        with pytest.raises(InputError, match=running) as caught, locked(store):
            pass
        assert caught.value.path == str(tmp_path / ".omni-port")
    with locked(store):
        pass
    assert not (tmp_path / ".omni-port").exists(), "nothing was written, and nothing is left"


def test_where_something_was_kept_the_lock_stays_beside_it(tmp_path: Path) -> None:
    with locked(Store(tmp_path)):
        (tmp_path / ".omni-port" / "upgrade").mkdir()
    kept = sorted(p.name for p in (tmp_path / ".omni-port").iterdir())
    assert kept == [".gitignore", "lock", "upgrade"]


def test_what_goes_wrong_inside_is_let_through(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="inside"), locked(Store(tmp_path)):
        raise OSError("inside")


def test_where_nothing_can_be_written_nothing_is_locked(tmp_path: Path) -> None:
    (tmp_path / ".omni-port").write_text("a file, where the folder would be")
    with locked(Store(tmp_path)), locked(Store(tmp_path)):
        pass


def _hold(path: Path) -> None:
    with locked(Store(path)):
        multiprocessing.current_process().kill()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    killed = multiprocessing.get_context("spawn").Process(target=_hold, args=(tmp_path,))
    killed.start()
    killed.join()
    with locked(Store(tmp_path)):
        pass
