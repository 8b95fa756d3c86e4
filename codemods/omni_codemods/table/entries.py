"""The kinds of entry a translation table has, as its file spells them.

Every entry has an ``id`` of its own and holds for a range of releases of the distribution that
the table aims at: from *since* to *until*, both included, empty where there is no bound;
*gpu_since* and *gpu_until* are the releases that have the GPU name, of its own distribution. A GPU
name is a dotted path from the root package. An NPU answer is one too, or ``module:name.attribute``
where an attribute of an imported object is meant. *accelerator* and *platform* are the answers of
those dialects; where one is empty, *npu* holds.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

Status = Literal["safe", "conditional", "optional", "report-only", "leave"]


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """What all kinds have. *note* is shown to people; *source* is a public address."""

    kind: ClassVar[str] = ""

    id: str
    gpu: str = ""
    npu: str = ""
    accelerator: str = ""
    platform: str = ""
    since: str = ""
    until: str = ""
    gpu_since: str = ""
    gpu_until: str = ""
    status: Status = "safe"
    note: str = ""
    source: str = ""


class Symbol(Entry, frozen=True, kw_only=True):
    """A class, function or constant that has another name or place on the NPU.

    *platform_keywords* are the keywords that the platform dialect's answer takes, where known.
    With *shared_stays* it stays, with a finding, in code that both devices run (see *shared_bases*
    of namespaces).
    """

    kind: ClassVar[str] = "symbol"

    platform_keywords: tuple[str, ...] = ()
    shared_stays: bool = False


class Namespace(Entry, frozen=True, kw_only=True):
    """A module whose members go one by one: *same* lists those that keep their names.

    *accelerator_names* and *platform_names* map members to those dialects' answers. A test that
    calls or reads one of *guards* (a name, or a dotted path as it is spelt), or compares with the
    GPU device literal, guards GPU-only code. *device_classes* are patterns (``*``, ``?``,
    ``[...]``) of the names of classes that are for one device on purpose: one so named, or derived
    from one so named, stays as it is. *questions* are patterns of the members that tell whether
    there is a GPU: a variable or function that gives their answer stays, or goes, with what it lets
    in. A module is shared by both devices if a class in it derives from one of *shared_bases*
    (patterns of dotted names), unless one of *own_classes* names it. *packages* are those that run
    on CUDA alone: a module that imports one is told once. *module* is where the sources have what
    *npu* names, if under another name.
    """

    kind: ClassVar[str] = "namespace"

    module: str = ""

    same: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    device_classes: tuple[str, ...] = ()
    shared_bases: tuple[str, ...] = ()
    own_classes: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    accelerator_names: dict[str, str] = {}
    platform_names: dict[str, str] = {}


class ReExport(Entry, frozen=True, kw_only=True):
    """A name imported through another module, to be imported from where it is defined."""

    kind: ClassVar[str] = "re-export"


class BaseClass(Entry, frozen=True, kw_only=True):
    """A class that changes only where another class inherits from it."""

    kind: ClassVar[str] = "base-class"


class Leave(Entry, frozen=True, kw_only=True):
    """A name that looks translatable and stays."""

    kind: ClassVar[str] = "leave"


class Report(Entry, frozen=True, kw_only=True):
    """A name that a person must look at.

    *why*: ``absent`` on the NPU, ``differs`` in meaning, a ``member`` missing from a translated
    class, or a call to ``review``. A *gpu* that starts with ``*.`` is an attribute of an object
    of unknown type (``self.`` of the object itself); *call* asks that it be called.
    """

    kind: ClassVar[str] = "report"

    why: Literal["absent", "differs", "member", "review"] = "absent"
    call: bool = False


class Keyword(Entry, frozen=True, kw_only=True):
    """A keyword argument that has another name in calls of *callee*, and only there."""

    kind: ClassVar[str] = "keyword"

    callee: str


class DroppedKeyword(Entry, frozen=True, kw_only=True):
    """A keyword argument (*gpu*) that the NPU counterpart of *callee* does not take."""

    kind: ClassVar[str] = "dropped-keyword"

    callee: str


class NeededKeyword(Entry, frozen=True, kw_only=True):
    """A keyword argument (*npu*) that only the NPU counterpart of *callee* has.

    With *always*, its absence is reported.
    """

    kind: ClassVar[str] = "needed-keyword"

    callee: str
    always: bool = False


class Positional(Entry, frozen=True, kw_only=True):
    """How many positional arguments of *callee* mean the same on both sides.

    *names* are the GPU parameter names in order, where those after *limit* may be passed to the
    NPU callee by keyword.
    """

    kind: ClassVar[str] = "positional"

    callee: str
    limit: int
    names: tuple[str, ...] = ()


class Literals(Entry, frozen=True, kw_only=True):
    """A string that changes in certain positions.

    Those are the values of *keywords*; the first positional argument of the *callees*; keywords
    of one callee (*callee_keywords*, ``path:keyword``) and its later arguments
    (*callee_positions*, ``path:position`` from 0); the first argument of *methods* of any
    object; what is assigned to a name or attribute in *assigned*.
    """

    keywords: tuple[str, ...] = ()
    callees: tuple[str, ...] = ()
    callee_keywords: tuple[str, ...] = ()
    callee_positions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    assigned: tuple[str, ...] = ()


class Device(Literals, frozen=True, kw_only=True):
    """A device name: also with an index (``"cuda:0"``) and as the head of an f-string."""

    kind: ClassVar[str] = "device"


class Backend(Literals, frozen=True, kw_only=True):
    """The name of a communication backend, alone or by device: ``"cpu:gloo,cuda:nccl"``."""

    kind: ClassVar[str] = "backend"


class Environment(Entry, frozen=True, kw_only=True):
    """An environment variable, where the environment is read or written."""

    kind: ClassVar[str] = "environment"


class DottedPath(Entry, frozen=True, kw_only=True):
    """A dotted path in a string, returned by a function in *returned_by* or assigned to a name
    or attribute in *assigned*.
    """

    kind: ClassVar[str] = "dotted-path"

    returned_by: tuple[str, ...] = ()
    assigned: tuple[str, ...] = ()


KINDS: tuple[type[Entry], ...] = (
    Symbol,
    Namespace,
    ReExport,
    BaseClass,
    Leave,
    Report,
    Keyword,
    DroppedKeyword,
    NeededKeyword,
    Positional,
    Device,
    Backend,
    Environment,
    DottedPath,
)


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table file. The arrays are named after the kinds of entry."""

    name: str
    distribution: str = ""
    gpu_distribution: str = msgspec.field(name="gpu-distribution", default="")
    extends: str | bool = False
    releases: tuple[str, ...] = ()
    symbol: tuple[Symbol, ...] = ()
    namespace: tuple[Namespace, ...] = ()
    re_export: tuple[ReExport, ...] = msgspec.field(name="re-export", default=())
    base_class: tuple[BaseClass, ...] = msgspec.field(name="base-class", default=())
    leave: tuple[Leave, ...] = ()
    report: tuple[Report, ...] = ()
    keyword: tuple[Keyword, ...] = ()
    dropped_keyword: tuple[DroppedKeyword, ...] = msgspec.field(name="dropped-keyword", default=())
    needed_keyword: tuple[NeededKeyword, ...] = msgspec.field(name="needed-keyword", default=())
    positional: tuple[Positional, ...] = ()
    device: tuple[Device, ...] = ()
    backend: tuple[Backend, ...] = ()
    environment: tuple[Environment, ...] = ()
    dotted_path: tuple[DottedPath, ...] = msgspec.field(name="dotted-path", default=())

    def entries(self) -> tuple[Entry, ...]:
        """All entries, in the order of :data:`KINDS` and of the file."""
        found: list[Entry] = []
        for kind in KINDS:
            found.extend(getattr(self, kind.kind.replace("-", "_")))
        return tuple(found)


def expand(namespace: Namespace) -> tuple[Symbol, ...]:
    """The members of *namespace* that keep their names, as one symbol each."""
    return tuple(
        Symbol(
            id=f"{namespace.id}.{name}",
            gpu=f"{namespace.gpu}.{name}",
            npu=f"{namespace.npu}.{name}",
            accelerator=namespace.accelerator_names.get(name, ""),
            platform=namespace.platform_names.get(name, ""),
            since=namespace.since,
            until=namespace.until,
            gpu_since=namespace.gpu_since,
            gpu_until=namespace.gpu_until,
            source=namespace.source,
        )
        for name in namespace.same
    )
