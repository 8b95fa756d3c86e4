"""The translation as a codemod on a libcst tree, names known by libcst's own metadata."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import libcst as cst
from libcst.metadata import (
    MetadataWrapper,
    PositionProvider,
    QualifiedNameProvider,
    QualifiedNameSource,
)

from omni_codemods.findings.model import TranslateResult
from omni_codemods.table.table import Table
from omni_codemods.text.newer.convert import convert
from omni_codemods.translate.engine import decide
from omni_codemods.translate.transformers.whole import write_module
from omni_codemods.translate.transformers.writing import places_of


def translate_module(
    module: cst.Module, *, table: Table | None = None, dialect: str = "npu", only: str = ""
) -> tuple[cst.Module, TranslateResult]:
    """Translate *module*; the same as :func:`omni_codemods.translate.translate` does to its code.

    Returns the new tree, and the changes and findings. Where nothing changes the tree is
    *module* itself.
    """
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    sites, result = decide(
        module.code,
        convert(module),
        table=table,
        dialect=dialect,
        only=only,
        meaning=_Names(wrapper),
    )
    return (write_module(module, sites, wrapper) if sites else module), result


class _Names:
    """What libcst knows about the names of a module, asked for when the first one is."""

    def __init__(self, wrapper: MetadataWrapper) -> None:
        self.wrapper = wrapper
        self.paths: Mapping[int, Collection[str]] | None = None

    def __call__(self, offset: int) -> Collection[str] | None:
        """The paths that the name at *offset* may be imported from; None for no name."""
        if self.paths is None:
            self.paths = _imported(self.wrapper)
        return self.paths.get(offset)


def _imported(wrapper: MetadataWrapper) -> dict[int, Collection[str]]:
    places = places_of(wrapper.module.code, wrapper.resolve(PositionProvider))
    found: dict[int, Collection[str]] = {}
    for node, names in wrapper.resolve(QualifiedNameProvider).items():
        if isinstance(node, cst.Name) and node in places:
            known = names() if callable(names) else names
            paths = {name.name for name in known if name.source is QualifiedNameSource.IMPORT}
            found.setdefault(places[node][0], paths)
    return found
