"""The blocks of a whole file held against the functions that it copied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.model import Finding
from omni_codemods.functions.align import align
from omni_codemods.functions.alignment import shared
from omni_codemods.functions.block_ends import check_block_ends
from omni_codemods.functions.fence_dialects import may_hold_fences
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.functions.variants import find_partner, find_variants
from omni_codemods.provenance.renamed import find_patched
from omni_codemods.rebuild.splice import margin, parse
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import Located, definitions, locate_all

# Of a function that has less of the base's code, the base is another one.
_COPY = 0.3


def check_copied_blocks(
    local: str, base: str, *, local_name: str | None = None, base_name: str | None = None
) -> Iterator[Finding]:
    """Yield a finding for each block of *local* that begins or ends with code of *base*.

    Both are texts of whole files. Functions are held against those of their name: in the class
    *base_name* where that is given, or against the function *base_name*. With *local_name*, a
    class or function, only what stands there is looked at. Functions that base has not are left
    out. Raises :class:`.SourceError` where *local* is no Python.
    """
    names = dict.fromkeys(d.qualname for d in definitions(local, "local") if not d.is_class)
    for found in (one for name in names for one in locate_all(local, name)):
        inside = local_name is None or f"{found.qualname}.".startswith(f"{local_name}.")
        if inside and may_hold_fences(found.text):
            origin = _find_base(local, found, base, base_name)
            if origin is not None:
                yield from _check(found, origin)


def _find_base(local: str, found: Located, base: str, name: str | None) -> Located | None:
    method = last_part(found.qualname)
    owner: str | None = None
    try:
        if "." not in found.qualname:
            owner, method = find_patched(local, method, base)
        for cls, wanted in ((name or owner, method), _function(name)):
            try:
                every = find_variants(base, wanted, cls, side="base") if wanted else ()
                return find_partner(found, local, every) if every else None
            except OmniCodemodsError:
                continue
    except OmniCodemodsError:
        return None
    return None


def _function(name: str | None) -> tuple[str | None, str]:
    owner, _, last = (name or "").rpartition(".")
    return owner or None, last


def _check(found: Located, origin: Located) -> Iterator[Finding]:
    try:
        mine = parse(found, "local")
        theirs = parse(origin, "base", last_part(found.qualname))
    except OmniCodemodsError:
        return
    by_local = align(theirs, mine)
    if shared(theirs, by_local) < _COPY:
        return
    indent = len(margin(found.text))
    for one in check_block_ends(mine, function_fences(mine), by_local, found.start):
        yield replace(one, line=one.line + found.start - 1, column=one.column + indent)
