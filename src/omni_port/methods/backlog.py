"""What a GPU sibling has had since before ``current`` and the NPU class still lacks."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from omni_codemods.drift.drift import Difference, MethodDrift, Status
from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.sync.downstream import find_downstream
from omni_codemods.sync.taken import proposal_key
from omni_codemods.text.code_lines import lines_of
from omni_codemods.text.dotted import first_part
from omni_codemods.text.outline import locate
from omni_codemods.translate import translate
from omni_port.base.address import Address
from omni_port.base.errors import OmniPortError
from omni_port.methods.drift import Drift, DriftRequest, compare_classes
from omni_port.project.project import CURRENT, Port, Project
from omni_port.sources.file_at import read_address


@dataclass(frozen=True, slots=True)
class Lack:
    """Code of the sibling that the local *method* lacks, or a whole method of the class.

    *start* and *end* are its lines (1-based) in *source*, the sibling's file at ``current``.
    *code* is translated, *key* names it by that.
    """

    path: str
    port: str
    method: str
    source: str
    start: int
    end: int
    code: str
    key: str
    whole: bool = False


def find_backlog(project: Project, port: Port) -> tuple[Lack, ...]:
    """Return what the sibling of *port* has at ``current`` of its own and the local class lacks.

    What stands in the sibling's upstream too is that one's business. Where that is not known, all
    in methods that are no copies is the downstream's, and in a copy what names something of its.
    Nothing where there is no sibling, or it cannot be read.
    """
    if port.sibling is None or project.settings.siblings is None:
        return ()
    try:
        gpu = project.at(port.sibling, CURRENT)
        request = DriftRequest(
            project.local(port.local),
            gpu,
            tuple(map(Path, project.settings.tables)),
            project.settings.target,
        )
        drift = compare_classes(request)
        theirs = _theirs(project, port)
        return tuple(_lacks(port, gpu, drift, theirs))
    except (OmniPortError, OmniCodemodsError):
        return ()


def _theirs(project: Project, port: Port) -> frozenset[str] | None:
    """The statements of the sibling's upstream, translated; ``None`` where it is not known."""
    upstream = port.sibling_upstream
    if upstream is None or upstream.upstream is None:
        return None
    if project.settings.upstream[upstream.upstream].current is None:
        return None
    text = read_address(project.at(upstream, CURRENT)).source.text
    return frozenset(lines_of(translate(text).text))


def _lacks(
    port: Port, gpu: Address, drift: Drift, theirs: Collection[str] | None
) -> Iterator[Lack]:
    own = _Own(drift, theirs)
    for method in (one.method for one in drift.methods):
        if method.name.startswith("__"):
            continue
        for start, end, code in _missing(method, drift):
            whole = method.status is Status.GPU_ONLY
            # What the upstream has no copy of here is the downstream's, and so is all in it.
            mine = port.methods is not None and method.name not in port.methods
            if (mine and theirs is None) or own.is_own(code):
                yield Lack(
                    port.local.path,
                    port.name,
                    port.name if whole else f"{port.name}.{method.name}",
                    Path(gpu.path).as_posix(),
                    start,
                    end,
                    code,
                    proposal_key(code),
                    whole,
                )


def _missing(method: MethodDrift, drift: Drift) -> Iterator[tuple[int, int, str]]:
    if method.status is Status.GPU_ONLY and method.gpu is not None and method.inherited is None:
        text = drift.gpu.source.text
        code = locate(translate(text).text, method.name, drift.request.gpu.qualname).text
        yield method.gpu.start, method.gpu.end, code
    elif method.status is Status.DIFFERS:
        for one in method.differences:
            if _is_lack(one) and one.gpu is not None:
                yield one.gpu.start, one.gpu.end, one.translated


def _is_lack(one: Difference) -> bool:
    return (
        one.gpu is not None and one.npu is None and not one.moved and bool(lines_of(one.translated))
    )


class _Own:
    """Tells the downstream's own code in the sibling from what is its upstream's."""

    def __init__(self, drift: Drift, theirs: Collection[str] | None) -> None:
        self._theirs = theirs
        module = drift.gpu.module or drift.local.module
        package = first_part(module) if module else None
        # Of files in no package nothing tells whose code is whose.
        self._known = package is not None
        self._down = find_downstream(
            translate(drift.gpu.source.text).text, drift.local.source.text, package
        )

    def is_own(self, code: str) -> bool:
        lines = lines_of(code)
        if self._theirs is None and not self._known:
            return True
        if self._theirs is not None:
            return any(line not in self._theirs for line in lines)
        words = self._down.words
        return any(
            (words is not None and words.search(line) is not None)
            or bool(self._down.imported & set(line.split()))
            for line in lines
        )
