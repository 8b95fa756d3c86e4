"""Names and dotted chains: another spelling for them, comments between their parts kept."""

from __future__ import annotations

from functools import reduce

import libcst as cst

from omni_codemods.names.import_nodes import iter_nodes
from omni_codemods.translate.transformers.changes import RenamedAttributes, Respelled

Chain = cst.Name | cst.Attribute


def respell(node: Chain, change: Respelled) -> cst.BaseExpression:
    """The expression that *change* gives in the place of *node*, in the same parentheses."""
    if isinstance(node, cst.Name) and change.text.isidentifier():
        return node.with_changes(value=change.text)
    new = cst.parse_expression(change.text)
    lpar, rpar = [*node.lpar], [*node.rpar]
    comments = _comments(node)
    if comments:
        # They stand on after the name, where its parentheses close.
        lpar = lpar or [cst.LeftParen()]
        rpar = rpar or [cst.RightParen()]
        space = reduce(_followed_by, [*comments, rpar[0].whitespace_before])
        rpar[0] = rpar[0].with_changes(whitespace_before=space)
    return new.with_changes(lpar=[*lpar, *new.lpar], rpar=[*new.rpar, *rpar])


def rename_attributes(node: cst.Attribute, change: RenamedAttributes) -> cst.Attribute:
    """*node* with its last attributes renamed; where they stay as many, layout stays as well."""
    if change.count == len(change.names):
        return _renamed(node, change.names)
    inner: cst.BaseExpression = node
    dot = node.dot
    for _ in range(change.count):
        attribute = cst.ensure_type(inner, cst.Attribute)
        inner, dot = attribute.value, attribute.dot
    for name in change.names:
        inner = cst.Attribute(inner, cst.Name(name), dot)
        dot = cst.Dot()
    return cst.ensure_type(inner, cst.Attribute).with_changes(lpar=node.lpar, rpar=node.rpar)


def _renamed(node: cst.Attribute, names: tuple[str, ...]) -> cst.Attribute:
    value = node.value
    if len(names) > 1:
        value = _renamed(cst.ensure_type(value, cst.Attribute), names[:-1])
    return node.with_changes(value=value, attr=node.attr.with_changes(value=names[-1]))


def _comments(node: Chain) -> list[cst.BaseParenthesizableWhitespace]:
    """The white space with a comment in it between the parts of *node*, in order."""
    return [
        space
        for space in iter_nodes(node)
        if isinstance(space, cst.ParenthesizedWhitespace)
        and any(isinstance(inner, cst.Comment) for inner in iter_nodes(space))
    ]


def _followed_by(
    first: cst.BaseParenthesizableWhitespace, second: cst.BaseParenthesizableWhitespace
) -> cst.BaseParenthesizableWhitespace:
    """The two as one; *first* is on lines of its own."""
    space = cst.ensure_type(first, cst.ParenthesizedWhitespace)
    start = space.last_line.value
    if isinstance(second, cst.SimpleWhitespace):
        return space.with_changes(last_line=cst.SimpleWhitespace(start + second.value))
    other = cst.ensure_type(second, cst.ParenthesizedWhitespace)
    line = other.first_line
    joint = cst.EmptyLine(
        indent=space.indent,
        whitespace=cst.SimpleWhitespace(start + line.whitespace.value),
        comment=line.comment,
        newline=line.newline,
    )
    lines = [*space.empty_lines, joint, *other.empty_lines]
    return other.with_changes(first_line=space.first_line, empty_lines=lines)
