"""Where local methods were copied from, as text."""

from __future__ import annotations

from collections.abc import Iterator

import click

from omni_codemods.provenance.provenance import MethodProvenance, Rank
from omni_port.base.words import count
from omni_port.methods.provenance import Search

# More than these names are told by the first, the last, and how many.
_MOST_NAMES = 3


def render_provenance_text(search: Search) -> str:
    """Return two lines a method: the best candidates, and how far the next best is."""
    return "\n".join(line for method in search.methods for line in _method_lines(search, method))


def _method_lines(search: Search, method: MethodProvenance) -> Iterator[str]:
    place = click.style(f"{search.local.address.path}:{method.line}", bold=True)
    if not method.is_copy:
        yield (
            f"{place}: {method.qualname}: not a copy: it has at most "
            f"{method.best.copied:.0%} of the upstream's code"
        )
        return
    best = method.best
    yield f"{place}: {method.qualname}: {_names(best)}"
    beside = f" and {count(best.beside, 'token')} where blocks stand" if best.beside else ""
    yield (
        f"    {count(best.drift, 'token')} of drift{beside}, {best.copied:.0%} of the upstream's "
        f"code; {_next(method)}"
    )


def _names(rank: Rank) -> str:
    names = rank.names
    if len(names) > _MOST_NAMES:
        told = f"{names[0]} ... {names[-1]} ({len(names)} candidates)"
    else:
        told = " = ".join(names)
    if len(names) == 1:
        return told
    return f"{told}, {'the same code' if rank.same_code else 'equally near'}"


def _next(method: MethodProvenance) -> str:
    if method.margin is None:
        return "no other candidate"
    return f"next {_names(method.ranks[1])}, {count(method.margin, 'token')} more"


def render_provenance_closing(search: Search) -> str:
    """Return how many methods are copies, and how often each candidate is the best one."""
    copies = [method for method in search.methods if method.is_copy]
    best = search.best
    told = ", ".join(f"{name} {number}" for name, number in best.most_common(3) if number)
    total = count(len(search.methods), "method")
    head = f"{total} that the upstream has too, {len(copies)} of them copied"
    return f"{head}; best for: {told}" if told else head
