"""What upstream itself shows of a change: where a name went, and what its own callers pass now."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from omni_codemods.checks.misfit import Misfit
from omni_codemods.findings.suggest import find_close
from omni_codemods.impact.elsewhere import find_named, find_renamed
from omni_codemods.impact.end import End
from omni_codemods.impact.signatures import render_signature
from omni_codemods.sources.self_use import read_selves
from omni_codemods.sources.subject import Function
from omni_codemods.text.dotted import first_part, last_part, owner_of
from omni_codemods.text.walks import walk

# Texts of upstream modules, by dotted name, that contain some bytes.
Search = Callable[[bytes], Sequence[tuple[str, str]]]
# For a name: the modules that define it.
Where = Callable[[str], Sequence[str]]
_WANTS = re.compile(r"also wants ((?:\w+, )*\w+)|does not take ((?:\w+=?, )*\w+)")


class Instead:
    """Asks both ends of the upstreams; *search* and *where* look into the newer one."""

    def __init__(self, old: End, new: End, where: Where, search: Search) -> None:
        self._old, self._new = old, new
        self._where, self._search = where, search

    def find(self, one: Misfit) -> str:
        """Return what to write instead, or what upstream has now; empty where nothing shows it."""
        code, subject = one.finding.code, one.subject
        if code == "OP607":
            return self._moved(subject)
        if code in ("OP609", "OP608", "OP618", "OP619"):
            return self._signature(one)
        if code in ("OP612", "OP615", "OP616"):
            return self._renamed(subject) or self._moved(subject)
        return ""

    def _moved(self, subject: str) -> str:
        base = self._old.find(subject)
        name = last_part(subject)
        if base is not None:
            same, _ = find_named(base, self._old, self._new, self._where)
            if same:
                return f"{name} is in {same[0].module} now"
            owner = owner_of(subject)
            if isinstance(base.node, Function):
                found = find_renamed(self._old, base, self._new, owner)
                if found is not None and found[1] >= 0.6:
                    return f"{found[0].dotted} has {found[1]:.0%} of its code now"
        places = [m for m in self._where(name) if m != owner_of(subject)]
        known = set(self._old.sources.readers)
        fresh = [m for m in places if first_part(m) in known][:3]
        if base is None and self._old.sources.module(subject) is not None:
            return ""
        return f"{name} is defined in {', '.join(fresh)}" if 0 < len(places) <= 3 else ""

    def _signature(self, one: Misfit) -> str:
        found = self._new.find(one.subject)
        if found is None or not isinstance(found.node, Function):
            return ""
        name = last_part(one.subject)
        spelled = last_part(owner_of(one.subject)) if name == "__init__" else name
        told = _WANTS.findall(one.finding.message)
        words = next((wants for wants, _ in told if wants), told[0][1] if told else "")
        wanted = [word.strip(" =") for word in words.split(",") if word]
        shown = next(self._callers(spelled, wanted), "") if wanted else ""
        if shown:
            return f"upstream's own caller passes {shown}"
        signature = render_signature(found.node)
        return f"it is {name}{signature} now" if len(signature) < 200 else ""

    def _callers(self, name: str, wanted: Sequence[str]) -> Iterator[str]:
        """What calls of *name* in the newer upstream give to the parameters *wanted*."""
        for module, text in self._search(f"{name}(".encode())[:12]:
            if not any(f"{one}=" in text for one in wanted):
                continue
            try:
                tree = ast.parse(text)
            except (SyntaxError, ValueError):
                continue
            for node in walk(tree):
                if isinstance(node, ast.Call) and _called(node) == name:
                    passed = [k for k in node.keywords if k.arg in wanted]
                    if passed:
                        code = ", ".join(f"{k.arg}={ast.unparse(k.value)}" for k in passed)
                        if len(code) < 160:
                            yield f"{code} ({module.replace('.', '/')}.py:{node.lineno})"

    def _renamed(self, subject: str) -> str:
        """The attribute of the class that is new and made like the old one, or called alike."""
        owner, _, name = subject.rpartition(".")
        old, new = self._old.hierarchy.order(owner), self._new.hierarchy.order(owner)
        before = {n: v for cls in reversed(old) for n, v in _made(self._old, cls)}
        after = {n: v for cls in reversed(new) for n, v in _made(self._new, cls)}
        fresh = {n: v for n, v in after.items() if n not in before}
        value = before.get(name, "")
        same = [n for n, v in fresh.items() if v and v == value]
        if value and value != "None" and len(same) == 1:
            return f"upstream keeps it in {same[0]} now (made the same way)"
        close = find_close(name, fresh)
        return f"new there, and close: {', '.join(close)}" if close else ""


def _called(call: ast.Call) -> str:
    func = call.func
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) else ""


def _made(end: End, cls: str) -> Iterator[tuple[str, str]]:
    node = end.hierarchy.find_class(cls)
    if node is None:
        return
    for name, every in read_selves(node).assigned.items():
        yield name, every[0].value
    for one in node.body:
        if isinstance(one, Function):
            yield one.name, ""
