"""What was given, put together: each file with its methods, side by side and folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.model import EditKind, Outcome, Trace
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.text.lexer import split_lines
from omni_codemods.text.outline import Located, iter_functions
from omni_port.base.diff import unified_diff
from omni_port.documents.rebase import EditValue
from omni_port.review.delta import Delta, compare_deltas
from omni_port.review.given import ReviewedFile, ReviewedMethod
from omni_port.review.rows import (
    MARKERS,
    Cell,
    Look,
    Row,
    Traced,
    align_rows,
    make_cells,
    match_lines,
)

# So many unchanged lines are shown around what is not, and so many of a kept block before it folds.
_CONTEXT = 3
_LONG_BLOCK = 14
_LOOKS = {
    EditKind.BLOCK: Look.BLOCK,
    EditKind.DRIFT: Look.DRIFT,
    EditKind.SIBLING: Look.SYNC,
}
_NOWHERE = (Outcome.ABSORBED, Outcome.PROPOSED)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring rows: *folded* is what to call those that need not be read, else empty."""

    rows: tuple[Row, ...]
    folded: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """One definition of a method, side by side, and our delta before and after.

    The delta is ``None`` where no upstream is known: of a method that was only synced.
    """

    stretches: tuple[Stretch, ...]
    delta: Delta | None

    @property
    def rows(self) -> Iterator[Row]:
        """All rows."""
        return (row for stretch in self.stretches for row in stretch.rows)


@dataclass(frozen=True, slots=True)
class MethodPage:
    """A method, side by side; nothing to see where it is not in the file any more."""

    given: ReviewedMethod
    versions: tuple[Version, ...]

    @property
    def edits(self) -> tuple[EditValue, ...]:
        """The edits of its account, those that ask something first."""
        edits = () if self.given.account is None else self.given.account.edits
        return tuple(sorted(edits, key=lambda edit: not asks(edit)))

    @property
    def changed(self) -> int:
        """How many lines of our delta are not what they were."""
        return sum(one.delta.changed for one in self.versions if one.delta is not None)

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing in it to read."""
        looks = {row.look for one in self.versions for row in one.rows}
        return looks <= {Look.SAME} and not any(map(asks, self.edits)) and not self.given.error


@dataclass(frozen=True, slots=True)
class FilePage:
    """A file with its methods; *elsewhere* is what changed outside of them, as a diff."""

    path: str
    methods: tuple[MethodPage, ...]
    elsewhere: str

    @property
    def changed(self) -> int:
        """How many lines of our delta are not what they were."""
        return sum(method.changed for method in self.methods)


def asks(edit: EditValue) -> bool:
    """Whether a person should look at *edit*."""
    undecided = (Outcome.CONFLICT, Outcome.ORPHAN, Outcome.PROPOSED)
    guessed = edit.outcome is Outcome.CARRIED and edit.evidence.value == "guessed"
    return edit.outcome in undecided or bool(edit.overruled or edit.doubled) or guessed


def make_file_page(given: ReviewedFile) -> FilePage:
    """Return the page of a file: its methods in its order."""
    texts = _Texts(given)
    methods = tuple(MethodPage(one, tuple(_versions(texts, one))) for one in given.methods)
    return FilePage(given.path, methods, texts.elsewhere())


@dataclass
class _Texts:
    """The three texts of a file, with their functions by name."""

    given: ReviewedFile
    shown: list[tuple[Located | None, Located | None]] = field(default_factory=list)

    @cached_property
    def before(self) -> _Text:
        return _Text(self.given.before)

    @cached_property
    def after(self) -> _Text:
        return _Text(self.given.after)

    @cached_property
    def now(self) -> _Text:
        return self.after if self.given.after == self.given.now else _Text(self.given.now)

    def elsewhere(self) -> str:
        """What changed outside of all that is shown: imports, other methods."""
        old = self.before.without([one for one, _ in self.shown])
        new = self.now.without([one for _, one in self.shown])
        return "" if old == new else unified_diff(old, new, self.given.path)


class _Text:
    def __init__(self, text: str) -> None:
        self.lines = split_lines(text)
        self.functions: dict[str, list[Located]] = {}
        try:
            # Conflicts stand as their target's side, and every line where it is.
            for one in iter_functions(blank_hunks(text)):
                self.functions.setdefault(one.qualname, []).append(one)
        except OmniCodemodsError:
            pass

    def cells(self, where: Located) -> list[Cell]:
        return make_cells(self.lines[where.start - 1 : where.end], where.start)

    def without(self, some: Sequence[Located | None]) -> str:
        """The text with a line for each function of *some*."""
        lines = list(self.lines)
        for one in sorted((x for x in some if x), key=lambda x: -x.start):
            lines[one.start - 1 : one.end] = [f"# {one.qualname}: as shown above\n"]
        return "".join(lines)


def _versions(texts: _Texts, method: ReviewedMethod) -> Iterator[Version]:
    name = method.name if method.account is None else method.account.method
    olds, afters, nows = (
        one.functions.get(name, []) for one in (texts.before, texts.after, texts.now)
    )
    traces = sorted(method.traces, key=lambda one: one.local.start)
    if not (olds and afters and nows) or not len(olds) == len(afters) == len(nows):
        return
    by_start = {trace.local.start: trace for trace in traces}
    if len(traces) == len(olds) == 1:
        by_start = {olds[0].start: traces[0]}
    for old, after, now in zip(olds, afters, nows, strict=True):
        texts.shown.append((old, now))
        sides = _Sides(texts, old, after, now)
        yield sides.version(method, by_start.get(old.start))


@dataclass(frozen=True, slots=True)
class _Sides:
    texts: _Texts
    old: Located
    after: Located
    now: Located

    def version(self, method: ReviewedMethod, trace: Trace | None) -> Version:
        local = self.texts.before.cells(self.old)
        after = self.texts.after.cells(self.after)
        if trace is None:
            target, written = local, list(_untraced(local, after))
        else:
            target = make_cells(split_lines(trace.target), trace.target_start)
            written = list(_traced(trace, after))
        edits = () if method.account is None else method.account.edits
        written = list(_with_edits(written, edits, traced=trace is not None))
        result = list(self._as_it_is(written))
        rows = align_rows(local, target, result)
        delta = None
        if trace is not None:
            base = make_cells(split_lines(trace.base), trace.base_start)
            delta = compare_deltas(base, local, target, list(_ours(result)))
        return Version(tuple(fold(rows)), delta)

    def _as_it_is(self, written: Sequence[Traced]) -> Iterator[Traced]:
        """The lines that were *written* as they are now, and what a person put in."""
        now = self.texts.now.cells(self.now)
        kept = match_lines([x.text for x in now], [x.cell.text for x in written])
        for n, cell in enumerate(now):
            if n in kept:
                one = written[kept[n]]
                yield Traced(cell, one.local, one.target, one.look)
            else:
                yield Traced(cell, look=Look.HAND)


def _ours(result: Sequence[Traced]) -> Iterator[Cell]:
    """The lines of *result* with its conflicts as local has it: what is open is told elsewhere."""
    shown = True
    for one in result:
        marker = one.cell.text[: len(MARKERS[0])]
        if marker in MARKERS:
            shown = marker in (MARKERS[0], MARKERS[3])
        elif shown:
            yield one.cell


def _traced(trace: Trace, after: Sequence[Cell]) -> Iterator[Traced]:
    lines = [one.text.rstrip("\r\n") for one in trace.lines]
    known = match_lines([cell.text for cell in after], lines)
    for n, cell in enumerate(after):
        if n in known:
            one = trace.lines[known[n]]
            yield Traced(cell, one.local, one.target)
        else:
            yield Traced(cell, look=Look.SYNC)


def _untraced(local: Sequence[Cell], after: Sequence[Cell]) -> Iterator[Traced]:
    """Without an upstream there are two sides: local stands for the third."""
    known = match_lines([cell.text for cell in after], [cell.text for cell in local])
    for n, cell in enumerate(after):
        line = local[known[n]].line if n in known else 0
        yield Traced(cell, line, line)


def _with_edits(
    written: Sequence[Traced], edits: Sequence[EditValue], *, traced: bool
) -> Iterator[Traced]:
    """Say of each line whose doing it is: that of the innermost edit which it stands in."""
    spans: Mapping[int, EditValue] = {}
    placed = [e for e in edits if e.result is not None and e.outcome not in _NOWHERE]
    owners: dict[int, EditValue] = {}
    for edit in sorted(placed, key=lambda e: _size(e)):
        assert edit.result is not None
        for line in range(edit.result.start, edit.result.end + 1):
            owners.setdefault(line, edit)
    spans = owners
    for one in written:
        owner = spans.get(one.cell.line)
        if owner is not None:
            yield Traced(one.cell, one.local, one.target, _LOOKS[owner.kind])
        elif one.look is Look.SYNC and traced:
            # It was not there when the rebase was done, and no sync put it there.
            yield Traced(one.cell, one.local, one.target, Look.DECIDED)
        else:
            yield one


def _size(edit: EditValue) -> int:
    return 0 if edit.result is None else edit.result.end - edit.result.start


def fold(rows: Sequence[Row]) -> Iterator[Stretch]:
    """Cut *rows* into stretches; those that say nothing new are folded."""
    folded = [_folds(row) for row in rows]
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) and folded[end] == folded[start]:
            end += 1
        yield from _cut(rows, start, end, folded[start])
        start = end


def _folds(row: Row) -> str:
    if row.look is Look.SAME:
        return "same"
    mine = row.look in (Look.BLOCK, Look.DRIFT) and row.kept and row.target is None
    return row.look.value if mine else ""


def _cut(rows: Sequence[Row], start: int, end: int, kind: str) -> Iterator[Stretch]:
    # At either end of the function nothing stands that needs lines around it.
    before = _CONTEXT if start else 0
    after = _CONTEXT if end < len(rows) else 0
    least = _LONG_BLOCK if kind != "same" else 2
    if not kind or end - start < before + after + least:
        yield Stretch(tuple(rows[start:end]))
        return
    if before:
        yield Stretch(tuple(rows[start : start + before]))
    yield Stretch(tuple(rows[start + before : end - after]), kind)
    if after:
        yield Stretch(tuple(rows[end - after : end]))
