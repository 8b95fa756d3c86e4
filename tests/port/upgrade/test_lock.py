from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from omni_port.base.errors import InputError
from omni_port.upgrade.lock import locked

pytest.importorskip("fcntl")


def test_a_second_one_is_refused_until_the_first_is_done(tmp_path: Path) -> None:
    path = tmp_path / "omni-port.toml"
    path.write_text("")
    with locked(path):
        with pytest.raises(InputError, match="another upgrade") as caught, locked(path):
            pass
        assert caught.value.path == str(path)
    with locked(path):
        pass
    assert [p.name for p in tmp_path.iterdir()] == ["omni-port.toml"]


def test_what_goes_wrong_inside_is_let_through(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(OSError, match="inside"), locked(tmp_path / "x"):
        raise OSError("inside")


def _hold(path: Path) -> None:
    with locked(path):
        multiprocessing.current_process().kill()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("")
    killed = multiprocessing.get_context("spawn").Process(target=_hold, args=(path,))
    killed.start()
    killed.join()
    with locked(path):
        pass
