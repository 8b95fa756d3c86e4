"""Copies that local files hold of upstream functions, and which of these changed."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from omni_codemods.functions.likeness import dice
from omni_codemods.impact.end import End, Found
from omni_codemods.impact.signatures import render_signature
from omni_codemods.sources.modules import find_origin
from omni_codemods.sources.subject import Function, Subject

# From this share of common lines on, in functions of so many, a function is a copy.
_SHARE = 0.5
_LINES = 5


@dataclass(frozen=True, slots=True)
class Counterpart:
    """The upstream function that a local one is a copy of, at one end.

    *path*, *line* and *qualname* are those of the local function, *upstream* is the dotted name.
    *share* of the lines is common; *signature* is the upstream's, *code* and *text* are digests of
    what it does and of how it is written; all three are empty where it is not there.
    """

    path: str
    line: int
    qualname: str
    upstream: str
    share: float
    signature: str = ""
    code: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ChangedCopy:
    """A copy whose upstream function changed: *what* says in words in what."""

    path: str
    line: int
    qualname: str
    upstream: str
    what: str


def find_counterparts(subject: Subject, path: str, end: End) -> Iterator[Counterpart]:
    """Yield the upstream function of each function and method of *subject* that may be a copy.

    It is what the method overrides, what the function is assigned to, or what has the same name
    at the same place below the package.
    """
    lines = subject.text.split("\n")
    assigned = {
        one.local: one.target for one in subject.kin.assigned if one.module == subject.module
    }
    for qualname, node, cls in _functions(subject):
        own = _lines("\n".join(lines[node.lineno - 1 : node.end_lineno]))
        if len(own) < _LINES:
            continue
        dotted = f"{subject.module}.{qualname}"
        for upstream in _names(dotted, node.name, cls, assigned, subject):
            found = end.find(upstream)
            if found is None or not isinstance(found.node, Function):
                continue
            theirs = _lines(end.text(found))
            yield _counterpart(path, node, qualname, found, dice(own, theirs), end)
            break


def _functions(subject: Subject) -> Iterator[tuple[str, Function, str]]:
    for node in subject.tree.body:
        if isinstance(node, Function):
            yield node.name, node, ""
    for dotted, cls in subject.classes():
        for inner in cls.body:
            if isinstance(inner, Function):
                yield f"{cls.name}.{inner.name}", inner, dotted


def _names(
    dotted: str, name: str, cls: str, assigned: Mapping[str, str], subject: Subject
) -> Iterator[str]:
    if cls:
        member = subject.hierarchy.find_member(cls, name, inherited=True)
        if member.owner and subject.holds(member.owner):
            yield f"{member.owner}.{name}"
    if dotted in assigned:
        owner, _, attribute = assigned[dotted].rpartition(".")
        yield f"{find_origin(owner, subject.sources)}.{attribute}"
    root, _, below = dotted.partition(".")
    for package in subject.sources.readers:
        if package != root and below:
            yield f"{package}.{below}"


def _counterpart(
    path: str, node: Function, qualname: str, found: Found, share: float, end: End
) -> Counterpart:
    theirs = found.node
    assert isinstance(theirs, Function)
    body = [ast.dump(one) for one in theirs.body if not _is_text(one)]
    return Counterpart(
        path,
        node.lineno,
        qualname,
        found.dotted,
        share,
        render_signature(theirs),
        _digest("\n".join([*body, *map(ast.dump, theirs.decorator_list)])),
        _digest(end.text(found)),
    )


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _lines(text: str) -> frozenset[str]:
    return frozenset(filter(None, ("".join(line.split()) for line in text.split("\n"))))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def changed_copies(
    old: tuple[Counterpart, ...], new: tuple[Counterpart, ...]
) -> tuple[ChangedCopy, ...]:
    """Return the copies whose upstream function is not the same at both ends, layout apart."""
    after = {(one.path, one.qualname): one for one in new}
    found = []
    for one in old:
        if one.share < _SHARE:
            continue
        now = after.get((one.path, one.qualname))
        what = _what(one, now)
        if what:
            found.append(ChangedCopy(one.path, one.line, one.qualname, one.upstream, what))
    return tuple(found)


def _what(old: Counterpart, new: Counterpart | None) -> str:
    if new is None:
        return "it is not there any more"
    parts = []
    if new.upstream != old.upstream:
        parts.append(f"it is {new.upstream} now")
    if new.signature != old.signature:
        parts.append(f"its signature changed to {new.signature}")
    if new.code != old.code:
        parts.append("its body changed")
    return ", and ".join(parts)
