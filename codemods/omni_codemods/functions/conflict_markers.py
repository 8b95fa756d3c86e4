"""Conflict hunks: found, resolved, or put out of the way, so that their text can be worked on.

A hunk of statements becomes one placeholder statement, which reads the module's names that the
hunk reads, so that they stay in use; a hunk of a header becomes the target's header with a mark
behind it.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from omni_codemods.findings.errors import SourceError
from omni_codemods.names.imports import module_imports

# The one grammar of hunks: three sides as we write them, or two as git does by default, whose
# ``base`` is ``None``.
HUNK = re.compile(
    r"^<{7}(?: [^\n]*)?\r?\n(?P<local>.*?)(?:^\|{7}[^\n]*\n(?P<base>.*?))?"
    r"^={7}\r?\n(?P<target>.*?)^>{7}[^\n]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_CALL = "__omni_port_conflict__"
_MARK = "#@omni-port-conflict"
# A hunk that begins so is a clause of the compound above it.
_CLAUSE = re.compile(r"[ \t]*(?:elif|else|except|finally)\b")
_TRIED = ("except", "except*", "finally")
_NUMBER = re.compile(rf"(?:{_CALL}\(|{_MARK} )(\d+)")


@dataclass(frozen=True, slots=True)
class Hidden:
    """A hunk, and the lines that stand for it, under a *number* that no other has."""

    stand_in: str
    hunk: str
    number: int

    def find(self, text: str) -> re.Match[str] | None:
        """Where the stand-in is in *text*, if it is there once and as it was."""
        if _MARK in self.stand_in:
            pattern = re.escape(self.stand_in)
        else:
            pattern = rf"^[ \t]*{_CALL}\({self.number}(?:, \w+)*\)(?:\r?\n|\Z)"
        found = list(re.finditer(pattern, text, re.MULTILINE))
        return found[0] if len(found) == 1 else None


def hide_hunks(text: str) -> tuple[str, list[Hidden]]:
    """Return *text* without hunks, and what was hidden, in order.

    A text in which hunks are hidden already may get more of them, and they are told apart.
    """
    hidden: list[Hidden] = []
    if not HUNK.search(text):
        return text, hidden
    first = 1 + max(map(int, _NUMBER.findall(text)), default=-1)
    known = _imported(text)

    def stand_in(found: re.Match[str]) -> str:
        number = first + len(hidden)
        shown = _stand_in(found, number, known)
        hidden.append(Hidden(shown, found.group(), number))
        return shown

    return HUNK.sub(stand_in, text), hidden


def _imported(text: str) -> frozenset[str]:
    with contextlib.suppress(SourceError):
        return frozenset(found.bound for found in module_imports(blank_hunks(text)))
    return frozenset()


def _stand_in(found: re.Match[str], number: int, known: frozenset[str]) -> str:
    whole = found.group()
    newline = whole[len(whole.rstrip("\r\n")) :]
    sides = [found["target"], found["local"], found["base"] or ""]
    lines = next((x.splitlines(keepends=True) for x in sides if x.strip()), [])
    lines = [x for x in lines if x.strip()]
    if lines and lines[-1].split("#")[0].rstrip().endswith(":"):
        return "".join(lines).rstrip("\r\n") + f"  {_MARK} {number}{newline}"
    code = [x for x in lines if not x.lstrip().startswith("#")] or lines
    read = sorted({n for side in sides for n in re.findall(r"\w+", side)} & known)
    call = f"{_CALL}({', '.join([str(number), *read])})"
    if code and _CLAUSE.match(code[0]) and (body := _body_of_clause(code)) is not None:
        # What stands behind it belongs to the same compound, so a clause has to stand there.
        at, inside = body
        head, rest = "".join(code[:at]), "".join(code[at:]).rstrip("\r\n")
        return f"{head}{inside}{call}\n{rest}  {_MARK} {number}{newline}"
    indent = re.match(r"[ \t]*", code[0] if code else "")
    return f"{indent.group() if indent else ''}{call}{newline}"


def _body_of_clause(lines: Sequence[str]) -> tuple[int, str] | None:
    """Where the body of the clause that *lines* begin with starts in them, and its indentation."""
    margin = re.match(r"[ \t]*", lines[0])
    outer = margin.group() if margin else ""
    word = lines[0].strip().partition(" ")[0].rstrip(":")
    opening = f"{outer}try:\n{outer} pass\n" if word in _TRIED else f"{outer}if x:\n{outer} pass\n"
    text = f"if x:\n{opening}{''.join(lines)}" if outer else f"{opening}{''.join(lines)}"
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    # The second suite of the compound is the clause's.
    above = text.count("\n") - "".join(lines).count("\n")
    inside = (n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno > above)
    first = min(inside, key=lambda n: (n.lineno, n.col_offset), default=None)
    if first is None or first.lineno <= above:
        return None
    start = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", ()))])
    if isinstance(first, ast.If) and lines[start - above - 1].strip().startswith("elif"):
        start, column = first.body[0].lineno, first.body[0].col_offset
    else:
        column = first.col_offset
    line = lines[start - above - 1]
    return (start - above - 1, line[:column]) if not line[:column].strip() else None


def show_hunks(text: str, hidden: Sequence[Hidden]) -> tuple[str, Callable[[int], int]] | None:
    """Put the hunks back, byte for byte.

    Returns the text, and a function from lines (1-based) of *text* to lines of it; ``None``
    where a stand-in was changed, doubled, or went into another hunk.
    """
    found = [h.find(text) for h in hidden]
    places = [(m.start(), m.end(), h) for m, h in zip(found, hidden, strict=True) if m]
    if len(places) < len(hidden) or any(_in_hunk(text, m.start()) for m in found if m):
        return None
    parts: list[str] = []
    grown: list[tuple[int, int]] = []
    at = 0
    for start, end, one in sorted(places, key=lambda place: place[0]):
        parts += [text[at:start], one.hunk]
        grown.append(
            (text.count("\n", 0, end) + 1, one.hunk.count("\n") - text.count("\n", start, end))
        )
        at = end

    def moved(line: int) -> int:
        return line + sum(extra for after, extra in grown if line >= after)

    return "".join([*parts, text[at:]]), moved


def _in_hunk(text: str, place: int) -> bool:
    return any(m.start() <= place < m.end() for m in HUNK.finditer(text))


def resolve_hunks(text: str, side: str) -> str:
    """Return *text* with each hunk replaced by its *side* (``local``, ``base`` or ``target``)."""
    return HUNK.sub(lambda hunk: hunk[side] or "", text)


def blank_hunks(text: str, side: str = "target") -> str:
    """Return *text* with each hunk resolved to *side* (``local``, ``base`` or ``target``).

    Every line stays where it is: blank lines stand for markers and for the other sides.
    """

    def resolved(hunk: re.Match[str]) -> str:
        start, shown = hunk.start(), hunk[side]
        if shown is None:
            return "\n" * hunk.group().count("\n")
        before = hunk.group().count("\n", 0, hunk.start(side) - start)
        after = hunk.group().count("\n", hunk.end(side) - start)
        return "\n" * before + shown + "\n" * after

    return HUNK.sub(resolved, text)
