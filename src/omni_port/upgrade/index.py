"""Conflicts of local files in git's index, where its own tools and editors look for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from omni_codemods.functions.conflict_markers import HUNK
from omni_port import revisions
from omni_port.base import files
from omni_port.base.errors import InputError
from omni_port.revisions import Stages
from omni_port.upgrade.planned import path_inside


def show_conflicts(root: Path, texts: Mapping[str, str]) -> list[str]:
    """Write the three versions of each of *texts* that has a conflict into git's index.

    *texts* are by their path below *root*. Base, local and target are the file with each hunk
    resolved to that side. Returns the paths; those that git does not have are left out. The files
    themselves are not touched. Raises InputError where *root* is in no repository.
    """
    checkout = revisions.checkout_of(root)
    if checkout is None:
        message = "the project is in no git repository, so there is no index"
        raise InputError(message, hint="leave out --index", path=str(root))
    found = {
        path_inside(checkout.root, root, path): (path, _stages(root, path, text))
        for path, text in texts.items()
        if HUNK.search(text)
    }
    done = revisions.mark_unmerged(root, {inside: one for inside, (_, one) in found.items()})
    return [found[inside][0] for inside in done]


def _stages(root: Path, path: str, text: str) -> Stages:
    source = files.decode(files.read_bytes(root / path), path=path)
    base, local, target = (
        files.encode(HUNK.sub(lambda hunk, s=side: hunk[s] or "", text), source, path=path)  # type: ignore[misc]
        for side in ("base", "local", "target")
    )
    return Stages(base, local, target)
