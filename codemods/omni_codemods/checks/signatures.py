"""Overriding methods whose signature is not the upstream's (OP608)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.checks.misfit import Misfit, Trust, misfit
from omni_codemods.checks.noticed import is_called_so, is_noticed
from omni_codemods.findings.check_codes import OTHER_SIGNATURE
from omni_codemods.functions.fences import parse_fences
from omni_codemods.sources.parameters import Parameters, is_plain, read_parameters
from omni_codemods.sources.self_use import is_own
from omni_codemods.sources.subject import Function, Subject
from omni_codemods.text.walks import nodes_of

# Made and torn down by their own class, with arguments of its own.
_OWN = frozenset({"__init__", "__new__", "__init_subclass__", "__class_getitem__"})


def check_signatures(subject: Subject) -> Iterator[Misfit]:
    """Yield a misfit for each method that does not take what the upstream's method takes.

    A parameter that stands in a fence, or on a line with a trailing one, is there on purpose.
    """
    fenced = {
        line
        for block in parse_fences(subject.text).blocks
        for line in range(block.span.start, block.span.end + 1)
    }
    for dotted, cls in subject.classes():
        for method in cls.body:
            if isinstance(method, Function) and method.name not in _OWN and is_plain(method):
                yield from _check(method, dotted, fenced, subject)


def _check(method: Function, cls: str, fenced: set[int], subject: Subject) -> Iterator[Misfit]:
    member = subject.hierarchy.find_member(cls, method.name, inherited=True)
    upstream = member.node
    if not isinstance(upstream, Function) or not subject.holds(member.owner):
        return
    if not is_plain(upstream) or _is_static(upstream) != _is_static(method):
        return
    bound, path = not _is_static(method), f"{member.owner}.{method.name}"
    mine, theirs = read_parameters(method, bound=bound), read_parameters(upstream, bound=bound)
    spans = set(range(method.lineno, method.body[0].lineno))
    missing = [n for n in theirs.names if n not in mine.names]
    if mine.open:
        missing = [n for n in missing if n in theirs.positional and not mine.rest]
    extra = [a for a in _arguments(method) if a.arg in mine.required]
    new = [a.arg for a in extra if a.arg not in theirs.names and a.lineno not in fenced]
    # It lacks some, and wants others: it is another function on purpose, unless one of the bases
    # still calls it the old way.
    trust = Trust.SURE
    if missing or new:
        inherited = _is_called(method.name, cls, mine, subject)
        if not inherited and _is_unnoticed(method.name, mine, theirs, subject):
            return
        own = new and is_called_so(method.name, mine, theirs, subject)
        if (own and not inherited) or (missing and new and not inherited):
            trust = Trust.UNSEEN
    if missing and not mine.rest and not spans & fenced:
        lacks = f"does not take {', '.join(missing)}, as {member.place} does"
        yield misfit(OTHER_SIGNATURE, method, f"{method.name} {lacks}", path, trust=trust)
    if new and not theirs.rest:
        said = f"{method.name} wants {', '.join(new)}, and {member.place} does not"
        yield misfit(OTHER_SIGNATURE, method, said, path, trust=trust)


def _is_unnoticed(name: str, mine: Parameters, theirs: Parameters, subject: Subject) -> bool:
    return is_noticed(name, mine, theirs, subject, of_self=False) is False


def _is_called(name: str, cls: str, takes: Parameters, subject: Subject) -> bool:
    """Whether a method of a base that *cls* inherits calls the method in a way that fails."""
    for base in subject.hierarchy.order(cls)[1:]:
        node = subject.hierarchy.find_class(base)
        for caller in node.body if node is not None else ():
            if not isinstance(caller, Function) or caller.name == name:
                continue
            if subject.hierarchy.find_member(cls, caller.name).owner != base:
                continue
            calls = (n for n in nodes_of(caller) if isinstance(n, ast.Call))
            own = [c for c in calls if is_own(c.func)]
            called = [c for c in own if getattr(c.func, "attr", "") == name]
            if any(any(takes.misfits(c)) for c in called):
                return True
    return False


def _arguments(method: Function) -> list[ast.arg]:
    return [*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs]


def _is_static(function: Function) -> bool:
    return any(ast.unparse(d) == "staticmethod" for d in function.decorator_list)
