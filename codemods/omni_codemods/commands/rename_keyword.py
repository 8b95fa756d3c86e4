"""A keyword argument of one callee has another name.

``python -m libcst.tool codemod -x omni_codemods.commands.rename_keyword.RenameKeywordCommand
--callee PATH --old NAME --new NAME PATH --no-format``
"""

from __future__ import annotations

from omni_codemods.translate.transformers import keywords


class RenameKeywordCommand(keywords.RenameKeyword):
    """:class:`~omni_codemods.translate.transformers.keywords.RenameKeyword` for LibCST's runner."""
