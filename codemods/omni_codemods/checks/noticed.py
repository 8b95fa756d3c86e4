"""Whether anybody notices that a local function takes other arguments than the upstream's."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from omni_codemods.sources.callers import find_calls, iter_fitting
from omni_codemods.sources.parameters import Parameters
from omni_codemods.sources.subject import Subject


def is_noticed(name: str, mine: Parameters, theirs: Parameters, subject: Subject) -> bool | None:
    """Return whether a call in the upstreams that fits *theirs* does not fit *mine*.

    ``None`` where nobody knows: no call fits *theirs*, or the upstreams cannot be searched.
    """
    fitting = list(iter_fitting(_upstream_calls(name, subject), theirs))
    if not fitting:
        return None
    return any(any(mine.misfits(call)) for call in fitting)


def is_called_so(name: str, mine: Parameters, theirs: Parameters, subject: Subject) -> bool:
    """Return whether local code calls *name* in a way that only *mine* takes."""
    texts = (one.text for one in subject.kin.files if name in one.text)
    own = iter_fitting(find_calls(name, texts), mine)
    return any(any(theirs.misfits(call)) for call in own)


def passes(name: str, keywords: Sequence[str], subject: Subject) -> bool:
    """Return whether a call of *name* in the upstreams passes one of *keywords* by name."""
    calls = _upstream_calls(name, subject)
    return any(k.arg in keywords for call in calls for k in call.keywords)


def _upstream_calls(name: str, subject: Subject) -> tuple[ast.Call, ...]:
    search = subject.sources.search
    if search is None:
        return ()
    found = search(f"{name}(")
    return find_calls(name, (text for root, text in found if subject.holds(root)))
