"""Who calls a function of a name, found in texts without parsing the files that they stand in."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.sources.parameters import Parameters
from omni_codemods.text.parsing import kept_tree

# What may hold a bracket that is none: strings and comments.
_PART = re.compile(
    r"""('''|\"\"\")(?:\\.|.)*?\1|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\#[^\n]*|[()\[\]{}]""",
    re.DOTALL,
)
_LONGEST = 4000
_OWNER = re.compile(r"([\w.]+|super\(\))\.$")


@dataclass(frozen=True, slots=True)
class Caller:
    """A call, by the code that it stands in front of: *owner* is ``self``, ``a.b``, or empty where
    it is none that is plain. *module* and *line* (from 1) are where it starts."""

    call: ast.Call
    owner: str
    module: str
    line: int


def find_callers(name: str, texts: Iterable[tuple[str, str]]) -> Iterator[Caller]:
    """Yield the calls of *name*, alone or as an attribute, in *texts*, by their modules.

    Not the calls of a base's method by way of ``super()``: they are answers to a call, and none.
    """
    for module, text in texts:
        for at in _places(text, f"{name}("):
            before = text[max(0, at - 60) : at]
            if before.endswith(("def ", "class ", "super().")):
                continue
            code = _until_closed(text, at + len(name))
            call = _parse_call(code) if code else None
            if call is not None:
                owner = _OWNER.search(before)
                line = text.count("\n", 0, at) + 1
                yield Caller(call, owner[1] if owner is not None else "", module, line)


def enclosing(text: str, line: int) -> str:
    """Return the name of the function at the top, or ``Class.method``, that *line* stands in."""
    tree = kept_tree(text)
    for node in tree.body if tree is not None else ():
        if not node.lineno <= line <= (node.end_lineno or node.lineno):
            continue
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return node.name
        for inner in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)) and (
                inner.lineno <= line <= (inner.end_lineno or inner.lineno)
            ):
                return f"{getattr(node, 'name', '')}.{inner.name}"
    return ""


def _places(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        if not (text[at - 1 : at].isalnum() or text[at - 1 : at] == "_"):
            yield at
        at = text.find(wanted, at + 1)


def _until_closed(text: str, start: int) -> str:
    """The code from the bracket at *start* to the one that closes it, empty where none does."""
    depth = 0
    for part in _PART.finditer(text, start, start + _LONGEST):
        if part[0] in "([{":
            depth += 1
        elif part[0] in ")]}":
            depth -= 1
            if depth == 0:
                return text[start : part.end()]
    return ""


@functools.lru_cache(maxsize=1 << 14)
def _parse_call(code: str) -> ast.Call | None:
    try:
        node = ast.parse(f"_{code}", mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None
    return node if isinstance(node, ast.Call) else None


def fits(call: ast.Call, takes: Parameters) -> bool:
    """Return whether *takes* takes the arguments of *call*."""
    return not any(takes.misfits(call))


def names_in(calls: Sequence[Caller], keywords: Sequence[str]) -> bool:
    """Return whether one of *calls* passes one of *keywords* by name."""
    return any(k.arg in keywords for one in calls for k in one.call.keywords)
