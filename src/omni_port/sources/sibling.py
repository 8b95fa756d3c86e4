"""The GPU sibling by addresses: both releases, and its upstream's where they are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.text.dotted import first_part
from omni_port.base.address import Address
from omni_port.base.diff import unified_diff
from omni_port.base.errors import UsageError
from omni_port.sources.file_at import Located, names_in, read_address
from omni_port.sources.package import inherited_methods

if TYPE_CHECKING:
    from omni_codemods.sync.sibling import Sibling

EXACT = "the sibling's upstream at both ends: what stands there too is not the downstream's own"
INFERRED = (
    "place and names (no --gpu-upstream-base and --gpu-upstream-target): what nothing speaks for "
    "is proposed"
)


@dataclass(frozen=True, slots=True)
class GpuRequest:
    """The GPU sibling before and after, its upstream before and after (both or neither).

    *tables* and *table_target* choose the translation table, as in ``translate``. *taken* are the
    keys of proposals that a person took; with *only_taken* nothing else is brought over. Raises
    UsageError where one of a pair is missing.
    """

    base: Address
    target: Address
    upstream_base: Address | None = None
    upstream_target: Address | None = None
    tables: tuple[Path, ...] = ()
    table_target: str | None = None
    taken: frozenset[str] = frozenset()
    only_taken: bool = False

    def __post_init__(self) -> None:
        if (self.upstream_base is None) != (self.upstream_target is None):
            raise UsageError("--gpu-upstream-base and --gpu-upstream-target need each other")


@dataclass(frozen=True, slots=True)
class Gpu:
    """A request with its files as they were read, by the names of their options."""

    request: GpuRequest
    sides: Mapping[str, Located]

    @property
    def judged(self) -> str:
        """By what the downstream's own changes were told."""
        return INFERRED if self.request.upstream_base is None else EXACT

    def diff(self, method: str) -> str:
        """Return what the sibling did to *method*, as it is in its files; or nothing."""
        from omni_codemods.text.outline import locate

        texts = []
        for name in ("gpu-base", "gpu-target"):
            side = self.sides[name]
            cls, called = names_in(side, method)
            try:
                texts.append(locate(side.source.text, called, cls, side=name).text)
            except OmniCodemodsError:
                return ""
        return unified_diff(texts[0], texts[1], self.sides["gpu-target"].address.path)


def read_gpu(request: GpuRequest, read: Callable[[Address], Located] = read_address) -> Gpu:
    """Read the files of *request* by *read*; raises InputError or RevisionError."""
    addresses = {
        "gpu-base": request.base,
        "gpu-target": request.target,
        "gpu-upstream-base": request.upstream_base,
        "gpu-upstream-target": request.upstream_target,
    }
    return Gpu(request, {k: read(v) for k, v in addresses.items() if v is not None})


def make_sibling(gpu: Gpu, method: str, local: Located) -> Sibling:
    """Return the library's value for *gpu*; raises ConfigurationError for the table."""
    from omni_codemods.replay.printing.lines import Labels
    from omni_codemods.sync.sibling import Sibling
    from omni_codemods.sync.taken import Taken
    from omni_port.sources.tables import load_selected

    base, target = gpu.sides["gpu-base"], gpu.sides["gpu-target"]
    before, after = (gpu.sides.get(f"gpu-upstream-{end}") for end in ("base", "target"))
    names = {name: names_in(side, method) for name, side in gpu.sides.items()}
    (cls, old), (target_cls, new) = names["gpu-base"], names["gpu-target"]
    above, above_target = (names.get(f"gpu-upstream-{n}", (None, "")) for n in ("base", "target"))
    # A sibling outside every package has the package of the copy.
    module = target.module or local.module
    return Sibling(
        base.source.text,
        target.source.text,
        cls=cls,
        target_cls=target_cls,
        method=old if old != method else None,
        target_method=new if new != old else None,
        upstream_method=above[1] if above[1] not in ("", method) else None,
        upstream_target_method=above_target[1] if above_target[1] != above[1] else None,
        package=first_part(module) if module else None,
        module=target.module,
        upstream_base=None if before is None else before.source.text,
        upstream_target=None if after is None else after.source.text,
        upstream_class=above[0],
        upstream_target_class=above_target[0],
        inherited=inherited_methods(local, method),
        table=load_selected(gpu.request.tables, gpu.request.table_target),
        taken=Taken(gpu.request.taken, gpu.request.only_taken),
        labels=Labels(
            f"local ({local.label})",
            f"gpu-base ({base.label})",
            f"gpu-target ({target.label})",
        ),
    )
