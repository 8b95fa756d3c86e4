"""Assignments to attributes of upstream modules and classes: do they still fit? (OP619)"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.checks.misfit import Misfit, Trust, misfit
from omni_codemods.checks.noticed import is_noticed
from omni_codemods.findings.check_codes import PATCH_MISFIT
from omni_codemods.sources.decorators import kind_of
from omni_codemods.sources.kin import Assigned
from omni_codemods.sources.modules import Answer, find_definition, find_origin, resolve
from omni_codemods.sources.parameters import is_plain, read_parameters
from omni_codemods.sources.subject import Function, Subject
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.text.walks import nodes_of

_WRAPPERS = ("staticmethod", "classmethod", "property", "cached_property")


def check_assigned(subject: Subject) -> Iterator[Misfit]:
    """Yield a misfit for each patch of what is not there, and each that takes other arguments."""
    guards = {id(site.node): site.guard for site in subject.sites}
    for one in subject.kin.assigned:
        if one.module != subject.module or not subject.holds(one.target):
            continue
        guard = next((g for g in (guards.get(id(n)) for n in _same(one, subject)) if g), None)
        if guard is None or guard.typing or guard.catches("AttributeError", "ImportError"):
            continue
        yield from _check(one, subject)


def _same(one: Assigned, subject: Subject) -> Iterator[ast.AST]:
    """The node of the subject's own tree: the local files are read apart."""
    line, column = getattr(one.node, "lineno", 0), getattr(one.node, "col_offset", 0)
    for site in subject.sites:
        node = site.node
        place = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        if type(node) is type(one.node) and place == (line, column):
            yield node


def _check(one: Assigned, subject: Subject) -> Iterator[Misfit]:
    owner, _, name = one.target.rpartition(".")
    origin = find_origin(owner, subject.sources)
    if resolve(owner, subject.sources) is Answer.MISSING or name.startswith("__"):
        return  # told where it is imported
    is_class = subject.hierarchy.find_class(origin) is not None
    if not is_class and subject.sources.module(origin) is None:
        return
    if name in subject.tested:
        return
    target = f"{origin}.{name}"
    if is_class:
        found = subject.hierarchy.find_attribute(origin, name)
        answer, node = found.answer, found.node
    else:
        answer, node = resolve(target, subject.sources), find_definition(target, subject.sources)
    if answer is Answer.UNKNOWN:
        if is_class and not any(map(subject.sources.holds, subject.hierarchy.unseen(origin))):
            yield from _gone(one, target, subject, Trust.UNSEEN)
        return
    if answer is Answer.MISSING:
        yield from _gone(one, target, subject, Trust.SURE)
        return
    yield from _unlike(one, target, node, subject, is_class)


def _gone(one: Assigned, target: str, subject: Subject, trust: Trust) -> Iterator[Misfit]:
    name = last_part(target)
    if name in subject.kin.loads:
        # It is new on purpose, and something here uses it.
        trust = Trust.UNSEEN
    owner = owner_of(target)
    message = f"{owner} has no {name} to replace"
    yield misfit(PATCH_MISFIT, one.node, message, target, trust=trust)


def _unlike(
    one: Assigned, target: str, upstream: ast.AST | None, subject: Subject, is_class: bool
) -> Iterator[Misfit]:
    value, wrapped = one.value, ""
    if isinstance(value, ast.Call) and len(value.args) == 1:
        called = last_part(ast.unparse(value.func))
        if called in _WRAPPERS:
            wrapped, value = called, value.args[0]
    function = _function(value, subject)
    if function is None or not isinstance(upstream, Function):
        return
    name = last_part(target)
    place = f"{target} ({upstream.lineno})"
    theirs_kind = kind_of(upstream) if is_class else "method"
    known = is_plain(upstream) or theirs_kind == "property"
    if not known:
        return
    mine_kind = (wrapped or _own_kind(function)).replace("cached_", "")
    if is_class and mine_kind != theirs_kind:
        if {mine_kind, theirs_kind} == {"method", "staticmethod"} and not wrapped:
            pass
        elif "property" in (mine_kind, theirs_kind) or wrapped:
            message = f"{name} was {theirs_kind} in {place}, and is replaced by {mine_kind}"
            yield misfit(PATCH_MISFIT, one.node, message, target)
            return
    if isinstance(function, Function) and not is_plain(function):
        return
    bound = is_class and theirs_kind != "staticmethod"
    mine, theirs = read_parameters(function, bound=bound), read_parameters(upstream, bound=bound)
    missing = [n for n in theirs.names if n not in mine.names]
    if mine.open:
        missing = [n for n in missing if n in theirs.positional and not mine.rest]
    if mine.rest:
        missing = [n for n in missing if n in theirs.keyword and not mine.open]
    renamed = _only_renamed(missing, mine.positional, theirs.positional)
    said = []
    if missing and not renamed and theirs_kind != "property":
        said.append(f"does not take {', '.join(missing)}")
    new = [n for n in mine.names if n in mine.required and n not in theirs.names]
    if new and not theirs.rest and not renamed:
        said.append(f"also wants {', '.join(new)}")
    if said and is_noticed(name, mine, theirs, subject, of_self=True) is not False:
        message = f"what replaces {place} {', and '.join(said)}"
        yield misfit(PATCH_MISFIT, one.node, message, target)
    if isinstance(function, Function) and theirs_kind != "property":
        yield from _other_async(one, function, upstream, target, place)


def _other_async(
    one: Assigned, mine: Function, theirs: Function, target: str, place: str
) -> Iterator[Misfit]:
    if not isinstance(theirs, ast.AsyncFunctionDef) or not isinstance(mine, ast.FunctionDef):
        return
    if not any(isinstance(n, ast.Return) and n.value is not None for n in nodes_of(mine)):
        message = f"what replaces {place} is not async"
        yield misfit(PATCH_MISFIT, one.node, message, target)


def _only_renamed(missing: list[str], mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether what is missing stands under another name that says it is not used: ``_name``."""
    if len(mine) < len(theirs):
        return False
    pairs = dict(zip(theirs, mine, strict=False))
    return all(pairs.get(one, "").strip("_") in (one, "") for one in missing)


def _own_kind(function: Function | ast.Lambda) -> str:
    return kind_of(function) if isinstance(function, Function) else "method"


def _function(value: ast.expr, subject: Subject) -> Function | ast.Lambda | None:
    if isinstance(value, ast.Lambda):
        return value
    if not isinstance(value, (ast.Name, ast.Attribute)):
        return None
    text = ast.unparse(value)
    inner = [n for n in nodes_of(subject.tree) if isinstance(n, Function) and n.name == text]
    if len(inner) == 1:
        return inner[0]
    head, _, rest = text.partition(".")
    path = subject.imports.get(head)
    if inner or path is None:
        return None
    node = find_definition(f"{path}.{rest}" if rest else path, subject.sources)
    return node if isinstance(node, Function) else None
