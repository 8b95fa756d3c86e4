"""Local files that were upgraded already: their copies are the target's, and not the base's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from omni_codemods.impact.taken import Taken
from omni_port.base.words import count
from omni_port.identity.model import AGAIN, Disagreement, Identity
from omni_port.project.project import CURRENT, TARGET, Port

# What tells an upgraded file from one that is not, by the share of the upstream's changes that it
# has. On real ports it was 0 to 0.21 before an upgrade, and after it 0.62 to 1, with conflicts
# taken for the local side; a copy of a commit between the ends is anywhere. Of less than so many
# words nothing is said.
_SURELY, _AMONG_OTHERS, _ENOUGH = 0.7, 0.5, 12


def find_upgraded(
    taken: Iterable[Taken], ports: Iterable[Port], identity: Identity
) -> Iterator[Disagreement]:
    """Yield a disagreement for each local file whose copies have what changed up to the target.

    Where the files together surely have it, a smaller share of one of them is enough: a person has
    kept more of local there.
    """
    sources = {(port.local.path, port.name): port.source for port in ports}
    files: dict[str, list[Taken]] = {}
    for one in taken:
        files.setdefault(one.port.path, []).append(one)
    together = _share([one for own in files.values() for one in own])
    wanted = _AMONG_OTHERS if together >= _SURELY else _SURELY
    for path, own in files.items():
        if sum(one.changed for one in own) < _ENOUGH or _share(own) < wanted:
            continue
        name = sources.get((path, own[0].port.name), "")
        target = identity.end(name, TARGET)
        label = target.label if target is not None else "the target"
        names = {one.port.name for one in own}
        yield Disagreement(
            name,
            CURRENT,
            f"{path} was upgraded already: {_copies(own)} {_share(own):.0%} of what "
            f"{name} changed up to {label}",
            f"where it is done, write that revision as current of [upstream.{name}] (`omni-port "
            "upgrade --finish` does, where the record of that upgrade is), or as base of the "
            "[[port]]; to upgrade it anew, put back the file as it was",
            tuple(f"{path}:{one.line}" for one in own),
            names.pop() if len(names) == 1 else "",
            AGAIN,
        )


def _share(own: list[Taken]) -> float:
    return sum(one.taken for one in own) / (sum(one.changed for one in own) or 1)


def _copies(own: list[Taken]) -> str:
    said = count(len(own), "copied function")
    return f"its {said} has" if len(own) == 1 else f"its {said} have"
