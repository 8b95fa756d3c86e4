"""How a GPU class and its NPU counterpart differ as they stand, method by method."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Span
from omni_codemods.functions.code_diff import (
    Differing,
    Lines,
    Piece,
    find_differing,
    pair_lines,
    same_function,
)
from omni_codemods.sources.classes import inherits, own_methods, same_code
from omni_codemods.sources.heritage import Heritage, Home, Inherited
from omni_codemods.sources.members import find_members
from omni_codemods.table.table import Table
from omni_codemods.text.dotted import first_part
from omni_codemods.text.lexer import split_lines
from omni_codemods.text.outline import Located, require_class
from omni_codemods.translate import translate


class Status(enum.Enum):
    """How the two versions of a method compare; layout, comments and docstrings never count.

    *Inherited* is what the one class defines and the other has, the same, from a base.
    """

    SHARED = "shared"
    TRANSLATED = "translated"
    DIFFERS = "differs"
    INHERITED = "inherited"
    GPU_ONLY = "gpu-only"
    NPU_ONLY = "npu-only"


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where the two differ: lines of each file as it is, and the code on them.

    A span is ``None`` where that side has nothing there. *digest* names the difference by its
    code alone, wherever it stands. *translated* is the GPU code as it was compared. *moved*: both
    have the code, in another place; what differs within is a difference of its own.
    """

    gpu: Span | None
    npu: Span | None
    gpu_code: str
    npu_code: str
    digest: str
    translated: str
    moved: bool = False


@dataclass(frozen=True, slots=True)
class MethodDrift:
    """One method: where it stands in each file, and how the two differ.

    *inherited* is what the class that does not define it has from a base, where that is seen.
    """

    name: str
    status: Status
    gpu: Span | None
    npu: Span | None
    differences: tuple[Difference, ...] = ()
    inherited: Inherited | None = None

    @property
    def drifts(self) -> bool:
        """Whether the two are not the same."""
        return self.status in (Status.DIFFERS, Status.GPU_ONLY, Status.NPU_ONLY)

    @property
    def digests(self) -> tuple[str, ...]:
        """What names this drift in a baseline: its differences, or the side that has it."""
        return tuple(d.digest for d in self.differences) or (self.status.value,)


@dataclass(frozen=True, slots=True)
class ClassDrift:
    """The methods, in the order of the GPU class, and the *bases* that the NPU class lacks.

    Bases are dotted names, as far as the sources tell.
    """

    methods: tuple[MethodDrift, ...]
    bases: tuple[str, ...] = ()


def find_drift(
    *,
    gpu: str,
    npu: str,
    gpu_class: str,
    npu_class: str,
    table: Table | None = None,
    gpu_home: Home | None = None,
    npu_home: Home | None = None,
) -> ClassDrift:
    """Compare the methods that two classes define themselves.

    *gpu* and *npu* are the texts of whole files. The GPU one is translated by *table* (by default
    the packaged one at its newest) first. Where one class lacks a method, its bases are asked: in
    its own file, and in the sources of its home.

    Raises :class:`~omni_codemods.findings.errors.MethodNotFound` for a class that is not there and
    :class:`~omni_codemods.findings.errors.SourceError`, *side* ``gpu`` or ``npu``.
    """
    for text, cls, side in ((gpu, gpu_class, "gpu"), (npu, npu_class, "npu")):
        require_class(text, cls, side=side)
    heritage = (
        Heritage(gpu, gpu_class, gpu_home or Home()),
        Heritage(npu, npu_class, npu_home or Home()),
    )
    sides = _Sides(gpu, _translated(gpu, table), npu, gpu_class, npu_class, *heritage)
    theirs, ours = find_members(gpu, gpu_class, side="gpu"), find_members(npu, npu_class)
    changed = find_members(sides.translated, gpu_class, side="gpu")
    methods = tuple(
        sides.one_sided(name, theirs, ours)
        if name not in theirs or name not in ours
        else sides.compare(name, theirs[name], changed[name], ours[name])
        for name in dict.fromkeys((*theirs, *ours))
    )
    return ClassDrift(methods, sides.lacking())


def _translated(gpu: str, table: Table | None) -> str:
    try:
        return translate(gpu, table=table).text
    except SourceError as error:
        error.side = "gpu"
        raise


@dataclass(frozen=True, slots=True)
class _Sides:
    gpu: str
    translated: str
    npu: str
    gpu_class: str
    npu_class: str
    gpu_heritage: Heritage
    npu_heritage: Heritage

    def lacking(self) -> tuple[str, ...]:
        """The bases of the GPU class that the NPU class has not; it may have them through that."""
        if inherits(self.npu, self.npu_class, self.gpu_class):
            return ()
        ours = {self.npu_heritage.dotted, "object", *self.npu_heritage.bases()}
        return tuple(base for base in self.gpu_heritage.bases() if base not in ours)

    def one_sided(
        self, name: str, theirs: Mapping[str, Located], ours: Mapping[str, Located]
    ) -> MethodDrift:
        """What a method is that one of the classes does not define itself."""
        gpu, npu, plain = theirs.get(name), ours.get(name), first_part(name)
        only = Status.GPU_ONLY if npu is None else Status.NPU_ONLY
        if plain in theirs and plain in ours:  # a property of both, with other accessors
            return MethodDrift(name, only, _span(gpu), _span(npu))
        found = (self.npu_heritage if npu is None else self.gpu_heritage).find(plain)
        if found is not None:
            own = (own_methods(text, cls).get(plain) for text, cls in self._texts())
            same = any(same_code(one, found[1]) for one in own if one is not None)
            status = Status.INHERITED if same else only
            return MethodDrift(name, status, _span(gpu), _span(npu), (), found[0])
        # The GPU class may be a base that cannot be read from here.
        below = npu is None and inherits(self.npu, self.npu_class, self.gpu_class)
        if below and not self.npu_heritage.hides(self.gpu_heritage.dotted):
            only = Status.INHERITED
        return MethodDrift(name, only, _span(gpu), _span(npu))

    def _texts(self) -> tuple[tuple[str, str], ...]:
        theirs = ((text, self.gpu_class) for text in (self.gpu, self.translated))
        return (*theirs, (self.npu, self.npu_class))

    def compare(self, name: str, gpu: Located, theirs: Located, npu: Located) -> MethodDrift:
        """The two versions of a method; *theirs* is the GPU one, translated."""
        found = tuple(self._differences(gpu, theirs, npu))
        status = Status.DIFFERS if found else Status.TRANSLATED
        if same_function(gpu.text, npu.text):
            status, found = Status.SHARED, ()
        return MethodDrift(name, status, _span(gpu), _span(npu), found)

    def _differences(self, gpu: Located, theirs: Located, npu: Located) -> Iterator[Difference]:
        back = _Back(theirs, gpu, pair_lines(theirs.text, gpu.text))
        for found in find_differing(theirs.text, npu.text):
            shown, right = _lines(found.one, theirs), _lines(found.other, npu)
            left = back.span(shown)
            yield Difference(
                left,
                right,
                _cut(self.gpu, left),
                _cut(self.npu, right),
                _digest(found),
                _cut(self.translated, shown),
                found.moved,
            )


@dataclass(frozen=True, slots=True)
class _Back:
    """From lines of the translated GPU file to those of the file as it is."""

    theirs: Located
    gpu: Located
    paired: Lines

    def span(self, span: Span | None) -> Span | None:
        if span is None:
            return None
        start = self._line(span.start, self.paired.starts)
        return Span(start, max(start, self._line(span.end, self.paired.ends)))

    def _line(self, line: int, paired: Mapping[int, int]) -> int:
        """A statement that the table brought (an import split in two) stands where that did."""
        within = line - self.theirs.start + 1
        near = max((n for n in paired if n <= within), default=None)
        return self.gpu.start + (0 if near is None else paired[near] - 1)


def _lines(piece: Piece | None, function: Located) -> Span | None:
    if piece is None:
        return None
    above = function.start - 1
    return Span(piece.span.start + above, piece.span.end + above)


def _cut(text: str, span: Span | None) -> str:
    return "" if span is None else "".join(split_lines(text)[span.start - 1 : span.end])


def _span(found: Located | None) -> Span | None:
    return None if found is None else Span(found.start, found.end)


def _digest(found: Differing) -> str:
    sides = [piece.code if piece else () for piece in (found.one, found.other)]
    return hashlib.sha256(repr((*sides, found.moved)).encode()).hexdigest()[:16]
