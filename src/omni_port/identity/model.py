"""The values of an identity."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from omni_port.project.settings import OverrideSettings
from omni_port.revisions import Checkout

# What a person overrides to go on in spite of evidence that disagrees.
RULE = "identity-conflict"
# The same for files that an earlier upgrade has carried, and no record tells of it.
AGAIN = "upgraded-already"
BASE = "base"
SIBLINGS = "siblings"


class How(enum.Enum):
    """How an end was found."""

    CONFIGURED = "configured"
    NOTES = "notes at copies"
    PINNED = "pinned"
    PROVENANCE = "by provenance"
    WORKING_TREE = "working tree"


@dataclass(frozen=True, slots=True)
class End:
    """One revision that the upgrade is about.

    *name* is the upstream's, or ``siblings``; *end* is ``current``, ``target``, or ``base`` for
    what *port* alone says. *spelling* is as configured, or as the evidence (*found_in*) says it.
    *revision* is the full SHA in *repository*; *digest* the SHA-256 of the Python files, where it
    is a folder or a working tree. Neither is there where each method's own base is looked for.
    *version* is that of a tag there or of the unpacked release, *commit* the short SHA that the
    release was built from, where its files say so. *note* is what one should know of the spelling.
    *checkout* is the state of the repository, or of the folder, if it stands in one.
    """

    name: str
    end: str
    spelling: str
    how: How
    repository: str | None = None
    revision: str | None = None
    digest: str | None = None
    version: str | None = None
    commit: str | None = None
    found_in: str = ""
    port: str = ""
    note: str = ""
    checkout: Checkout | None = None

    @property
    def label(self) -> str:
        """The spelling with the short SHA or digest: for messages."""
        if self.revision is not None:
            short = self.revision[:12]
            return (
                short if self.revision.startswith(self.spelling) else f"{self.spelling} ({short})"
            )
        if self.digest is not None:
            return f"{self.spelling or 'the working tree'} (files {self.digest[:12]})"
        return "what each method was made from"

    @property
    def is_frozen(self) -> bool:
        """Whether it is one commit, or one set of files."""
        return self.revision is not None or self.digest is not None

    def same_as(self, other: End) -> bool:
        """Whether both are the same commit, or the same files."""
        pairs = ((self.revision, other.revision), (self.digest, other.digest))
        return any(one is not None and one == another for one, another in pairs)

    def to_json(self) -> dict[str, Any]:
        """Return it for a JSON document."""
        fields = asdict(self)
        return {**fields, "how": self.how.value, "checkout": _checkout_json(self.checkout)}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Evidence that names another revision than the configuration; it blocks the upgrade.

    *places* are ``path:line`` of the evidence, or nothing; *port* is the one that it is about,
    empty for all. *rule* is the rule of the gate that it falls under.
    """

    name: str
    end: str
    message: str
    hint: str
    places: tuple[str, ...] = ()
    port: str = ""
    rule: str = RULE


@dataclass(frozen=True, slots=True)
class Identity:
    """The project's own checkout (``None`` without git), every end, and what disagrees.

    *remarks* are worth knowing and stop nothing.
    """

    root: str
    checkout: Checkout | None
    ends: tuple[End, ...]
    conflicts: tuple[Disagreement, ...] = ()
    remarks: tuple[str, ...] = field(default=())

    def end(self, name: str, end: str) -> End | None:
        """Return the *end* (``current``, ``target``) of an upstream or of ``siblings``."""
        found = (e for e in self.ends if (e.name, e.end, e.port) == (name, end, ""))
        return next(found, None)

    def blocking(self, overrides: Iterable[OverrideSettings] = ()) -> tuple[Disagreement, ...]:
        """Return the disagreements that no one of *overrides* answers."""
        patterns = [one.port for one in overrides if one.rule == RULE]
        return tuple(
            one for one in self.conflicts if not any(fnmatchcase(one.port, p) for p in patterns)
        )

    def to_json(self) -> dict[str, Any]:
        """Return it for a JSON document."""
        return {
            "root": self.root,
            "checkout": _checkout_json(self.checkout),
            "ends": [end.to_json() for end in self.ends],
            "conflicts": [asdict(one) | {"rule": RULE} for one in self.conflicts],
            "remarks": list(self.remarks),
        }


def _checkout_json(checkout: Checkout | None) -> dict[str, Any] | None:
    return None if checkout is None else asdict(checkout)
