from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omni_port.base import files
from omni_port.base.errors import InputError


@pytest.mark.parametrize(
    ("data", "encoding", "bom"),
    [
        (b"", "utf-8", False),
        (b"x = 1", "utf-8", False),
        (b"x = 1\r\ny = 2\r\n", "utf-8", False),
        (b"x = 1\ry = 2\n\r\n\x0c\n", "utf-8", False),
        (codecs.BOM_UTF8 + "s = 'é'\r\n".encode(), "utf-8", True),
        (b"# -*- coding: latin-1 -*-\ns = '\xe9'\n", "iso-8859-1", False),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\ns = '\x80'\n", "cp1252", False),
        ("# coding: shift_jis\ns = '日本'\n".encode("shift_jis"), "shift_jis", False),
    ],
)
def test_round_trip(data: bytes, encoding: str, bom: bool) -> None:
    source = files.decode(data)
    assert (source.encoding, source.bom) == (encoding, bom)
    assert "\ufeff" not in source.text
    assert files.encode(source.text, source) == data


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\ufeff")))
def test_any_text_without_a_cookie_comes_back(text: str) -> None:
    data = text.encode()
    try:
        source = files.decode(data)
    except InputError:
        assert "coding" in text
        return
    assert files.encode(source.text, source) == data


@pytest.mark.parametrize(
    ("data", "says", "line"),
    [
        (b"x = 1\ny = '\xff'\n", "not utf-8", 2),
        (b"a\n" * 9 + b"\xe9\n", "not utf-8", 10),
        (b"# coding: nonsense\n", "unknown encoding", 1),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n", "encoding problem", 1),
        (b"# coding: utf-7\nx = '+AGE-'\n", "same bytes", None),
    ],
)
def test_what_cannot_be_decoded_says_where(data: bytes, says: str, line: int | None) -> None:
    with pytest.raises(InputError, match=says) as caught:
        files.decode(data, path="x.py")
    assert caught.value.path == "x.py"
    assert caught.value.line == line
    assert caught.value.hint


def test_a_character_that_the_encoding_lacks() -> None:
    source = files.decode(b"# coding: latin-1\nx = 1\n")
    with pytest.raises(InputError, match="iso-8859-1 lacks") as caught:
        files.encode("# coding: latin-1\n\nx = '日'\n", source)
    assert caught.value.line == 3


def test_write_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"old")
    path.chmod(0o751)
    files.write_atomic(path, b"new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o751
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.py"]


def test_a_new_file_obeys_the_umask(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        files.write_atomic(tmp_path / "x.py", b"new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "x.py").stat().st_mode) == 0o640


def test_write_goes_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_bytes(b"old")
    link = tmp_path / "link.py"
    link.symlink_to("real.py")
    files.write_atomic(link, b"new")
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
        files.write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.py"]


def test_write_into_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        files.write_atomic(tmp_path / "gone" / "x.py", b"")


def test_read_errors_name_the_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read") as caught:
        files.read_bytes(tmp_path / "gone.py")
    assert caught.value.path == str(tmp_path / "gone.py")
    with pytest.raises(InputError, match="is a folder"):
        files.read_bytes(tmp_path)


def test_several_files_are_written_together(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"1")
    files.write_together({one: b"2", other: b"3"})
    assert (one.read_bytes(), other.read_bytes()) == (b"2", b"3")
    assert sorted(tmp_path.iterdir()) == [one, other]


def test_where_one_cannot_be_written_none_is(tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.write_bytes(b"1")
    with pytest.raises(InputError) as caught:
        files.write_together({one: b"2", tmp_path / "missing" / "x": b"3"})
    assert "missing" in caught.value.path
    assert one.read_bytes() == b"1"
    assert list(tmp_path.iterdir()) == [one]
