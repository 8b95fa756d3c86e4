"""What the upstream added to a file that a local file mirrors."""

from __future__ import annotations

from collections.abc import Iterator

from omni_codemods.impact.end import End
from omni_codemods.impact.local import Held, LocalFile
from omni_codemods.impact.model import Consumer, Impact, Spot, UpstreamChange
from omni_codemods.text.dotted import owner_of
from omni_codemods.text.outline import iter_functions

# A file mirrors another if it has so many copies, and of this share of the functions there.
_FEW, _SHARE = 3, 0.5
_SHOWN = 8


def compare_growth(file: LocalFile) -> Iterator[UpstreamChange]:
    """Yield the new functions of each upstream file that has most of its functions copied here."""
    modules: dict[str, list[Held]] = {}
    for held in file.held.values():
        modules.setdefault(held.base.module, []).append(held)
    for module, copies in modules.items():
        before = _functions(copies[0].current, module)
        if len(copies) < max(_FEW, _SHARE * len(before)):
            continue
        after = _functions(file.target, module)
        if new := [name for name in after if name not in before]:
            shown = ", ".join(new[:_SHOWN])
            more = f" and {len(new) - _SHOWN} more" if len(new) > _SHOWN else ""
            path, line = file.target.path(module), after[new[0]]
            text = file.target.source(module).splitlines()[line - 1].strip()
            yield UpstreamChange(
                "file-grew",
                Impact.MECHANICAL,
                module,
                f"has new: {shown}{more}",
                None,
                Spot(path, line, text),
                (Consumer(copies[0].copy.port.name, file.path, ""),),
            )


def _functions(end: End, module: str) -> dict[str, int]:
    """The functions of a module and of its classes, with the line of each."""
    if end.sources.module(module) is None or end.is_unread(module):
        return {}
    every = {f.qualname: f.start for f in iter_functions(end.source(module))}
    return {name: line for name, line in every.items() if owner_of(name) not in every}
