"""The arguments of a call: named, and dropped with the comma and the line that were theirs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from omni_codemods.translate.transformers.changes import DroppedArguments, NamedArgument

_NO_SPACE = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def name_argument(node: cst.Arg, change: NamedArgument) -> cst.Arg:
    """*node* passed by a keyword."""
    if node.keyword is not None:
        return node.with_changes(keyword=node.keyword.with_changes(value=change.name))
    return node.with_changes(keyword=cst.Name(change.name), equal=_NO_SPACE)


def drop_arguments(node: cst.Call, change: DroppedArguments) -> cst.Call:
    """*node* without some of its arguments; what stood on lines of its own leaves none behind."""
    for first, last in reversed(list(_runs(change.positions))):
        node = _drop_run(node, first, last)
    return node


def _runs(positions: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """The first and last of each run of neighbours."""
    for index, position in enumerate(positions):
        if index == 0 or positions[index - 1] != position - 1:
            last = position
            while last + 1 in positions:
                last += 1
            yield position, last


def _drop_run(node: cst.Call, first: int, last: int) -> cst.Call:
    before, after = _gap(node, first), _gap(node, last + 1)
    kept = [*node.args[:first], *node.args[last + 1 :]]
    if isinstance(before, cst.ParenthesizedWhitespace) and isinstance(
        after, cst.ParenthesizedWhitespace
    ):
        # The lines go, with the comment at their end.
        lines = [*before.empty_lines, *after.empty_lines]
        gap: cst.BaseParenthesizableWhitespace = after.with_changes(
            first_line=before.first_line, empty_lines=lines
        )
        return _with_gap(node.with_changes(args=kept), first, gap)
    if last + 1 < len(node.args) or not kept:
        return _with_gap(node.with_changes(args=kept), first, _joined(before, after, bool(kept)))
    if not isinstance(node.args[last].comma, cst.Comma):
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return _with_gap(node.with_changes(args=kept), first, after)


def _gap(node: cst.Call, position: int) -> cst.BaseParenthesizableWhitespace:
    """What stands before the argument at *position*, or before the closing parenthesis."""
    if position == 0:
        return node.whitespace_before_args
    argument = node.args[position - 1]
    if isinstance(argument.comma, cst.Comma):
        return argument.comma.whitespace_after
    return argument.whitespace_after_arg


def _with_gap(node: cst.Call, position: int, gap: cst.BaseParenthesizableWhitespace) -> cst.Call:
    if position == 0:
        return node.with_changes(whitespace_before_args=gap)
    args = list(node.args)
    argument = args[position - 1]
    if isinstance(argument.comma, cst.Comma):
        comma = argument.comma.with_changes(whitespace_after=gap)
        args[position - 1] = argument.with_changes(comma=comma)
    else:
        args[position - 1] = argument.with_changes(whitespace_after_arg=gap)
    return node.with_changes(args=args)


def _joined(
    before: cst.BaseParenthesizableWhitespace,
    after: cst.BaseParenthesizableWhitespace,
    followed: bool,
) -> cst.BaseParenthesizableWhitespace:
    """What stands where arguments stood between *before* and *after*, not both on new lines."""
    if isinstance(before, cst.SimpleWhitespace) and isinstance(after, cst.ParenthesizedWhitespace):
        line = after.first_line
        space = before.value if followed else before.value + line.whitespace.value
        return after.with_changes(
            first_line=line.with_changes(whitespace=cst.SimpleWhitespace(space))
        )
    if followed:
        return before
    if isinstance(before, cst.SimpleWhitespace) and isinstance(after, cst.SimpleWhitespace):
        return cst.SimpleWhitespace(before.value + after.value)
    return before
