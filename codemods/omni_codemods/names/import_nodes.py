"""How names come and go in an import statement: libcst nodes in, libcst nodes out.

What stays keeps its layout, comments and commas; what comes is laid out as its neighbours are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import libcst as cst

AnyImport = cst.Import | cst.ImportFrom
_Import = TypeVar("_Import", cst.Import, cst.ImportFrom)
Space = cst.BaseParenthesizableWhitespace
_NONE = cst.SimpleWhitespace("")
_ONE = cst.SimpleWhitespace(" ")


def iter_nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """*node* and all below it, in the order of the text; :mod:`libcst.matchers` loads slowly."""
    yield node
    for child in node.children:
        yield from iter_nodes(child)


def aliases(node: AnyImport) -> tuple[cst.ImportAlias, ...]:
    """The imported names of *node*; none for a star."""
    return () if isinstance(node.names, cst.ImportStar) else tuple(node.names)


def dotted(name: str) -> cst.Name | cst.Attribute:
    """The node of a dotted *name*."""
    root, *rest = name.split(".")
    node: cst.Name | cst.Attribute = cst.Name(root)
    for part in rest:
        node = cst.Attribute(node, cst.Name(part))
    return node


def make_import(module: str, name: str = "", asname: str = "") -> AnyImport:
    """``from module import name [as asname]``; without *name*, ``import module [as asname]``."""
    alias = make_alias(name or module, asname)
    if not name:
        return cst.Import([alias])
    stripped = module.lstrip(".")
    relative = [cst.Dot()] * (len(module) - len(stripped))
    return cst.ImportFrom(dotted(stripped) if stripped else None, [alias], relative=relative)


def make_alias(name: str, asname: str = "") -> cst.ImportAlias:
    """``name [as asname]``."""
    return cst.ImportAlias(dotted(name), cst.AsName(cst.Name(asname)) if asname else None)


def with_module(node: cst.ImportFrom, module: str) -> cst.ImportFrom:
    """*node* importing from *module* instead."""
    made = cst.ensure_type(make_import(module, "name"), cst.ImportFrom)
    return node.with_changes(module=made.module, relative=made.relative)


def with_item(node: _Import, index: int, name: str, asname: str = "") -> _Import:
    """*node* with the item at *index* spelt anew."""
    names = list(aliases(node))
    made = make_alias(name, asname)
    names[index] = names[index].with_changes(name=made.name, asname=made.asname)
    return node.with_changes(names=names)


def without_item(node: _Import, index: int) -> tuple[_Import, str]:
    """*node* without the item at *index*, and the comment that went with it.

    It must keep another item. A comment goes along only where the item was alone on its line.
    """
    names = list(aliases(node))
    before, after = _gap(node, index), _gap(node, index + 1)
    gone = names.pop(index)
    if index == len(names) and not isinstance(gone.comma, cst.Comma):
        # "import a, b" has no form that ends in a comma, not even on the way.
        names[-1] = names[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    left = node.with_changes(names=names)
    lines = _without_line(before, after)
    if lines is not None:
        if index == len(names) and not isinstance(gone.comma, cst.Comma):
            # "(\n    a,\n    b\n)" without b would end in a comma that was not there before.
            left = _without_last_comma(left)
        return _with_gap(left, index, lines[0]), lines[1]
    if index == len(names):
        if not isinstance(gone.comma, cst.Comma):
            left = _without_last_comma(left)
        return _with_gap(left, index, after), ""
    on_one_line = not isinstance(after, cst.ParenthesizedWhitespace) and "\\" not in (
        after.value if isinstance(after, cst.SimpleWhitespace) else ""
    )
    keeps_place = on_one_line or index == 0
    return _with_gap(left, index, before if keeps_place else after), ""


def with_new_item(
    node: cst.ImportFrom, name: str, asname: str = "", newline: str = "\n"
) -> cst.ImportFrom:
    """*node* with one item more, where it sorts if the list is sorted."""
    names = list(aliases(node))
    made = make_alias(name, asname)
    index = _sorted_index([alias.evaluated_name for alias in names], name)
    if index < len(names):
        before = _gap(node, index)
        own_line = isinstance(before, cst.ParenthesizedWhitespace)
        space: Space = _line_start(before, newline) if own_line else _ONE
        names.insert(index, made.with_changes(comma=cst.Comma(whitespace_after=space)))
        return node.with_changes(names=names)
    last = names[-1]
    before, after = _gap(node, index - 1), _gap(node, index)
    comma = last.comma
    if not isinstance(before, cst.ParenthesizedWhitespace):
        names[-1] = last.with_changes(comma=cst.Comma(whitespace_after=_ONE))
        return node.with_changes(names=[*names, made.with_changes(comma=comma)])
    # The comment of the line stays with the item that has it.
    line = _line_start(before, newline)
    rest = after
    if isinstance(after, cst.ParenthesizedWhitespace):
        first = after.first_line
        shown = first.with_changes(newline=line.first_line.newline)
        line = line.with_changes(first_line=shown)
        bare = first.with_changes(whitespace=_NONE, comment=None)
        rest = after.with_changes(first_line=bare)
    names[-1] = last.with_changes(comma=cst.Comma(whitespace_after=line))
    return _with_gap(
        node.with_changes(names=[*names, made.with_changes(comma=comma)]), index + 1, rest
    )


def edit_import(text: str, edit: Callable[[AnyImport], AnyImport]) -> str:
    """The import statement *text* with *edit* done to its node."""
    module = cst.parse_module(text)
    line = cst.ensure_type(module.body[0], cst.SimpleStatementLine)
    node = line.body[0]
    assert isinstance(node, (cst.Import, cst.ImportFrom))
    return module.with_changes(body=[line.with_changes(body=[edit(node)])]).code


def _line_start(before: Space, newline: str) -> cst.ParenthesizedWhitespace:
    """A line end, and the indentation of the line that *before* ends in."""
    space = cst.ensure_type(before, cst.ParenthesizedWhitespace)
    first = cst.TrailingWhitespace(newline=cst.Newline(newline))
    return space.with_changes(first_line=first, empty_lines=[])


def _without_line(before: Space, after: Space) -> tuple[Space, str] | None:
    """What stands between them where a line of its own goes, and its comment; else None."""
    if not isinstance(before, cst.ParenthesizedWhitespace):
        return None
    if not isinstance(after, cst.ParenthesizedWhitespace):
        return None
    lines = [*before.empty_lines, *after.empty_lines]
    comment = after.first_line.comment
    gap = after.with_changes(first_line=before.first_line, empty_lines=lines)
    return gap, comment.value if comment is not None else ""


def _gap(node: AnyImport, position: int) -> Space:
    """What stands before the item at *position*, or behind the last one and its comma."""
    if position:
        comma = aliases(node)[position - 1].comma
        if isinstance(comma, cst.Comma):
            return comma.whitespace_after
        rpar = getattr(node, "rpar", None)
        return rpar.whitespace_before if rpar is not None else _NONE
    lpar = getattr(node, "lpar", None)
    return lpar.whitespace_after if lpar is not None else node.whitespace_after_import


def _with_gap(node: _Import, position: int, gap: Space) -> _Import:
    if position == 0:
        if isinstance(node, cst.ImportFrom) and node.lpar is not None:
            return node.with_changes(lpar=node.lpar.with_changes(whitespace_after=gap))
        return node.with_changes(whitespace_after_import=gap)
    names = list(aliases(node))
    comma = names[position - 1].comma
    if isinstance(comma, cst.Comma):
        names[position - 1] = names[position - 1].with_changes(
            comma=comma.with_changes(whitespace_after=gap)
        )
        return node.with_changes(names=names)
    if isinstance(node, cst.ImportFrom) and node.rpar is not None:
        return node.with_changes(rpar=node.rpar.with_changes(whitespace_before=gap))
    return node


def _without_last_comma(node: _Import) -> _Import:
    names = list(aliases(node))
    names[-1] = names[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return node.with_changes(names=names)


def _sorted_index(names: Sequence[str], name: str) -> int:
    for key in (_isort_key, str.casefold, str):
        if list(names) == sorted(names, key=key):
            return sum(1 for other in names if _key(key, other) <= _key(key, name))
    return len(names)


def _key(key: Callable[[str], object], name: str) -> tuple[object, ...]:
    value = key(name)
    return value if isinstance(value, tuple) else (value,)


def _isort_key(name: str) -> tuple[int, str]:
    if name.isupper() and len(name) > 1:
        return 0, name
    return (1, name) if name[:1].isupper() else (2, name)
