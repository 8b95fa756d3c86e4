"""What can go wrong, and the exit code that says so."""

from __future__ import annotations

import enum
from typing import ClassVar

from omni_codemods.findings.errors import OmniCodemodsError, SourceError, TableError
from omni_port.base.shown import safe_name


class ExitCode(enum.IntEnum):
    """The process's exit code. ``--format`` never changes it."""

    DONE = 0
    WOULD_CHANGE = 1
    USAGE = 2
    PERSON = 3
    INPUT = 4
    BUG = 70
    INTERRUPTED = 130

    @property
    def meaning(self) -> str:
        """One sentence for the documentation."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitCode.DONE: "Done: nothing is left to do.",
    ExitCode.WOULD_CHANGE: "`--check` found something: a file would change, or a check failed.",
    ExitCode.USAGE: "The command line, the configuration or a table is wrong. Nothing was written.",
    ExitCode.PERSON: "The result is there, and a person must decide something in it: a conflict, "
    "an orphan, a name that nothing binds.",
    ExitCode.INPUT: "An input cannot be processed. That input is left as it was.",
    ExitCode.BUG: "A bug in omni-port. Nothing was written.",
    ExitCode.INTERRUPTED: "Interrupted, or the reader of the output went away. "
    "Every file is whole: old or new.",
}


class OmniPortError(Exception):
    """Root of the shell's errors.

    *message* says what is wrong, *hint* what to do; *path*, *line* (1-based) and *column*
    (0-based) say where, as far as that is known.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.INPUT

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        path: str = "",
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path = path
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive the default, and workers send errors back.
        return _rebuild, (type(self), self.message, self.hint, self.path, self.line, self.column)

    @property
    def place(self) -> str:
        """``path:line:column``, as much of it as is known; columns are printed 1-based."""
        parts = [safe_name(self.path)] if self.path else []
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column + 1))
        return ":".join(parts)


class UsageError(OmniPortError):
    """The command line, the configuration or a table is wrong."""

    exit_code = ExitCode.USAGE


class AddressError(UsageError):
    """Not an address: ``[REPO@REV:]PATH[::QUALNAME]``."""


class ConfigurationError(UsageError):
    """A configuration file or a translation table that does not keep to its schema."""


class UndecidedError(OmniPortError):
    """A person must decide something before this can be done."""

    exit_code = ExitCode.PERSON


class InputError(OmniPortError):
    """An input cannot be processed."""

    exit_code = ExitCode.INPUT


class RevisionError(InputError):
    """A repository, a revision, or a path in it that is not there."""


class InternalError(OmniPortError):
    """Our bug."""

    exit_code = ExitCode.BUG


class VerificationError(InternalError):
    """A result breaks a promise, and was not written."""


def from_library(error: OmniCodemodsError, *, path: str = "", text: str = "") -> OmniPortError:
    """Return the shell's error for one of the library, standing in *path*.

    Where the *text* of that is no Python for a conflict that is left in it, it says so.
    """
    if isinstance(error, SourceError) and (line := _conflict_line(text)):
        hint = "decide between its sides first, or put the file back to what it was"
        return InputError("a conflict is left here", hint=hint, path=path, line=line)
    kind = ConfigurationError if isinstance(error, TableError) else InputError
    said = not error.side or error.message.startswith(error.side)
    message = error.message if said else f"{error.side}: {error.message}"
    return kind(message, hint=error.hint, path=path, line=error.line, column=error.column)


def _conflict_line(text: str) -> int | None:
    from omni_codemods.functions.conflict_markers import HUNK

    hunk = HUNK.search(text)
    return None if hunk is None else text.count("\n", 0, hunk.start()) + 1


def _rebuild(
    kind: type[OmniPortError],
    message: str,
    hint: str,
    path: str,
    line: int | None,
    column: int | None,
) -> OmniPortError:
    return kind(message, hint=hint, path=path, line=line, column=column)
