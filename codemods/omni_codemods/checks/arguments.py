"""Calls whose arguments do not fit, and results that are taken apart otherwise (OP609, OP611)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.checks.calls import count_returned
from omni_codemods.checks.misfit import Misfit, Trust, misfit
from omni_codemods.findings.check_codes import CALL_MISFIT, OTHER_ARITY
from omni_codemods.sources.constructors import fields_of, find_constructor, kind_of_data
from omni_codemods.sources.frames import Frame
from omni_codemods.sources.parameters import Parameters, is_plain, read_parameters
from omni_codemods.sources.sites import Site
from omni_codemods.sources.subject import Function, Subject
from omni_codemods.sources.value import Kind, Value
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.text.walks import called_name


@dataclass(frozen=True, slots=True)
class Callee:
    """What is called: its parameters, the dotted *path* and the words for a message."""

    parameters: Parameters
    path: str
    place: str
    value: Value
    given: ast.Call | None = None


def check_arguments(subject: Subject) -> Iterator[Misfit]:
    """Yield a misfit for each call whose callee is surely known and takes other arguments, and
    for each result that is taken apart into another number of values."""
    for site in subject.sites:
        node = site.node
        if site.guard.typing:
            continue
        if isinstance(node, ast.Call) and not site.guard.catches("TypeError"):
            callee = find_callee(node, site.frame, subject)
            if callee is not None:
                yield from _misfits(node, callee, _trust(site))
        elif isinstance(node, ast.Assign) and not site.guard.catches("ValueError"):
            yield from _arity(node, site, subject)


def _trust(site: Site) -> Trust:
    return Trust.POSSIBLE if site.guard.catches("ImportError") else Trust.SURE


def find_callee(call: ast.Call, frame: Frame, subject: Subject) -> Callee | None:
    """Return what *call* calls, ``None`` where that is not surely known."""
    if called_name(call) == "partial" and call.args:
        value = subject.values.infer(call, frame)
        found = None if value is None else _callee(value, subject)
        return found if found is not None and found.given is call else None
    value = subject.values.infer(call.func, frame)
    return None if value is None else _callee(value, subject)


def _callee(value: Value, subject: Subject) -> Callee | None:
    if value.kind is Kind.CLASS:
        if subject.values.is_patched(value.path, "__init__"):
            return None
        made = find_constructor(value.path, subject.hierarchy, subject.sources)
        return None if made is None else Callee(made.parameters, made.path, made.place, value)
    if value.kind is Kind.INSTANCE:
        return None
    node = value.node
    if not isinstance(node, Function) or not subject.values.is_plain(value):
        return None
    if value.bound and not value.exact and _is_overridden(value, subject):
        return None
    parameters = read_parameters(node, bound=value.bound)
    return Callee(parameters, value.path, place_of(value, subject), value, value.given)


def _is_overridden(value: Value, subject: Subject) -> bool:
    """Whether the object may be of a local class below that takes other arguments, or the method
    is there to be implemented, which is done with more of them."""
    name = last_part(value.path)
    home = owner_of(value.path)
    below = subject.kin.below(home, subject.hierarchy)
    if value.owner != home and any(value.owner in (one, home) for one in below):
        return False  # asked of the own object, whose class is known
    if any(subject.hierarchy.defines(one, name) for one in below):
        return True
    names = {last_part(ast.unparse(d)) for d in getattr(value.node, "decorator_list", ())}
    return "abstractmethod" in names


def place_of(value: Value, subject: Subject) -> str:
    """Return the words for a function: its name, with its class, and file and line."""
    owner = owner_of(value.path)
    name = last_part(value.path)
    if subject.sources.module(owner) is None:
        name = f"{owner.rpartition('.')[2]}.{name}"
        owner = owner_of(owner)
    line = getattr(value.node, "lineno", 0)
    return f"{name} ({owner.replace('.', '/')}.py:{line})"


def _misfits(call: ast.Call, callee: Callee, trust: Trust) -> Iterator[Misfit]:
    asked, partial = call, callee.given is call
    if callee.given is not None:
        asked = _joined(callee.given, None if partial else call)
    messages = list(callee.parameters.misfits(asked))
    if partial:
        messages = [one for one in messages if not one.startswith("also wants")]
    said = ", and ".join(_gathered(messages))
    if said:
        yield misfit(CALL_MISFIT, call, f"{callee.place} {said}", callee.path, trust=trust)


def _gathered(messages: list[str]) -> Iterator[str]:
    """The messages, those about keywords that are not taken as one."""
    start = "does not take "
    names = [one.removeprefix(start) for one in messages if one.startswith(start)]
    if names:
        yield f"{start}{', '.join(names)}"
    yield from (one for one in messages if not one.startswith(start))


def _joined(given: ast.Call, call: ast.Call | None) -> ast.Call:
    """The call of a ``partial``: its arguments, then those of *call*, whose keywords count."""
    arguments, keywords = given.args[1:], list(given.keywords)
    if call is not None:
        named = {one.arg for one in call.keywords}
        arguments = [*arguments, *call.args]
        keywords = [*(k for k in keywords if k.arg not in named), *call.keywords]
    return ast.Call(func=given.args[0], args=arguments, keywords=keywords)


def _arity(node: ast.Assign, site: Site, subject: Subject) -> Iterator[Misfit]:
    target = node.targets[0]
    if not isinstance(target, (ast.Tuple, ast.List)) or _starred(target.elts):
        return
    taken = len(target.elts)
    value = node.value
    called = value.value if isinstance(value, ast.Await) else value
    if isinstance(called, ast.Call):
        callee = find_callee(called, site.frame, subject)
        function = callee.value.node if callee is not None else None
        awaited = isinstance(value, ast.Await)
        if callee is None or not isinstance(function, Function) or callee.given is called:
            return
        if isinstance(function, ast.AsyncFunctionDef) is awaited and is_plain(
            function, generator=False
        ):
            returned = count_returned(function, awaited=awaited)
            returned = returned if returned is not None else _promised(function)
            if returned is not None and returned != taken:
                message = f"{callee.place} returns {returned} values, and {taken} are taken"
                yield misfit(OTHER_ARITY, called, message, callee.path)
    found = subject.values.infer(value, site.frame)
    if found is None or found.kind is not Kind.INSTANCE:
        return
    if kind_of_data(found.path, subject.hierarchy, subject.sources) == "tuple":
        fields = fields_of(found.path, subject.hierarchy, subject.sources)
        if len(fields) != taken:
            name = last_part(found.path)
            message = f"{name} has {len(fields)} values, and {taken} are taken"
            yield misfit(OTHER_ARITY, value, message, found.path)


def _promised(function: Function) -> int | None:
    """How many values the return annotation promises, where it is a tuple of so many."""
    said = function.returns
    stub = all(isinstance(n, (ast.Expr, ast.Pass, ast.Raise)) for n in function.body)
    if stub or not isinstance(said, ast.Subscript):
        return None
    if last_part(ast.unparse(said.value)) not in ("tuple", "Tuple"):
        return None
    parts = said.slice.elts if isinstance(said.slice, ast.Tuple) else [said.slice]
    open_end = any(isinstance(p, ast.Constant) and p.value is ... for p in parts)
    return None if open_end or _starred(parts) or len(parts) < 2 else len(parts)


def _starred(parts: Sequence[ast.expr]) -> bool:
    return any(isinstance(one, ast.Starred) for one in parts)
