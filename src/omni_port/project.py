"""The project's configuration: ``omni-port.toml``, or ``[tool.omni-port]`` of pyproject.toml."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import msgspec

from omni_port.errors import ConfigurationError


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What a project may configure; the command line has the last word.

    *tables* are paths relative to the configuration file (absolute once loaded), *exclude* are
    patterns as in ``.gitignore``.
    """

    target: str | None = None
    dialect: str | None = None
    tables: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


def load_settings(folder: Path) -> Settings:
    """Return the settings that hold in *folder*: those of the nearest configuration upward.

    Raises ConfigurationError, naming the file and the key. Without a configuration every setting
    has its default.
    """
    for parent in (folder, *folder.parents):
        own = parent / "omni-port.toml"
        if own.is_file():
            return _convert(_load(own), own)
        shared = parent / "pyproject.toml"
        if shared.is_file():
            tools = _load(shared).get("tool")
            if isinstance(tools, dict) and "omni-port" in tools:
                return _convert(tools["omni-port"], shared)
        if (parent / ".git").exists():
            break
    return Settings()


def _load(path: Path) -> dict[str, object]:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, object])
    except (OSError, ValueError) as error:
        hint = "mend the TOML at that place"
        raise ConfigurationError(str(error), hint=hint, path=str(path)) from error


def _convert(section: object, path: Path) -> Settings:
    try:
        settings = msgspec.convert(section, Settings)
    except msgspec.ValidationError as error:
        raise ConfigurationError(str(error), hint=_hint(str(error)), path=str(path)) from error
    tables = tuple(str(path.parent / table) for table in settings.tables)
    return msgspec.structs.replace(settings, tables=tables)


def _hint(message: str) -> str:
    known = [field.encode_name for field in msgspec.structs.fields(Settings)]
    unknown = re.search(r"unknown field `([^`]*)`", message)
    close = difflib.get_close_matches(unknown[1], known, 1) if unknown else []
    return f"did you mean {close[0]!r}?" if close else "known: " + ", ".join(known)
