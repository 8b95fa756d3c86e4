"""Environment variables, where the environment is read or written."""

from __future__ import annotations

from omni_codemods.names import Guard
from omni_codemods.translate.facts import StringFact
from omni_codemods.translate.work import Work
from omni_codemods.translate_codes import BILINGUAL, KEPT_BY_COMMENT, LEFT_ON_PURPOSE

_CALLEES = {
    "os.getenv",
    "os.putenv",
    "os.unsetenv",
    "os.environ.get",
    "os.environ.pop",
    "os.environ.setdefault",
}


def translate_environment(work: Work) -> None:
    """Rename variables in ``os.environ[...]``, ``os.getenv(...)`` and the like."""
    for fact in work.facts.strings:
        entry = work.index.environment.get(fact.value)
        if entry is None or fact.formatted or fact.fuzzy:
            continue
        start, end = fact.span
        if not _in_position(fact):
            work.leave(LEFT_ON_PURPOSE, start, f"{entry.gpu} is not read from the environment here")
        elif work.is_kept(fact.span):
            work.leave(KEPT_BY_COMMENT, start, f"{entry.gpu} is kept by a comment")
        elif fact.guard is not Guard.NONE or _names(work, entry.npu):
            work.leave(BILINGUAL, start, f"{entry.gpu}: this module also names {entry.npu}")
        elif work.source.text[start + 1 : end - 1] == entry.gpu:
            work.edit((start + 1, end - 1), entry.npu)
            work.changed(entry, start, f'"{entry.gpu}"', f'"{entry.npu}"')


def _in_position(fact: StringFact) -> bool:
    path = fact.place.callee.path if fact.place.callee is not None else None
    if fact.place.kind in ("subscript", "contained"):
        return path == "os.environ"
    return fact.place.kind in ("argument", "method") and path in _CALLEES


def _names(work: Work, variable: str) -> bool:
    text = work.source.text
    return f'"{variable}"' in text or f"'{variable}'" in text
