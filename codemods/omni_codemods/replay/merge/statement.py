"""Three versions of one statement or clause header → one, bracket by bracket.

A bracket is a list of elements: arguments, parameters, the items of a tuple or a dict. Two
additions are a union, matched elements merge in turn. Outside brackets a statement is cut at
its operators and keywords, and a piece that both sides changed is a conflict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omni_codemods.functions.brackets import Atom, Group, Part, Source, end_of, fence_kind, start_of
from omni_codemods.functions.statement_brackets import parse_bare_parts, parse_statement_parts
from omni_codemods.functions.tree import Node
from omni_codemods.replay.merge.brackets import Merge, merge_elements
from omni_codemods.text.canonical import normal_tokens

from .diff3 import diff3

_SEPARATORS = frozenset(
    [
        "=",
        "+=",
        "-=",
        "*=",
        "/=",
        "//=",
        "%=",
        "@=",
        "&=",
        "|=",
        "^=",
        ">>=",
        "<<=",
        "**=",
        ":=",
        ":",
        "->",
        ",",
        ";",
        "if",
        "else",
        "for",
        "in",
        "return",
        "yield",
        "raise",
        "assert",
        "del",
        "with",
        "as",
        "and",
        "or",
        "not",
        "is",
        "await",
        "from",
        "import",
        "lambda",
        "while",
        "elif",
        "<",
        ">",
        "<=",
        ">=",
        "==",
        "!=",
        "+",
        "-",
        "*",
        "/",
        "//",
        "%",
        "|",
        "&",
        "^",
        "<<",
        ">>",
        "@",
    ]
)


def merge_statement(base: Node, local: Node, target: Node, merge: Merge) -> str | None:
    """Return the merged own text of three nodes, laid out as *target*; ``None`` on a conflict.

    The text starts at the target's indentation and ends with a newline.
    """
    sources = [Source(n) for n in (base, local, target)]
    old, mine, new = (parse_statement_parts(n) for n in (base, local, target))
    merge.indent = target.indent
    merge.parameters = _parameters(target)
    merged = merge_parts(old, mine, new, merge)
    if merged is None:
        bare = [parse_bare_parts(n) for n in (base, local, target)]
        if any(bare) and not all(bare):
            merged = merge_parts(bare[0] or old, bare[1] or mine, bare[2] or new, merge)
    if merged is None:
        return None
    return target.indent + merged + _tail(base, local, target, sources)


def _parameters(node: Node) -> tuple[int, int] | None:
    """Where the parameter list of a ``def`` header opens."""
    if node.word != "def":
        return None
    return next((start_of(t) for t in node.tokens if t.text == "("), None)


def _tail(base: Node, local: Node, target: Node, sources: list[Source]) -> str:
    """What follows the last token on its line: white space, a comment, the newline."""
    tails = []
    for node, source in zip((base, local, target), sources, strict=True):
        last = [t for t in node.tokens if not t.is_comment][-1]
        line = node.line + len(node.lines) - 1
        tails.append(source.cut(end_of(last), (line, len(node.lines[-1]))))
    b, l, t = (x.strip() for x in tails)  # noqa: E741
    return tails[1] if t == b or (l != b and find_marker(l)) else tails[2]


def find_marker(comment: str) -> bool:
    """Whether *comment* is a fence."""
    return bool(comment) and bool(fence_kind(comment))


def merge_parts(
    base: Sequence[Part], local: Sequence[Part], target: Sequence[Part], merge: Merge
) -> str | None:
    """Merge three sequences of parts; the text starts at the first part, without its gap."""
    pieces = [_pieces(x) for x in (base, local, target)]
    out: list[tuple[str, str]] = []  # gap, text
    for stretch in diff3(*[[p.skeleton for p in side] for side in pieces]):
        b, l, t = (  # noqa: E741
            side[slice(*at)]
            for side, at in zip(pieces, (stretch.base, stretch.local, stretch.target), strict=True)
        )
        if stretch.stable:
            text = _merge_piece(b[0], l[0], t[0], merge)
            if text is None:
                return None
            out.append((_gap(t[0], pieces[2]), text))
            continue
        codes = [[p.code for p in side] for side in (b, l, t)]
        if codes[1] == codes[0] or codes[1] == codes[2]:
            out += [(_gap(p, pieces[2]), p.text) for p in t]
        elif codes[2] == codes[0]:
            indent = t[0].line_indent if t else merge.indent
            gaps = [_gap(p, pieces[1]) for p in l]
            if t and gaps:
                gaps[0] = _gap(t[0], pieces[2])
            out += [(gap, p.moved(indent)) for gap, p in zip(gaps, l, strict=True)]
        else:
            return None
    return "".join(f"{gap if i else ''}{text}" for i, (gap, text) in enumerate(out))


def _gap(piece: _Piece, side: Sequence[_Piece]) -> str:
    """The white space before *piece*; what started its side must not stick to what now leads."""
    return piece.gap or (" " if piece is side[0] else "")


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """A separator, or the parts between two: ``self.run(...)``."""

    parts: tuple[Part, ...]
    skeleton: tuple[str, ...]
    code: tuple[str, ...]

    @property
    def gap(self) -> str:
        return self.parts[0].gap

    @property
    def text(self) -> str:
        return "".join(f"{p.gap if i else ''}{p.text}" for i, p in enumerate(self.parts))

    @property
    def line_indent(self) -> str:
        return self.parts[0].source.line_indent(self.parts[0].first)

    def moved(self, indent: str) -> str:
        return "".join(f"{p.gap if i else ''}{p.moved(indent)}" for i, p in enumerate(self.parts))


def _pieces(parts: Sequence[Part]) -> list[_Piece]:
    out: list[_Piece] = []
    run: list[Part] = []
    for part in parts:
        if isinstance(part, Atom) and part.text in _SEPARATORS:
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
    skeleton = tuple(p.text if isinstance(p, Atom) else "".join(p.brackets) for p in parts)
    return _Piece(tuple(parts), skeleton, tuple(x for p in parts for x in _code(p)))


def _code(part: Part) -> tuple[str, ...]:
    if isinstance(part, Atom):
        return normal_tokens([part.token])
    inside: list[str] = [part.brackets[0]]
    for i, element in enumerate(part.elements):
        inside += ([","] if i else []) + list(element.code)
    return (*inside, part.brackets[1])


def _merge_piece(base: _Piece, local: _Piece, target: _Piece, merge: Merge) -> str | None:
    if local.code in (base.code, target.code):
        return target.text
    if target.code == base.code:
        return local.moved(target.line_indent)
    out: list[str] = []
    for i, (b, l, t) in enumerate(zip(base.parts, local.parts, target.parts, strict=True)):  # noqa: E741
        if isinstance(b, Group) and isinstance(l, Group) and isinstance(t, Group):
            text = merge_group(b, l, t, merge)
            if text is None:
                return None
        else:
            text = t.text
        out.append(f"{t.gap if i else ''}{text}")
    return "".join(out)


def merge_group(base: Group, local: Group, target: Group, merge: Merge) -> str | None:
    """Merge three versions of a bracket; the text has the brackets."""
    codes = [_code(g) for g in (base, local, target)]
    if codes[1] == codes[0] or codes[1] == codes[2]:
        return target.text
    if codes[2] == codes[0]:
        return local.moved(target.source.line_indent(target.opener))
    return merge_elements(base, local, target, merge, merge_parts)
