"""Whether a result that nobody has to look at is right: more strictly than the product asks."""

from __future__ import annotations

import ast
import difflib
import itertools
import re
from collections import Counter
from collections.abc import Iterator

from omni_codemods.audit.model import REBASE, SYNC
from omni_codemods.audit.reading import Row, Side, canonical, read_side, suites_of
from omni_codemods.audit.run import Part, audit
from omni_codemods.findings.model import EditKind, EditOutcome, Evidence, Outcome, RebaseResult
from omni_codemods.functions.fences import parse_fences

_Code = tuple[str, ...]
_Path = tuple[tuple[_Code, str], ...]  # headers, and which arm of them


def judge(
    base: str, local: str, target: str, result: str, told: RebaseResult, *, sync: bool
) -> list[str]:
    """What is wrong with *result*, as ``kind: sentence``; the texts are of methods."""
    frame, edited = (local, target) if sync else (target, local)
    parts = [Part(text, 2) for text in (base, frame, edited, result)]
    found = audit(
        parts[0],
        parts[1],
        parts[2],
        parts[3],
        told.edits,
        module=result,
        told=told.findings,
        job=SYNC if sync else REBASE,
    )
    faults = [f"{one.code}: line {one.line}: {one.message}" for one in found]
    sides = [read_side(text, 2) for text in (base, local, target, result)]
    if any(side is None for side in sides):
        return [*faults, "parse: a text is no Python"]
    trial = _Trial([side for side in sides if side is not None], told, sync=sync)
    return [*faults, *trial.faults(), *_blocks(base, local, result, told)]


class _Trial:
    """The four versions of a method, and the account."""

    def __init__(self, sides: list[Side], told: RebaseResult, *, sync: bool) -> None:
        self.sides = sides
        self.base, self.local, self.target, self.result = sides
        self.told, self.sync = told, sync
        self.codes = [Counter(map(_code, side.rows)) for side in sides]
        self.paths = [dict(_paths(side)) for side in sides]

    def faults(self) -> Iterator[str]:
        yield from self._numbers()
        yield from self._places()
        yield from self._order()

    def _numbers(self) -> Iterator[str]:
        """Each row stands as often as three ways make it, or the account says why."""
        base, local, target, result = self.codes
        for code in base.keys() | local.keys() | target.keys() | result.keys():
            b, m, t, r = base[code], local[code], target[code], result[code]
            want = t if m == b else m if t == b else max(0, m + t - b)
            # Where both changed the number they may mean one place or two, and what the frame moved
            # elsewhere stays there; a sync takes out only what is surely the downstream's own.
            spared = (m, t) if self.sync else (t,)
            if r == want or (r > want and r in spared and b > min(m, t)) or (m == t == r):
                continue
            if r < want and self._is_merged(code):
                continue
            if not (b or m or t):
                if not self._is_merge(code):
                    yield f"nobody's: {' '.join(code)}"
            elif not self._is_named(code):
                yield f"number: {r} and not {want} times: {' '.join(code)}"

    def _is_merged(self, code: _Code) -> bool:
        """Whether a row of the result that no version has says it."""
        new = (
            self.codes[3].keys()
            - self.codes[0].keys()
            - self.codes[1].keys()
            - self.codes[2].keys()
        )
        return any(_share(code, other) > 0.5 for other in new)

    def _is_merge(self, code: _Code) -> bool:
        known = set().union(*(set(c) for side in self.codes[:3] for c in side))
        return set(code) <= known

    def _is_named(self, code: _Code) -> bool:
        """Whether the account is about a row, more than that it was carried exactly."""
        for one in self.told.edits:
            plain = one.outcome in (Outcome.CARRIED, Outcome.MOVED) and not one.overruled
            if plain and one.evidence is Evidence.EXACT and ";" not in one.reason:
                continue
            if any(_code(row) == code for row in self._covered(one)):
                return True
            if one.overruled and any(
                word in one.overruled for word in code if len(word) > 3 and word.isidentifier()
            ):
                return True
            if one.outcome is Outcome.PROPOSED:
                return True
        return False

    def _covered(self, one: EditOutcome) -> list[Row]:
        side = self.target if one.edit.kind is EditKind.SIBLING else self.local
        return [
            row
            for row in side.rows
            if one.edit.span.start <= side.place(row) + row.end - row.line
            and side.place(row) <= one.edit.span.end
        ]

    def _places(self) -> Iterator[str]:
        """What stands once stands under the headers that a version put it under."""
        base, _, _, result = self.codes
        here, paths = _by_code(self.result), self.paths
        for nth, other in ((1, self.codes[2]), (2, self.codes[1])):
            side, codes = self.sides[nth], self.codes[nth]
            for code, rows in _by_code(side).items():
                if codes[code] != 1 or result[code] != 1 or self._is_named(code):
                    continue
                there = paths[nth][id(rows[0].node)]
                now = paths[3][id(here[code][0].node)]
                before: _Path = ()
                if base[code] == other[code] == 1:
                    old = _by_code(self.base)[code][0]
                    before = paths[0][id(old.node)]
                elif base[code] or other[code]:
                    continue
                for header in there:
                    lost = header not in now and header not in before
                    if lost and result[header[0]] and self._stays(header):
                        yield f"place: {' '.join(code)} is not in {' '.join(header[0])} {header[1]}"
                if before:
                    continue
                for header in now:
                    if header not in there and codes[header[0]] and self._stays(header):
                        yield f"place: {' '.join(code)} is in {' '.join(header[0])} {header[1]}"

    def _stays(self, header: tuple[_Code, str]) -> bool:
        """Whether a header stands once in each version that has it."""
        return all(codes[header[0]] <= 1 for codes in self.codes)

    def _order(self) -> Iterator[str]:
        """What stands once keeps its order, unless the other version has another."""
        base, _, _, result = self.codes
        changed = {_code(row) for one in self.told.edits for row in self._changed(one)}
        place = {_code(row): number for number, row in enumerate(self.result.rows)}
        for nth, other in ((1, 2), (2, 1)):
            if self._moved(other) or self._moved(nth):
                continue  # which of two changed places is not to be said
            order = {_code(row): number for number, row in enumerate(self.sides[other].rows)}
            codes = (_code(row) for row in self.sides[nth].rows)
            once = [
                code
                for code in codes
                if self.codes[nth][code] == result[code] == 1
                and self.codes[other][code] <= 1
                and base[code] <= 1
                and code not in changed
            ]
            for one, two in itertools.pairwise(once):
                both = one in order and two in order
                if place[one] < place[two] or (both and order[one] > order[two]):
                    continue
                if not (self._is_named(one) or self._is_named(two)):
                    yield f"order: {' '.join(one)} stood before {' '.join(two)} in version {nth}"

    def _changed(self, one: EditOutcome) -> list[Row]:
        """The rows that an edit changed: where they stand is where the changed row stands."""
        inside = one.edit.change == "modification" or "statement" in one.reason
        return self._covered(one) if inside else []

    def _moved(self, other: int) -> set[_Code]:
        """What a version has in another order than base."""
        base, new = (list(map(_code, self.sides[n].rows)) for n in (0, other))
        blocks = difflib.SequenceMatcher(None, base, new, autojunk=False).get_matching_blocks()
        kept = {code for b in blocks for code in base[b.a : b.a + b.size]}
        return (set(base) & set(new)) - kept


def _blocks(base: str, local: str, result: str, told: RebaseResult) -> Iterator[str]:
    """Each block of code that is local's own has it between its fences, or the account says why."""
    known = {_squeezed(line) for line in base.split("\n")} - {""}
    mine = [lines for lines in _block_lines(local) if not known & {_squeezed(x) for x in lines}]
    new = Counter("".join(map(_squeezed, lines)).rstrip(",") for lines in _block_lines(result))
    lost = Counter("".join(map(_squeezed, lines)).rstrip(",") for lines in mine) - new
    named = [
        one
        for one in told.edits
        if one.edit.kind is EditKind.BLOCK
        and (
            one.outcome is Outcome.ABSORBED
            or "line " in one.reason
            or one.evidence is not Evidence.EXACT
        )
    ]
    if sum(lost.values()) > len(named):
        yield f"block: {next(iter(lost))!r} is not between fences as it was"


def _block_lines(text: str) -> list[list[str]]:
    lines = ("if 1:\n" + text).split("\n")
    blocks = parse_fences("if 1:\n" + text).blocks
    return [lines[b.span.start : b.span.end - 1] for b in blocks if b.closing is not None]


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _code(row: Row) -> _Code:
    return canonical(row.source)


def _by_code(side: Side) -> dict[_Code, list[Row]]:
    out: dict[_Code, list[Row]] = {}
    for row in side.rows:
        out.setdefault(_code(row), []).append(row)
    return out


def _paths(side: Side) -> Iterator[tuple[int, _Path]]:
    """Each node of a row with the headers that it stands under, and which arm of them."""
    codes = {id(row.node): _code(row) for row in side.rows}

    def visit(node: ast.AST, path: _Path) -> Iterator[tuple[int, _Path]]:
        yield id(node), path
        for decorator in getattr(node, "decorator_list", ()):
            yield id(decorator), path
        for name, suite in suites_of(node):
            header = codes.get(id(node), ("try",))
            for inner in suite:
                yield from visit(inner, (*path, (header, name)))

    yield from visit(side.function, ())


def _share(one: _Code, other: _Code) -> float:
    both = sum((Counter(one) & Counter(other)).values())
    return both / max(len(one), 1)
