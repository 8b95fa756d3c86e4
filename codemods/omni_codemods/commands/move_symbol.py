"""A class, function or constant has another name or place.

``python -m libcst.tool codemod -x omni_codemods.commands.move_symbol.MoveSymbolCommand
--old PATH --new PATH PATH --no-format``
"""

from __future__ import annotations

from omni_codemods.translate.transformers import symbols


class MoveSymbolCommand(symbols.MoveSymbol):
    """:class:`~omni_codemods.translate.transformers.symbols.MoveSymbol` for LibCST's runner."""
