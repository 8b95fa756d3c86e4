"""The page: one HTML file that needs nothing else, and lets nothing of its contents run."""

from __future__ import annotations

import base64
import hashlib
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files

import jinja2
from markupsafe import Markup

from omni_codemods.findings.model import Outcome
from omni_port.base.words import count
from omni_port.documents.common import FindingValue
from omni_port.documents.rebase import EditValue
from omni_port.review.colours import colour_lines, shown
from omni_port.review.delta import Changed, Delta, DeltaRow
from omni_port.review.given import Given, OpenItem
from omni_port.review.pages import FilePage, MethodPage, asks, make_file_page
from omni_port.review.rows import Cell, Look, Row

_NAMES = {
    Look.UPSTREAM: "the upstream's change",
    Look.BLOCK: "ours, in a block",
    Look.DRIFT: "ours, outside of blocks",
    Look.SYNC: "from the GPU sibling",
    Look.CONFLICT: "conflict",
    Look.DECIDED: "decided before",
    Look.HAND: "written by hand since",
    Look.GONE: "not in the result",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell as HTML."""

    line: int
    html: Markup


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as HTML, with its anchor, empty where nothing links to it."""

    look: str
    cells: tuple[Shown | None, ...]
    anchor: str = ""
    stop: bool = False


@dataclass(frozen=True, slots=True)
class ShownStretch:
    """Rows, and what to call them where they are folded."""

    rows: tuple[ShownRow, ...]
    folded: str


@dataclass(frozen=True, slots=True)
class ShownDelta:
    """Both deltas; runs that say the same are folded."""

    delta: Delta
    stretches: tuple[tuple[bool, tuple[tuple[str, Shown | None, Shown | None], ...]], ...]


@dataclass(frozen=True, slots=True)
class ShownMethod:
    """A method with its number on the page."""

    page: MethodPage
    anchor: str
    columns: tuple[str, ...]
    versions: tuple[tuple[tuple[ShownStretch, ...], ShownDelta | None], ...]
    findings: tuple[FindingValue, ...]
    counts: str


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file with its number on the page."""

    page: FilePage
    anchor: str
    methods: tuple[ShownMethod, ...]


@dataclass
class _Anchors:
    """Which lines of which files are linked to, and under what name."""

    given: Given
    lines: dict[str, set[int]] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.files = {one.path: f"f{n}" for n, one in enumerate(self.given.files, 1)}
        for item in self.given.left:
            self._want(item.path, item.line)
        for question in self.given.questions:
            for place in question.places:
                self._want(place.path, place.line)
        for file in self.given.files:
            for account in (m.account for m in file.methods if m.account):
                for edit in account.edits:
                    self._want(file.path, edit.result.start if edit.result else 0)
                for finding in account.findings:
                    self._want(file.path, finding.line)

    def _want(self, path: str, line: int) -> None:
        self.lines.setdefault(path, set()).add(line)

    def make(self, path: str, line: int) -> str:
        """The anchor of a line that is on the page, empty where nothing links to it."""
        if line not in self.lines.get(path, ()):
            return ""
        name = f"{self.files[path]}-{line}"
        if name in self.made:
            return ""
        self.made.add(name)
        return name

    def link(self, path: str, line: int) -> str:
        """Where to go for a line: to itself, or to its file."""
        file = self.files.get(path, "")
        name = f"{file}-{line}"
        return f"#{name}" if name in self.made else f"#{file}"


def render_review(given: Given) -> str:
    """Return the page."""
    anchors = _Anchors(given)
    pages = [make_file_page(one) for one in given.files]
    shown_files = [_file(page, n, anchors) for n, page in enumerate(pages, 1)]
    style, script = (_part(name) for name in ("review.css", "review.js"))
    context = {
        "given": given,
        "files": shown_files,
        "totals": list(_totals(given, pages)),
        "must": [item for item in given.left if item.must],
        "rest": _by_kind([item for item in given.left if not item.must]),
        "names": {look.value: name for look, name in _NAMES.items()},
        "style": Markup(style),
        "script": Markup(script),
        "policy": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'",
    }
    environment = _environment()
    environment.globals["link"] = anchors.link
    return environment.get_template("review.html.j2").render(**context)


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("omni_port.review"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: shown_lines(value) if type(value) is str else value,
    )
    environment.filters.update(python=_python, diff=_diff, count=count)
    environment.tests.update(asking=asks)
    return environment


def shown_lines(text: str) -> str:
    """Return *text* with its lines, and all other control characters escaped."""
    return "\n".join(map(shown, text.split("\n")))


def _part(name: str) -> str:
    return files("omni_port.review").joinpath("templates").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    found = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(found).decode('ascii')}'"


def _python(text: str) -> Markup:
    lines = textwrap.dedent(text).rstrip("\n").split("\n")
    return Markup("\n").join(colour_lines(lines))


def _diff(text: str) -> Markup:
    return Markup("\n").join(colour_lines(text.rstrip("\n").split("\n"), language="diff"))


def _totals(given: Given, pages: Sequence[FilePage]) -> Iterator[tuple[str, str]]:
    """The numbers at the top, each with what it counts."""
    methods = [method for one in given.files for method in one.methods]
    accounts = [method.account for method in methods if method.account is not None]
    yield str(len(given.files)), "file" if len(given.files) == 1 else "files"
    yield str(len(methods)), "method" if len(methods) == 1 else "methods"
    outcomes = Counter(edit.outcome for account in accounts for edit in account.edits)
    for outcome in Outcome:
        if outcomes[outcome]:
            yield str(outcomes[outcome]), outcome.value
    yield (
        str(len(given.questions)),
        "open " + ("question" if len(given.questions) == 1 else "questions"),
    )
    yield str(sum(page.changed for page in pages)), "lines of our delta changed"


def _by_kind(items: Sequence[OpenItem]) -> list[tuple[str, list[OpenItem]]]:
    kinds = dict.fromkeys(item.kind for item in items)
    return [(kind, [item for item in items if item.kind == kind]) for kind in kinds]


def _file(page: FilePage, number: int, anchors: _Anchors) -> ShownFile:
    methods = [
        _method(method, f"f{number}m{n}", page.path, anchors)
        for n, method in enumerate(page.methods, 1)
    ]
    return ShownFile(page, f"f{number}", tuple(methods))


def _method(page: MethodPage, anchor: str, path: str, anchors: _Anchors) -> ShownMethod:
    account = page.given.account
    has_upstream = any(version.delta is not None for version in page.versions)
    columns = ("old local", "new upstream", "result") if has_upstream else ("old local", "result")
    versions = []
    for version in page.versions:
        cells = _Colours([row for stretch in version.stretches for row in stretch.rows])
        stretches = []
        in_hunk = False
        for stretch in version.stretches:
            rows = []
            for row in stretch.rows:
                starts = row.look is Look.CONFLICT and not in_hunk
                in_hunk = row.look is Look.CONFLICT
                rows.append(_row(row, cells, columns, path, anchors, stop=starts))
            folded = _folded(stretch.folded, len(rows))
            stretches.append(ShownStretch(tuple(rows), folded))
        delta = None if version.delta is None else _delta(version.delta)
        versions.append((tuple(stretches), delta))
    findings = () if account is None else account.findings
    return ShownMethod(page, anchor, columns, tuple(versions), findings, _counts(page.edits))


def _folded(kind: str, number: int) -> str:
    if kind == "same":
        return f"{count(number, 'unchanged line')}"
    return f"{count(number, 'line')} of ours, as they were" if kind else ""


def _counts(edits: Sequence[EditValue]) -> str:
    outcomes = Counter(edit.outcome for edit in edits)
    return ", ".join(f"{outcomes[one]} {one.value}" for one in Outcome if outcomes[one])


class _Colours:
    """The cells of a method as HTML, each side coloured as one text."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._html: dict[tuple[str, int, str], Markup] = {}
        for side in ("local", "target", "result"):
            cells = [cell for row in rows if (cell := getattr(row, side)) is not None]
            lines = colour_lines(_dedented([cell.text for cell in cells]))
            for cell, html in zip(cells, lines, strict=True):
                self._html[side, cell.line, cell.text] = html

    def show(self, side: str, cell: Cell | None) -> Shown | None:
        if cell is None:
            return None
        return Shown(cell.line, self._html[side, cell.line, cell.text])


def _row(
    row: Row,
    cells: _Colours,
    columns: Sequence[str],
    path: str,
    anchors: _Anchors,
    *,
    stop: bool,
) -> ShownRow:
    sides = ("local", "target", "result") if len(columns) == 3 else ("local", "result")
    anchor = "" if row.result is None else anchors.make(path, row.result.line)
    found = tuple(cells.show(side, getattr(row, side)) for side in sides)
    return ShownRow(row.look.value, found, anchor, stop)


def _dedented(lines: Sequence[str]) -> list[str]:
    """Return *lines* without the margin of the first one, where they have it."""
    first = next((line for line in lines if line.strip()), "")
    margin = first[: len(first) - len(first.lstrip(" \t"))]
    return [line.removeprefix(margin) for line in lines]


def _delta(delta: Delta) -> ShownDelta:
    html = dict(zip(delta.rows, _delta_html(delta.rows), strict=True))
    stretches = []
    start = 0
    while start < len(delta.rows):
        end, same = start, delta.rows[start].same
        while end < len(delta.rows) and delta.rows[end].same == same:
            end += 1
        rows = tuple(html[row] for row in delta.rows[start:end])
        stretches.append((same, rows))
        start = end
    return ShownDelta(delta, tuple(stretches))


def _delta_html(rows: Sequence[DeltaRow]) -> Iterator[tuple[str, Shown | None, Shown | None]]:
    for row in rows:
        look = "same" if row.same else "both" if row.before and row.after else "one"
        yield look, _changed(row.before), _changed(row.after)


def _changed(one: Changed | None) -> Shown | None:
    if one is None:
        return None
    name = "ins" if one.sign == "+" else "del"
    html = Markup('<i class="{}">{} </i>{}').format(name, one.sign, colour_lines([one.text])[0])
    return Shown(one.line, html)
