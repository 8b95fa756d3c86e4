"""Device names: ``"cuda"``, ``"cuda:0"`` and ``f"cuda:{i}"``, where a device is meant."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator

from omni_codemods.findings.translate_codes import GUARDED
from omni_codemods.names.scopes import Guard
from omni_codemods.table.entries import Device
from omni_codemods.translate.facts import StringFact
from omni_codemods.translate.rules.literals import (
    Spelling,
    in_position,
    report_literal,
    report_pieces,
    translate_literal,
)
from omni_codemods.translate.work import Work

# An index, or where one is put in: "cuda:%d" % i, "cuda:{}".format(i)
_INDEX = re.compile(r"\d*|%[ds]|\{\w*\}")


def translate_devices(work: Work, moved: Container[int]) -> None:
    """Change the device names in device positions; report and note the others.

    *moved* are the ``id`` of the references that went: what a call of a GPU name that stays is
    given must stay too.
    """
    staying = _Spans(_iter_staying(work, moved))
    for fact in work.facts.strings:
        entry = find_entry(work, fact)
        if entry is None:
            report_pieces(work, work.index.devices, fact, "device")
            continue
        stays = staying.find(fact.span)
        if stays and not work.is_kept(fact.span) and fact.guard is not Guard.BOTH:
            message = f'"{fact.value}" goes to {stays}, which was left'
            work.report(GUARDED, fact.span[0], message)
        elif in_position(work, entry, fact):
            translate_literal(work, Spelling(entry, entry.gpu, entry.npu), fact)
        else:
            report_literal(work, entry, fact, "device")


def find_entry(work: Work, fact: StringFact) -> Device | None:
    """The entry for the device that *fact* names, with or without an index."""
    for entry in work.index.devices:
        if fact.value == entry.gpu and fact.pieces in ("", fact.value):
            return entry
        number = fact.value[len(entry.gpu) + 1 :]
        if fact.value.startswith(f"{entry.gpu}:") and _INDEX.fullmatch(number):
            return entry
    return None


def _iter_staying(work: Work, moved: Container[int]) -> Iterator[tuple[tuple[int, int], str]]:
    """The spans of the calls of members of a namespace that did not go, and what they call."""
    for call in work.facts.calls:
        callee = call.callee
        if callee is None or call.fuzzy or id(callee) in moved or callee.path is None:
            continue
        if work.index.namespace_of(callee.path) is not None:
            yield work.source.span(call.node), callee.text


class _Spans:
    """The outermost of some spans, each with a text."""

    def __init__(self, spans: Iterable[tuple[tuple[int, int], str]]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.texts: list[str] = []
        for (start, end), text in sorted(spans, key=lambda one: (one[0][0], -one[0][1])):
            if not self.ends or end > self.ends[-1]:
                self.starts.append(start)
                self.ends.append(end)
                self.texts.append(text)

    def find(self, span: tuple[int, int]) -> str:
        """The text of the one that *span* lies in, empty for none."""
        at = bisect_right(self.starts, span[0]) - 1
        return self.texts[at] if at >= 0 and span[1] <= self.ends[at] else ""
