"""The translation of one text, from needle search to verified result."""

from __future__ import annotations

import ast
import functools

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.keep_comments import find_keeps
from omni_codemods.findings.model import Finding, TranslateResult
from omni_codemods.table.entries import BaseClass
from omni_codemods.table.table import Table, packaged
from omni_codemods.text.offsets import Source, index_lines
from omni_codemods.text.parsing import deep_code_named, parse_module
from omni_codemods.translate.collect import collect_facts
from omni_codemods.translate.decide import decide_references
from omni_codemods.translate.facts import Facts
from omni_codemods.translate.imports_plan import decide_imports
from omni_codemods.translate.index import build_index
from omni_codemods.translate.interest import Interest, find_interest
from omni_codemods.translate.moves import Mover
from omni_codemods.translate.needles import build_needles
from omni_codemods.translate.rules import (
    backend,
    by_name,
    choices,
    device,
    dotted_path,
    environment,
    exports,
    held,
    imports,
    report,
)
from omni_codemods.translate.rules.calls import translate_calls
from omni_codemods.translate.rules.fit import check_fit
from omni_codemods.translate.transformers.changes import Site
from omni_codemods.translate.widen import widen
from omni_codemods.translate.work import Edit, Meaning, Work, apply_edits

_KEEP = "omni-port:"
# How many variables one after the other a value is followed through.
_WALKS = 5


def translate(
    text: str, *, table: Table | None = None, dialect: str = "npu", only: str = ""
) -> TranslateResult:
    """Translate the module *text*.

    *table* is what :meth:`TableFile.select` returned; without one, the packaged Ascend table for
    its newest release. *dialect* is one of :data:`DIALECTS`; with *only* ``safe``, conditional
    entries are held back and reported. Line ends and everything outside the changes stay as they
    are. Positions in the result are 1-based lines and 0-based columns of
    *text*. Raises :class:`SourceError` for text that holds a name of interest but is not Python.

    >>> translate("import torch\\ntorch.cuda.synchronize()\\n").text
    'import torch\\ntorch.npu.synchronize()\\n'
    """
    table = table or _default_table()
    words = build_needles(table, dialect).find_words(text)
    if not words and _KEEP not in text:
        return TranslateResult(text)
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    body = text[len(bom) :]
    with deep_code_named({"": body}):
        work = _decide(body, parse_module(body), table, dialect, words, only=only)
        new = apply_edits(body, _written(work))
        if new != body:
            _verify(new)
    return _result(work, bom + new)


def decide(
    text: str,
    tree: ast.Module,
    *,
    table: Table | None = None,
    dialect: str = "npu",
    only: str = "",
    meaning: Meaning | None = None,
) -> tuple[tuple[Site, ...], TranslateResult]:
    """What is to become of the module *text*, and the result with that text as it is.

    *tree* is that of *text*, from whichever parser. *meaning* is asked, where it is given, what
    each name stands for that would go; one that it knows otherwise stays, with a finding.
    """
    table = table or _default_table()
    words = build_needles(table, dialect).find_words(text)
    if not words and _KEEP not in text:
        return (), TranslateResult(text)
    with deep_code_named({"": text}):
        work = _decide(text, tree, table, dialect, words, meaning, only)
    return tuple(work.sites), _result(work, text)


def _result(work: Work, text: str) -> TranslateResult:
    findings = (*work.findings, *work.keeps.findings())
    return TranslateResult(
        text,
        tuple(sorted(work.changes, key=lambda c: (c.line, c.column))),
        tuple(_in_order(findings)),
        tuple(_in_order(work.kept)),
    )


def _written(work: Work) -> list[Edit]:
    """The expressions that change, written by libcst; what does not change never loads it."""
    if not work.sites:
        return []
    from omni_codemods.translate.transformers.writing import write_text

    return [Edit(*written) for written in write_text(work.source, work.sites)]


def _decide(
    text: str,
    tree: ast.Module,
    table: Table,
    dialect: str,
    words: tuple[str, ...],
    meaning: Meaning | None = None,
    only: str = "",
) -> Work:
    source = index_lines(text)
    index = build_index(table, dialect)
    interest = find_interest(source, tree, index, words)
    facts = _collect(source, tree, interest)
    for statement in tree.body:
        if not isinstance(statement, ast.ImportFrom) or statement.names[0].name == "*":
            continue
        module = "." * statement.level + (statement.module or "")
        facts.from_imports.setdefault(module, []).append(statement)
    redirected = frozenset(
        reference.path or ""
        for reference in facts.references
        if reference.stored and reference.chain
    )
    shared = held.find_shared(tree, interest, words)
    work = Work(source, facts, index, find_keeps(text), redirected, meaning, only, shared)
    mover = Mover(work)
    work.frozen = choices.find_frozen(work)
    mover.run(decide_references(work))
    decide_imports(work, mover.plan)
    translate_calls(work, mover.moved)
    check_fit(work, mover.moved)
    exports.follow_exports(work, mover.renamed)
    device.translate_devices(work, mover.moved)
    backend.translate_backends(work)
    environment.translate_environment(work)
    dotted_path.translate_dotted_paths(work)
    by_name.report_by_name(work)
    held.report_packages(work, tree)
    imports.report_imports(work)
    imports.report_type_comments(work)
    bases_moved = any(isinstance(move.entry, BaseClass) for move in mover.moved.values())
    report.report_members(work, bases_moved)
    return work


def _collect(source: Source, tree: ast.Module, interest: Interest) -> Facts:
    """The facts of *tree*, collected again as long as they lead to further variables."""
    facts = collect_facts(source, tree, interest)
    for _ in range(_WALKS):
        wider = widen(source, facts, interest)
        if wider is None:
            break
        interest = wider
        facts = collect_facts(source, tree, interest)
    return facts


def _verify(text: str) -> None:
    try:
        parse_module(text)
    except OmniCodemodsError as error:
        raise AssertionError(
            f"the translation is not Python any more: {error.message} (line {error.line})"
        ) from error


def _in_order(findings: list[Finding] | tuple[Finding, ...]) -> list[Finding]:
    return sorted(dict.fromkeys(findings), key=lambda f: (f.line, f.column, f.code))


@functools.lru_cache(maxsize=1)
def _default_table() -> Table:
    return packaged().select(None)
