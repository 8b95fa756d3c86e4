"""Small upstreams at two ends, and local code between them."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from omni_codemods.impact.kinds import KINDS
from omni_codemods.impact.local import PortText
from omni_codemods.impact.model import UpstreamChange
from omni_codemods.impact.run import Impacts, find_impact
from omni_codemods.sources.modules import Sources

LOCAL_PATH = "mine/runner.py"
UPSTREAM = "up.runner.Runner"


def sources(files: Mapping[str, str]) -> Sources:
    """Return the sources that hold *files*, by ``package/module.py``; texts are dedented."""
    texts = {path: textwrap.dedent(text) for path, text in files.items()}
    for path in list(texts):
        folder = path.rpartition("/")[0]
        texts.setdefault(f"{folder}/__init__.py", "")
    roots = {path.partition("/")[0] for path in texts}
    return Sources(dict.fromkeys(roots, texts.get))


def port(
    local: str,
    qualname: str = "Mine",
    upstream: str = UPSTREAM,
    *,
    methods: tuple[str, ...] | None = None,
    path: str = LOCAL_PATH,
) -> PortText:
    """Return a port of the class (or function) *qualname* of the text *local*."""
    module = path.removesuffix(".py").replace("/", ".")
    return PortText(qualname, path, textwrap.dedent(local), module, qualname, upstream, methods)


def compare(
    local: str | PortText,
    old: str | Mapping[str, str],
    new: str | Mapping[str, str],
    *more: PortText,
    where: bool = True,
) -> Impacts:
    """Compare *old* with *new* for *local*; a text is that of ``up/runner.py``.

    *where* finds what moved, among the modules of *new*.
    """
    first = port(local) if isinstance(local, str) else local
    ports = (first, *more)
    mine = {one.path: one.text for one in ports}
    ends = [
        {**({"up/runner.py": end} if isinstance(end, str) else end), **mine} for end in (old, new)
    ]

    def find(name: str) -> list[str]:
        wanted = (f"def {name}(", f"class {name}:", f"class {name}(", f"\n{name} = ")
        return [
            path.removesuffix(".py").replace("/", ".")
            for path, text in ends[1].items()
            if path not in mine and any(one in f"\n{text}" for one in wanted)
        ]

    found = find_impact(ports, sources(ends[0]), sources(ends[1]), find if where else None)
    assert {change.kind for change in found.changes} <= KINDS.keys()
    return found


def only(impacts: Impacts, kind: str) -> UpstreamChange:
    """Return the one change, which is of *kind*."""
    assert [change.kind for change in impacts.changes] == [kind]
    return impacts.changes[0]


def kinds(impacts: Impacts) -> list[str]:
    """Return the kinds of all changes, sorted."""
    return sorted(change.kind for change in impacts.changes)
