"""What the reports need to know of a rebase or a sync."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from omni_codemods.findings.model import RebaseResult
from omni_port.base.errors import ExitCode
from omni_port.sources.file_at import Located


class Account(Protocol):
    """A method rebuilt, its sides by the names of their options.

    *judged* says by what the sibling's own changes were told, ``None`` where there is none;
    *how* tells of sides that nobody gave how they were found.
    """

    @property
    def command(self) -> str: ...  # noqa: D102
    @property
    def local(self) -> Located: ...  # noqa: D102
    @property
    def sides(self) -> Mapping[str, Located]: ...  # noqa: D102
    @property
    def how(self) -> Mapping[str, str]: ...  # noqa: D102
    @property
    def result(self) -> RebaseResult: ...  # noqa: D102
    @property
    def policy(self) -> str | None: ...  # noqa: D102
    @property
    def target_method(self) -> str | None: ...  # noqa: D102
    @property
    def judged(self) -> str | None: ...  # noqa: D102
    @property
    def changed(self) -> bool: ...  # noqa: D102
    @property
    def exit_code(self) -> ExitCode: ...  # noqa: D102

    def diffs(self) -> Iterator[tuple[str, str]]:
        """Yield what the other sides did, each diff with a title."""
        ...
