"""How two classes differ, as ``drift --format json`` prints it."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from omni_codemods.drift.drift import Difference, MethodDrift, Status
from omni_port.documents.common import (
    Count,
    Lines,
    Tool,
    Value,
    make_lines,
    this_tool,
)
from omni_port.documents.rebase import Side, make_side
from omni_port.methods.drift import Compared, Drift


class DriftSides(Value, frozen=True):
    """Both classes."""

    local: Side
    gpu: Side


class DriftSummary(Value, frozen=True, rename="kebab"):
    """Numbers of methods by status, and of differences that the baseline does not know."""

    shared: Count
    translated: Count
    differs: Count
    inherited: Count
    gpu_only: Count
    npu_only: Count
    new: Count


class InheritedValue(Value, frozen=True):
    """What the side without the method has from a base: *lines* in the file of *class*."""

    owner: str = msgspec.field(name="class")
    lines: Lines | None


class DifferenceValue(Value, frozen=True):
    """A difference; *translated* is the GPU code as it was compared."""

    gpu: Lines | None
    local: Lines | None
    gpu_code: str
    local_code: str
    translated: str
    moved: Annotated[bool, Meta(description="both have the code, in another place")]
    digest: Annotated[
        str,
        Meta(
            pattern="^[0-9a-f]{16}$",
            description="names the difference by its code, wherever it stands",
        ),
    ]


class MethodValue(Value, frozen=True):
    """A method of either class; *new* counts what the baseline does not know."""

    name: str
    status: Status
    gpu: Lines | None
    local: Lines | None
    new: Count
    inherited: InheritedValue | None
    differences: tuple[DifferenceValue, ...]


class DriftDocument(Value, frozen=True):
    """What omni-port drift --format json prints."""

    version: Literal[1]
    tool: Tool
    sides: DriftSides
    summary: DriftSummary
    bases: Annotated[
        tuple[str, ...],
        Meta(description="dotted names of the bases of the GPU class that the NPU class has not"),
    ]
    methods: tuple[MethodValue, ...]


def make_drift_document(drift: Drift) -> DriftDocument:
    """Return the document."""
    counts = Counter(one.method.status for one in drift.methods)
    return DriftDocument(
        1,
        this_tool(),
        DriftSides(make_side(drift.local), make_side(drift.gpu)),
        DriftSummary(
            shared=counts[Status.SHARED],
            translated=counts[Status.TRANSLATED],
            differs=counts[Status.DIFFERS],
            inherited=counts[Status.INHERITED],
            gpu_only=counts[Status.GPU_ONLY],
            npu_only=counts[Status.NPU_ONLY],
            new=drift.new,
        ),
        tuple(drift.bases),
        tuple(map(_method, drift.methods)),
    )


def _method(one: Compared) -> MethodValue:
    method = one.method
    return MethodValue(
        method.name,
        method.status,
        make_lines(method.gpu),
        make_lines(method.npu),
        one.new,
        _inherited(method),
        tuple(map(_difference, method.differences)),
    )


def _difference(difference: Difference) -> DifferenceValue:
    return DifferenceValue(
        make_lines(difference.gpu),
        make_lines(difference.npu),
        difference.gpu_code,
        difference.npu_code,
        difference.translated,
        difference.moved,
        difference.digest,
    )


def _inherited(method: MethodDrift) -> InheritedValue | None:
    found = method.inherited
    return None if found is None else InheritedValue(found.owner, make_lines(found.span))
