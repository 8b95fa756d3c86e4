from __future__ import annotations

import codecs
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


# Codecs that do not hold text, or in which plain ASCII is something else.
ODD = (
    "base64 bz2 cp037 hex idna punycode quopri raw_unicode_escape rot13 undefined unicode_escape "
    "utf-16 utf-32 utf-7 uu zlib"
)


@pytest.mark.parametrize(
    ("data", "says", "line"),
    [
        (b"x = 1\ny = '\xff'\n", "not utf-8", 2),
        (b"a\n" * 9 + b"\xe9\n", "not utf-8", 10),
        (b"# coding: nonsense\n", "unknown encoding", 1),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n", "encoding problem", 1),
        *((f"# coding: {name}\n".encode(), "no encoding of source", 1) for name in ODD.split()),
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


def test_read_errors_name_the_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read") as caught:
        files.read_bytes(tmp_path / "gone.py")
    assert caught.value.path == str(tmp_path / "gone.py")
    with pytest.raises(InputError, match="is a folder"):
        files.read_bytes(tmp_path)
