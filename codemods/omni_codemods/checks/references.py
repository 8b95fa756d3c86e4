"""Attributes that modules, classes and objects do not have (OP612, OP615, OP616)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.checks.misfit import Misfit, Trust, misfit
from omni_codemods.findings.check_codes import ATTRIBUTE_GONE, MEMBER_GONE, STATE_GONE
from omni_codemods.findings.model import Severity
from omni_codemods.sources.constructors import is_data
from omni_codemods.sources.frames import Frame
from omni_codemods.sources.modules import Answer, resolve
from omni_codemods.sources.sites import Site
from omni_codemods.sources.subject import Subject
from omni_codemods.sources.value import Kind, Value
from omni_codemods.text.dotted import last_part


def check_references(subject: Subject) -> Iterator[Misfit]:
    """Yield a misfit for each attribute that is read where nothing of the name is.

    Of objects whose class is surely known; of the own object only where a class of the hierarchy
    is an upstream's. Nothing where the name is asked for before, or the failure caught.
    """
    called = {id(s.node.func) for s in subject.sites if isinstance(s.node, ast.Call)}
    for site in subject.sites:
        node = site.node
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        if site.guard.typing or node.attr in subject.tested or _is_dunder(node.attr):
            continue
        if site.guard.catches("AttributeError"):
            continue
        found = _judge(node, site, subject, id(node) in called)
        if found is not None:
            yield found


def _judge(node: ast.Attribute, site: Site, subject: Subject, called: bool) -> Misfit | None:
    if _is_super(node.value):
        cls = site.frame.own_class
        plain = cls and ast.unparse(node.value) == "super()"
        return _of_self(node, cls, subject, called, inherited=True) if plain else None
    owner = subject.values.infer(node.value, site.frame)
    if owner is None:
        return None
    if owner.kind is Kind.MODULE:
        return _of_module(node, owner, subject, site)
    if owner.kind is Kind.FUNCTION:
        return None
    if isinstance(node.value, ast.Name) and _is_me(node.value.id, site.frame):
        if owner.kind is not Kind.INSTANCE:
            return None
        return _of_self(node, owner.path, subject, called)
    return _of_object(node, owner, subject, called)


def _of_module(node: ast.Attribute, owner: Value, subject: Subject, site: Site) -> Misfit | None:
    path = f"{owner.path}.{node.attr}"
    if not subject.holds(path) or path in subject.values.patches:
        return None
    if resolve(path, subject.sources) is not Answer.MISSING:
        return None
    message = f"{owner.path} has no {node.attr}"
    trust = Trust.POSSIBLE if site.guard.catches("ImportError") else Trust.SURE
    return misfit(ATTRIBUTE_GONE, node, message, path, trust=trust)


def _of_object(node: ast.Attribute, owner: Value, subject: Subject, called: bool) -> Misfit | None:
    if not subject.holds(owner.path) or node.attr in subject.kin.stores:
        return None
    if owner.kind is Kind.CLASS and hasattr(type, node.attr):
        return None
    trust = _missing(owner.path, node.attr, subject)
    if trust is None or _below_has(owner.path, node.attr, subject):
        return None
    data = is_data(owner.path, subject.hierarchy, subject.sources)
    if not owner.exact and owner.kind is Kind.INSTANCE and not data:
        trust = Trust.UNSEEN  # it may be of a class below, in a module that nobody looked at
    code = MEMBER_GONE if called else ATTRIBUTE_GONE
    message = f"{last_part(owner.path)} ({_file(owner.path, subject)}) has no {node.attr}"
    return misfit(code, node, message, f"{owner.path}.{node.attr}", trust=trust)


def _of_self(
    node: ast.Attribute, cls: str, subject: Subject, called: bool, *, inherited: bool = False
) -> Misfit | None:
    order = subject.hierarchy.order(cls)
    upstream = [one for one in order if subject.holds(one)]
    if not any(subject.hierarchy.find_class(one) is not None for one in upstream):
        return None  # a mixin: what it uses is in the class that it is mixed into
    name = node.attr
    if subject.is_lent(cls):
        return None
    if name in subject.kin.stores or _below_has(cls, name, subject):
        return None
    trust = _missing(cls, name, subject, inherited=inherited)
    if trust is None:
        return None
    if all("mixin" in last_part(one).lower() for one in upstream):
        trust = Trust.UNSEEN  # what a mixin lacks, nobody expected of it
    path = f"{upstream[0]}.{name}"
    if called:
        message = f"neither {last_part(order[0])} nor a base of it has {name}"
        return misfit(MEMBER_GONE, node, message, path, trust=trust)
    message = f"no class of {last_part(order[0])} sets or defines {name}"
    # A warning: what is set from outside, by a name that is made, is not seen.
    return misfit(STATE_GONE, node, message, path, trust=trust, severity=Severity.WARNING)


def _missing(cls: str, name: str, subject: Subject, *, inherited: bool = False) -> Trust | None:
    """How sure it is that nothing has *name*, ``None`` where something has, or may have."""
    if subject.values.is_patched(cls, name):
        return None
    found = subject.hierarchy.find_attribute(cls, name, inherited=inherited)
    if found.answer is Answer.MISSING:
        return Trust.SURE
    if found.answer is Answer.FOUND:
        return None
    unseen = subject.hierarchy.unseen(cls)
    # A base that its own tree lacks is told of where it is imported.
    return None if any(subject.sources.holds(one) for one in unseen) else Trust.UNSEEN


def _below_has(cls: str, name: str, subject: Subject) -> bool:
    """Whether a local class below *cls*, or one mixed in there, has *name*."""
    return any(
        subject.hierarchy.defines(one, name)
        for below in subject.kin.below(cls, subject.hierarchy)
        for one in subject.hierarchy.order(below)
    )


def _is_me(name: str, frame: Frame) -> bool:
    return any(one.me == name for one in frame.chain())


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "super"


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _file(dotted: str, subject: Subject) -> str:
    owner = subject.sources.home_of(dotted)
    node = subject.hierarchy.find_class(dotted)
    return f"{owner.replace('.', '/')}.py:{getattr(node, 'lineno', 1)}"
