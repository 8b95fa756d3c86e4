"""Who calls a function of a name, found in texts without parsing the files that they stand in."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Sequence

from omni_codemods.sources.parameters import Parameters

# What may hold a bracket that is none: strings and comments.
_PART = re.compile(
    r"""('''|\"\"\")(?:\\.|.)*?\1|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\#[^\n]*|[()\[\]{}]""",
    re.DOTALL,
)
_LONGEST = 4000


def find_calls(name: str, texts: Iterable[str]) -> tuple[ast.Call, ...]:
    """Return the calls of *name*, alone or as an attribute, in *texts*, once each.

    The places of the nodes say nothing. Not the calls of a base's method by way of ``super()``:
    they are answers to a call, and no call.
    """
    found: dict[str, ast.Call] = {}
    for text in texts:
        for at in _places(text, f"{name}("):
            if _is_no_call(text[max(0, at - 24) : at]):
                continue
            code = _until_closed(text, at + len(name))
            if code and code not in found and (call := _parse_call(code)) is not None:
                found[code] = call
    return tuple(found.values())


def _places(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        if not (text[at - 1 : at].isalnum() or text[at - 1 : at] == "_"):
            yield at
        at = text.find(wanted, at + 1)


def _is_no_call(before: str) -> bool:
    """Whether what stands before a name makes it a definition, or the base's own answer."""
    return before.endswith(("def ", "class ", "super()."))


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


def iter_fitting(calls: Sequence[ast.Call], takes: Parameters) -> Iterator[ast.Call]:
    """Yield the *calls* that fit *takes*."""
    return (call for call in calls if not any(takes.misfits(call)))
