"""The base of a copy that nobody named, found in the history of its upstream."""

from __future__ import annotations

from dataclasses import dataclass, replace

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.provenance.provenance import COPY
from omni_codemods.provenance.renamed import find_patched
from omni_codemods.text.outline import Located as Function
from omni_codemods.text.outline import locate
from omni_port import revisions
from omni_port.base.address import Address
from omni_port.base.errors import InputError, UsageError
from omni_port.base.words import count
from omni_port.sources.file_at import Located, class_of
from omni_port.sources.history import Ranking, Versions

# The next best version differs by so many tokens more, or the base is not sure.
_SURE = 10


@dataclass(frozen=True, slots=True)
class Base:
    """Where a copy was made from, *how* that was found in one line, and whether it is *sure*."""

    address: Address
    how: str
    sure: bool


def find_base(
    local: Located, method: str, target: Address, *, base_method: str | None = None
) -> Base:
    """Return the version of the upstream that *method* of *local* was copied from.

    Candidates are the tags in the history of *target* that have its file, and then the commits
    between those around the best one. *base_method* is the upstream's name of the method, where it
    is another. Raises UsageError where *target* is no revision, InputError where local is no copy
    of any version, and what reading raises.
    """
    if target.repository is None or target.revision is None:
        message = "no --base is given, and the target is a file without a history"
        hint = "give --base; `omni-port provenance` compares what it may be"
        raise UsageError(message, hint=hint)
    function = _function(local, method)
    qualname = _upstream_name(local, method, target, base_method)
    versions = Versions(target.path, target.repository, target.revision)
    with revisions.session():
        ranking = versions.rank_all(function, qualname)
    if ranking is None or ranking.best.copied < COPY:
        raise _no_base(local, method, target, qualname, ranking)
    return _base(ranking, [name for name, _, _ in versions.tags()], target, base_method)


def _function(local: Located, method: str) -> Function:
    try:
        return locate(local.source.text, method, class_of(local.address, method), side="local")
    except OmniCodemodsError as error:
        raise local.explain(error) from error


def _upstream_name(local: Located, method: str, target: Address, base_method: str | None) -> str:
    """The qualified name of what was copied, as the rebase will look for it."""
    name = base_method or method
    owner = class_of(target, name)
    if owner is None and base_method is None:
        owner, name = find_patched(local.source.text, method)
    return f"{owner}.{name}" if owner else name


def _base(ranking: Ranking, tags: list[str], target: Address, base_method: str | None) -> Base:
    # A tag says more than a commit with the same code; of several, the newest.
    named = [name for name in ranking.best.names if name in tags] or list(ranking.best.names)
    name = named[-1]
    spelling = name if name in tags else ranking.revisions[name][:12]
    qualname = target.qualname
    if base_method is not None and qualname is not None and "." in qualname:
        owner = class_of(target, base_method)
        qualname = f"{owner}.{base_method}" if owner else base_method
    address = replace(target, revision=spelling, qualname=qualname)
    margin = ranking.margin
    sure = margin is None or margin >= _SURE
    return Base(address, _how(ranking, name, sure=sure), sure)


def _how(ranking: Ranking, name: str, *, sure: bool) -> str:
    beside = len(ranking.best.names) - 1
    same = f", as {count(beside, 'other version')}" if beside else ""
    said = f"found: {name} leaves the least difference, {count(ranking.left, 'token')}{same}"
    if ranking.margin is None:
        return f"{said}; there is no other candidate"
    other = ranking.ranks[1].names[-1]
    doubt = "" if sure else "; not sure, look at it"
    return f"{said}; the next, {other}, {count(ranking.margin, 'token')} more{doubt}"


def _no_base(
    local: Located, method: str, target: Address, qualname: str, ranking: Ranking | None
) -> InputError:
    where = f"{target.repository}@{target.revision}:{target.path}"
    if ranking is None:
        message = f"no version in the history of {where} has {qualname}"
    else:
        message = (
            f"{method} is a copy of no version of {where}: it has at most "
            f"{ranking.best.copied:.0%} of its code"
        )
    return InputError(message, hint="give --base", path=str(local.address))
