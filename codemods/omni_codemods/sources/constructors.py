"""What a class takes when it is called: its ``__init__``, or the fields of a data class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.sources.hierarchy import Hierarchy
from omni_codemods.sources.modules import Answer, Sources, find_definition, find_origin
from omni_codemods.sources.parameters import Parameters, is_plain, read_parameters
from omni_codemods.text.dotted import last_part
from omni_codemods.text.walks import iter_own_statements

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_STRUCTS = frozenset({"msgspec.Struct", "Struct"})
_TUPLES = frozenset({"typing.NamedTuple", "NamedTuple"})
_ATTRS = frozenset({"define", "frozen", "attrs", "mutable"})


@dataclass(frozen=True, slots=True)
class Constructor:
    """The parameters, and where they are defined: dotted name, words for a message."""

    parameters: Parameters
    path: str
    place: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a data class; *owner* is the dotted class that has it."""

    name: str
    has_default: bool
    keyword: bool
    owner: str
    node: ast.AnnAssign


def find_constructor(cls: str, hierarchy: Hierarchy, sources: Sources) -> Constructor | None:
    """Return what calling the class *cls* takes, ``None`` where that is not sure."""
    node = hierarchy.find_class(cls)
    if node is None or hierarchy.find_member(cls, "__new__").answer is not Answer.MISSING:
        return (
            None
            if node is None or not _is_tuple(cls, hierarchy)
            else _of_fields(cls, hierarchy, sources)
        )
    if any(k.arg == "metaclass" for k in node.keywords):
        return None
    init = hierarchy.find_member(cls, "__init__")
    own = any(isinstance(n, _Function) and n.name == "__init__" for n in node.body)
    if own or not is_data(cls, hierarchy, sources):
        if init.answer is not Answer.FOUND or not isinstance(init.node, _Function):
            return None
        below = hierarchy.order(cls)[: hierarchy.order(cls).index(init.owner)]
        hidden = any(is_data(one, hierarchy, sources) for one in below)
        if not is_plain(init.node) or _odd_decorators(node) or hidden:
            return None
        made = read_parameters(init.node, bound=True)
        return Constructor(made, f"{init.owner}.__init__", init.place)
    return _of_fields(cls, hierarchy, sources)


def _odd_decorators(node: ast.ClassDef) -> bool:
    """Whether a decorator may change what calling the class takes: one with a word for it."""
    names = {last_part(_called(d)) for d in node.decorator_list}
    return bool(names & {"singleton", "lru_cache", "cache"})


def is_data(cls: str, hierarchy: Hierarchy, sources: Sources) -> bool:
    """Whether a decorator, or a base, makes the ``__init__`` of the class from its fields."""
    return kind_of_data(cls, hierarchy, sources) != ""


def kind_of_data(cls: str, hierarchy: Hierarchy, sources: Sources) -> str:
    """Return ``dataclass``, ``attrs``, ``struct``, ``tuple``, ``model``, or nothing."""
    node = hierarchy.find_class(cls)
    if node is None:
        return ""
    for decorator in node.decorator_list:
        name = _called(decorator)
        last = last_part(name)
        if last == "dataclass":
            return "dataclass" if _takes_init(decorator) else ""
        if last in _ATTRS and ("attr" in name or last == "define"):
            return "attrs"
        if _transforms(f"{sources.home_of(cls)}.{name}", sources):
            return "dataclass"
    bases = hierarchy.order(cls)[1:]
    if any(one in _STRUCTS for one in bases):
        return "struct"
    if _is_tuple(cls, hierarchy):
        return "tuple"
    return "model" if any(one == "pydantic.BaseModel" for one in bases) else ""


def _is_tuple(cls: str, hierarchy: Hierarchy) -> bool:
    return any(one in _TUPLES for one in hierarchy.order(cls)[1:])


def _takes_init(decorator: ast.expr) -> bool:
    keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
    return not any(k.arg == "init" and ast.unparse(k.value) == "False" for k in keywords)


def _transforms(path: str, sources: Sources) -> bool:
    """Whether the decorator is one that ``dataclass_transform`` says is like ``dataclass``."""
    node = find_definition(find_origin(path, sources), sources)
    decorators = getattr(node, "decorator_list", ())
    return any(last_part(_called(d)) == "dataclass_transform" for d in decorators)


def _called(decorator: ast.expr) -> str:
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _of_fields(cls: str, hierarchy: Hierarchy, sources: Sources) -> Constructor | None:
    kind = kind_of_data(cls, hierarchy, sources)
    if not _is_whole(cls, kind, hierarchy):
        return None
    fields = fields_of(cls, hierarchy, sources)
    node = hierarchy.find_class(cls)
    assert node is not None
    plain = [one for one in fields if not one.keyword]
    if kind == "model":
        if _has_aliases(fields) or any("validator" in ast.dump(n) for n in node.body):
            return None
        plain = []
    parameters = Parameters(
        tuple(one.name for one in plain),
        tuple(one.name for one in fields if one not in plain),
        frozenset(one.name for one in fields if not one.has_default),
        0,
        False,
        kind == "model",
    )
    module, _, name = cls.rpartition(".")
    place = f"{name} ({module.replace('.', '/')}.py:{node.lineno})"
    return Constructor(parameters, cls, place)


def _is_whole(cls: str, kind: str, hierarchy: Hierarchy) -> bool:
    """Whether all classes that may have fields are seen."""
    known = _STRUCTS | _TUPLES | {"pydantic.BaseModel"}
    unseen = [one for one in hierarchy.unseen(cls) if one not in known]
    return not unseen and bool(kind)


def _has_aliases(fields: list[Field]) -> bool:
    return any("alias" in ast.unparse(one.node) for one in fields)


def fields_of(cls: str, hierarchy: Hierarchy, sources: Sources) -> list[Field]:
    """Return the fields of a data class, those of its bases first, as ``__init__`` takes them."""
    found: dict[str, Field] = {}
    for dotted in reversed(hierarchy.order(cls)):
        node = hierarchy.find_class(dotted)
        if node is not None and is_data(dotted, hierarchy, sources):
            for one in _own_fields(node, dotted):
                found[one.name] = one
    return list(found.values())


def _own_fields(node: ast.ClassDef, owner: str) -> Iterator[Field]:
    keyword = _is_keyword_only(node)
    for one in iter_own_statements(node.body):
        if not isinstance(one, ast.AnnAssign) or not isinstance(one.target, ast.Name):
            continue
        said = ast.unparse(one.annotation).strip("'\"")
        if last_part(said.partition("[")[0]) == "ClassVar":
            continue
        if last_part(said) == "KW_ONLY":
            keyword = True
            continue
        made = _made(one.value)
        if made.get("init") == "False":
            continue
        default = one.value is not None
        if made:
            default = bool(made.keys() & {"default", "default_factory", "factory"})
        own = {"True": True, "False": False}.get(made.get("kw_only", ""), keyword)
        yield Field(one.target.id, default, own, owner, one)


def _made(value: ast.expr | None) -> dict[str, str]:
    """The keywords of ``field(...)``; a first argument is a default."""
    if not isinstance(value, ast.Call):
        return {}
    if last_part(_called(value)) not in ("field", "Field", "ib", "attrib"):
        return {}
    found = {k.arg: ast.unparse(k.value) for k in value.keywords if k.arg}
    if value.args and ast.unparse(value.args[0]) != "...":
        found["default"] = ast.unparse(value.args[0])
    return found or {"": ""}


def _is_keyword_only(node: ast.ClassDef) -> bool:
    options = [*node.keywords]
    for decorator in node.decorator_list:
        options += decorator.keywords if isinstance(decorator, ast.Call) else []
    return any(k.arg == "kw_only" and ast.unparse(k.value) == "True" for k in options)
