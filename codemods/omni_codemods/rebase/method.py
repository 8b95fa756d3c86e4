"""The method-level reconstruction, end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omni_codemods.findings.errors import MethodNotFound
from omni_codemods.findings.model import RebaseResult
from omni_codemods.functions.variants import find_variants
from omni_codemods.names.imports import module_imports
from omni_codemods.provenance.renamed import find_alike, find_patched
from omni_codemods.rebase.definitions import pair_definitions
from omni_codemods.rebase.function import Request, rebuild_each
from omni_codemods.replay.printing.lines import Labels
from omni_codemods.sources.classes import own_methods
from omni_codemods.text.dotted import first_part, owner_of
from omni_codemods.text.outline import locate
from omni_codemods.text.parsing import NamesDeepCode, require_python, without_collector

if TYPE_CHECKING:
    from omni_codemods.sync.sibling import Sibling

__all__ = ["Labels", "rebase_method"]

_PLAIN = Labels()


@without_collector()
@NamesDeepCode(lambda given: {side: given[side] for side in ("local", "base", "target")})
def rebase_method(
    *,
    local: str,
    base: str,
    target: str,
    method: str,
    local_class: str | None = None,
    base_class: str | None = None,
    target_class: str | None = None,
    base_method: str | None = None,
    target_method: str | None = None,
    labels: Labels = _PLAIN,
    target_module: str | None = None,
    policy: str = "replay",
    sibling: Sibling | None = None,
) -> RebaseResult:
    """Rebuild one function of *local* on the target's version of the function.

    *local*, *base* and *target* are the texts of whole files. The function is looked up by
    name: *method* in *local_class* of local, *base_method* (by default *method*) in *base_class*
    of base, and *target_method* (by default that of base) in *target_class* of target. Without a
    class, a function at module level is preferred, then the only method of that name. A local
    function at module level that the local file assigns to a class (``Runner.warm_up = warm_up``)
    is looked up as that method. Of a name that is defined more than once (accessors of a property,
    overloads, branches) every definition is rebuilt on its own partner.

    Names that the new body needs are imported as the target file imports them, or from
    *target_module*, the dotted name of the target file, which by default is where local imports
    the target's class from.

    Returns the whole local text with that function rebuilt, and the account of every edit. With
    *policy* ``strict`` every overlap of drift and an upstream change is a conflict. With a
    *sibling* (:class:`omni_codemods.sync.sibling.Sibling`), what that gained is synced afterwards.

    Raises :class:`.SourceError` for what is not Python, :class:`.MethodNotFound`,
    :class:`.FenceError` where the fences in the function do not pair, and :class:`.NotACopy` where
    local and base have nothing in common. The error's *side* names the input.
    """
    require_python(local, "local")
    mine = find_variants(local, method, local_class, side="local")
    upstream, owner = base_method or method, base_class
    if base_class is None and base_method is None and "." not in mine[-1].where.qualname:
        owner, upstream = find_patched(local, method, base)
    theirs = find_variants(base, upstream, owner, side="base")
    aim, aimed = target_method or upstream, target_class or owner
    _require_target(target, aim, aimed, base, upstream, owner)
    pairing = pair_definitions(mine, theirs, find_variants(target, aim, aimed, side="target"))
    qualname = pairing.chosen[0].target.qualname
    request = Request(
        base, target, labels, target_module or _imported_from(local, qualname), policy
    )
    result = rebuild_each(local, pairing, request)
    if sibling is None:
        return result
    # Only a sync needs the translation, which takes longer to load than a rebase to run.
    from omni_codemods.sync.sync_method import sync_after

    inherited = frozenset(own_methods(target, owner_of(qualname)))
    upstreams = {one.local.number: one.target.text for one in pairing.chosen}
    return sync_after(result, sibling, method, local_class, upstreams, inherited, policy)


def _require_target(
    target: str, method: str, cls: str | None, base: str, upstream: str, owner: str | None
) -> None:
    """Raise where the target function is gone, and name the one that looks most like base's."""
    try:
        locate(target, method, cls, side="target")
    except MethodNotFound as error:
        twin = find_alike(locate(base, upstream, owner, side="base"), target)
        if twin is None:
            raise
        name, share = twin
        hint = (
            f"{name} there has {share:.0%} of the base's code: if the upstream renamed or moved "
            f"it, say so with --target-method {name}"
        )
        raise MethodNotFound(error.message, hint=hint, side="target") from error


def _imported_from(local: str, qualname: str) -> str | None:
    """The module from which local imports the class of the target function."""
    owner = first_part(qualname)
    for found in module_imports(local):
        if found.value.name == owner and not found.value.module.startswith("."):
            return found.value.module
    return None
