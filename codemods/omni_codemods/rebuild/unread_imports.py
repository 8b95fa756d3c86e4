"""Imports that nothing reads any more, in files that may have conflict hunks in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.functions.conflict_markers import HUNK, blank_hunks
from omni_codemods.names.function_names import quoted_names
from omni_codemods.names.imports import BoundImport, Import, module_imports, remove_imports
from omni_codemods.text.parsing import parse_module
from omni_codemods.text.walks import lines_with, mentions

_SIDES = ("local", "base", "target")
_WORD = re.compile(r"[^\W\d]\w*")


def unread(text: str, candidates: Sequence[BoundImport]) -> list[Import]:
    """Return those of *candidates* that *text* reads nowhere, whichever side of a hunk stands."""
    left = list(candidates)
    for side in _SIDES if HUNK.search(text) else ("local",):
        if not left:
            return []
        plain = blank_hunks(text, side)
        tree, quoted = parse_module(plain), quoted_names(plain)
        left = [
            one
            for one in left
            if one.bound not in quoted
            and not mentions(tree, one.bound, lines_with(plain, one.bound), quoted=True)
        ]
    return [one.value for one in left]


def edit_above_hunks(text: str, edit: Callable[[str], str]) -> str:
    """Return *text* after *edit*, which changes what stands above every hunk and nothing else.

    What it would change below is not done: the text stays then.
    """
    first = HUNK.search(text)
    if first is None:
        return edit(text)
    head_end = text.rfind("\n", 0, first.start()) + 1
    plain = blank_hunks(text)
    changed, tail = edit(plain), plain[head_end:]
    if not changed.endswith(tail):
        return text
    return changed[: len(changed) - len(tail)] + text[head_end:]


def drop_unread_imports(before: str, after: str) -> str:
    """Return *after* without the imports that only the hunks of *before* read, answered since.

    An import that nobody reads for another reason stays: nothing is known of it.
    """
    words = {w for hunk in HUNK.finditer(before) for w in _WORD.findall(hunk.group())}
    try:
        unwanted = unread(after, _named(after, words))
        if not unwanted:
            return after
        return edit_above_hunks(after, lambda text: remove_imports(text, unwanted))
    except OmniCodemodsError:
        return after


def _named(text: str, words: Collection[str]) -> list[BoundImport]:
    found = module_imports(blank_hunks(text))
    return [i for i in found if i.bound in words and not i.kept and not i.block]
