"""All checks of one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from omni_codemods.checks.blocks import check_blocks
from omni_codemods.checks.conflicts import check_conflicts
from omni_codemods.checks.contract import check_contract
from omni_codemods.checks.doubles import check_doubles
from omni_codemods.checks.gpu_names import check_gpu_names
from omni_codemods.checks.imports import Where
from omni_codemods.checks.keywords import check_keywords
from omni_codemods.checks.misfit import Misfit, Trust
from omni_codemods.checks.unbound import check_unbound
from omni_codemods.findings.check_codes import NOT_PYTHON
from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.functions.fences import parse_fences
from omni_codemods.sources.guards import Versions
from omni_codemods.sources.kin import Kin
from omni_codemods.sources.modules import Sources
from omni_codemods.sources.subject import Subject, make_subject
from omni_codemods.table.table import Table
from omni_codemods.text.lexer import split_lines
from omni_codemods.text.parsing import deep_code_named, parse_module


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What files are checked against.

    *sources* are the trees; they keep what they have parsed for the next file. *where* tells the
    modules that define a name. *table* is the table of GPU names, by default the packaged
    one; without *npu* a file is GPU code, and its GPU names are right. *kin* are the local files
    together, by default the one that is checked; *versions* those of the packages. *misfits* are
    what the contract says where that was read before, with columns in characters.
    """

    sources: Sources = field(default_factory=lambda: Sources({}))
    where: Where | None = None
    table: Table | None = None
    npu: bool = True
    kin: Kin | None = None
    versions: Versions = field(default_factory=Versions)
    misfits: Sequence[Misfit] | None = None


@dataclass(frozen=True, slots=True)
class Gpu:
    """The GPU sibling of a file: its text, and its dotted name, where it has one."""

    text: str
    module: str | None = None


def check_text(
    text: str,
    options: CheckOptions | None = None,
    *,
    module: str | None = None,
    package: bool = False,
    old: str | None = None,
    gpu: Gpu | None = None,
) -> tuple[Finding, ...]:
    """Return all findings of the file *text*, in the order of their places.

    *module* is its dotted name, where it has one; *package* says that it is an ``__init__.py``;
    *old* is the text of the copy before the upgrade, *gpu* the sibling. Positions are those of
    *text*. Raises SourceError where *old* or *gpu* (the error's *side*) is not Python; a *text*
    that is not is a finding.
    """
    options = options or CheckOptions()
    sibling = None if gpu is None else _sibling(gpu)
    found = [*check_conflicts(text)]
    clean = blank_hunks(text)
    try:
        with deep_code_named({"": clean}):
            subject = make_subject(
                clean,
                options.sources,
                module=module,
                package=package,
                kin=options.kin if options.misfits is None else Kin(()),
                versions=options.versions,
            )
            found += _check(subject, options)
            if sibling is not None:
                found += _in_characters([*check_keywords(subject, sibling)], clean)
        if old is not None:
            found += check_blocks(clean, blank_hunks(old), conflicted=text)
    except SourceError as error:
        if error.side == "old":
            raise
        found.append(_not_python(error))
    return tuple(sorted(dict.fromkeys(found), key=lambda f: (f.line, f.column, f.code)))


def _sibling(gpu: Gpu) -> Subject:
    parse_module(gpu.text, "gpu")
    return make_subject(gpu.text, Sources({}), module=gpu.module)


def _check(subject: Subject, options: CheckOptions) -> Iterator[Finding]:
    yield from parse_fences(subject.text).findings
    if options.npu:
        yield from check_gpu_names(subject.text, options.table)
    known = options.misfits
    if known is not None:
        yield from (one.finding for one in known if _is_told(one))
    made = () if known is not None else check_contract(subject, options.where)
    told = (one.finding for one in made if _is_told(one))
    found = [*check_doubles(subject), *told, *check_unbound(subject)]
    yield from _in_characters(found, subject.text)


def _is_told(one: Misfit) -> bool:
    return one.trust is not Trust.UNSEEN


def _in_characters(found: Sequence[Finding], text: str) -> Iterator[Finding]:
    """Columns of :mod:`ast` count bytes."""
    lines = split_lines(text)
    for one in found:
        before = lines[one.line - 1].encode()[: one.column]
        yield replace(one, column=len(before.decode(errors="ignore")))


def _not_python(error: SourceError) -> Finding:
    line, column = error.line or 1, error.column or 0
    return Finding(NOT_PYTHON.code, line, column, error.message, error.hint, Severity.ERROR)
