"""Three versions of one bracket's elements → one list of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from omni_codemods.functions.bracket_parsing import (
    parse_element,
    parse_parts,
    value_parentheses,
)
from omni_codemods.functions.brackets import Element, Form, Group, Part, start_of
from omni_codemods.replay.merge.bracket_layout import Slot, render_bracket
from omni_codemods.replay.merge.bracket_matching import match_elements
from omni_codemods.replay.merge.fenced import iter_fenced


@dataclass(slots=True)
class Merge:
    """How a statement merge goes, and what is to be said of it.

    *unit* is the indentation of the file, *indent* that of the statement, *parameters* where in
    the target the parameter list of a ``def`` opens. *overruled* says that a marked element
    won over the upstream's, *absorbed* are the elements of local's blocks that the target has
    too, and *moved* says which elements stand at another position than on their own side.
    """

    unit: str = "    "
    indent: str = ""
    parameters: tuple[int, int] | None = None
    overruled: bool = False
    absorbed: list[Element] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)


MergeParts = Callable[[Sequence[Part], Sequence[Part], Sequence[Part], Merge], "str | None"]


class Clash(Exception):
    """Both sides changed the same, or what they changed cannot stand together."""


def merge_elements(
    base: Group, local: Group, target: Group, merge: Merge, merge_parts: MergeParts
) -> str | None:
    """Merge by name and place. ``None`` where both sides changed the same element.

    What one side made a tuple, and the other did not, is no list of elements to both.
    """
    forms = {base.form, local.form, target.form}
    if len(forms) > 1 and forms & {Form.EXPRESSION, Form.TUPLE}:
        return None
    try:
        return _BracketMerge(base, local, target, merge, merge_parts).merged()
    except Clash:
        return None


class _BracketMerge:
    """One merge; places in *base*, *local* and *target* are indices of their elements."""

    def __init__(
        self, base: Group, local: Group, target: Group, merge: Merge, merge_parts: MergeParts
    ) -> None:
        self._base, self._local, self._target = base, local, target
        self._merge, self._merge_parts = merge, merge_parts
        self._to_local = match_elements(base.elements, local.elements)
        self._to_target = match_elements(base.elements, target.elements)
        self._from_local = {j: i for i, j in self._to_local.items()}
        self._from_target = {j: i for i, j in self._to_target.items()}
        self._slots = [self._slot(j, theirs) for j, theirs in enumerate(target.elements)]
        self._front: list[Slot] = []

    def merged(self) -> str:
        """The text of the merged bracket. Raises :class:`Clash`."""
        self._keep_changed()
        self._refuse_two_replacements()
        absorbed = self._absorbed()
        for j, mine in enumerate(self._local.elements):
            if self._is_addition(j) and j not in absorbed:
                self._add(j, mine)
        ordered = [*self._front, *(s for slot in self._slots for s in (slot, *slot.behind))]
        ordered = [s for s in ordered if s.text]
        if self._is_arguments:
            ordered = _positional_first(ordered)
        self._require_whole_blocks(ordered, absorbed)
        self._compare_positions(ordered)
        if not self._target.opener.text and len(self._target.elements) > 1 and len(ordered) == 1:
            raise Clash  # a tuple of one needs a comma that nobody wrote
        self._merge.absorbed += [self._local.elements[j] for j in absorbed]
        return render_bracket((self._base, self._local, self._target), ordered, self._merge.unit)

    @property
    def _is_parameters(self) -> bool:
        return start_of(self._target.opener) == self._merge.parameters

    @property
    def _is_arguments(self) -> bool:
        return self._target.form is Form.ARGUMENTS and not self._is_parameters

    # -- what all sides have ----------------------------------------------------------------

    def _slot(self, j: int, theirs: Element) -> Slot:
        i = self._from_target.get(j)
        if i is None:
            return Slot(theirs, theirs.text, theirs.own_line)
        at = self._to_local.get(i)
        base, mine = self._base.elements[i], None if at is None else self._local.elements[at]
        if mine is None:
            if theirs.code != base.code:
                raise Clash
            return Slot(theirs, "", theirs.own_line)  # deleted
        commented = mine if mine.comments != base.comments else theirs
        return Slot(commented, self._text(base, mine, theirs), theirs.own_line, at=at)

    def _text(self, base: Element, mine: Element, theirs: Element) -> str:
        if mine.code == base.code == theirs.code and theirs.text == base.text:
            return mine.moved(theirs.line_indent)
        if mine.code == theirs.code and not mine.is_fenced:
            self._merge.absorbed += iter_fenced(parse_parts(mine.tokens, mine.source))
        if mine.code in (base.code, theirs.code):
            return theirs.text
        if theirs.code == base.code:
            return mine.moved(theirs.line_indent)
        old, ours, new = self._parts(base, mine, theirs)
        if old is not None and ours is not None and new is not None:
            text = self._merge_parts(old, ours, new, self._merge)
            if text is not None:
                return text
        if not mine.is_fenced:
            raise Clash
        self._merge.overruled = True
        return mine.moved(theirs.line_indent)

    def _parts(self, *sides: Element) -> list[list[Part] | None]:
        """The parts of three versions of an element; parentheses that not all of them have go."""
        bare = len({value_parentheses(e) is None for e in sides}) > 1
        return [parse_element(e, bare=bare) for e in sides]

    def _keep_changed(self) -> None:
        """What the target deleted must be as base has it in local, or gone there too.

        A block holds on to what it changed; what it only holds a person decides.
        """
        for i, j in self._to_local.items():
            if i in self._to_target:
                continue
            mine, same = self._local.elements[j], self._local.elements[j].code
            same_code = same == self._base.elements[i].code
            if mine.is_fenced == same_code:
                raise Clash
            self._merge.overruled |= mine.is_fenced

    def _refuse_two_replacements(self) -> None:
        """Both sides put another positional element where the same one of base stood."""
        mine = {e.code for j, e in enumerate(self._local.elements) if self._is_new(j) and not e.key}
        theirs = {s.element.code for s in self._newcomers if not s.element.key}
        gone = [
            i
            for i in range(len(self._base.elements))
            if i not in self._to_local and i not in self._to_target
        ]
        if gone and mine and theirs and mine != theirs:
            raise Clash

    # -- what local added -------------------------------------------------------------------

    def _is_new(self, j: int) -> bool:
        return j not in self._from_local

    def _is_addition(self, j: int) -> bool:
        """Whether no element of the target stands for local's *j*; a block may hold an old one."""
        i = self._from_local.get(j)
        if i is None:
            return True
        changed = self._local.elements[j].code != self._base.elements[i].code
        return i not in self._to_target and changed

    @property
    def _newcomers(self) -> list[Slot]:
        """What the target added."""
        return [s for j, s in enumerate(self._slots) if j not in self._from_target]

    def _absorbed(self) -> set[int]:
        """Additions of local that the target has too; those of a block all or none."""
        new = [j for j in range(len(self._local.elements)) if self._is_addition(j)]
        said = {j for j in new if self._same(j, by_name=False) is not None}
        blocks = {self._local.elements[j].block for j in new} - {0}
        for block in blocks:
            held = [j for j, e in enumerate(self._local.elements) if e.block == block]
            if not said.issuperset(held):
                said.difference_update(held)
        return said

    def _same(self, j: int, *, by_name: bool) -> Slot | None:
        """The target's own addition that says what local's *j* says, or that has its name."""
        mine = self._local.elements[j]
        for slot in self._newcomers:
            theirs = slot.element
            if theirs.code == mine.code or (by_name and mine.key and theirs.key == mine.key):
                return slot
        return None

    def _add(self, j: int, mine: Element) -> None:
        same = self._same(j, by_name=True)
        if same is not None and same.text:
            if not mine.is_fenced:
                raise Clash
            self._merge.overruled |= same.element.code != mine.code
            same.text = ""
        self._place_of(j).append(Slot(mine, mine.text, mine.own_line, mine=True, at=j))

    def _place_of(self, j: int) -> list[Slot]:
        """The list to which an addition of local goes: behind what local has before it.

        What the target added at the same place comes first, unless a block reaches over it.
        """
        at, inside = -1, False
        for before in range(j - 1, -1, -1):
            i = self._from_local.get(before)
            if i is not None and i in self._to_target:
                at = self._to_target[i]
                block = self._local.elements[j].block
                inside = block > 0 and block == self._local.elements[before].block
                break
        while (
            not inside
            and at + 1 < len(self._slots)
            and at + 1 not in self._from_target
            and self._slots[at + 1].element.code[0] not in ("*", "**")
        ):
            at += 1
        return self._slots[at].behind if at >= 0 else self._front

    # -- what must hold ---------------------------------------------------------------------

    def _require_whole_blocks(self, ordered: Sequence[Slot], absorbed: set[int]) -> None:
        """A block stands in one piece, with all of local's elements in it and no others."""
        elements = self._local.elements
        for block in {e.block for e in elements} - {0}:
            held = [j for j, e in enumerate(elements) if e.block == block and j not in absorbed]
            found = [k for k, s in enumerate(ordered) if s.at in held]
            run = list(range(found[0], found[-1] + 1)) if found else []
            if found != run or [ordered[k].at for k in found] != held:
                raise Clash

    def _compare_positions(self, ordered: Sequence[Slot]) -> None:
        """Say which positional element of one side stands elsewhere than that side has it.

        An index cannot be told from another by its name, and a positional argument that goes
        where one stood which the other side gave a name to means something else.
        """
        if self._target.form is Form.ITEMS:
            return
        parameters = self._is_parameters
        now = _positions([s.element for s in ordered], named=parameters)
        sides = (("local", self._local), ("the upstream", self._target))
        for (name, side), mine in zip(sides, (True, False), strict=True):
            was = _positions(side.elements, named=parameters)
            for slot, place in _pairs(ordered, now):
                known = was.get(id(slot.element))
                new = slot.mine if mine else slot in self._newcomers
                if not new or known is None or known == place:
                    continue
                if self._target.form is Form.INDEX or self._names_one(not mine):
                    raise Clash
                text = " ".join(slot.text.split())
                self._merge.moved.append(f"{text} is number {place + 1}, in {name} {known + 1}")

    def _names_one(self, by_local: bool) -> bool:
        """Whether one side gave a name to what base passes by its position."""
        side, known = (self._local, self._to_local) if by_local else (self._target, self._to_target)
        matched = set(known.values())
        gone = any(not e.key for i, e in enumerate(self._base.elements) if i not in known)
        named = any(e.key for j, e in enumerate(side.elements) if j not in matched)
        return gone and named


def _pairs(slots: Sequence[Slot], places: dict[int, int]) -> Iterator[tuple[Slot, int]]:
    return ((s, places[id(s.element)]) for s in slots if id(s.element) in places)


def _positions(elements: Sequence[Element], *, named: bool) -> dict[int, int]:
    """The positions of those that have one, by identity; *named*: parameters have names as well."""
    out: dict[int, int] = {}
    for element in elements:
        if element.code[0] in ("*", "**"):
            break
        if element.code == ("/",) or (element.key and not named):
            continue
        out[id(element)] = len(out)
    return out


def _positional_first(slots: list[Slot]) -> list[Slot]:
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


def _is_positional(slot: Slot) -> bool:
    return not slot.element.key and slot.element.code[0] not in ("*", "**")
