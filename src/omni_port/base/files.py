"""Bytes and text of files: encodings and newlines. Nothing is normalised."""

from __future__ import annotations

import codecs
import io
import os
import tokenize
from dataclasses import dataclass
from pathlib import Path

from omni_port.base.errors import InputError
from omni_port.base.special_files import is_endless


@dataclass(frozen=True, slots=True)
class Source:
    """Decoded Python source: *text* without the BOM, its newlines as they stand in the file."""

    text: str
    encoding: str
    bom: bool = False


def decode(data: bytes, *, path: str = "") -> Source:
    """Decode Python source by its BOM or coding cookie (PEP 263), UTF-8 without either.

    Raises InputError where the bytes are not in that encoding, or where they would not come back
    unchanged.
    """
    bom = data.startswith(codecs.BOM_UTF8)
    encoding = _encoding(data, path)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    try:
        source = Source(body.decode(encoding), encoding, bom)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        message = f"not {encoding}: {error.reason}"
        raise InputError(message, hint=_COOKIE_HINT, path=path, line=line) from error
    if encode(source.text, source, path=path) != data:
        raise InputError(
            f"reading and writing as {encoding} would not give the same bytes",
            hint="save the file as UTF-8",
            path=path,
        )
    return source


_COOKIE_HINT = "save the file as UTF-8, or name its encoding in a coding cookie (PEP 263)"


def _encoding(data: bytes, path: str) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        if str(error.msg).startswith("invalid or missing encoding"):
            return "utf-8"  # decoding with it says where
        raise InputError(str(error.msg), hint=_COOKIE_HINT, path=path, line=1) from error
    encoding = "utf-8" if encoding == "utf-8-sig" else encoding
    if not _holds_text(encoding):
        message = f"the coding cookie names {encoding!r}, which is no encoding of source text"
        raise InputError(message, hint=_COOKIE_HINT, path=path, line=1)
    return encoding


def _holds_text(encoding: str) -> bool:
    """Whether *encoding* is one of text, and plain ASCII in it is what it is everywhere.

    Python's codecs compress, escape and shift letters too, and a cookie may name each of them.
    """
    if codecs.lookup(encoding).name in _NO_TEXT:
        return False
    try:
        return _ASCII.decode(encoding) == _ASCII.decode("ascii") and (
            _ASCII.decode("ascii").encode(encoding, "replace") == _ASCII
        )
    except (LookupError, ValueError):
        return False


_NO_TEXT = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
_ASCII = bytes(range(32, 127)) + b"\n"


def encode(text: str, source: Source, *, path: str = "") -> bytes:
    """Encode *text* the way *source* was encoded; the opposite of :func:`decode`.

    Raises InputError for a character that the encoding lacks.
    """
    try:
        body = text.encode(source.encoding)
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        message = f"the result has {text[error.start]!r}, which {source.encoding} lacks"
        raise InputError(message, hint="save the file as UTF-8", path=path, line=line) from error
    return codecs.BOM_UTF8 + body if source.bom else body


def read_bytes(path: Path) -> bytes:
    """Return what stands in *path*; raises InputError where it cannot be read.

    Pipes are read where the shell made them (``<(...)``), and no device but ``/dev/null``: there
    is no end to most.
    """
    try:
        if is_endless(path):
            raise InputError("is no file", hint="name a file, or - for stdin", path=str(path))
        return path.read_bytes()
    except IsADirectoryError as error:
        if not os.access(path, os.R_OK | os.X_OK):
            hint = "check its permissions; what is in it was left out"
            raise InputError("the folder cannot be read", hint=hint, path=str(path)) from error
        raise InputError("is a folder", hint="name a file in it", path=str(path)) from error
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        raise InputError(message, hint="check the path", path=str(path)) from error
