"""String literals: text right behind the opening quote becomes another."""

from __future__ import annotations

import libcst as cst

from omni_codemods.translate.transformers.changes import ReplacedText


def replace_text(
    node: cst.SimpleString | cst.FormattedString, change: ReplacedText
) -> cst.SimpleString | cst.FormattedString:
    """*node* with its first characters changed; prefix and quotes stay."""
    if isinstance(node, cst.SimpleString):
        start = len(node.prefix) + len(node.quote)
        rest = node.value[start:].removeprefix(change.old)
        return node.with_changes(value=node.value[:start] + change.new + rest)
    first, *others = node.parts
    text = cst.ensure_type(first, cst.FormattedStringText).value
    new = first.with_changes(value=change.new + text.removeprefix(change.old))
    return node.with_changes(parts=[new, *others])
