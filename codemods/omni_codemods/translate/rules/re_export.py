"""Names imported through another module, to be imported from where they are defined."""

from __future__ import annotations

from omni_codemods.table.entries import ReExport


def applies(entry: ReExport, root: str) -> bool:
    """Whether a reference goes whose name was imported from *root*.

    Only an import changes; a name read from the module works as it is.
    """
    return root == entry.gpu
