"""Copies of functions → ports: a class with its methods, or one function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from omni_codemods.text.dotted import last_part, owner_of
from omni_port.base.words import count
from omni_port.survey.copies import Found, Sign
from omni_port.survey.draft import PortDraft
from omni_port.survey.siblings import Sibling

_Base = Callable[[Found], "tuple[str, str] | None"]


@dataclass(slots=True)
class Group:
    """What becomes one port: the class *cls*, or without one, a single function."""

    path: str
    upstream: str
    file: str
    cls: str = ""
    original: str = ""
    found: list[Found] = field(default_factory=list)
    base: tuple[str, str] | None = None

    def draft(self, sibling: Sibling | None) -> PortDraft:
        """Return the port, without the sibling's upstream."""
        name = self.cls or self.found[0].local
        beside = sibling if sibling is not None and self._mirrors(sibling) else None
        return PortDraft(
            f"{self.path}::{name}",
            f"{self.upstream}:{self.file}::{self.original}",
            tuple(_last(one.local) for one in self.found) if self.cls else None,
            tuple(self._why()),
            base=self.base[0] if self.base else None,
            base_how=self.base[1] if self.base else "",
            sibling=f"{beside.path}::{beside.qualname}" if beside else None,
            sibling_how=f"{beside.how}, {count(len(beside.common), 'method')} in common"
            if beside
            else "",
        )

    def _mirrors(self, sibling: Sibling) -> bool:
        return bool(self.cls) or _last(self.found[0].local) in sibling.common

    def _why(self) -> Iterator[str]:
        sign = self.found[0].sign
        if self.cls:
            yield f"{sign.value} {_last(self.original)}; of upstream's code it has"
            yield ", ".join(f"{_last(o.local)} {o.copy.fit.copied:.0%}" for o in self.found)
        else:
            what = f"{sign.value} {self.original}"
            if sign is Sign.INHERITS:
                what = f"its class inherits from {self.original.rpartition('.')[0]}"
            yield f"{what}; it has {self.found[0].copy.fit.copied:.0%} of that code"
            yield from (f"and {sign.value} {other} as well" for other in self.found[0].others)
        fenced = [_last(o.local) for o in self.found if o.fenced]
        if not fenced:
            yield "no fences"


def group_copies(found: Sequence[Found], base: _Base) -> list[Group]:
    """Group copies, in the order of the files.

    A class is one port, with its methods of the same name in the upstream class that most of them
    are from. Any other method, and one that *base* gives a revision of its own, is one by itself.
    """
    groups: list[Group] = []
    for (path, cls), members in _by_class(found).items():
        bases = {id(one): base(one) for one in members}
        main = _main(members) if cls else None
        whole = Group(path, "", "", cls)
        for one in members:
            own = bases[id(one)]
            kin = (one.upstream, one.file, owner_of(one.original))
            if main == kin and own is None and _last(one.local) == _last(one.original):
                whole.upstream, whole.file, whole.original = kin
                whole.found.append(one)
                continue
            single = Group(path, one.upstream, one.file, original=one.original, base=own)
            single.found.append(one)
            groups.append(single)
        if whole.found:
            groups.append(whole)
    return sorted(groups, key=_place)


def _place(group: Group) -> tuple[str, int, int]:
    first = group.found[0].copy.local
    return group.path, 0 if group.cls else 1, first.start


def _by_class(found: Sequence[Found]) -> dict[tuple[str, str], list[Found]]:
    out: dict[tuple[str, str], list[Found]] = {}
    for one in found:
        out.setdefault((one.path, owner_of(one.local)), []).append(one)
    return out


def _main(members: Sequence[Found]) -> tuple[str, str, str] | None:
    """The upstream class that most of the code is from."""
    sizes: dict[tuple[str, str, str], int] = {}
    for one in members:
        owner = owner_of(one.original)
        if owner:
            key = (one.upstream, one.file, owner)
            sizes[key] = sizes.get(key, 0) + len(one.copy.original.located.text)
    return max(sizes, key=lambda key: sizes[key]) if sizes else None


def _last(qualname: str) -> str:
    return last_part(qualname)
