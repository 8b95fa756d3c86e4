"""The shell as functions: bytes, then files, then paths; and a rebase by addresses."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.model import TranslateResult
from omni_port.base import files
from omni_port.base.errors import InputError, InternalError, OmniPortError, from_library
from omni_port.base.gc_pause import paused_collector
from omni_port.methods import verify

if TYPE_CHECKING:
    from omni_codemods.table.table import Table

# A pool costs about as much as this many files, most of which have nothing to translate.
_WORTH_A_POOL = 40


@dataclass(frozen=True, slots=True)
class TranslateOptions:
    """How to translate: *table* ``None`` is the packaged one for its newest target.

    With *only* ``safe`` the conditional entries are held back.
    """

    table: Table | None = None
    dialect: str = "npu"
    only: str = ""


@dataclass(frozen=True, slots=True)
class Translation:
    """What became of one file: *source* and *result*, or the *error* that stopped it."""

    path: str
    source: files.Source | None = None
    result: TranslateResult | None = None
    error: OmniPortError | None = None

    @property
    def before(self) -> str:
        """The text as it was, empty where it could not be read."""
        return self.source.text if self.source else ""

    @property
    def after(self) -> str:
        """The text as it is to be, empty where there is none."""
        return self.result.text if self.result else ""

    @property
    def changed(self) -> bool:
        """Whether the translation differs from the text."""
        return self.before != self.after

    def encoded(self) -> bytes:
        """The translation as bytes, encoded as the file was; raises InputError."""
        if self.source is None:
            return b""
        return files.encode(self.after, self.source, path=self.path)


def translate_bytes(
    data: bytes, options: TranslateOptions | None = None, *, path: str = ""
) -> Translation:
    """Translate the bytes of a Python file; *path* is for messages alone.

    Raises OmniPortError: not decodable, not Python, a promise broken.
    """
    from omni_codemods.translate import translate

    options = options or TranslateOptions()
    source = files.decode(data, path=path)
    try:
        result = translate(
            source.text, table=options.table, dialect=options.dialect, only=options.only
        )
    except OmniCodemodsError as error:
        raise from_library(error, path=path) from error
    translation = Translation(path, source, result)
    if translation.changed:
        verify.verify_translation(
            result, table=options.table, dialect=options.dialect, only=options.only, path=path
        )
    return translation


def translate_file(path: Path, options: TranslateOptions | None = None) -> Translation:
    """Translate the file *path* and return the result; writes nothing and never raises.

    What goes wrong, our own bugs too, is the translation's *error*.
    """
    try:
        with paused_collector():
            return translate_bytes(files.read_bytes(path), options, path=str(path))
    except OmniPortError as error:
        return Translation(str(path), error=error)
    except RecursionError:
        message = "the code is nested too deeply to work on"
        hint = "split the expression or the block, or leave this file out"
        return Translation(str(path), error=InputError(message, hint=hint, path=str(path)))
    except Exception:
        return Translation(str(path), error=InternalError(traceback.format_exc(), path=str(path)))


def translate_paths(
    paths: Sequence[Path], options: TranslateOptions | None = None, *, jobs: int = 1
) -> Iterator[Translation]:
    """Yield the translation of each file of *paths*, in order, with *jobs* processes."""
    options = options or TranslateOptions()
    if jobs <= 1 or len(paths) < _WORTH_A_POOL:
        yield from (translate_file(path, options) for path in paths)
        return
    # Here, for the many runs on one file that need none of it.
    from omni_port.methods.workers import Workers

    yield from Workers(_Work(options), _died, jobs).map(paths)


@dataclass(frozen=True, slots=True)
class _Work:
    options: TranslateOptions

    def __call__(self, path: Path) -> Translation:
        return translate_file(path, self.options)


def _died(path: Path, how: str) -> Translation:
    message = f"was not translated: {how} while it was at this file"
    hint = "if memory ran out, use fewer --jobs; the file was left as it was"
    return Translation(str(path), error=InputError(message, hint=hint, path=str(path)))
