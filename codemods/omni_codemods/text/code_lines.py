"""The statements of a piece of text, without layout and comments: what its content is known by."""

from __future__ import annotations

import textwrap

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.text.canonical import normal_tokens
from omni_codemods.text.lexer import lex


def lines_of(text: str) -> list[str]:
    """Return the statements of *text*, each without layout and comments.

    What cannot be cut into statements (a part of one) is cut into lines.
    """
    try:
        lexed = lex(textwrap.dedent(text))
    except OmniCodemodsError:
        return [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    keys = (normal_tokens([t for t in one.tokens if not t.is_comment]) for one in lexed.logical)
    return [" ".join(key) for key in keys if key]


def code_of(text: str) -> str:
    """Return the code of *text*: its statements without layout and comments."""
    return "\n".join(lines_of(text))
