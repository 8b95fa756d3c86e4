"""Overrides that are of another kind than the upstream's method, or return otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.checks.calls import count_returned
from omni_codemods.checks.misfit import Misfit, misfit
from omni_codemods.checks.noticed import is_asked_of_class, local_callers, passes
from omni_codemods.findings.check_codes import INIT_LAGS, OTHER_ARITY, OTHER_KIND
from omni_codemods.findings.model import Severity
from omni_codemods.sources.decorators import kind_of
from omni_codemods.sources.parameters import Parameters, is_plain, read_parameters
from omni_codemods.sources.subject import Function, Subject
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.text.walks import called_name, nodes_of, walk

_WORDS = {
    "property": "a property",
    "staticmethod": "a static method",
    "classmethod": "a class method",
    "method": "a method",
}


def check_overrides(subject: Subject) -> Iterator[Misfit]:
    """Yield a misfit for each override of another kind (OP617) or with another number of results
    than its callers take apart (OP611), and for each ``__init__`` that lags (OP618)."""
    for dotted, cls in subject.classes():
        for method in cls.body:
            if not isinstance(method, Function):
                kinds = [*_hidden(method, dotted, subject)]
                yield from kinds
                continue
            if method.name == "__init__":
                yield from _lags(method, dotted, subject)
                continue
            member = subject.hierarchy.find_member(dotted, method.name, inherited=True)
            if subject.holds(member.owner):
                for one in _other_kind(method, member.node, member.place, member.owner):
                    if not _is_unasked(method, member.node, dotted, subject):
                        yield one
            yield from _other_result(method, dotted, subject)


def _other_kind(
    method: Function, upstream: ast.AST | None, place: str, owner: str
) -> Iterator[Misfit]:
    if not isinstance(upstream, Function) or not (_is_known(method) and _is_known(upstream)):
        return
    mine, theirs = kind_of(method), kind_of(upstream)
    path = f"{owner}.{method.name}"
    # What is static or of the class can be asked of an instance as well: nobody notices.
    if mine != theirs and ("property" in (mine, theirs) or mine == "method"):
        message = f"{method.name} is {_WORDS[mine]}, and {place} {_WORDS[theirs]}"
        yield misfit(OTHER_KIND, method, message, path)
    elif mine == theirs and isinstance(method, ast.AsyncFunctionDef) is not isinstance(
        upstream, ast.AsyncFunctionDef
    ):
        awaited = isinstance(upstream, ast.AsyncFunctionDef)
        hidden = _may_be_awaited(method) if awaited else _says_awaitable(upstream)
        if hidden or _is_generator(method):
            return
        is_now = "async" if not awaited else "not async"
        other = "is not" if not awaited else "is"
        message = f"{method.name} is {is_now}, and {place} {other}"
        yield misfit(OTHER_KIND, method, message, path)


def _is_unasked(mine: Function, theirs: ast.AST | None, cls: str, subject: Subject) -> bool:
    """Whether the upstream's is static or of the class, and nobody asks a class for it."""
    if not isinstance(theirs, Function) or kind_of(mine) != "method":
        return False
    if kind_of(theirs) not in ("staticmethod", "classmethod"):
        return False
    order = subject.hierarchy.order(cls)
    return is_asked_of_class(mine.name, order, subject) is False


def _hidden(node: ast.stmt, cls: str, subject: Subject) -> Iterator[Misfit]:
    """A plain value where the upstream has a method that is called."""
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return
    if not isinstance(node.value, (ast.Constant, ast.List, ast.Dict, ast.Tuple)):
        return
    name = node.targets[0].id
    if isinstance(node.value, ast.Constant) and node.value.value is None:
        return
    member = subject.hierarchy.find_member(cls, name, inherited=True)
    upstream = member.node
    if not isinstance(upstream, Function) or not subject.holds(member.owner):
        return
    if kind_of(upstream) != "property":
        message = f"{name} is a value, and {member.place} a method"
        yield misfit(OTHER_KIND, node, message, f"{member.owner}.{name}")


def _is_known(method: Function) -> bool:
    names = {last_part(ast.unparse(d).partition("(")[0]) for d in method.decorator_list}
    return is_plain(method) or names <= {
        "property",
        "cached_property",
        "abstractmethod",
        "override",
    }


def _is_generator(method: Function) -> bool:
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(method))


def _says_awaitable(method: Function) -> bool:
    """Whether the annotation of a plain function promises something to await, or nothing does."""
    said = ast.unparse(method.returns) if method.returns is not None else ""
    if any(word in said for word in ("Await", "Coroutine", "Future", "Async", "Task")):
        return True
    return not said and all(isinstance(n, (ast.Expr, ast.Pass, ast.Raise)) for n in method.body)


def _may_be_awaited(method: Function) -> bool:
    """Whether a plain function may give something to await: it says so, or hands on a call."""
    returns = [n.value for n in ast.walk(method) if isinstance(n, ast.Return) and n.value]
    called = any(isinstance(v, (ast.Call, ast.Name)) for v in returns)
    return called or _says_awaitable(method)


def _other_result(method: Function, cls: str, subject: Subject) -> Iterator[Misfit]:
    """Callers in the bases that take apart another number of values than the override returns."""
    bases = [one for one in subject.hierarchy.order(cls)[1:] if subject.holds(one)]
    if not bases or not is_plain(method, generator=False):
        return
    count = count_returned(method, awaited=isinstance(method, ast.AsyncFunctionDef))
    if count is None:
        return
    for base in bases:
        node = subject.hierarchy.find_class(base)
        if node is None:
            continue
        for caller in node.body:
            if not isinstance(caller, Function) or caller.name == method.name:
                continue
            if subject.hierarchy.find_member(cls, caller.name).owner != base:
                continue
            taken = _taken(caller, method.name)
            if taken is not None and taken != count:
                place = f"{base.rpartition('.')[2]}.{caller.name}"
                message = f"{method.name} returns {count} values, and {place} takes {taken} apart"
                yield misfit(OTHER_ARITY, method, message, f"{base}.{method.name}")
                return


def _taken(caller: Function, name: str) -> int | None:
    for node in nodes_of(caller):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Tuple, ast.List)):
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            elements = node.targets[0].elts
            if any(isinstance(one, ast.Starred) for one in elements):
                continue
            if isinstance(value, ast.Call) and ast.unparse(value.func) == f"self.{name}":
                return len(elements)
    return None


def _lags(init: Function, cls: str, subject: Subject) -> Iterator[Misfit]:
    member = subject.hierarchy.find_member(cls, "__init__", inherited=True)
    base = member.node
    if not isinstance(base, Function) or not subject.holds(member.owner):
        return
    if not (is_plain(init) and is_plain(base)):
        return
    mine, theirs = read_parameters(init, bound=True), read_parameters(base, bound=True)
    if mine.open or mine.rest or set(mine.names) - set(theirs.names):
        return  # it is made with arguments of its own
    calls = [n for n in nodes_of(init) if isinstance(n, ast.Call) and _is_init(n)]
    if len(calls) != 1:
        return
    given = _given(calls[0], theirs)
    lost = [n for n in theirs.names if n not in mine.names and given is not None and n not in given]
    lost = [n for n in lost if n not in theirs.required]
    if lost:
        names = ", ".join(lost)
        message = f"__init__ neither takes nor hands on {names}, which {member.place} takes"
        if mine.names and not _passed(cls, lost, subject):
            return
        yield misfit(
            INIT_LAGS,
            init,
            message,
            f"{member.owner}.__init__",
            severity=Severity.WARNING,
        )


def _is_init(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"


def _given(call: ast.Call, takes: Parameters) -> set[str] | None:
    """The parameters that the call of the base's ``__init__`` gives; None where it unpacks."""
    if any(isinstance(one, ast.Starred) for one in call.args):
        return None
    names = {one.arg for one in call.keywords}
    if None in names:
        return None
    own = isinstance(call.func, ast.Attribute) and not ast.unparse(call.func).startswith("super(")
    return {*takes.positional[: max(0, len(call.args) - own)], *filter(None, names)}


def _passed(cls: str, names: list[str], subject: Subject) -> bool:
    """Whether a call of the class passes one of *names*: in local code, and where that never
    calls it, a call of a base."""
    calls = [one.call for one in local_callers(last_part(cls), subject)]
    if not calls:
        bases = {last_part(one) for one in subject.hierarchy.order(cls)}
        if any(passes(one, names, subject) for one in bases):
            return True
        sites = (site.node for site in subject.sites)
        calls = [n for n in sites if isinstance(n, ast.Call) and called_name(n) in bases]
        for base in subject.hierarchy.order(cls)[1:]:
            module = subject.sources.module(owner_of(base))
            for node in module.definitions.values() if module is not None else ():
                made = (n for n in walk(node) if isinstance(n, ast.Call))
                calls += [one for one in made if called_name(one) in bases]
    return any(k.arg in names for call in calls for k in call.keywords)
