"""The package that a file stands in: where the bases of its classes are looked for."""

from __future__ import annotations

import functools
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.text.dotted import first_part, owner_of
from omni_port import revisions
from omni_port.sources.file_at import Located, names_in

if TYPE_CHECKING:
    from omni_codemods.sources.heritage import Home
    from omni_port.revisions import Tree


def find_home(located: Located, stack: ExitStack) -> Home | None:
    """Return the package that the file stands in, ``None`` where it stands in none.

    A tree of a revision that is opened for it is closed with *stack*.
    """
    from omni_codemods.sources.heritage import Home
    from omni_codemods.sources.modules import Sources

    if located.module is None:
        return None
    address, tree = located.address, None
    path = Path(address.path).absolute().as_posix()
    if address.repository is not None and address.revision is not None:
        tree = stack.enter_context(revisions.open_tree(address.repository, address.revision))
        path = located.provenance.path
    parts = len(located.module.split(".")) + (PurePosixPath(path).stem == "__init__")
    read = functools.partial(_read, PurePosixPath(path).parents[parts - 1], tree)
    return Home(located.module, Sources({first_part(located.module): read}))


def inherited_methods(located: Located, method: str) -> frozenset[str]:
    """Return the methods that the class of *method* has from bases in the package of the file.

    Nothing where the file stands in no package, or has no such method.
    """
    from omni_codemods.functions.conflict_markers import blank_hunks
    from omni_codemods.sources.heritage import Heritage
    from omni_codemods.text.outline import locate

    text = blank_hunks(located.source.text)
    cls, name = names_in(located, method)
    with ExitStack() as stack:
        try:
            cls = cls or owner_of(locate(text, name, cls).qualname)
        except OmniCodemodsError:
            return frozenset()
        home = find_home(located, stack) if cls else None
        return frozenset() if home is None else Heritage(text, cls, home).methods()


def _read(root: PurePosixPath, tree: Tree | None, path: str) -> str | None:
    """What the file *path* below *root* says, ``None`` where there is none."""
    if tree is not None:
        data = tree.read(str(root / path))
        return None if data is None else data.decode("utf-8", errors="replace")
    try:
        return Path(root / path).read_text("utf-8", errors="replace")
    except OSError:
        return None
