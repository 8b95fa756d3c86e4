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
from omni_codemods.replay.words import NEUTRAL, Words


@dataclass(slots=True)
class Merge:
    """How a statement merge goes, and what is to be said of it.

    *unit* is the indentation of the file, *indent* that of the statement, *parameters* where in
    the skeleton the parameter list of a ``def`` opens. *overruled* says that a marked element
    won over the skeleton's, *absorbed* are the elements of edited blocks that the skeleton has
    too, and *moved* says which elements stand at another position than on their own side.
    """

    unit: str = "    "
    words: Words = NEUTRAL
    indent: str = ""
    parameters: tuple[int, int] | None = None
    overruled: bool = False
    absorbed: list[Element] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)


MergeParts = Callable[[Sequence[Part], Sequence[Part], Sequence[Part], Merge], "str | None"]


class Clash(Exception):
    """Both sides changed the same, or what they changed cannot stand together."""


def merge_elements(
    ancestor: Group, edited: Group, skeleton: Group, merge: Merge, merge_parts: MergeParts
) -> str | None:
    """Merge by name and place. ``None`` where both sides changed the same element.

    What one side made a tuple, and the other did not, is no list of elements to both.
    """
    forms = {ancestor.form, edited.form, skeleton.form}
    if len(forms) > 1 and forms & {Form.EXPRESSION, Form.TUPLE}:
        return None
    try:
        return _BracketMerge(ancestor, edited, skeleton, merge, merge_parts).merged()
    except Clash:
        return None


class _BracketMerge:
    """One merge; places in *ancestor*, *edited* and *skeleton* are indices of their elements."""

    def __init__(
        self, ancestor: Group, edited: Group, skeleton: Group, merge: Merge, merge_parts: MergeParts
    ) -> None:
        self._ancestor, self._edited, self._skeleton = ancestor, edited, skeleton
        self._merge, self._merge_parts = merge, merge_parts
        self._to_edited = match_elements(ancestor.elements, edited.elements)
        self._to_skeleton = match_elements(ancestor.elements, skeleton.elements)
        self._from_edited = {j: i for i, j in self._to_edited.items()}
        self._from_skeleton = {j: i for i, j in self._to_skeleton.items()}
        self._slots = [self._slot(j, theirs) for j, theirs in enumerate(skeleton.elements)]
        self._front: list[Slot] = []

    def merged(self) -> str:
        """The text of the merged bracket. Raises :class:`Clash`."""
        self._keep_changed()
        self._refuse_two_replacements()
        absorbed = self._absorbed()
        for j, mine in enumerate(self._edited.elements):
            if self._is_addition(j) and j not in absorbed:
                self._add(j, mine)
        ordered = [*self._front, *(s for slot in self._slots for s in (slot, *slot.behind))]
        ordered = [s for s in ordered if s.text]
        if self._is_arguments:
            ordered = _positional_first(ordered)
        self._require_whole_blocks(ordered, absorbed)
        self._compare_positions(ordered)
        if (
            not self._skeleton.opener.text
            and len(self._skeleton.elements) > 1
            and len(ordered) == 1
        ):
            raise Clash  # a tuple of one needs a comma that nobody wrote
        self._merge.absorbed += [self._edited.elements[j] for j in absorbed]
        return render_bracket(
            (self._ancestor, self._edited, self._skeleton), ordered, self._merge.unit
        )

    @property
    def _is_parameters(self) -> bool:
        return start_of(self._skeleton.opener) == self._merge.parameters

    @property
    def _is_arguments(self) -> bool:
        return self._skeleton.form is Form.ARGUMENTS and not self._is_parameters

    # -- what all sides have ----------------------------------------------------------------

    def _slot(self, j: int, theirs: Element) -> Slot:
        i = self._from_skeleton.get(j)
        if i is None:
            return Slot(theirs, theirs.text, theirs.own_line)
        at = self._to_edited.get(i)
        ancestor, mine = (
            self._ancestor.elements[i],
            None if at is None else self._edited.elements[at],
        )
        if mine is None:
            if theirs.code != ancestor.code:
                raise Clash
            return Slot(theirs, "", theirs.own_line)  # deleted
        commented = mine if mine.comments != ancestor.comments else theirs
        return Slot(commented, self._text(ancestor, mine, theirs), theirs.own_line, at=at)

    def _text(self, ancestor: Element, mine: Element, theirs: Element) -> str:
        if mine.code == ancestor.code == theirs.code and theirs.text == ancestor.text:
            return mine.moved(theirs.line_indent)
        if mine.code == theirs.code and not mine.is_fenced:
            self._merge.absorbed += iter_fenced(parse_parts(mine.tokens, mine.source))
        if mine.code in (ancestor.code, theirs.code):
            return theirs.text
        if theirs.code == ancestor.code:
            return mine.moved(theirs.line_indent)
        old, ours, new = self._parts(ancestor, mine, theirs)
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
        """What the skeleton deleted must be unchanged in the edited side, or gone there too.

        A block holds on to what it changed; what it only holds a person decides.
        """
        for i, j in self._to_edited.items():
            if i in self._to_skeleton:
                continue
            mine, same = self._edited.elements[j], self._edited.elements[j].code
            same_code = same == self._ancestor.elements[i].code
            if mine.is_fenced == same_code:
                raise Clash
            self._merge.overruled |= mine.is_fenced

    def _refuse_two_replacements(self) -> None:
        """Both sides put another positional element where the same one of the ancestor stood."""
        mine = {
            e.code for j, e in enumerate(self._edited.elements) if self._is_new(j) and not e.key
        }
        theirs = {s.element.code for s in self._newcomers if not s.element.key}
        gone = [
            i
            for i in range(len(self._ancestor.elements))
            if i not in self._to_edited and i not in self._to_skeleton
        ]
        if gone and mine and theirs and mine != theirs:
            raise Clash

    # -- what the edited side added -----------------------------------------------------------

    def _is_new(self, j: int) -> bool:
        return j not in self._from_edited

    def _is_addition(self, j: int) -> bool:
        """Whether no element of the skeleton stands for edited *j*; a block may hold an old one."""
        i = self._from_edited.get(j)
        if i is None:
            return True
        changed = self._edited.elements[j].code != self._ancestor.elements[i].code
        return i not in self._to_skeleton and changed

    @property
    def _newcomers(self) -> list[Slot]:
        """What the skeleton added."""
        return [s for j, s in enumerate(self._slots) if j not in self._from_skeleton]

    def _absorbed(self) -> set[int]:
        """Additions of the edited side that the skeleton has too; those of a block all or none."""
        new = [j for j in range(len(self._edited.elements)) if self._is_addition(j)]
        said = {j for j in new if self._same(j, by_name=False) is not None}
        blocks = {self._edited.elements[j].block for j in new} - {0}
        for block in blocks:
            held = [j for j, e in enumerate(self._edited.elements) if e.block == block]
            if not said.issuperset(held):
                said.difference_update(held)
        return said

    def _same(self, j: int, *, by_name: bool) -> Slot | None:
        """The skeleton's own addition that says what edited *j* says, or that has its name."""
        mine = self._edited.elements[j]
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
        """The list to which an addition of the edited side goes: behind what it has before it.

        What the skeleton added at the same place comes first, unless a block reaches over it.
        """
        at, inside = -1, False
        for before in range(j - 1, -1, -1):
            i = self._from_edited.get(before)
            if i is not None and i in self._to_skeleton:
                at = self._to_skeleton[i]
                block = self._edited.elements[j].block
                inside = block > 0 and block == self._edited.elements[before].block
                break
        while (
            not inside
            and at + 1 < len(self._slots)
            and at + 1 not in self._from_skeleton
            and self._slots[at + 1].element.code[0] not in ("*", "**")
        ):
            at += 1
        return self._slots[at].behind if at >= 0 else self._front

    # -- what must hold ---------------------------------------------------------------------

    def _require_whole_blocks(self, ordered: Sequence[Slot], absorbed: set[int]) -> None:
        """A block stands in one piece, with all its edited elements in it and no others."""
        elements = self._edited.elements
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
        if self._skeleton.form is Form.ITEMS:
            return
        parameters = self._is_parameters
        now = _positions([s.element for s in ordered], named=parameters)
        words = self._merge.words
        sides = ((words.edited, self._edited), (words.skeleton, self._skeleton))
        for (name, side), mine in zip(sides, (True, False), strict=True):
            was = _positions(side.elements, named=parameters)
            for slot, place in _pairs(ordered, now):
                known = was.get(id(slot.element))
                new = slot.mine if mine else slot in self._newcomers
                if not new or known is None or known == place:
                    continue
                if self._skeleton.form is Form.INDEX or self._names_one(not mine):
                    raise Clash
                text = " ".join(slot.text.split())
                self._merge.moved.append(f"{text} is number {place + 1}, in {name} {known + 1}")

    def _names_one(self, to_edited: bool) -> bool:
        """Whether one side gave a name to what the ancestor passes by its position."""
        side, known = (
            (self._edited, self._to_edited) if to_edited else (self._skeleton, self._to_skeleton)
        )
        matched = set(known.values())
        gone = any(not e.key for i, e in enumerate(self._ancestor.elements) if i not in known)
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
    """Positional arguments stand before keywords, whichever of the two the edited side added."""
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
