"""What import statements themselves say: names to report, to note, or that only look alike."""

from __future__ import annotations

import re

from omni_codemods.findings.translate_codes import OTHER_NAME, STAR_IMPORT, TYPE_COMMENT
from omni_codemods.names.scopes import BindingKind, Guard, imported_path
from omni_codemods.table.entries import BaseClass, Leave, Report, Symbol
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.translate.rules import leave, namespace, report
from omni_codemods.translate.work import Work

_TYPE_COMMENT = re.compile(r"#\s*type:\s*(?!ignore\b)([^\r\n#]+)")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def report_imports(work: Work) -> None:
    """Report and note imported names that stay, and star imports that may bring GPU names."""
    lookalikes = _lookalikes(work)
    for scope in work.facts.scopes:
        for bindings in scope.bindings.values():
            for binding in bindings:
                if binding.kind is BindingKind.IMPORT and binding.alias is not None:
                    offset = work.source.span(binding.alias)[0]
                    if binding.guard is not Guard.BOTH and not work.is_kept((offset, offset + 1)):
                        _report_import(work, binding.path, offset, lookalikes)
    for star in work.facts.stars:
        names = _names_of(work, star.module)
        if names:
            work.report(STAR_IMPORT, star.offset, f"from {star.module} import * may bring {names}")


def report_type_comments(work: Work) -> None:
    """Report GPU names in type comments, which stay as comments do."""
    if "type:" not in work.source.text:
        return
    for comment in _TYPE_COMMENT.finditer(work.source.text):
        for name in _DOTTED.finditer(comment[1]):
            root, _, rest = name.group().partition(".")
            path = imported_path(work.facts.module, root)
            full = f"{path}.{rest}" if rest else path
            if full and (found := work.index.find(full)) and found[1] in work.index.answers:
                offset = comment.start(1) + name.start()
                work.report(TYPE_COMMENT, offset, f"{name.group()} in a type comment stays")


def _report_import(work: Work, path: str, offset: int, lookalikes: dict[str, str]) -> None:
    found = work.index.find(path)
    if found is None:
        namespace.report_unknown_import(work, path, offset)
        last = last_part(path)
        npu = {answer.path for answer in work.index.answers.values()}
        if last in lookalikes and last != path and path not in npu:
            work.leave(OTHER_NAME, offset, f"{path} is not {lookalikes[last]}, and stays")
    elif isinstance(found[0], Report) and found[0].why != "member":
        report.report_import(work, found[0], offset)
    elif isinstance(found[0], Leave) and found[1] == path:
        leave.note_import(work, found[0], offset)


def _lookalikes(work: Work) -> dict[str, str]:
    found: dict[str, str] = {}
    for path, entry in work.index.paths.items():
        if isinstance(entry, (Symbol, BaseClass)) and work.index.namespace_of(path) is None:
            found.setdefault(last_part(path), path)
    return found


def _names_of(work: Work, module: str) -> str:
    if work.index.namespace_of(module) is not None:
        return "GPU names"
    text = work.source.text
    names = [
        last_part(path)
        for path in work.index.answers
        if owner_of(path) == module and re.search(rf"\b{path.rpartition('.')[2]}\b", text)
    ]
    return ", ".join(names)
