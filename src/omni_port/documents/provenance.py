"""Where local methods were copied from, as ``provenance --format json`` prints it."""

from __future__ import annotations

from typing import Literal

from omni_codemods.provenance.provenance import MethodProvenance, Rank
from omni_port.documents.common import Commit, Count, Line, Sha256, Share, Tool, Value, this_tool
from omni_port.documents.rebase import Side, make_side
from omni_port.methods.provenance import Search


class CandidateValue(Value, frozen=True):
    """A version that was looked at, and for how many copies it is the best."""

    name: str
    best_for: Count
    path: str
    sha256: Sha256
    repository: str | None
    revision: Commit | None
    qualname: str | None


class RankValue(Value, frozen=True):
    """Candidates that are equally near.

    *drift* and *beside* are tokens outside of blocks and where blocks stand, *copied* is the
    share of the upstream's code, *same_code* says that the candidates do not differ.
    """

    names: tuple[str, ...]
    drift: Count
    beside: Count
    copied: Share
    same_code: bool


class ProvenanceMethod(Value, frozen=True):
    """A method; *margin* tokens are between the best and the next, *lacking* do not have it."""

    method: str
    line: Line
    is_copy: bool
    margin: int | None
    ranks: tuple[RankValue, ...]
    lacking: tuple[str, ...]


class ProvenanceDocument(Value, frozen=True):
    """What omni-port provenance --format json prints."""

    version: Literal[1]
    tool: Tool
    local: Side
    candidates: tuple[CandidateValue, ...]
    methods: tuple[ProvenanceMethod, ...]


def make_provenance_document(search: Search) -> ProvenanceDocument:
    """Return the document."""
    best = search.best
    candidates = (
        CandidateValue(
            name,
            best[name],
            found.path,
            found.sha256,
            found.repository,
            found.revision,
            found.qualname,
        )
        for name, found in search.candidates
    )
    return ProvenanceDocument(
        1,
        this_tool(),
        make_side(search.local),
        tuple(candidates),
        tuple(map(_method, search.methods)),
    )


def _method(method: MethodProvenance) -> ProvenanceMethod:
    return ProvenanceMethod(
        method.qualname,
        method.line,
        method.is_copy,
        method.margin,
        tuple(map(_rank, method.ranks)),
        tuple(method.lacking),
    )


def _rank(rank: Rank) -> RankValue:
    return RankValue(
        tuple(rank.names), rank.drift, rank.beside, round(rank.copied, 4), rank.same_code
    )
