"""What an expression stands for, as far as the sources surely tell: a module, a class, an
instance of a class, a function. Silence where they do not."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from omni_codemods.sources.annotations import class_named, plain_path, short_returns
from omni_codemods.sources.decorators import decorated, hands_on, kind_of
from omni_codemods.sources.frames import (
    Bound,
    Frame,
    first_parameter,
    is_narrowed,
    is_super,
    telling,
)
from omni_codemods.sources.hierarchy import Hierarchy
from omni_codemods.sources.modules import Answer, Sources, find_origin, resolve
from omni_codemods.sources.parameters import is_plain
from omni_codemods.sources.self_use import Assignment
from omni_codemods.sources.top_level import differ
from omni_codemods.sources.value import Kind, Value
from omni_codemods.text.walks import called_name

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_DEPTH = 12


@dataclass(slots=True)
class Values:
    """Reads expressions. *patches* are what local code puts in the place of a dotted name: the
    dotted local name, or nothing where it is not known."""

    sources: Sources
    hierarchy: Hierarchy
    patches: Mapping[str, str] = field(default_factory=dict)
    _paths: dict[str, Value | None] = field(default_factory=dict)
    _attributes: dict[tuple[str, str], Value | None] = field(default_factory=dict)
    # With the frame itself, so that its identity is not given to another one.
    _names: dict[tuple[int, str], tuple[Frame, Value | None]] = field(default_factory=dict)

    def infer(self, node: ast.expr, frame: Frame, depth: int = _DEPTH) -> Value | None:
        """Return what *node* stands for in *frame*, ``None`` where that is not sure."""
        if depth == 0:
            return None
        if isinstance(node, (ast.Name, ast.Attribute)) and is_narrowed(node, frame):
            return None
        if isinstance(node, ast.Name):
            return self._name(node.id, frame, depth)
        if isinstance(node, ast.Attribute):
            if is_super(node.value):
                return self._of_super(node.value, node.attr, frame)
            owner = self.infer(node.value, frame, depth - 1)
            return None if owner is None else self.attribute(owner, node.attr, depth - 1)
        if isinstance(node, ast.Call):
            return self._result(node, frame, depth - 1)
        if isinstance(node, ast.Await) and isinstance(node.value, ast.Call):
            return self._result(node.value, frame, depth - 1, awaited=True)
        if isinstance(node, ast.NamedExpr):
            return self.infer(node.value, frame, depth - 1)
        return None

    def of_path(self, path: str, depth: int = _DEPTH) -> Value | None:
        """Return what the dotted *path* stands for at the top of its module, or in a class."""
        if path not in self._paths:
            self._paths[path] = None  # what is made of itself ends here
            if depth:
                self._paths[path] = self._of_path(path, depth - 1)
        return self._paths[path]

    def attribute(self, owner: Value, name: str, depth: int = _DEPTH) -> Value | None:
        """Return what the attribute *name* of *owner* stands for."""
        if owner.kind is Kind.MODULE:
            path = f"{owner.path}.{name}"
            if path in self.patches:
                local = self.patches[path]
                return self.of_path(local, depth) if local and local != path else None
            return self.of_path(path, depth)
        if owner.kind is Kind.FUNCTION:
            return None
        patched = self._patched_member(owner.path, name)
        if patched is not None:
            return replace(patched, bound=owner.kind is Kind.INSTANCE, owner=owner.path)
        if owner.kind is Kind.INSTANCE:
            return self._of_instance(owner.path, name, depth)
        return self._of_class(owner.path, name)

    def annotated(self, node: ast.expr | None, module: str, depth: int = _DEPTH) -> Value | None:
        """Return the instance that an annotation in *module* promises."""
        path = class_named(node)
        found = self.of_path(f"{module}.{path}", depth - 1) if path and depth else None
        is_class = found is not None and found.kind is Kind.CLASS
        return Value(Kind.INSTANCE, found.path) if found is not None and is_class else None

    def _name(self, name: str, frame: Frame, depth: int) -> Value | None:
        for one in frame.chain():
            if not one.is_function:
                if one.parent is None:
                    return self.of_path(f"{one.module}.{name}", depth - 1)
                continue
            if name in one.bound:
                every = one.bound[name]
                if one.me == name and len(every) == 1:
                    return Value(Kind.INSTANCE, one.cls) if one.cls else None
                return self._local(name, every, one, depth - 1)
        return None

    def _local(self, name: str, every: list[Bound], frame: Frame, depth: int) -> Value | None:
        """What a name of a function is; one that is made of itself is nothing that is known."""
        key = (id(frame), name)
        if key not in self._names:
            self._names[key] = (frame, None)
            found: list[Value | None] = []
            for one in telling(every):
                found.append(self._bound(one, frame, depth))
                if found[-1] is None:
                    break
            self._names[key] = (frame, self._same(found))
        return self._names[key][1]

    def _bound(self, one: Bound, frame: Frame, depth: int) -> Value | None:
        if one.kind in ("parameter", "declared"):
            return self.annotated(one.value, frame.module, depth)
        if one.kind == "assigned" and one.value is not None:
            return self.infer(one.value, frame, depth)
        if one.kind == "imported":
            return self.of_path(one.path, depth)
        if one.kind == "defined" and isinstance(one.node, _Function):
            node = one.node
            return Value(Kind.FUNCTION, f"{frame.module}.{node.name}", node)
        return None

    def _same(self, found: list[Value | None]) -> Value | None:
        first = found[0] if found else None
        if all(one == first for one in found):
            return first
        plain = [replace(one, exact=False) if one is not None else None for one in found]
        return plain[0] if all(one == plain[0] for one in plain) else None

    def _of_path(self, path: str, depth: int) -> Value | None:
        origin = find_origin(path, self.sources)
        if origin in self.patches or path in self.patches:
            return None  # the name was bound before the patch, or after it
        if self.sources.module(origin) is not None:
            return Value(Kind.MODULE, origin)
        owner, _, name = origin.rpartition(".")
        module = self.sources.module(owner) if owner else None
        if module is None:
            outer = self.of_path(owner, depth) if owner and self.sources.holds(origin) else None
            return None if outer is None else self.attribute(outer, name, depth)
        every = [one for one in module.bindings.get(name, ()) if not one.typing and not one.spare]
        if len(every) > 1 and any(one.guarded for one in every) and differ(every):
            return self._of_arms([one.path for one in every], depth)
        return self._defined(module.definitions.get(name), origin, owner, depth)

    def _of_arms(self, paths: list[str], depth: int) -> Value | None:
        """What several imports of one name give: one of them is there, or all are the same."""
        if not all(paths):
            return None
        there = [one for one in paths if resolve(one, self.sources) is not Answer.MISSING]
        return self._same([self.of_path(one, depth) for one in dict.fromkeys(there)])

    def _defined(self, node: ast.AST | None, path: str, module: str, depth: int) -> Value | None:
        if isinstance(node, ast.ClassDef):
            return Value(Kind.CLASS, path)
        if isinstance(node, _Function):
            return Value(Kind.FUNCTION, path, node)
        frame = Frame(ast.Module([], []), module, package=module)
        if isinstance(node, ast.AnnAssign):
            found = self.annotated(node.annotation, module, depth)
            return found or (self.infer(node.value, frame, depth) if node.value else None)
        if isinstance(node, ast.Assign) and all(isinstance(t, ast.Name) for t in node.targets):
            return self.infer(node.value, frame, depth)
        return None

    def _patched_member(self, cls: str, name: str) -> Value | None:
        for owner in self.hierarchy.order(cls):
            if f"{owner}.{name}" in self.patches:
                local = self.patches[f"{owner}.{name}"]
                found = self.of_path(local) if local else None
                return found if found is not None and found.kind is Kind.FUNCTION else None
            if self.hierarchy.find_class(owner) is None:
                return None
            if self.hierarchy.defines(owner, name):
                return None
        return None

    def is_patched(self, cls: str, name: str) -> bool:
        """Whether local code assigns the attribute *name* to the class, or to a base of it."""
        return any(f"{owner}.{name}" in self.patches for owner in self.hierarchy.order(cls))

    def _of_class(self, cls: str, name: str) -> Value | None:
        if self.is_patched(cls, name):
            return None
        member = self.hierarchy.find_member(cls, name)
        if isinstance(member.node, ast.ClassDef):
            return Value(Kind.CLASS, f"{member.owner}.{name}")
        if isinstance(member.node, _Function):
            kind = kind_of(member.node)
            bound = kind == "classmethod"
            made = Value(Kind.FUNCTION, f"{member.owner}.{name}", member.node, bound, owner=cls)
            return None if kind == "property" else made
        return None

    def _of_instance(self, cls: str, name: str, depth: int) -> Value | None:
        if self.is_patched(cls, name):
            return None
        key = (cls, name)
        if key not in self._attributes:
            self._attributes[key] = None
            self._attributes[key] = self._instance_attribute(cls, name, depth)
        return self._attributes[key]

    def _instance_attribute(self, cls: str, name: str, depth: int) -> Value | None:
        member = self.hierarchy.find_member(cls, name)
        node, home = member.node, self.sources.home_of(member.owner)
        if isinstance(node, _Function):
            kind = kind_of(node)
            if kind == "property":
                return self._promised(node, home, cls, depth)
            bound = kind != "staticmethod"
            return Value(Kind.FUNCTION, f"{member.owner}.{name}", node, bound, owner=cls)
        assigned = list(self.hierarchy.assignments(cls, name))
        declared = [
            (owner, one.node.annotation)
            for owner, one in assigned
            if isinstance(one.node, ast.AnnAssign)
        ]
        if isinstance(node, ast.AnnAssign):
            declared.append((member.owner, node.annotation))
        if declared and self._is_made_anew(cls, declared[-1][0], assigned):
            return None
        if declared:
            found = [
                self.annotated(a, self.sources.home_of(o), depth - 1) for o, a in declared if depth
            ]
            return self._same(found)
        values = [(o, one) for o, one in assigned if one.value != "None"]
        if not values or depth == 0 or not all(one.value for _, one in values):
            return None
        return self._same(list(self._assigned(values, depth - 1)))

    def _is_made_anew(
        self, cls: str, declaring: str, assigned: list[tuple[str, Assignment]]
    ) -> bool:
        """Whether a class below the one that declares an attribute puts something else there."""
        order = self.hierarchy.order(cls)
        below = order[: order.index(declaring)] if declaring in order else []
        return any(owner in below and one.value != "None" for owner, one in assigned)

    def _assigned(self, values: list[tuple[str, Assignment]], depth: int) -> Iterator[Value | None]:
        for owner, one in values:
            value = getattr(one.node, "value", None)
            function = self._method(owner, one.method)
            if function is None or value is None:
                yield None
                continue
            home = self.sources.home_of(owner)
            top = Frame(ast.Module([], []), home, package=home)
            yield self.infer(
                value, Frame(function, home, top, owner, first_parameter(function), home), depth
            )

    def _method(self, cls: str, name: str) -> _Function | None:
        node = self.hierarchy.find_class(cls)
        for one in node.body if node is not None else ():
            if isinstance(one, _Function) and one.name == name:
                return one
        return None

    def _of_super(self, call: ast.expr, name: str, frame: Frame) -> Value | None:
        cls = frame.own_class
        if not cls or self.is_patched(cls, name):
            return None
        after = ""
        if isinstance(call, ast.Call) and call.args:
            found = self.infer(call.args[0], frame)
            if found is None or found.kind is not Kind.CLASS:
                return None
            after = found.path
        member = self.hierarchy.find_member(cls, name, inherited=True, after=after)
        if not isinstance(member.node, _Function) or kind_of(member.node) == "property":
            return None
        bound = kind_of(member.node) != "staticmethod"
        return Value(Kind.FUNCTION, f"{member.owner}.{name}", member.node, bound, owner=cls)

    def _result(
        self, call: ast.Call, frame: Frame, depth: int, *, awaited: bool = False
    ) -> Value | None:
        if isinstance(call.func, ast.Name) and call.func.id == "cast" and len(call.args) == 2:
            return self.annotated(call.args[0], frame.module, depth)
        if called_name(call) == "partial" and call.args:
            found = self.infer(call.args[0], frame, depth)
            plain = found is not None and found.kind is Kind.FUNCTION and found.given is None
            return replace(found, given=call) if found is not None and plain else None
        called = self.infer(call.func, frame, depth)
        if called is None:
            return None
        if called.kind is Kind.CLASS:
            made = self.hierarchy.find_member(called.path, "__new__")
            instance = Value(Kind.INSTANCE, called.path, exact=True)
            return instance if made.node is None else None
        if called.kind is not Kind.FUNCTION or not isinstance(called.node, _Function):
            return None
        if isinstance(called.node, ast.AsyncFunctionDef) is not awaited:
            return None
        if not is_plain(called.node, generator=False):
            return None
        home = self.sources.home_of(called.path)
        return self._promised(called.node, home, called.owner, depth)

    def _promised(self, node: _Function, home: str, owner: str, depth: int) -> Value | None:
        returns = node.returns
        if returns is not None and ast.unparse(returns).strip("'\"") == "Self":
            return Value(Kind.INSTANCE, owner) if owner else None
        if returns is None and depth > 2:
            return self._returned(node, home, owner, depth - 2)
        return self.annotated(returns, home, depth)

    def _returned(self, node: _Function, home: str, owner: str, depth: int) -> Value | None:
        """What every ``return`` of a short function gives."""
        found = short_returns(node)
        if not found:
            return None
        top = Frame(ast.Module([], []), home, package=home)
        frame = Frame(node, home, top, owner, first_parameter(node) if owner else "", home)
        values = [self.infer(value, frame, depth) if value is not None else None for value in found]
        same = self._same(values)
        return same if same is not None and same.kind is Kind.INSTANCE else None

    def is_plain(self, value: Value) -> bool:
        """Whether the decorators of a function leave its arguments as they are."""
        node = value.node
        if not isinstance(node, _Function):
            return False
        if is_plain(node):
            return True
        home = self.sources.home_of(value.path)
        odd = [d for d in node.decorator_list if not is_plain(decorated(d))]
        return all(self._hands_on(d, home) for d in odd)

    def _hands_on(self, decorator: ast.expr, home: str) -> bool:
        """Whether the decorator's wrapper takes anything and hands on all of it."""
        path = plain_path(decorator.func if isinstance(decorator, ast.Call) else decorator)
        found = self.of_path(f"{home}.{path}") if path and home else None
        if found is None or not isinstance(found.node, _Function):
            return False
        return hands_on(found.node)
