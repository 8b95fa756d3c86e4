"""All names of a module are read from another.

``python -m libcst.tool codemod -x omni_codemods.commands.replace_namespace.ReplaceNamespaceCommand
--old MODULE --new MODULE PATH --no-format``
"""

from __future__ import annotations

from omni_codemods.translate.transformers import symbols


class ReplaceNamespaceCommand(symbols.ReplaceNamespace):
    """Reads names from another module, for LibCST's runner."""
