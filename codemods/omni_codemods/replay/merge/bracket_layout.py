"""The merged elements of a bracket as text, laid out as the skeleton's bracket is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from omni_codemods.functions.brackets import Element, Form, Group


@dataclass(slots=True, eq=False)
class Slot:
    """An element of the result: whose comments and place it has, and its text.

    *at* is which element of the edited side it is, ``None`` for one that only the skeleton has.
    An empty *text* is an element that goes.
    """

    element: Element
    text: str
    own_line: bool
    mine: bool = False  # the edited side's own
    at: int | None = None
    behind: list[Slot] = field(default_factory=list)


def render_bracket(sides: tuple[Group, Group, Group], slots: Sequence[Slot], unit: str) -> str:
    """The bracket with the elements *slots*; *sides* are ancestor, edited, skeleton."""
    skeleton = sides[-1]
    if not slots:
        return "".join(skeleton.brackets)
    source = skeleton.source
    base_indent = source.line_indent(skeleton.opener)
    spread = any(s.element.lead or s.element.trail or s.element.post for s in slots)
    multi = any(e.own_line for e in skeleton.elements) or (not skeleton.elements and spread)
    explode = spread and not multi
    own = next((e for e in skeleton.elements if e.own_line), None)
    indent = source.line_indent(own.tokens[0]) if own is not None else base_indent + unit
    packed = (
        multi and sum(e.own_line for e in skeleton.elements) == 1 and len(skeleton.elements) > 1
    )
    opener, closer = skeleton.opener.text, skeleton.closer.text
    if explode:
        opener, closer = skeleton.brackets
    out = [opener]
    if skeleton.head:
        out.append(f"  {skeleton.head}")
    for k, slot in enumerate(slots):
        previous = slots[k - 1] if k else None
        line = explode or slot.element.lead != () or (previous is not None and _ends_line(previous))
        if multi and not line:
            line = slot.own_line if not slot.mine else (k == 0 or not packed)
        out.append(_lead(slot, line, indent, first=k == 0))
        out.append(slot.element.moved(indent if line else base_indent) if slot.mine else slot.text)
        last = k == len(slots) - 1
        comma = not last or _wants_comma(sides, len(slots), explode)
        out.append(
            ("," if comma else "") + (f"  {slot.element.trail}" if slot.element.trail else "")
        )
        out += [f"\n{indent}{c}" for c in slot.element.post]
    out += [f"\n{indent}{c}" for c in skeleton.foot]
    if explode or skeleton.closes_own_line or _ends_line(slots[-1]) or skeleton.foot:
        closing = source.line_indent(skeleton.closer) if skeleton.closes_own_line else base_indent
        out.append(f"\n{closing}")
    return "".join(out) + closer


def _ends_line(slot: Slot) -> bool:
    return bool(slot.element.trail or slot.element.post)


def _wants_comma(sides: tuple[Group, Group, Group], count: int, explode: bool) -> bool:
    """Whether a comma stands behind the last of *count* elements.

    It is layout only where it means nothing: it makes one operand a tuple, and a tuple of one
    needs it.
    """
    skeleton = sides[-1]
    if skeleton.form is Form.EXPRESSION:
        return False
    if count == 1 and skeleton.form is Form.TUPLE:
        return True
    if count == 1 and skeleton.form is Form.INDEX:
        alone = [side.trailing_comma for side in sides if len(side.elements) == 1]
        return bool(alone) and all(alone)
    if skeleton.trailing_comma or (explode and count > 1):
        return True
    if count == 1 and skeleton.form is Form.ITEMS and skeleton.brackets[0] == "(":
        return False  # `with (a,):` is read as a tuple by who does not know better
    return explode or (skeleton.closes_own_line and any(e.own_line for e in skeleton.elements))


def _lead(slot: Slot, line: bool, indent: str, *, first: bool) -> str:
    comments = "".join(f"\n{indent}{c}" for c in slot.element.lead)
    if line or comments:
        return f"{comments}\n{indent}"
    return "" if first else " "
