"""Environment variables, where the environment is read or written."""

from __future__ import annotations

from omni_codemods.findings.translate_codes import (
    BILINGUAL,
    DYNAMIC_NAME,
    FORMAT_STRING,
    GUARDED,
    KEPT_BY_COMMENT,
    LEFT_ON_PURPOSE,
)
from omni_codemods.names.scopes import Guard
from omni_codemods.translate.facts import StringFact
from omni_codemods.translate.rules.held import report_held
from omni_codemods.translate.transformers.changes import ReplacedText, Target
from omni_codemods.translate.work import Work

_CALLEES = {
    "os.getenv",
    "os.putenv",
    "os.unsetenv",
    "os.environ.get",
    "os.environ.pop",
    "os.environ.setdefault",
}


def translate_environment(work: Work) -> None:
    """Rename variables in ``os.environ[...]``, ``os.getenv(...)`` and the like.

    Elsewhere the name stays; that is reported where the module's own reads or writes went.
    """
    facts = [f for f in work.facts.strings if f.value in work.index.environment and not f.formatted]
    gone = {fact.value for fact in facts if _in_position(fact) and _translate(work, fact)}
    for fact in facts:
        if _in_position(fact) or work.is_kept(fact.span):
            continue
        if fact.value in gone:
            message = f"{fact.value} stays here, and is another variable elsewhere in this module"
            work.report(DYNAMIC_NAME, fact.span[0], message)
        else:
            message = f"{fact.value} is not read from the environment here"
            work.leave(LEFT_ON_PURPOSE, fact.span[0], message)


def _translate(work: Work, fact: StringFact) -> bool:
    """Whether *fact* was renamed; if not, that is noted or reported."""
    entry = work.index.environment[fact.value]
    start, end = fact.span
    if work.is_kept(fact.span):
        work.leave(KEPT_BY_COMMENT, start, f"{entry.gpu} is kept by a comment")
    elif report_held(work, entry, fact.span, fact.guard):
        pass
    elif fact.guard is Guard.GPU:
        work.report(GUARDED, start, f"{entry.gpu} belongs to code for the GPU only")
    elif fact.guard is Guard.BOTH or _names(work, entry.npu):
        work.leave(BILINGUAL, start, f"{entry.gpu}: this module also names {entry.npu}")
    elif fact.fuzzy or work.source.text[start + 1 : end - 1] != entry.gpu:
        work.report(FORMAT_STRING, start, f"{entry.gpu} was left: its place is not certain")
    else:
        work.change(Target.STRING, start, ReplacedText(entry.gpu, entry.npu), fact.span)
        work.changed(entry, start, f'"{entry.gpu}"', f'"{entry.npu}"')
        return True
    return False


def _in_position(fact: StringFact) -> bool:
    path = fact.place.callee.path if fact.place.callee is not None else None
    if fact.place.kind in ("subscript", "contained"):
        return path == "os.environ"
    return fact.place.kind in ("argument", "method") and path in _CALLEES


def _names(work: Work, variable: str) -> bool:
    text = work.source.text
    return f'"{variable}"' in text or f"'{variable}'" in text
