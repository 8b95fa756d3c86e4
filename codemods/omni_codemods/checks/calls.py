"""The calls in the functions of a file, with what they call and how it is taken apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from omni_codemods.sources.hierarchy import Member
from omni_codemods.sources.modules import Answer, find_definition, find_origin
from omni_codemods.sources.subject import Function, Subject
from omni_codemods.text.dotted import first_part, last_part, owner_of

_NO_OWNERS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Callee:
    """What is called: its definition, whether its first parameter is bound, and where it is.

    *path* is the dotted name that it is defined as.
    """

    node: Function
    bound: bool
    place: str
    path: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call in *function*, with what it calls, where that is surely known.

    *cls* is the dotted class of a method, empty for a function. *member* is the answer for
    ``self.name(...)`` and ``super().name(...)``; *taken* is how many values are taken apart of
    what it returns.
    """

    function: Function
    cls: str
    node: ast.Call
    member: Member | None
    callee: Callee | None
    taken: int | None = None


def iter_calls(subject: Subject, owners: Mapping[str, str] = _NO_OWNERS) -> Iterator[Call]:
    """Yield the calls in the functions and methods at the top of *subject*.

    *owners* are the dotted classes of functions that are assigned to one, by name.
    """
    for function, own in _functions(subject):
        cls = own or owners.get(function.name, "")
        shadowed = _bound_in(function)
        me = _self_name(function) if cls else None
        nodes = list(ast.walk(function))
        taken = dict(filter(None, map(_unpacking, nodes)))
        for node in nodes:
            if isinstance(node, ast.Call):
                member = _member(node, cls, me, subject) if cls and me else None
                callee = _callee(node, cls, me, shadowed, subject)
                yield Call(function, cls, node, member, callee, taken.get(node))


def _unpacking(node: ast.AST) -> tuple[ast.Call, int] | None:
    """The call whose result *node* takes apart, and into how many."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return None
    target = node.targets[0]
    if not isinstance(target, (ast.Tuple, ast.List)) or _starred(target):
        return None
    return node.value, len(target.elts)


def _functions(subject: Subject) -> Iterator[tuple[Function, str]]:
    """The functions and methods at the top, each method with its class's dotted name."""
    for node in subject.tree.body:
        if isinstance(node, Function):
            yield node, ""
    for dotted, cls in subject.classes():
        for inner in cls.body:
            if isinstance(inner, Function):
                yield inner, dotted


def _self_name(function: Function) -> str | None:
    decorators = {last_part(ast.unparse(d)) for d in function.decorator_list}
    first = [*function.args.posonlyargs, *function.args.args][:1]
    if decorators & {"staticmethod", "classmethod"} or not first:
        return None
    return first[0].arg


def _bound_in(function: Function) -> set[str]:
    """Every name that the function binds, itself or in functions inside: not the module's."""
    out: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            out.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            out.add(node.id)
        elif isinstance(node, ast.alias):
            out.add(first_part(node.asname or node.name))
        elif isinstance(node, (*(ast.FunctionDef, ast.AsyncFunctionDef), ast.ClassDef)):
            out.add(node.name)
    return out


def _member(call: ast.Call, cls: str, me: str, subject: Subject) -> Member | None:
    """What ``self.name(...)`` or ``super().name(...)`` calls; None for any other call."""
    if not isinstance(call.func, ast.Attribute):
        return None
    owner, name = call.func.value, call.func.attr
    inherited = isinstance(owner, ast.Call) and ast.unparse(owner) == "super()"
    if not inherited and not (isinstance(owner, ast.Name) and owner.id == me):
        return None
    found = subject.hierarchy.find_member(cls, name, inherited=inherited)
    # What every class has from ``object`` is in no tree, and not gone for that.
    return None if found.answer is Answer.MISSING and hasattr(object, name) else found


def _callee(
    call: ast.Call, cls: str, me: str | None, shadowed: set[str], subject: Subject
) -> Callee | None:
    """What *call* calls, where that is surely known."""
    member = _member(call, cls, me, subject) if cls and me else None
    return _method(member) if member is not None else _imported(call, shadowed, subject)


def _method(member: Member) -> Callee | None:
    if not isinstance(member.node, Function):
        return None
    static = any(ast.unparse(d) == "staticmethod" for d in member.node.decorator_list)
    return Callee(member.node, not static, member.place, f"{member.owner}.{member.node.name}")


def _imported(call: ast.Call, shadowed: set[str], subject: Subject) -> Callee | None:
    """The function or class of another package that a dotted name stands for."""
    head, _, rest = ast.unparse(call.func).partition(".")
    if head in shadowed or head not in subject.imports:
        return None
    if rest and not rest.replace(".", "_").isidentifier():
        return None
    path = f"{subject.imports[head]}.{rest}" if rest else subject.imports[head]
    if not subject.sources.holds(path):
        return None
    origin = find_origin(path, subject.sources)
    node = find_definition(path, subject.sources)
    if isinstance(node, Function) and subject.sources.module(owner_of(origin)):
        module, _, name = origin.rpartition(".")
        place = f"{name} ({module.replace('.', '/')}.py:{node.lineno})"
        return Callee(node, False, place, origin)
    if isinstance(node, ast.ClassDef) and not node.decorator_list and not node.keywords:
        made = subject.hierarchy.find_member(origin, "__new__")
        member = subject.hierarchy.find_member(origin, "__init__")
        return _method(member) if made.answer is Answer.MISSING else None
    return None


def _starred(target: ast.Tuple | ast.List) -> bool:
    return any(isinstance(element, ast.Starred) for element in target.elts)


def count_returned(function: Function, *, awaited: bool = False) -> int | None:
    """How many values the function returns, where every ``return`` says so and says the same.

    *awaited*: what a coroutine gives in the end.
    """
    if isinstance(function, ast.AsyncFunctionDef) is not awaited:
        return None
    counts: set[int | None] = set()
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return None
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            continue
        if isinstance(node, ast.Return):
            value = node.value
            plain = isinstance(value, ast.Tuple) and not _starred(value)
            counts.add(len(value.elts) if plain and isinstance(value, ast.Tuple) else None)
        waiting += ast.iter_child_nodes(node)
    return counts.pop() if len(counts) == 1 else None
