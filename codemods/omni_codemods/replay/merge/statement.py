"""Three versions of one statement or clause header → one, bracket by bracket.

A bracket is a list of elements: arguments, parameters, the items of a tuple or a dict. Two
additions are a union, matched elements merge in turn. Outside brackets a statement is cut at
its operators and keywords, and a piece that both sides changed is a conflict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omni_codemods.functions.bracket_fences import fence_kind
from omni_codemods.functions.brackets import (
    Atom,
    Form,
    Group,
    Part,
    Source,
    end_of,
    start_of,
)
from omni_codemods.functions.statement_brackets import (
    is_parenthesised,
    parse_bare_parts,
    parse_statement_parts,
)
from omni_codemods.functions.tree import Node
from omni_codemods.replay.merge.brackets import Merge, merge_elements
from omni_codemods.replay.merge.fenced import iter_fenced, keeps_fences
from omni_codemods.replay.merge.operators import SEPARATORS, Operators
from omni_codemods.text.canonical import normal_tokens

from .diff3 import diff3


def merge_statement(ancestor: Node, edited: Node, skeleton: Node, merge: Merge) -> str | None:
    """Return the merged own text of three nodes, laid out as *skeleton*; ``None`` on a conflict.

    The text starts at the skeleton's indentation and ends with a newline.
    """
    sources = [Source(n) for n in (ancestor, edited, skeleton)]
    old, mine, new = (parse_statement_parts(n) for n in (ancestor, edited, skeleton))
    merge.indent = skeleton.indent
    merge.parameters = _parameters(skeleton)
    around = [is_parenthesised(n) for n in (ancestor, edited, skeleton)]
    # Parentheses that only some have would be matched with others, which are not the same.
    merged = merge_parts(old, mine, new, merge) if len(set(around)) == 1 else None
    if merged is None:
        bare = [parse_bare_parts(n) for n in (ancestor, edited, skeleton)]
        freed = all(parts or not has for parts, has in zip(bare, around, strict=True))
        if any(bare) and not all(bare) and (freed or len(set(around)) == 1):
            merge.absorbed.clear()
            merge.moved.clear()
            merged = merge_parts(bare[0] or old, bare[1] or mine, bare[2] or new, merge)
    if merged is None:
        return None
    text = skeleton.indent + merged + _tail(ancestor, edited, skeleton, sources)
    return text if keeps_fences(edited, text, merge.absorbed) else None


def _parameters(node: Node) -> tuple[int, int] | None:
    """Where the parameter list of a ``def`` header opens."""
    if node.word != "def":
        return None
    return next((start_of(t) for t in node.tokens if t.text == "("), None)


def _tail(ancestor: Node, edited: Node, skeleton: Node, sources: list[Source]) -> str:
    """What follows the last token on its line: white space, a comment, the newline."""
    tails = []
    for node, source in zip((ancestor, edited, skeleton), sources, strict=True):
        last = [t for t in node.tokens if not t.is_comment][-1]
        line = node.line + len(node.lines) - 1
        tails.append(source.cut(end_of(last), (line, len(node.lines[-1]))))
    b, l, t = (x.strip() for x in tails)  # noqa: E741
    return tails[1] if t == b or (l != b and find_marker(l)) else tails[2]


def find_marker(comment: str) -> bool:
    """Whether *comment* is a fence."""
    return bool(comment) and bool(fence_kind(comment))


def merge_parts(
    ancestor: Sequence[Part], edited: Sequence[Part], skeleton: Sequence[Part], merge: Merge
) -> str | None:
    """Merge three sequences of parts; the text starts at the first part, without its gap."""
    pieces = [_pieces(x) for x in (ancestor, edited, skeleton)]
    operators = Operators()
    out: list[tuple[str, str]] = []  # gap, text
    for stretch in diff3(*[[p.shape for p in side] for side in pieces]):
        b, l, t = (  # noqa: E741
            side[slice(*at)]
            for side, at in zip(
                pieces, (stretch.ancestor, stretch.edited, stretch.skeleton), strict=True
            )
        )
        if stretch.stable:
            text = _merge_piece(b[0], l[0], t[0], merge)
            if text is None:
                return None
            if t[0].is_separator:
                operators.passes(t[0].text)
            out.append((_commented_gap(b[0], l[0], t[0], pieces[2]), text))
            continue
        operators.changes(*([p.text for p in side] for side in (b, l, t)))
        merged = _choose(b, l, t, pieces, merge)
        if merged is None:
            return None
        out += merged
    if not operators.are_safe():
        return None
    return _joined(out)


def _joined(out: Sequence[tuple[str, str]]) -> str:
    """Pieces with their gaps; two words never stick together, whatever stood between them."""
    text = ""
    for gap, piece in out:
        gap = gap if text else ""
        stick = not gap and _is_word(text[-1:]) and (_is_word(piece[:1]) or piece[:1] in _QUOTES)
        text += f"{' ' if stick else gap}{piece}"
    return text


_QUOTES = frozenset("\"'")


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _choose(
    ancestor: Sequence[_Piece],
    edited: Sequence[_Piece],
    skeleton: Sequence[_Piece],
    sides: Sequence[Sequence[_Piece]],
    merge: Merge,
) -> list[tuple[str, str]] | None:
    """A stretch that only one side changed, or both alike: its pieces, each with its gap."""
    codes = [[p.code for p in side] for side in (ancestor, edited, skeleton)]
    if codes[1] in (codes[0], codes[2]):
        if codes[1] == codes[2]:
            merge.absorbed += iter_fenced([part for p in edited for part in p.parts])
        return [(_gap(p, sides[2]), p.text) for p in skeleton]
    if codes[2] != codes[0]:
        return None
    out: list[tuple[str, str]] = []
    for piece in edited:
        was = piece.line_indent
        now = skeleton[0].line_indent if skeleton else merge.indent + was.removeprefix(piece.margin)
        out.append((_moved_gap(_gap(piece, sides[1]), was, now), piece.moved(now)))
    if skeleton and out and "#" not in out[0][0]:
        out[0] = _gap(skeleton[0], sides[2]), out[0][1]
    return out


def _commented_gap(
    ancestor: _Piece, edited: _Piece, skeleton: _Piece, theirs: Sequence[_Piece]
) -> str:
    """The skeleton's gap; the edited one, if a comment was put there or changed."""
    gap = _gap(skeleton, theirs)
    if "#" not in edited.gap or edited.gap.split() == ancestor.gap.split():
        return gap
    now = skeleton.line_indent if "\n" in skeleton.gap else edited.line_indent
    return _moved_gap(edited.gap, edited.line_indent, now)


def _moved_gap(gap: str, was: str, now: str) -> str:
    return gap.replace(f"\n{was}", f"\n{now}")


def _gap(piece: _Piece, side: Sequence[_Piece]) -> str:
    """The white space before *piece*; what started its side must not stick to what now leads."""
    return piece.gap or (" " if piece is side[0] else "")


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """A separator, or the parts between two: ``self.run(...)``."""

    parts: tuple[Part, ...]
    shape: tuple[str, ...]
    code: tuple[str, ...]

    @property
    def is_separator(self) -> bool:
        return isinstance(self.parts[0], Atom) and self.parts[0].text in SEPARATORS

    @property
    def gap(self) -> str:
        return self.parts[0].gap

    @property
    def text(self) -> str:
        return "".join(f"{p.gap if i else ''}{p.text}" for i, p in enumerate(self.parts))

    @property
    def line_indent(self) -> str:
        return self.parts[0].source.line_indent(self.parts[0].first)

    @property
    def margin(self) -> str:
        """The indentation of the statement that it stands in."""
        return self.parts[0].source.indent

    def moved(self, indent: str) -> str:
        return "".join(f"{p.gap if i else ''}{p.moved(indent)}" for i, p in enumerate(self.parts))


def _pieces(parts: Sequence[Part]) -> list[_Piece]:
    out: list[_Piece] = []
    run: list[Part] = []
    for part in parts:
        if isinstance(part, Atom) and part.text in SEPARATORS:
            if run:
                out.append(_piece(run))
            out.append(_piece([part]))
            run = []
        else:
            run.append(part)
    if run:
        out.append(_piece(run))
    return out


def _piece(parts: list[Part]) -> _Piece:
    shape = tuple(p.text if isinstance(p, Atom) else "".join(p.brackets) for p in parts)
    return _Piece(tuple(parts), shape, tuple(x for p in parts for x in _code(p)))


def _code(part: Part) -> tuple[str, ...]:
    if isinstance(part, Atom):
        return normal_tokens([part.token])
    inside: list[str] = [part.brackets[0]]
    for i, element in enumerate(part.elements):
        inside += ([","] if i else []) + list(element.code)
    alone = len(part.elements) == 1 and part.form in (Form.TUPLE, Form.INDEX)
    if alone and part.trailing_comma:
        inside.append(",")
    return (*inside, part.brackets[1])


def _merge_piece(ancestor: _Piece, edited: _Piece, skeleton: _Piece, merge: Merge) -> str | None:
    if edited.code == skeleton.code != ancestor.code:
        merge.absorbed += iter_fenced(edited.parts)
    if edited.code in (ancestor.code, skeleton.code):
        return skeleton.text
    if skeleton.code == ancestor.code:
        return edited.moved(skeleton.line_indent)
    out: list[str] = []
    for i, (b, l, t) in enumerate(zip(ancestor.parts, edited.parts, skeleton.parts, strict=True)):  # noqa: E741
        if isinstance(b, Group) and isinstance(l, Group) and isinstance(t, Group):
            text = merge_group(b, l, t, merge)
            if text is None:
                return None
        else:
            text = t.text
        out.append(f"{t.gap if i else ''}{text}")
    return "".join(out)


def merge_group(ancestor: Group, edited: Group, skeleton: Group, merge: Merge) -> str | None:
    """Merge three versions of a bracket; the text has the brackets."""
    codes = [_code(g) for g in (ancestor, edited, skeleton)]
    if codes[1] == codes[2] != codes[0]:
        merge.absorbed += iter_fenced([edited])
    if codes[1] in (codes[0], codes[2]):
        return skeleton.text
    if codes[2] == codes[0]:
        return edited.moved(skeleton.source.line_indent(skeleton.opener))
    return merge_elements(ancestor, edited, skeleton, merge, merge_parts)
