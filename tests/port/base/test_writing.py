from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from omni_port.base.errors import InputError
from omni_port.base.temporary import Temporary, sweep
from omni_port.base.writing import Changed, Write, require_inside, write_file, write_together


def test_write_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"old")
    path.chmod(0o751)
    write_file(path, b"new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o751
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.py"]


def test_a_new_file_obeys_the_umask(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_file(tmp_path / "x.py", b"new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "x.py").stat().st_mode) == 0o640


def test_write_goes_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_bytes(b"old")
    link = tmp_path / "link.py"
    link.symlink_to("real.py")
    write_file(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "real.py").read_bytes() == b"new"


@pytest.mark.parametrize("failure", [OSError(28, "No space left"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"old")

    def fail(_handle: int) -> None:
        raise failure

    monkeypatch.setattr(os, "fsync", fail)
    expected = InputError if isinstance(failure, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.py"]


def test_write_into_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_file(tmp_path / "gone" / "x.py", b"")


def test_several_files_are_written_together(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"1")
    write_together([Write(one, b"2"), Write(other, b"3")])
    assert (one.read_bytes(), other.read_bytes()) == (b"2", b"3")
    assert sorted(tmp_path.iterdir()) == [one, other]


def test_where_one_cannot_be_written_none_is(tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.write_bytes(b"1")
    with pytest.raises(InputError) as caught:
        write_together([Write(one, b"2"), Write(tmp_path / "missing" / "x", b"3")])
    assert "missing" in caught.value.path
    assert one.read_bytes() == b"1"
    assert list(tmp_path.iterdir()) == [one]


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.mark.parametrize("meanwhile", [b"theirs", b"", None])
def test_what_somebody_saved_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: bytes | None
) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"old")
    fill = Temporary.fill

    def saved(self: Temporary, data: bytes) -> None:
        fill(self, data)
        path.unlink() if meanwhile is None else path.write_bytes(meanwhile)

    monkeypatch.setattr(Temporary, "fill", saved)
    with pytest.raises(Changed, match="since it was read") as caught:
        write_file(path, b"new", seen=b"old")
    assert caught.value.path == str(path)
    assert names(tmp_path) == ([] if meanwhile is None else ["x.py"])
    assert meanwhile is None or path.read_bytes() == meanwhile


def test_of_several_those_that_did_not_change_are_written(tmp_path: Path) -> None:
    writes = []
    for name in "abc":
        (tmp_path / name).write_bytes(b"old")
        writes.append(Write(tmp_path / name, b"new", b"old"))
    (tmp_path / "b").write_bytes(b"theirs")
    with pytest.raises(Changed) as caught:
        write_together(writes)
    assert caught.value.path == str(tmp_path / "b")
    assert [(tmp_path / n).read_bytes() for n in "abc"] == [b"new", b"theirs", b"new"]


def test_a_new_file_is_not_put_over_one_that_came_meanwhile(tmp_path: Path) -> None:
    write_file(tmp_path / "x", b"1", new=True)
    with pytest.raises(Changed):
        write_file(tmp_path / "x", b"2", new=True)
    assert (tmp_path / "x").read_bytes() == b"1"
    assert names(tmp_path) == ["x"]


def test_a_file_system_without_hard_links_still_takes_a_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    write_file(tmp_path / "x", b"1", new=True)
    with pytest.raises(Changed):
        write_file(tmp_path / "x", b"2", new=True)
    assert (tmp_path / "x").read_bytes() == b"1"


def test_a_read_only_file_needs_force(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(InputError, match="read-only"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    write_file(path, b"new", force=True)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o444


def test_other_names_of_a_file_are_told_of(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"old")
    (tmp_path / "y.py").hardlink_to(path)
    (note,) = write_file(path, b"new")
    assert "hard links" in note
    assert (tmp_path / "y.py").read_bytes() == b"old"


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs root")
def test_the_owner_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"old")
    os.chown(path, 1234, 2345)
    assert write_file(path, b"new") == ()
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


def test_an_owner_that_cannot_be_kept_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"old")

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    plain = Path.stat

    def other_owner(self: Path, **options: bool) -> os.stat_result:
        found = plain(self, **options)
        if self != path:
            return found
        return os.stat_result([*found[:4], found.st_uid + 1, found.st_gid + 1, *found[6:10]])

    monkeypatch.setattr(os, "chown", refuse)
    monkeypatch.setattr(Path, "stat", other_owner)
    notes = write_file(path, b"new")
    assert ["owner" in note or "group" in note for note in notes] == [True, True]


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="Linux alone")
def test_extended_attributes_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"old")
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        pytest.skip("the file system has none")
    write_file(path, b"new")
    assert os.getxattr(path, "user.note") == b"mine"


def test_a_device_is_written_into(tmp_path: Path) -> None:
    before = Path("/dev/null").stat()
    link = tmp_path / "link"
    link.symlink_to("/dev/null")
    for path in (Path("/dev/null"), link):
        write_file(path, b"gone")
    after = Path("/dev/null").stat()
    assert (before.st_ino, before.st_mode) == (after.st_ino, after.st_mode)
    assert names(tmp_path) == ["link"]


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, b"text" * 50_000)
    reader.join()
    assert got == [b"text" * 50_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        with pytest.raises(InputError, match="is a socket"):
            write_file(Path("s"), b"text")
        assert stat.S_ISSOCK(Path("s").stat().st_mode)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_stdout_by_name_follows_what_was_printed(tmp_path: Path, name: str) -> None:
    code = (
        "import sys; from pathlib import Path; from omni_port.base.writing import write_file\n"
        f"print('first'); write_file(Path({name!r}), b'text\\n'); print('last')"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    assert done.stdout == b"first\ntext\nlast\n"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b"first\ntext\nlast\n"


def test_a_circle_of_links_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(InputError, match="cannot be written"):
        write_file(tmp_path / "a", b"text")
    assert names(tmp_path) == ["a", "b"]
    assert (tmp_path / "a").is_symlink()


def test_a_name_may_be_as_long_as_a_name_can_be(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 252 + ".py")
    write_file(path, b"text")
    assert path.read_bytes() == b"text"


def test_what_a_killed_run_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    left = tmp_path / f".omni-port.{'0a' * 8}.tmp"
    left.write_bytes(b"half")
    (tmp_path / ".omni-port.mine.tmp").write_bytes(b"a person's")
    write_file(tmp_path / "x.py", b"text")
    assert names(tmp_path) == [".omni-port.mine.tmp", "x.py"]


def test_what_another_run_is_writing_is_left(tmp_path: Path) -> None:
    busy = Temporary(tmp_path / "x.py")
    busy.fill(b"text")
    sweep(tmp_path)
    assert busy.path.exists()
    busy.remove()
    assert names(tmp_path) == []


def test_what_leads_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    require_inside(tmp_path / "in" / "new" / "x.py", tmp_path / "in")
    with pytest.raises(InputError, match="leads out of") as caught:
        require_inside(tmp_path / "in" / "link" / "x.py", tmp_path / "in")
    assert str(tmp_path / "out" / "x.py") in caught.value.message
