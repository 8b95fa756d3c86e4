"""The counts of a translation of many files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from omni_codemods.findings.model import Severity
from omni_port.base.errors import ExitCode
from omni_port.methods.translate_files import Translation


@dataclass(slots=True)
class Tally:
    """Counts, grown by :meth:`add`: a run over a tree keeps no file longer than needed.

    *entries* are counted by their id and the status of the change, safe or conditional.
    """

    changed: int = 0
    unchanged: int = 0
    failed: int = 0
    safe: int = 0
    conditional: int = 0
    need_person: int = 0
    kept: int = 0
    entries: Counter[tuple[str, str]] = field(default_factory=Counter)
    worst: ExitCode = ExitCode.DONE

    def add(self, translation: Translation) -> None:
        """Count one file."""
        if translation.error is not None:
            self.failed += 1
            self.worst = max(self.worst, translation.error.exit_code)
        elif translation.changed:
            self.changed += 1
        else:
            self.unchanged += 1
        result = translation.result
        if result is not None:
            conditional = sum(change.status == "conditional" for change in result.changes)
            self.conditional += conditional
            self.safe += len(result.changes) - conditional
            self.need_person += sum(f.severity is not Severity.NOTE for f in result.findings)
            self.kept += len(result.kept)
            self.entries.update((change.entry, change.status) for change in result.changes)

    @property
    def translated(self) -> int:
        """How many names were translated."""
        return self.safe + self.conditional

    @property
    def files(self) -> int:
        """How many files were looked at."""
        return self.changed + self.unchanged + self.failed

    def exit_code(self, *, check: bool) -> ExitCode:
        """Return the run's exit code: the worst error, else whether *check* found changes."""
        if self.worst:
            return self.worst
        return ExitCode.WOULD_CHANGE if check and self.changed else ExitCode.DONE
