"""Whether a result that nobody has to look at is right: more strictly than the product asks."""

from __future__ import annotations

import ast
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


def judge(
    base: str, local: str, target: str, result: str, told: RebaseResult, *, sync: bool
) -> list[str]:
    """What is wrong with *result*, as ``kind: sentence``; the texts are of methods."""
    frame, edited = (local, target) if sync else (target, local)
    parts = [Part(text, 2) for text in (base, frame, edited, result)]
    found = audit(
        *parts[:4], told.edits, module=result, told=told.findings, job=SYNC if sync else REBASE
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
            # Where both changed the number alike, they may mean the same place or two.
            if r == want or (m == t and r == m):
                continue
            if r == 0 and self._is_merged(code):
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
            if one.proposed:
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
        """What one version added stands under the headers that it stood under there."""
        base, _, _, result = self.codes
        here = _by_code(self.result)
        for side, codes, paths, other in (
            (self.local, self.codes[1], self.paths[1], self.codes[2]),
            (self.target, self.codes[2], self.paths[2], self.codes[1]),
        ):
            for code, rows in _by_code(side).items():
                if base[code] or other[code] or codes[code] != 1 or result[code] != 1:
                    continue
                there, now = paths[id(rows[0].node)], self.paths[3][id(here[code][0].node)]
                if there is None or now is None or self._is_named(code):
                    continue
                for header in there:
                    if header not in now and result[header[0]] and self._stays(header):
                        yield f"place: {' '.join(code)} is not in {' '.join(header[0])} {header[1]}"
                for header in now:
                    if header not in there and codes[header[0]] and self._stays(header):
                        yield f"place: {' '.join(code)} is in {' '.join(header[0])} {header[1]}"

    def _stays(self, header: tuple[_Code, str]) -> bool:
        """Whether a header stands once in each version that has it."""
        return all(codes[header[0]] <= 1 for codes in self.codes)

    def _order(self) -> Iterator[str]:
        """What stands once keeps its order, unless the other version has another."""
        for side, codes, other, name in (
            (self.local, self.codes[1], self.codes[2], "local"),
            (self.target, self.codes[2], self.codes[1], "target"),
        ):
            place = {c: n for n, row in enumerate(self.result.rows) if (c := _code(row))}
            once = [
                c
                for row in side.rows
                if codes[c := _code(row)] == 1 and self.codes[3][c] == 1 and other[c] <= 1
            ]
            theirs = {
                _code(row): n
                for n, row in enumerate((self.target if name == "local" else self.local).rows)
            }
            for one, two in itertools.pairwise(once):
                swapped = one in theirs and two in theirs and theirs[one] > theirs[two]
                if place[one] > place[two] and not swapped:
                    if self._is_named(one) or self._is_named(two):
                        continue
                    yield f"order: {' '.join(one)} stood before {' '.join(two)} in {name}"


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


def _paths(side: Side) -> Iterator[tuple[int, tuple[tuple[_Code, str], ...]]]:
    """Each node of a row with the headers that it stands under, and which arm of them."""
    codes = {id(row.node): _code(row) for row in side.rows}

    def visit(
        node: ast.AST, path: tuple[tuple[_Code, str], ...]
    ) -> Iterator[tuple[int, tuple[tuple[_Code, str], ...]]]:
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
