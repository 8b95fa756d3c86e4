"""Three versions of one bracket's elements → one list of them, laid out as the target's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from omni_codemods.functions.brackets import Element, Group, Part, parse_parts, start_of
from omni_codemods.text.canonical import as_words


@dataclass(slots=True)
class Merge:
    """How a statement merge goes.

    *unit* is the indentation of the file, *indent* that of the statement, *parameters* where in
    the target the parameter list of a ``def`` opens. *overruled* says that a marked element
    won over the upstream's.
    """

    unit: str = "    "
    indent: str = ""
    parameters: tuple[int, int] | None = None
    overruled: bool = False


_MergeParts = Callable[[Sequence[Part], Sequence[Part], Sequence[Part], Merge], "str | None"]


@dataclass(slots=True, eq=False)
class _Slot:
    """An element of the result: whose comments and place it has, and its text."""

    element: Element
    text: str
    own_line: bool
    mine: bool = False  # local's own
    behind: list[_Slot] = field(default_factory=list)


def merge_elements(
    base: Group, local: Group, target: Group, merge: Merge, merge_parts: _MergeParts
) -> str | None:
    """Merge by name and place. ``None`` where both sides changed the same element."""
    to_local = match_elements(base.elements, local.elements)
    to_target = match_elements(base.elements, target.elements)
    from_local = {v: k for k, v in to_local.items()}
    from_target = {v: k for k, v in to_target.items()}
    slots: list[_Slot] = []
    for j, theirs in enumerate(target.elements):
        i = from_target.get(j)
        if i is None:
            slots.append(_Slot(theirs, theirs.text, theirs.own_line))
            continue
        slot = _merge_one(base.elements[i], _at(local, to_local.get(i)), theirs, merge, merge_parts)
        if slot is None:
            return None
        slots.append(slot)
    if not _keep_changed(base, local, to_local, to_target):
        return None
    return _place_additions(base, local, target, from_local, to_target, slots, merge)


def _at(group: Group, index: int | None) -> Element | None:
    return None if index is None else group.elements[index]


def match_elements(left: Sequence[Element], right: Sequence[Element]) -> dict[int, int]:
    """Match elements: named ones by name, others by what they say, then by their place."""
    named = {e.key: j for j, e in enumerate(right) if e.key}
    out = {i: named[e.key] for i, e in enumerate(left) if e.key in named and e.key}
    out.update(_renamed(left, right, out))
    plain_l = [i for i, e in enumerate(left) if not e.key]
    plain_r = [j for j, e in enumerate(right) if not e.key]
    codes_l, codes_r = [left[i].code for i in plain_l], [right[j].code for j in plain_r]
    for op, i1, i2, j1, j2 in SequenceMatcher(None, codes_l, codes_r, autojunk=False).get_opcodes():
        if op == "equal" or (op == "replace" and i2 - i1 == j2 - j1):
            out.update(zip(plain_l[i1:i2], plain_r[j1:j2], strict=True))
        elif op == "replace":
            out.update(_alike(left, right, plain_l[i1:i2], plain_r[j1:j2]))
    return out


def _renamed(
    left: Sequence[Element], right: Sequence[Element], known: dict[int, int]
) -> dict[int, int]:
    """Named elements that got another name: the only new one between the same neighbours that
    says the same after its name."""
    out: dict[int, int] = {}
    free = [j for j in range(len(right)) if j not in known.values() and right[j].key]
    for i, element in enumerate(left):
        if i in known or not element.key or len(element.code) < 3:
            continue
        before = max((j for k, j in known.items() if k < i), default=-1)
        after = min((j for k, j in known.items() if k > i), default=len(right))
        twins = [j for j in free if before < j < after and right[j].code[1:] == element.code[1:]]
        if len(twins) == 1 and twins[0] not in out.values():
            out[i] = twins[0]
    return out


def _alike(
    left: Sequence[Element], right: Sequence[Element], some_l: list[int], some_r: list[int]
) -> dict[int, int]:
    out: dict[int, int] = {}
    start = 0
    for i in some_l:
        for at in range(start, len(some_r)):
            a, b = as_words(left[i].code), as_words(right[some_r[at]].code)
            if SequenceMatcher(None, a, b, autojunk=False).ratio() >= 0.6:
                out[i] = some_r[at]
                start = at + 1
                break
    return out


def _merge_one(
    base: Element, mine: Element | None, theirs: Element, merge: Merge, merge_parts: _MergeParts
) -> _Slot | None:
    if mine is None:
        if theirs.code == base.code:
            return _Slot(theirs, "", theirs.own_line)  # deleted
        return None
    commented = mine if mine.comments != base.comments else theirs
    if mine.code == base.code == theirs.code and theirs.text == base.text:
        return _Slot(commented, mine.moved(theirs.line_indent), theirs.own_line)
    if mine.code == base.code or mine.code == theirs.code:
        return _Slot(commented, theirs.text, theirs.own_line)
    if theirs.code == base.code:
        return _Slot(commented, mine.moved(theirs.line_indent), theirs.own_line)
    old, ours, new = (parse_parts(e.tokens, e.source) for e in (base, mine, theirs))
    text = merge_parts(old, ours, new, merge)
    if text is not None:
        return _Slot(commented, text, theirs.own_line)
    if mine.is_fenced:
        merge.overruled = True
        return _Slot(mine, mine.moved(theirs.line_indent), theirs.own_line)
    return None


def _keep_changed(
    base: Group, local: Group, to_local: dict[int, int], to_target: dict[int, int]
) -> bool:
    """Elements that the target deleted must be as base has them in local, or gone there too."""
    for i, element in enumerate(base.elements):
        if i in to_target or i not in to_local:
            continue
        mine = local.elements[to_local[i]]
        if mine.code != element.code and not mine.is_fenced:
            return False
    return True


def _place_additions(
    base: Group,
    local: Group,
    target: Group,
    from_local: dict[int, int],
    to_target: dict[int, int],
    slots: list[_Slot],
    merge: Merge,
) -> str | None:
    front: list[_Slot] = []
    theirs_new = [s for j, s in enumerate(slots) if j not in to_target.values()]
    for j, mine in enumerate(local.elements):
        i = from_local.get(j)
        if i is not None:
            kept_by_owner = i not in to_target and mine.code != base.elements[i].code
            if not kept_by_owner:
                continue
        same = _same_addition(mine, theirs_new)
        if same is not None and same.element.code == mine.code:
            continue
        if same is not None:
            if not mine.is_fenced:
                return None
            merge.overruled = True
            same.text, same.element = mine.moved(same.element.line_indent), mine
            continue
        slot = _Slot(mine, mine.text, mine.own_line, mine=True)
        _predecessor(j, from_local, to_target, slots, front).append(slot)
    if _replaced_by_both(base, local, from_local, to_target, theirs_new):
        return None
    if not target.opener.text and len(target.elements) > 1 and _kept(slots, front) == 1:
        return None  # a tuple of one needs a comma that nobody wrote
    ordered = list(front)
    for slot in slots:
        if slot.text:
            ordered.append(slot)
        ordered += slot.behind
    if start_of(target.opener) != merge.parameters:
        ordered = _positional_first(ordered)
    return _render(target, ordered, merge.unit)


def _kept(slots: list[_Slot], front: list[_Slot]) -> int:
    return len(front) + sum(bool(s.text) + len(s.behind) for s in slots)


def _same_addition(mine: Element, theirs_new: list[_Slot]) -> _Slot | None:
    for slot in theirs_new:
        if slot.element.code == mine.code or (mine.key and slot.element.key == mine.key):
            return slot
    return None


def _predecessor(
    j: int,
    from_local: dict[int, int],
    to_target: dict[int, int],
    slots: list[_Slot],
    front: list[_Slot],
) -> list[_Slot]:
    """The list to which an addition of local goes: behind what local has before it.

    What the target added at the same place comes first.
    """
    matched = set(to_target.values())
    at = -1
    for before in range(j - 1, -1, -1):
        i = from_local.get(before)
        if i is not None and i in to_target:
            at = to_target[i]
            break
    while (
        at + 1 < len(slots)
        and at + 1 not in matched
        and slots[at + 1].element.code[0] not in ("*", "**")
    ):
        at += 1
    return slots[at].behind if at >= 0 else front


def _replaced_by_both(
    base: Group,
    local: Group,
    from_local: dict[int, int],
    to_target: dict[int, int],
    theirs_new: list[_Slot],
) -> bool:
    """Whether both sides put another positional element where the same one of base stood."""
    mine_new = [e for j, e in enumerate(local.elements) if j not in from_local and not e.key]
    theirs = [s.element for s in theirs_new if not s.element.key]
    kept_l = set(from_local.values())
    both_gone = [i for i in range(len(base.elements)) if i not in kept_l and i not in to_target]
    return bool(both_gone and mine_new and theirs) and {e.code for e in mine_new} != {
        e.code for e in theirs
    }


def _positional_first(slots: list[_Slot]) -> list[_Slot]:
    """Positional arguments stand before keywords, whichever of the two local added."""
    first = next((k for k, s in enumerate(slots) if s.element.key.endswith("=")), len(slots))
    late = [s for s in slots[first:] if _is_positional(s)]
    if not late:
        return slots
    if all(s.mine for s in late):
        return [*slots[:first], *late, *(s for s in slots[first:] if s not in late)]
    last = slots.index(late[-1])
    early = [s for s in slots[first:last] if s.mine and s.element.key]
    kept = [s for s in slots[: last + 1] if s not in early]
    return [*kept, *early, *slots[last + 1 :]]


def _is_positional(slot: _Slot) -> bool:
    return not slot.element.key and slot.element.code[0] not in ("*", "**")


def _render(target: Group, slots: list[_Slot], unit: str) -> str:
    if not slots:
        return "".join(target.brackets)
    source = target.source
    base_indent = source.line_indent(target.opener)
    spread = any(s.element.lead or s.element.trail or s.element.post for s in slots)
    multi = any(e.own_line for e in target.elements) or (not target.elements and spread)
    explode = spread and not multi
    own = next((e for e in target.elements if e.own_line), None)
    indent = source.line_indent(own.tokens[0]) if own is not None else base_indent + unit
    packed = multi and sum(e.own_line for e in target.elements) == 1 and len(target.elements) > 1
    opener, closer = target.opener.text, target.closer.text
    if explode:
        opener, closer = target.brackets
    out = [opener]
    if target.head:
        out.append(f"  {target.head}")
    for k, slot in enumerate(slots):
        previous = slots[k - 1] if k else None
        line = explode or slot.element.lead != () or (previous is not None and _ends_line(previous))
        if multi and not line:
            line = slot.own_line if not slot.mine else (k == 0 or not packed)
        out.append(_lead(slot, line, indent, first=k == 0))
        out.append(slot.element.moved(indent if line else base_indent) if slot.mine else slot.text)
        last = k == len(slots) - 1
        comma = not last or _wants_comma(target, explode)
        out.append(
            ("," if comma else "") + (f"  {slot.element.trail}" if slot.element.trail else "")
        )
        out += [f"\n{indent}{c}" for c in slot.element.post]
    out += [f"\n{indent}{c}" for c in target.foot]
    if explode or target.closes_own_line or _ends_line(slots[-1]) or target.foot:
        closing = source.line_indent(target.closer) if target.closes_own_line else base_indent
        out.append(f"\n{closing}")
    return "".join(out) + closer


def _ends_line(slot: _Slot) -> bool:
    return bool(slot.element.trail or slot.element.post)


def _wants_comma(target: Group, explode: bool) -> bool:
    if target.trailing_comma or explode:
        return True
    return (
        target.closes_own_line
        and any(e.own_line for e in target.elements)
        and not any("for" in e.code for e in target.elements)
    )


def _lead(slot: _Slot, line: bool, indent: str, *, first: bool) -> str:
    comments = "".join(f"\n{indent}{c}" for c in slot.element.lead)
    if line or comments:
        return f"{comments}\n{indent}"
    return "" if first else " "
