"""Import statements: names leave them, others come, and no comment is lost."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import libcst as cst

from omni_codemods.names.import_nodes import (
    AnyImport,
    aliases,
    iter_nodes,
    make_import,
    with_item,
    with_module,
    with_new_item,
    without_item,
)
from omni_codemods.translate.transformers.changes import ChangedImport, NewImport

_PRAGMA = re.compile(r"#\s*(?:noqa|type:|isort:|pylint:|fmt:|pyright:|ruff:)")


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What is left of a statement, None if nothing, and what comes after it.

    Each new statement has a comment, or an empty one. *above* are comments that lost their place.
    """

    statement: AnyImport | None
    after: tuple[tuple[AnyImport, str], ...]
    above: tuple[str, ...]


@dataclass(slots=True)
class _Draft:
    statement: AnyImport | None
    added: list[tuple[NewImport, str]] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def rewrite_import(
    node: AnyImport, change: ChangedImport, *, shared: bool, newline: str = "\n"
) -> Rewritten:
    """What becomes of *node*; *shared* says that other statements stand on its line."""
    if isinstance(node, cst.Import):
        draft = _rewrite_plain(node, change)
    else:
        draft = _rewrite_from(node, change)
    if draft.statement is not None:
        for new in change.merged:
            host = cst.ensure_type(draft.statement, cst.ImportFrom)
            draft.statement = with_new_item(host, new.name, new.asname, newline)
        draft.added += [(new, "") for new in change.added]
    else:
        draft.added += [(new, "") for new in (*change.merged, *change.added)]
    if shared:
        # A comment would swallow what follows on the line.
        draft.lost += [comment for _, comment in draft.added if comment]
        draft.added = [(new, "") for new, _ in draft.added]
    if draft.statement is None and draft.added:
        first, comment = draft.added.pop(0)
        draft.statement = _make(first)
        draft.added = [line for line in draft.added if line[0] != first]
        draft.lost += [comment] if comment else []
    return Rewritten(draft.statement, tuple(_grouped(draft.added)), tuple(draft.lost))


def _make(new: NewImport) -> AnyImport:
    return make_import(new.module, new.name, new.asname)


def _rewrite_from(node: cst.ImportFrom, change: ChangedImport) -> _Draft:
    moved = dict(change.replaced)
    modules = {new.module if new.name else None for new in moved.values()}
    whole = len(moved) == len(aliases(node)) and not change.merged
    module = next(iter(modules), None)
    if whole and len(modules) == 1 and module is not None:
        for index, new in moved.items():
            node = with_item(node, index, new.name, new.asname)
        return _Draft(with_module(node, module))
    draft = _Draft(node)
    comments: dict[int, str] = {}
    for index in sorted({*moved, *change.removed}, reverse=True):
        left = cst.ensure_type(draft.statement, cst.ImportFrom)
        if len(aliases(left)) > 1:
            draft.statement, comments[index] = without_item(left, index)
        else:
            found = [one.value for one in iter_nodes(left) if isinstance(one, cst.Comment)]
            comments[index] = found.pop() if found and index in moved else ""
            draft.lost += found
            draft.statement = None
    for index, comment in sorted(comments.items()):
        moved_to = moved.get(index)
        if moved_to is None or any(moved_to == other for other, _ in draft.added):
            draft.lost += [comment] if comment else []
        else:
            draft.added.append((moved_to, comment))
    return draft


def _rewrite_plain(node: cst.Import, change: ChangedImport) -> _Draft:
    moved = dict(change.replaced)
    draft = _Draft(node)
    for index in reversed(range(len(aliases(node)))):
        new = moved.get(index)
        left = cst.ensure_type(draft.statement, cst.Import)
        if new is not None and not new.name:
            draft.statement = with_item(left, index, new.module, new.asname)
        elif new is not None or index in change.removed:
            draft.added[:0] = [(new, "")] if new is not None else []
            alone = len(aliases(left)) == 1
            draft.statement = None if alone else without_item(left, index)[0]
            if alone:
                break
    return draft


def _grouped(lines: Iterable[tuple[NewImport, str]]) -> list[tuple[AnyImport, str]]:
    """One statement for each module, with its comments, in the order the modules come up."""
    statements: dict[str, tuple[AnyImport, str]] = {}
    for new, comment in lines:
        key = new.module if new.name else f"import {new.module} as {new.asname}"
        trailing = f"  {comment}" if comment else ""
        if key in statements and new.name:
            node, before = statements[key]
            host = cst.ensure_type(node, cst.ImportFrom)
            statements[key] = with_new_item(host, new.name, new.asname), before + trailing
        else:
            statements[key] = _make(new), trailing
    return list(statements.values())


def may_go(comment: str) -> bool:
    """Whether a *comment* at the end of a line has no use without the import on it."""
    return _PRAGMA.match(comment) is not None
