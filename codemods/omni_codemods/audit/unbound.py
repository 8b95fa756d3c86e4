"""A name that the result reads where nothing has bound it (OP317)."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from omni_codemods.audit.captured import find_captured
from omni_codemods.audit.flow import Flow
from omni_codemods.audit.model import Audited, Example, Rule, found
from omni_codemods.audit.reading import Side
from omni_codemods.findings.audit_codes import READ_UNBOUND
from omni_codemods.findings.model import Finding

_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__class__"}
_WORD = re.compile(r"[A-Za-z_]\w*")


def check(audited: Audited) -> Iterator[Finding]:
    """Yield a finding for each name that is read before anything can have bound it.

    A variable counts where no way from the start of the function to its read binds it, and no
    input has that same fault. A name of the module counts where the local method had it not, and
    neither the module nor an earlier finding knows it; and where the result has made a variable
    of it (:mod:`.captured`).
    """
    result, flow = audited.result, Flow(audited.result.function)
    early = [
        (name, "nothing above has bound it on any way that leads here")
        for name in flow.unbound_reads()
        if not _reads_early(audited, name.id)
    ]
    free = [(name, "neither the function nor its module binds it") for name in _free(audited, flow)]
    told: set[str] = set()
    for name, why in (*early, *free, *find_captured(audited, flow)):
        if name.id not in told and not result.is_in_hunk(name) and not _is_said(audited, name.id):
            told.add(name.id)
            message = f"{name.id} is read here, and {why}"
            yield found(READ_UNBOUND, result.place_of(name), message, name.col_offset)


def _reads_early(audited: Audited, name: str) -> bool:
    """Whether an input reads *name* too early as well, or one way to resolve conflicts does not."""
    return any(_is_early(side, name) for side in audited.inputs) or not all(
        _is_early(side, name) for side in audited.either()[1:]
    )


def _is_early(side: Side, name: str) -> bool:
    return any(name == one.id for one in Flow(side.function).unbound_reads())


def _is_said(audited: Audited, name: str) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", one.message) for one in audited.told)


def _free(audited: Audited, flow: Flow) -> Iterator[ast.Name]:
    """Reads of names that the local method does not mention, nor anything else in the module."""
    result = audited.result
    fresh = set(_WORD.findall(result.text)) - set(_WORD.findall(audited.copy.text))
    fresh -= flow.own | _BUILTINS
    if not fresh or "import *" in audited.module:
        return
    lines = audited.module.split("\n")
    above, size = result.start - 1, result.text.count("\n")
    outside = "\n".join(lines[:above] + lines[above + size :])
    fresh = {name for name in fresh if name not in outside}
    # What the module that it comes from does not bind either is none of the result's making. The
    # module is long: it is asked of names alone, which are few, not of attributes.
    reads = [name for name in flow.reads() if name.id in fresh]
    bound = {name for name in {one.id for one in reads} if _is_bound(name, audited.origin)}
    yield from (name for name in reads if name.id in bound)


def _is_bound(name: str, module: str) -> bool:
    """Whether a line of *module* looks as if it bound *name*."""
    pattern = rf"^(?:import|from)\b.*\b{name}\b|^ *(?:def|class) +{name}\b|^ *{name}\b *[,:=\n]"
    return name in module and re.search(pattern, module, re.MULTILINE) is not None


_BASE = "def f(self, n):\n    a = self.a(n)\n    b = self.b(n)\n    return b\n"

RULE = Rule(
    READ_UNBOUND,
    check,
    Example(
        base=_BASE,
        local=_BASE.replace("    b = ", "    self.mine(a)\n    b = "),
        target=_BASE.replace("    a = ", "    self.note()\n    a = "),
        wrong="def f(self, n):\n    self.note()\n    self.mine(a)\n    a = self.a(n)\n"
        "    b = self.b(n)\n    return b\n",
        right="def f(self, n):\n    self.note()\n    a = self.a(n)\n    self.mine(a)\n"
        "    b = self.b(n)\n    return b\n",
    ),
)
