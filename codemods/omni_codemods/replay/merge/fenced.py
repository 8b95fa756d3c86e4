"""Whether the fences inside a statement came through its merge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from omni_codemods.findings.errors import SourceError
from omni_codemods.functions.bracket_parsing import parse_parts
from omni_codemods.functions.brackets import Element, Group, Part
from omni_codemods.functions.fences import NEEDLE, find_fence
from omni_codemods.functions.statement_brackets import statement_fences
from omni_codemods.functions.tree import Node
from omni_codemods.text.lexer import Token, lex, split_lines


def iter_fenced(parts: Sequence[Part]) -> Iterator[Element]:
    """Yield the elements in *parts*, at any depth, that stand in a block."""
    for part in parts:
        for element in part.elements if isinstance(part, Group) else ():
            if element.is_fenced:
                yield element
            else:
                yield from iter_fenced(parse_parts(element.tokens, element.source))


def keeps_fences(edited: Node, text: str, absorbed: Iterable[Element]) -> bool:
    """Whether the merged *text* has the fences of *edited*, each with its partner.

    Those of the *absorbed* elements are gone with them.
    """
    said = "".join(edited.lines)
    if not NEEDLE.search(said):
        return True
    mine = statement_fences(edited.tokens, edited.lines, edited.line)
    tokens = _comments(text)
    if tokens is None:
        return True  # no Python: that is found where the whole is read
    merged = statement_fences(tokens, split_lines(text), 1)
    gone = Counter(
        words
        for e in absorbed
        for words in (*e.lead, e.trail, *e.post)
        if words and find_fence(Token(0, words, 1, 0, 1, len(words)), own_line=True)
    )
    wanted = Counter(f.text for f in mine.fences)
    wanted.subtract(gone)
    found = Counter(f.text for f in merged.fences)
    whole = len(merged.findings) <= len(mine.findings)
    return whole and all(found[fence] >= count for fence, count in wanted.items())


def _comments(text: str) -> list[Token] | None:
    try:
        lexed = lex(f"if 1:\n{text}", 1)
    except SourceError:
        return None
    return [t for line in lexed.logical for t in line.tokens if t.is_comment]
