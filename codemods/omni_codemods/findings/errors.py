"""Why an input cannot be processed. Each error says what, where, and what to do."""

from __future__ import annotations


class OmniCodemodsError(Exception):
    """Root of the library's errors.

    *message* says what is wrong, *hint* what to do; *line* (1-based) and *column* (0-based)
    are ``None`` where no single place is at fault. *side* names which of several inputs is
    meant (``local``, ``base``, ``target``, ``table``...), empty where there is only one.
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        line: int | None = None,
        column: int | None = None,
        side: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.line = line
        self.column = column
        self.side = side


class SourceError(OmniCodemodsError):
    """Text that is not Python, or that cannot be taken apart and put together unchanged."""


class FenceError(OmniCodemodsError):
    """Fences in the function at hand that do not pair."""


class MethodNotFound(OmniCodemodsError):
    """No function of that name; the hint names close ones."""


class NotACopy(OmniCodemodsError):
    """The local function and its base have nothing in common: there is nothing to rebase."""


class TableError(OmniCodemodsError):
    """A translation table that does not keep to its schema, or contradicts itself."""
