"""The review as Markdown that fits into a pull request."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from omni_port.report.markdown import make_environment, render_template
from omni_port.review.given import Given, OpenItem
from omni_port.review.pages import FilePage, MethodPage, make_file_page

PAPER = "pull-request.md"
# GitHub takes 65,536 characters for a comment; what our delta was is cut before that.
_LONGEST = 60_000
# So many things of a kind are listed.
_LISTED = 10


def render_review_markdown(given: Given, folder: Path | None = None) -> str:
    """Return the review; a template in *folder* goes before ours.

    Raises ConfigurationError for a template that cannot be rendered.
    """
    pages = [make_file_page(one) for one in given.files]
    context = {
        "given": given,
        "files": [_file(page) for page in pages],
        "must": [item for item in given.left if item.must and item.kind != "conflict"],
        "rest": by_kind([item for item in given.left if not item.must]),
        "changed": sum(page.changed for page in pages),
        "deltas": [],
    }
    environment = make_environment(folder)
    short = render_template(environment, PAPER, folder, context)
    deltas = _deltas(pages, _LONGEST - len(short))
    return render_template(environment, PAPER, folder, {**context, "deltas": deltas})


def _file(page: FilePage) -> dict[str, object]:
    methods = [
        {
            "name": method.given.name,
            "said": method.given.error or method.given.said,
            "before": sum(v.delta.before for v in method.versions if v.delta),
            "after": sum(v.delta.after for v in method.versions if v.delta),
            "changed": method.changed,
        }
        for method in page.methods
    ]
    return {"path": page.path, "methods": methods}


def count_changed(given: Given) -> int:
    """Return how many lines of our own changes are not what they were."""
    return sum(make_file_page(one).changed for one in given.files)


def by_kind(items: Sequence[OpenItem]) -> list[dict[str, object]]:
    """Return the first of each kind of *items*, with how many there are."""
    kinds = dict.fromkeys(item.kind for item in items)
    groups = [(kind, [item for item in items if item.kind == kind]) for kind in kinds]
    return [
        {"kind": kind, "number": len(group), "items": group[:_LISTED]} for kind, group in groups
    ]


def _deltas(pages: Sequence[FilePage], room: int) -> list[dict[str, object]]:
    """What changed in our delta, a method each, as long as there is *room* for it."""
    found: list[dict[str, object]] = []
    for method in (method for page in pages for method in page.methods if method.changed):
        text = "".join(_interdiff(method))
        room -= len(text) + len(method.given.name) + 100
        fits = room > 0
        found.append({"name": method.given.name, "lines": method.changed, "text": text * fits})
    return found


def _interdiff(method: MethodPage) -> list[str]:
    """The lines of our delta that are not what they were: ``-`` was in it, ``+`` is in it now."""
    lines = []
    for version in method.versions:
        for row in version.delta.rows if version.delta else ():
            if row.same:
                continue
            for sign, one in (("-", row.before), ("+", row.after)):
                if one is not None:
                    lines.append(f"{sign}{one.sign} {one.text}\n")
    return lines
