from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from omni_port.base.errors import InputError
from omni_port.upgrade.lock import locked


def test_a_second_one_is_refused_until_the_first_is_done(tmp_path: Path) -> None:
    project = tmp_path / "omni-port.toml"
    with locked(project):
        running = f"another upgrade of this project is running: process {os.getpid()} on"
        with pytest.raises(InputError, match=running) as caught, locked(project):
            pass
        assert caught.value.path == str(project)
        with locked(tmp_path / "other" / "omni-port.toml"):
            pass
    with locked(project):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_project_has_one_lock_whatever_leads_to_it(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with (
        locked(tmp_path / "real" / "omni-port.toml"),
        pytest.raises(InputError),
        locked(tmp_path / "link" / "omni-port.toml"),
    ):
        pass


def test_what_goes_wrong_inside_is_let_through(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="inside"), locked(tmp_path):
        raise OSError("inside")


def test_where_nothing_can_be_written_nothing_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("a file, where the folder would be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with locked(tmp_path), locked(tmp_path):
        pass


def _hold(path: Path) -> None:
    with locked(path):
        multiprocessing.current_process().kill()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    killed = multiprocessing.get_context("spawn").Process(target=_hold, args=(tmp_path,))
    killed.start()
    killed.join()
    with locked(tmp_path):
        pass
