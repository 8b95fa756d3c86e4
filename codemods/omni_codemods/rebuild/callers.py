"""Calls between a rebuilt function and the rest of its file that do not fit any more.

The upstream gave the function another signature, and its callers here stay as they were; or its
new body calls a method of the file as the upstream has that now.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.findings.codes import OLD_CALLER
from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.names.reads import as_module
from omni_codemods.sources.parameters import Parameters, is_plain, read_parameters
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.text.parsing import parse_module, shared_tree
from omni_codemods.text.walks import children, shape, walk

_Function = ast.FunctionDef | ast.AsyncFunctionDef


_DEFINED = re.compile(r"\bdef (\w+)")


@dataclass(frozen=True, slots=True)
class _Call:
    """A call, the qualified name of the function that it stands in, and what it calls."""

    node: ast.Call
    caller: str
    callee: str
    bound: bool


def check_callers(
    text: str, qualname: str, before: str, written: str | None = None
) -> tuple[Finding, ...]:
    """Return a finding for each call of or in *qualname* that does not fit, and did before.

    *text* is the file with the new function, its conflicts read as the target has them; *before*
    is the text of the old function. Calls of ``self.f``, ``Class.f`` and of functions by their
    names are looked at, and only where nothing else can be meant. With *written*, the new function
    alone, the file is read only where there is something to find.
    """
    try:
        old = _function(before)
        new = None if written is None else _function(blank_hunks(written))
        if old is None or (new is not None and not _may_misfit(text, old, new)):
            return ()
        tree = parse_module(blank_hunks(text))
    except (SourceError, SyntaxError):
        return ()
    functions = _functions(tree)
    known = {shape(node) for node in walk(old) if isinstance(node, ast.Call)}
    awaited = {id(node.value) for node in walk(tree) if isinstance(node, ast.Await)}
    found: list[Finding] = []
    for call in _calls(tree, functions):
        called = functions.get(call.callee, [])
        if len(called) != 1 or call.caller == call.callee:
            continue
        if call.callee == qualname:
            other = _other_kind(old, called[0], awaited=id(call.node) in awaited)
            found += [_finding(call, called[0], other)] if other else _judge(call, called[0], old)
        elif call.caller == qualname and shape(call.node) not in known:
            found += _judge(call, called[0], None)
    return tuple(sorted(found, key=lambda f: (f.line, f.column)))


def _may_misfit(text: str, old: _Function, new: _Function) -> bool:
    """Whether the signature changed, or the function calls what the file defines otherwise."""
    if shape(old.args) != shape(new.args) or _kind(old) != _kind(new):
        return True
    # Calls are compared whole only where the file defines what they call: few, of many.
    defined = set(_DEFINED.findall(text))
    calls = (
        [n for n in walk(x) if isinstance(n, ast.Call) and _last(n.func) in defined]
        for x in (old, new)
    )
    known, now = ({shape(n) for n in found} for found in calls)
    return bool(now - known)


def _last(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _judge(call: _Call, new: _Function, old: _Function | None) -> Iterator[Finding]:
    """What is wrong with *call* of *new*, and was right while it was *old*."""
    now = _parameters(call, new)
    was = None if old is None else _parameters(call, old)
    if now is None or (old is not None and was is None):
        return
    said = list(now.misfits(call.node))
    if was is not None and list(was.misfits(call.node)):
        return
    if not said and was is not None:
        said = _shifted(call.node, was.positional, now.positional)
    if said:
        yield _finding(call, new, "; ".join(said))


def _finding(call: _Call, new: _Function, said: str) -> Finding:
    return Finding(
        OLD_CALLER.code,
        call.node.lineno,
        call.node.col_offset,
        f"{call.caller or 'the module'} calls {last_part(call.callee)}, which, as it is at line "
        f"{new.lineno}, {said}",
        "rebase the other of the two as well, or adapt the call",
        Severity.ERROR,
    )


def _kind(function: _Function) -> tuple[bool, bool]:
    """Whether a function is awaited, and whether it is read as an attribute."""
    marks = {last_part(ast.unparse(mark)) for mark in function.decorator_list}
    return isinstance(function, ast.AsyncFunctionDef), bool(marks & _PROPERTIES)


_PROPERTIES = frozenset(("property", "cached_property"))


def _other_kind(old: _Function, new: _Function, *, awaited: bool) -> str:
    """What a call cannot do any more, for the function has become one of another kind."""
    (waited, read), (waits, reads) = _kind(old), _kind(new)
    if reads and not read:
        return "is a property now, and is not called"
    if waits and not waited and not awaited:
        return "is awaited now"
    if waited and not waits and awaited:
        return "is not awaited any more"
    return ""


def _shifted(call: ast.Call, was: Sequence[str], now: Sequence[str]) -> list[str]:
    """The arguments by position that another parameter takes now."""
    if any(isinstance(x, ast.Starred) for x in call.args):
        return []
    pairs = list(zip(was, now, strict=False))[: len(call.args)]
    return [
        f"takes argument {n} as {new}, which was {old}"
        for n, (old, new) in enumerate(pairs, 1)
        if old != new and (old in now or new in was)
    ]


def _parameters(call: _Call, function: _Function) -> Parameters | None:
    if not is_plain(function):
        return None
    static = any(ast.unparse(d) == "staticmethod" for d in function.decorator_list)
    return read_parameters(function, bound=call.bound and not static)


def _function(text: str) -> _Function | None:
    tree = shared_tree(as_module(text))
    found = (n for n in walk(tree) if isinstance(n, _Function)) if tree else iter(())
    return next(found, None)


def _functions(tree: ast.Module) -> dict[str, list[_Function]]:
    """The functions at the top of the file and in its classes, by qualified name."""
    out: dict[str, list[_Function]] = {}

    def visit(body: Sequence[ast.AST], prefix: str) -> None:
        for node in body:
            if isinstance(node, _Function):
                out.setdefault(prefix + node.name, []).append(node)
            elif isinstance(node, ast.ClassDef):
                visit(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, (ast.stmt, ast.ExceptHandler)):
                visit(list(children(node)), prefix)

    visit(tree.body, "")
    return out


def _calls(tree: ast.Module, functions: dict[str, list[_Function]]) -> Iterator[_Call]:
    bases = {
        node.name: [last_part(ast.unparse(base)) for base in node.bases]
        for node in walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    for caller, definitions in functions.items():
        owner = owner_of(caller)
        for definition in definitions:
            own = _own_names(definition)
            for node in walk(definition):
                if isinstance(node, ast.Call):
                    target = _target(node.func, owner, own, bases, functions)
                    if target is not None:
                        yield _Call(node, caller, *target)


def _target(
    function: ast.expr,
    owner: str,
    own: frozenset[str],
    bases: dict[str, list[str]],
    functions: dict[str, list[_Function]],
) -> tuple[str, bool] | None:
    """The qualified name that *function* calls in this file, and whether it is bound."""
    if isinstance(function, ast.Name):
        known = function.id in functions and function.id not in own
        return (function.id, False) if known else None
    if not (isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)):
        return None
    name, attribute = function.value.id, function.attr
    if name in ("self", "cls") and owner:
        found = _inherited(owner, attribute, bases, functions)
        return None if found is None else (found, True)
    dotted = f"{name}.{attribute}"
    return (dotted, False) if name in bases and dotted in functions else None


def _inherited(
    owner: str, name: str, bases: dict[str, list[str]], functions: dict[str, list[_Function]]
) -> str | None:
    """The first of the class *owner* and its bases in this file that defines *name*."""
    waiting, seen = [owner], set[str]()
    while waiting:
        cls = waiting.pop(0)
        if f"{cls}.{name}" in functions:
            return f"{cls}.{name}"
        if cls in seen or cls not in bases:
            return None  # a base in another file may define it
        seen.add(cls)
        waiting += bases[cls]
    return None


def _own_names(function: _Function) -> frozenset[str]:
    """The names that *function* binds itself."""
    names = {a.arg for a in walk(function) if isinstance(a, ast.arg)}
    stored = (n for n in walk(function) if isinstance(n, ast.Name))
    return frozenset(names | {n.id for n in stored if isinstance(n.ctx, ast.Store)})
