"""Sync, end to end: the GPU sibling's files and the NPU copy's file in, the synced file out."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from omni_codemods.account import Item
from omni_codemods.assemble import conflicts, margin, outcomes, parse, spliced
from omni_codemods.errors import MethodNotFound, NotACopy, SourceError
from omni_codemods.hunks import hide_hunks, show_hunks
from omni_codemods.lexer import split_lines
from omni_codemods.locate import Located, locate, parse_module
from omni_codemods.model import Finding, Outcome, RebaseResult, Severity, Span
from omni_codemods.needs import Rebuilt, settle_imports
from omni_codemods.printing import Labels, print_lines, side_text
from omni_codemods.reconstruct import function_fences, indent_unit, with_unit
from omni_codemods.sync import Synced, find_downstream, sync_trees
from omni_codemods.table import Table
from omni_codemods.translate import translate
from omni_codemods.travel import Upstreams
from omni_codemods.tree import Tree

_PLAIN = Labels("NPU copy", "sibling before", "sibling after")


@dataclass(frozen=True, slots=True)
class Sibling:
    """The GPU runner that an NPU runner mirrors, before and after, as the texts of whole files.

    *cls* is the sibling's class. *package* is the downstream's top-level package
    (``vllm_omni``), by which its own code is told. With *upstream_base* and *upstream_target*,
    the sibling's upstream files at both ends, that is exact. *table* is the translation table,
    by default the packaged one at its newest.
    """

    base: str
    target: str
    cls: str | None = None
    package: str | None = None
    module: str | None = None
    upstream_base: str | None = None
    upstream_target: str | None = None
    upstream_class: str | None = None
    table: Table | None = None


def sync_method(
    *,
    local: str,
    sibling: Sibling,
    method: str,
    local_class: str | None = None,
    upstream: str | None = None,
    labels: Labels = _PLAIN,
) -> RebaseResult:
    """Replay on *method* of *local* what the sibling's method gained between two releases.

    *local* is the text of the NPU file, *upstream* that of the function that its method is a
    copy of, where it is known: what stands there too is not the copy's own. Both versions of the
    sibling are translated by the table first. What is not surely the downstream's own change is
    an edit with the outcome ``proposed``, and not in the text.

    Returns the whole local text and one edit for each change of the sibling; edits' spans are
    lines of the sibling's newer file. Raises
    :class:`~omni_codemods.errors.MethodNotFound` (*side* ``local``, ``gpu-base`` or
    ``gpu-target``), :class:`~omni_codemods.errors.SourceError`, and
    :class:`~omni_codemods.errors.NotACopy` where the sibling and the copy share nothing.
    """
    plain, hidden = hide_hunks(local)
    where = locate(plain, method, local_class, side="local")
    before, after = (
        _translated(text, sibling, side)
        for text, side in ((sibling.base, "gpu-base"), (sibling.target, "gpu-target"))
    )
    old = locate(before, method, sibling.cls, side="gpu-base")
    new = locate(after, method, sibling.cls, side="gpu-target")
    synced = _sync(where, old, new, plain, after, sibling, upstream)
    if synced is None:
        return RebaseResult(local, where.qualname)
    owners = {n: i for i in synced.items for n in range(i.start, i.end + 1) if i.outcomes}
    printed = print_lines(synced.rendered, labels, margin(where.text), owners)
    text = spliced(plain, where, printed)
    ours, theirs = (
        side_text(synced.rendered, side, margin(where.text)) for side in ("local", "target")
    )
    rebuilt = Rebuilt(where.text, (ours, theirs), where.start, old.text, new.text)
    needs = settle_imports(text, rebuilt, after, sibling.module)
    shown = show_hunks(needs.text, hidden)
    if shown is None:
        return RebaseResult(local, where.qualname)
    start = where.start + needs.text.count("\n") - text.count("\n")
    findings = [replace(f, line=f.line + start - where.start) for f in needs.findings]
    findings += _missing_helpers(synced.items, after, plain, sibling.cls, local_class, new)
    return RebaseResult(
        shown,
        where.qualname,
        outcomes(synced.items, printed, new.start, start),
        conflicts(printed, start, margin(where.text)),
        tuple(findings),
        tuple(i.render() for i in needs.added),
        tuple(i.render() for i in needs.removed),
    )


def _translated(text: str, sibling: Sibling, side: str) -> str:
    try:
        return translate(text, table=sibling.table).text
    except SourceError as error:
        error.side = side
        raise


def _sync(
    where: Located,
    old: Located,
    new: Located,
    plain: str,
    after: str,
    sibling: Sibling,
    upstream: str | None,
) -> Synced | None:
    copy = parse(where, "local")
    fences = function_fences(copy)
    unit, name = indent_unit(copy), where.qualname.rpartition(".")[2]
    trees = [
        with_unit(parse(x, s, name), unit) for x, s in ((old, "gpu-base"), (new, "gpu-target"))
    ]
    heads = None if upstream is None else _heads(parse(_whole(upstream), "target", name))
    fenced = frozenset(n for b in fences.blocks for n in range(b.span.start, b.span.end + 1))
    if not _share(trees[0], copy):
        raise NotACopy(
            "the NPU method and its GPU sibling have nothing in common",
            hint="check --gpu-base and --method",
            side="gpu-base",
        )
    return sync_trees(
        trees[0],
        trees[1],
        copy,
        downstream=find_downstream(after, plain, sibling.package),
        upstream=heads,
        fenced=fenced,
        upstreams=_upstreams(sibling, old.qualname.rpartition(".")[2], name, unit),
    )


def _whole(text: str) -> Located:
    return Located("", 1, text.count("\n") + 1, text)


def _heads(tree: Tree) -> frozenset[str]:
    return frozenset(n.head for n in tree.root.walk() if n.is_code and n.key)


def _share(before: Tree, copy: Tree) -> bool:
    return bool(_heads(before) & _heads(copy))


def _upstreams(sibling: Sibling, method: str, name: str, unit: str) -> Upstreams | None:
    if sibling.upstream_base is None or sibling.upstream_target is None:
        return None
    trees = []
    for text, side in (
        (sibling.upstream_base, "gpu-upstream-base"),
        (sibling.upstream_target, "gpu-upstream-target"),
    ):
        found = locate(_translated(text, sibling, side), method, sibling.upstream_class, side=side)
        trees.append(with_unit(parse(found, side, name), unit))
    return Upstreams(trees[0], trees[1])


def _missing_helpers(
    items: Sequence[Item],
    after: str,
    local: str,
    gpu_class: str | None,
    local_class: str | None,
    new: Located,
) -> Iterator[Finding]:
    """Methods that synced lines call on ``self``, that the sibling defines and the copy lacks."""
    lines = split_lines(after)
    theirs = _methods(after, gpu_class)
    ours = _methods(local, local_class)
    for item in items:
        if not any(o is not Outcome.PROPOSED for o, _, _ in item.outcomes):
            continue
        text = "".join(lines[new.start + item.start - 2 : new.start + item.end - 1])
        for name in theirs:
            if name not in ours and f"self.{name}(" in text:
                yield Finding(
                    "OP501",
                    new.start + item.start - 1,
                    0,
                    f"a synced line calls self.{name}, which the sibling defines and this class "
                    "does not",
                    "check that a base class has it; otherwise bring it over too",
                    Severity.WARNING,
                )


def _methods(text: str, cls: str | None) -> list[str]:
    wanted = (cls or "").rpartition(".")[2]
    return [
        n.name
        for c in ast.walk(parse_module(text))
        if isinstance(c, ast.ClassDef) and wanted in ("", c.name)
        for n in c.body
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def add_sync(result: RebaseResult, synced: RebaseResult) -> RebaseResult:
    """One account for a rebase and the sync after it; the rebase's places move along."""
    moved = _line_map(result.text, synced.text)

    def shift(span: Span | None) -> Span | None:
        return None if span is None else Span(moved(span.start), moved(span.end))

    edits = tuple(replace(e, result=shift(e.result)) for e in result.edits)
    return RebaseResult(
        synced.text,
        result.method,
        edits + synced.edits,
        tuple(replace(c, line=moved(c.line)) for c in result.conflicts) + synced.conflicts,
        tuple(replace(f, line=moved(f.line)) for f in result.findings) + synced.findings,
        result.imports_added + synced.imports_added,
        result.imports_removed + synced.imports_removed,
    )


def _line_map(before: str, after: str) -> Callable[[int], int]:
    """Where each line (1-based) of *before* went."""
    old, new = before.split("\n"), after.split("\n")
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    table = {b.a + n + 1: b.b + n + 1 for b in blocks for n in range(b.size)}

    def moved(line: int) -> int:
        near = line
        while near > 0 and near not in table:
            near -= 1
        return table.get(near, 1) + (line - near)

    return moved


def sync_after(
    result: RebaseResult,
    sibling: Sibling,
    method: str,
    local_class: str | None,
    upstream: str,
) -> RebaseResult:
    """Sync the result of a rebase; where the sibling has no such method, say so and go on."""
    try:
        synced = sync_method(
            local=result.text,
            sibling=sibling,
            method=method,
            local_class=local_class,
            upstream=upstream,
        )
    except (MethodNotFound, NotACopy) as error:
        note = Finding(
            "OP502", 1, 0, f"nothing was synced: {error.message}", error.hint, Severity.NOTE
        )
        return replace(result, findings=(*result.findings, note))
    return add_sync(result, synced)
