"""Which upstream file a local file mirrors: by its path first, then by what is in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from omni_codemods.sources.kinship import Family, ModuleView
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import iter_functions

# What ports put before the name of a file, and what upstream has there.
_DEVICE = re.compile(r"^(?:npu|hpu|rbln|maca|metax|musa|xpu|mlu|gcu|ascend|cpu|tpu)_")
_GPU = "gpu_"
# So many functions, and this share of those of the smaller file, have the same name.
_FEW, _SHARE = 2, 0.3


def find_mirrored(
    path: str, functions: Sequence[str], packages: Iterable[str], family: Family
) -> ModuleView | None:
    """Return the upstream module that the file *path* with *functions* mirrors, if there is one.

    Its path is that of the file below the root package, with leading folders left out, and with a
    device's prefix or without. Of several, that with the most functions in common.
    """
    mine = {last_part(name) for name in functions}
    best: tuple[int, ModuleView] | None = None
    for module in _modules(path, packages):
        view = family.view(module)
        if view is None:
            continue
        theirs = {last_part(f.qualname) for f in iter_functions(view.text)}
        common = len(mine & theirs)
        enough = common >= max(_FEW, _SHARE * min(len(mine), len(theirs)))
        if enough and (best is None or common > best[0]):
            best = common, view
    return None if best is None else best[1]


def pair_classes(mine: Iterable[str], theirs: Iterable[str]) -> dict[str, str]:
    """Return for each class of the functions *mine* the one of *theirs* that it mirrors.

    That is the class of its name, else that with the most methods in common.
    """
    local, upstream = _by_class(mine), _by_class(theirs)
    found = {}
    for cls, methods in local.items():
        common = {other: len(methods & names) for other, names in upstream.items()}
        best = max(common, key=lambda other: common[other], default="")
        if cls in upstream or common.get(best):
            found[cls] = cls if cls in upstream else best
    return found


def _by_class(functions: Iterable[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in functions:
        cls, _, name = one.rpartition(".")
        if cls:
            found.setdefault(cls, set()).add(name)
    return found


def _modules(path: str, packages: Iterable[str]) -> Iterator[str]:
    parts = list(PurePosixPath(path.removeprefix("src/")).with_suffix("").parts)[1:]
    if not parts or parts[-1] == "__init__":
        return
    plain = _DEVICE.sub("", parts[-1])
    names = dict.fromkeys((parts[-1], plain, f"{_GPU}{plain}"))
    for package in packages:
        for start in range(len(parts)):
            for name in names:
                yield ".".join([package, *parts[start:-1], name])
