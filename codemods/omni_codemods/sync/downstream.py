"""How to tell whose code of the GPU sibling it is: the downstream's own, or its upstream's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from omni_codemods.functions.tree import Node, Tree
from omni_codemods.names.imports import module_imports
from omni_codemods.sync.gained_methods import needs_method

SELF_ATTRIBUTE = re.compile(r"\bself \. (\w+)")


@dataclass(frozen=True, slots=True)
class Downstream:
    """How to tell the downstream's own code.

    *words* finds a mention of it, *imported* are the names that the sibling file imports from
    the downstream package, *foreign* those that it imports from elsewhere and the NPU file
    does not have. *attributes* are those of ``self`` that the NPU side or the sibling's own file
    is seen to have; ``None`` where nothing is known. *lacking* are attributes of ``self`` that the
    sibling gained and the NPU class does not have, each with the reason to leave alone what uses
    it.
    """

    words: re.Pattern[str] | None = None
    imported: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()
    attributes: frozenset[str] | None = None
    lacking: Mapping[str, str] = field(default_factory=dict)

    def lacks(self, code: str) -> str:
        """Why *code* (normal tokens) would not run on the NPU class; empty where it may."""
        used = SELF_ATTRIBUTE.findall(code) if self.lacking else []
        return next((self.lacking[name] for name in used if name in self.lacking), "")

    def mentions(self, node: Node) -> bool:
        """Whether *node* names the downstream or something of its."""
        if self.words is not None and self.words.search(node.code):
            return True
        return bool(self.imported & set(node.code.split()))

    def is_foreign(self, node: Node) -> bool:
        """Whether *node* uses an import or an attribute that nothing of the downstream has."""
        if self.foreign & set(node.code.split()):
            return True
        used = set(SELF_ATTRIBUTE.findall(node.code))
        return self.attributes is not None and not used <= self.attributes


@dataclass(frozen=True, slots=True)
class Upstreams:
    """The sibling's upstream function before and after, both translated."""

    base: Tree
    target: Tree


class Theirs:
    """What the sibling's upstream says before and after."""

    def __init__(self, upstreams: Upstreams) -> None:
        self._before = {n.head for n in upstreams.base.root.walk() if n.is_code}
        self._after = {n.head for n in upstreams.target.root.walk() if n.is_code}

    def has(self, node: Node) -> bool:
        """Whether the upstream has *node* now, its own line at least."""
        return node.head in self._after

    def added(self, node: Node) -> bool:
        """Whether all code of *node* stands in the upstream after."""
        return all(n.head in self._after for n in node.walk() if n.is_code and n.key)

    def removed(self, node: Node) -> bool:
        """Whether the upstream took *node* away."""
        return node.head in self._before and node.head not in self._after


@dataclass(frozen=True, slots=True)
class Gained:
    """What the sibling's class gained and the NPU class has not: names of *bases* and *methods*."""

    bases: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()


NOTHING_GAINED = Gained()


def find_downstream(
    sibling: str,
    copy: str,
    package: str | None,
    upstream: str | None = None,
    inherited: frozenset[str] = frozenset(),
    before: str | None = None,
    gained: Gained = NOTHING_GAINED,
) -> Downstream:
    """Work out how to tell the downstream's own code in the *sibling* file.

    *package* is the dotted name of the downstream's top-level package. The words that tell are
    those of its name which none of the other imported packages has. *upstream* is the function
    that the NPU *copy*'s is made from, *inherited* what its class has from elsewhere. *gained* is
    what the sibling's class has since *before*, the sibling's older file, and the NPU class has
    not.
    """
    imports = module_imports(sibling)
    tops = {i.value.module.split(".")[0] for i in imports if not i.value.module.startswith(".")}
    other = {w for top in tops - {package} for w in top.split("_")}
    words = [w for w in (package or "").split("_") if w and w not in other]
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE) if words else None
    own = {
        i.bound
        for i in imports
        if i.value.module.startswith(".") or i.value.module.split(".")[0] == package
    }
    known = {i.bound for i in module_imports(copy)}
    foreign = {i.bound for i in imports} - own - known
    attributes = None
    if upstream is not None:
        seen = {m for text in (copy, upstream) for m in _ATTRIBUTE.findall(text)}
        attributes = inherited | seen | set(_DEFINED.findall(sibling))
    seen_here = set(_ATTRIBUTE.findall(copy))
    lacking = {name: needs_method(name) for name in gained.methods if name not in seen_here}
    if gained.bases and before is not None:
        known_of_self = seen_here | set(_ATTRIBUTE.findall(before))
        defined = {m for text in (copy, before, sibling) for m in _DEFINED.findall(text)}
        bases = ", ".join(gained.bases)
        why = f"it needs {bases}, a base that the sibling gained and the NPU class has not"
        new = set(_ATTRIBUTE.findall(sibling)) - known_of_self - defined - inherited
        lacking |= dict.fromkeys(new, why)
    return Downstream(pattern, frozenset(own), frozenset(foreign), attributes, lacking)


_ATTRIBUTE = re.compile(r"\bself\.(\w+)")
# What the sibling's file defines itself: methods, and attributes that it sets.
_DEFINED = re.compile(r"(?:\bdef |\bself\.(?=\w+(?:\s*:[^=\n]+)?\s*=[^=]))(\w+)")
