"""The upstreams of a project that nobody named: checkouts in the folder beside it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from omni_port import revisions
from omni_port.base.errors import OmniPortError
from omni_port.sources.upstream import Upstream, packages_of

_FROM = re.compile(rb"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
# More than these are no folder of a person's checkouts.
_MOST = 200


def find_neighbours(root: Path, sources: Iterator[bytes]) -> Iterator[Upstream]:
    """Yield the git checkouts beside *root* whose packages the *sources* import.

    The target is where they stand, a guess.
    """
    folders = sorted(path for path in root.parent.iterdir() if (path / ".git").exists())
    near = {path: packages_of(path) for path in folders[:_MOST] if path != root}
    if not any(near.values()):
        return
    imported = {name.decode() for data in sources for name in set(_FROM.findall(data))}
    own = packages_of(root)
    for path, packages in near.items():
        if imported & (packages.keys() - own.keys()):
            stands = _where(path)
            if stands is None:
                continue
            name = re.sub(r"[^\w-]", "-", path.name)
            yield Upstream(name, stands[0], repository=os.path.relpath(path, root), how=stands[1])


def _where(repository: Path) -> tuple[str, str] | None:
    """Return the tag that a checkout stands at, or its commit, and how that was found.

    ``None`` where git cannot read it: a person may name it, and is told then.
    """
    try:
        with revisions.open_tree(str(repository), "HEAD") as tree:
            if tags := tree.tags_here():
                return tags[-1], "the tag that the checkout beside this one stands at"
            return tree.revision[:12], "where the checkout beside this one stands"
    except OmniPortError:
        return None
