"""How a person names code: ``[REPO@REV:]PATH[::QUALNAME]``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from omni_port.base.errors import AddressError

# The last @ that is not part of HEAD@{1}; the first colon after it ends the revision.
_REVISION = re.compile(r"(?P<repository>[^:]*)@(?!\{)(?P<revision>[^:]+):(?P<path>.*)", re.DOTALL)
_QUALNAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_HINT = "an address is [REPO@REV:]PATH[::QUALNAME], such as ../vllm@v0.18.0:vllm/x.py::Runner.run"


@dataclass(frozen=True, slots=True)
class Address:
    """A place in a file of the working tree, or in one of a repository at a revision.

    *repository* and *revision* are both ``None`` for the working tree. *qualname* is a dotted
    name, ``None`` for the whole file.
    """

    path: str
    repository: str | None = None
    revision: str | None = None
    qualname: str | None = None

    def __str__(self) -> str:
        prefix = "" if self.revision is None else f"{self.repository}@{self.revision}:"
        suffix = "" if self.qualname is None else f"::{self.qualname}"
        return f"{prefix}{self.path}{suffix}"


def parse_address(text: str) -> Address:
    """Return the address that *text* spells; raises AddressError.

    ``@REV:PATH`` means the repository of the current folder.
    """
    place, separator, qualname = text.rpartition("::")
    if not separator:
        place, qualname = text, ""
    elif not _QUALNAME.fullmatch(qualname):
        raise AddressError(f"{text!r}: {qualname!r} is not a qualified name", hint=_HINT)
    repository, revision, path = _split(place, text)
    return Address(path, repository, revision, qualname or None)


def _split(place: str, text: str) -> tuple[str | None, str | None, str]:
    match = _REVISION.fullmatch(place)
    if match is None:
        if ":" in place:
            message = f"{text!r}: a path may contain a colon only after REPO@REV"
            raise AddressError(message, hint=_HINT)
        if not place:
            raise AddressError(f"{text!r} names no path", hint=_HINT)
        return None, None, place
    revision = match["revision"]
    if revision.startswith("-"):
        message = f"{text!r}: a revision that starts with '-' would be an option to git"
        raise AddressError(message, hint="write the tag, the branch or the commit")
    if not match["path"]:
        raise AddressError(f"{text!r} names no path", hint="write REPO@REV:. for the whole tree")
    return match["repository"] or ".", revision, match["path"]
