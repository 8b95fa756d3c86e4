"""How a GPU class and its NPU counterpart differ as they stand, method by method."""

from __future__ import annotations

import difflib
import enum
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.bindings import as_module
from omni_codemods.classes import inherits, own_methods
from omni_codemods.errors import SourceError
from omni_codemods.joined import lines_back
from omni_codemods.lexer import lex, split_lines
from omni_codemods.locate import Located, locate, require_class
from omni_codemods.model import Span
from omni_codemods.normalize import normal_tokens
from omni_codemods.table import Table
from omni_codemods.translate import translate


class Status(enum.Enum):
    """How the two versions of a method compare; layout, comments and docstrings never count.

    *Inherited* is what the NPU class has from the GPU class, which is one of its bases.
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
    code alone, wherever it stands.
    """

    gpu: Span | None
    npu: Span | None
    gpu_code: str
    npu_code: str
    digest: str


@dataclass(frozen=True, slots=True)
class MethodDrift:
    """One method: where it stands in each file, and how the two differ."""

    name: str
    status: Status
    gpu: Span | None
    npu: Span | None
    differences: tuple[Difference, ...] = ()

    @property
    def drifts(self) -> bool:
        """Whether the two are not the same."""
        return self.status in (Status.DIFFERS, Status.GPU_ONLY, Status.NPU_ONLY)

    @property
    def digests(self) -> tuple[str, ...]:
        """What names this drift in a baseline: its differences, or the side that has it."""
        return tuple(d.digest for d in self.differences) or (self.status.value,)


def find_drift(
    *, gpu: str, npu: str, gpu_class: str, npu_class: str, table: Table | None = None
) -> tuple[MethodDrift, ...]:
    """Compare the methods that two classes define themselves, in the order of the GPU class.

    *gpu* and *npu* are the texts of whole files. The GPU one is translated by *table* (by default
    the packaged one at its newest) first. What the NPU class inherits from others than the GPU
    class is not looked at.

    Raises :class:`~omni_codemods.errors.MethodNotFound` for a class that is not there and
    :class:`~omni_codemods.errors.SourceError`, *side* ``gpu`` or ``npu``.
    """
    for text, cls, side in ((gpu, gpu_class, "gpu"), (npu, npu_class, "npu")):
        require_class(text, cls, side=side)
    sides = _Sides(gpu, _translated(gpu, table), npu, gpu_class, npu_class)
    theirs, ours = own_methods(gpu, gpu_class), own_methods(npu, npu_class)
    names = [*theirs, *(name for name in ours if name not in theirs)]
    return tuple(sides.compare(name, name in theirs, name in ours) for name in names)


def _translated(gpu: str, table: Table | None) -> str:
    try:
        return translate(gpu, table=table).text
    except SourceError as error:
        error.side = "gpu"
        raise


@dataclass(frozen=True, slots=True)
class _Unit:
    """One statement or header: its depth and tokens, and its lines in its function."""

    depth: int
    tokens: tuple[str, ...]
    start: int
    end: int

    @property
    def key(self) -> tuple[object, ...]:
        return (self.depth, *self.tokens)


@dataclass(frozen=True, slots=True)
class _Sides:
    gpu: str
    translated: str
    npu: str
    gpu_class: str
    npu_class: str

    @property
    def without(self) -> Status:
        """What a method is that the NPU class does not define itself."""
        one = inherits(self.npu, self.npu_class, self.gpu_class)
        return Status.INHERITED if one else Status.GPU_ONLY

    def compare(self, name: str, there: bool, here: bool) -> MethodDrift:
        gpu = locate(self.gpu, name, self.gpu_class, side="gpu") if there else None
        npu = locate(self.npu, name, self.npu_class, side="npu") if here else None
        if gpu is None or npu is None:
            status = self.without if npu is None else Status.NPU_ONLY
            return MethodDrift(name, status, _span(gpu), _span(npu))
        theirs = locate(self.translated, name, self.gpu_class, side="gpu")
        found = tuple(self._differences(gpu, theirs, npu))
        status = Status.DIFFERS if found else Status.TRANSLATED
        if [u.key for u in _units(gpu)] == [u.key for u in _units(npu)]:
            status, found = Status.SHARED, ()
        return MethodDrift(name, status, _span(gpu), _span(npu), found)

    def _differences(self, gpu: Located, theirs: Located, npu: Located) -> Iterator[Difference]:
        back = lines_back(theirs, gpu)
        one, other = _units(theirs), _units(npu)
        matcher = difflib.SequenceMatcher(
            None, [u.key for u in one], [u.key for u in other], autojunk=False
        )
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag != "equal":
                left = _lines(one[i1:i2], theirs, back)
                right = _lines(other[j1:j2], npu, lambda line: line)
                yield Difference(
                    left,
                    right,
                    _cut(self.gpu, left),
                    _cut(self.npu, right),
                    _digest(one[i1:i2], other[j1:j2]),
                )


def _units(function: Located) -> list[_Unit]:
    text = as_module(function.text)
    above = text.count("\n") - function.text.count("\n")
    lines = [line for line in lex(text).logical if line.start > above]
    first = min((line.depth for line in lines), default=0)
    units = []
    for line in lines:
        tokens = normal_tokens(line.tokens)
        if tokens and not (len(tokens) == 1 and tokens[0].lstrip("rRuU")[:1] in "'\""):
            units.append(_Unit(line.depth - first, tokens, line.start - above, line.end - above))
    return units


def _lines(units: Sequence[_Unit], function: Located, back: Callable[[int], int]) -> Span | None:
    if not units:
        return None
    above = function.start - 1
    return Span(back(units[0].start + above), back(units[-1].end + above))


def _cut(text: str, span: Span | None) -> str:
    return "" if span is None else "".join(split_lines(text)[span.start - 1 : span.end])


def _span(found: Located | None) -> Span | None:
    return None if found is None else Span(found.start, found.end)


def _digest(one: Sequence[_Unit], other: Sequence[_Unit]) -> str:
    said = repr(([u.tokens for u in one], [u.tokens for u in other]))
    return hashlib.sha256(said.encode()).hexdigest()[:16]
