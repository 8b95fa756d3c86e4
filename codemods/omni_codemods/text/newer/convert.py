"""A libcst module as a tree of :mod:`ast`, with the places of everything in it."""

from __future__ import annotations

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from omni_codemods.text.newer.positions import Positions
from omni_codemods.text.newer.stand_ins import NewerModule
from omni_codemods.text.newer.statements import Statements


def convert(module: cst.Module) -> NewerModule:
    """The tree of *module*, as the Python that knows its syntax would make it."""
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    positions = Positions(module.code, wrapper.resolve(PositionProvider))
    return NewerModule(Statements(positions).module(module).body, [])
