"""What a survey found, and what it did not, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from omni_port.base.words import count
from omni_port.survey.draft import Draft

# Of more of what is no port, the number is told.
_MOST = 5


def render_survey(draft: Draft, *, verbose: bool) -> str:
    """Return what a person has to know beside the file; *verbose* leaves nothing out."""
    return "\n".join(_lines(draft, verbose=verbose))


def _lines(draft: Draft, *, verbose: bool) -> Iterator[str]:
    shown = draft.unported if verbose or len(draft.unported) <= _MOST else draft.unported[:_MOST]
    for one in shown:
        yield f"{one.path}:{one.line}: no port: {one.name} {one.why}"
    if len(shown) < len(draft.unported):
        yield f"and {len(draft.unported) - len(shown)} more that are no ports; -v lists them"
    yield from draft.remarks
    for upstream in draft.upstreams:
        if upstream.current is None:
            yield f"{upstream.name}: no current revision: {upstream.how}; write `current` by hand"
    if draft.siblings is not None and draft.siblings.current is None:
        yield f"siblings: {draft.siblings.how}; write [siblings] by hand to sync them"
    sure = sum(port.sure for port in draft.ports)
    if draft.ports:
        aside = len(draft.ports) - sure
        beside = f", and {aside} commented out" if aside else ""
        yield f"{count(sure, 'port')}{beside}"
