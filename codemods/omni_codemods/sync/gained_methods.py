"""Methods that the GPU sibling's class gained or lost between two releases."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from omni_codemods.findings.model import (
    Edit,
    EditKind,
    EditOutcome,
    Evidence,
    Finding,
    Outcome,
    Severity,
    Span,
)
from omni_codemods.rebuild.settle_imports import Rebuilt, settle_imports
from omni_codemods.rebuild.splice import margin
from omni_codemods.replay.printing.lines import Shift, shift_text
from omni_codemods.sources.classes import own_methods, shown_methods
from omni_codemods.sync.taken import proposal_key
from omni_codemods.text.outline import Located, locate

NEW_METHOD = "new method"


@dataclass(frozen=True, slots=True)
class Versions:
    """The text of a file, and the name of the class in it."""

    text: str
    cls: str


@dataclass(frozen=True, slots=True)
class Classes:
    """The sibling's class *before* and *after*, both translated, and the NPU class (*local*).

    *original* is the text of the newer file as it is, where spans point, *module* its dotted
    name. *inherited* are methods that the NPU class has from bases in other files.
    """

    before: Versions
    after: Versions
    original: str
    local: Versions
    module: str | None = None
    inherited: frozenset[str] = frozenset()

    @property
    def has(self) -> frozenset[str]:
        """The methods that the NPU class has, as far as is known."""
        return self.inherited | shown_methods(self.local.text, self.local.cls).keys()


def find_gained(classes: Classes) -> tuple[EditOutcome, ...]:
    """Return an edit for each method that the sibling gained and the NPU class has not.

    Its outcome is ``proposed``, and *proposed* the imports that it needs and its translated code.
    """
    return tuple(_propose(classes, name) for name in gained_methods(classes))


def gained_methods(classes: Classes) -> tuple[str, ...]:
    """Return the names of the methods that the sibling gained and the NPU class has not."""
    old, new = _ends(classes)
    return tuple(n for n in new if n not in old and n not in classes.has)


def check_lost(classes: Classes) -> Iterator[Finding]:
    """Yield a finding for each method that the sibling lost and the NPU class defines itself.

    All others are named in one note.
    """
    old, new = _ends(classes)
    own = own_methods(classes.local.text, classes.local.cls)
    lost = [name for name in old if name not in new]
    for name in lost:
        if (here := own.get(name)) is not None:
            said = f"the sibling no longer has {name}, which this class defines"
            yield _lost(said, here.lineno, here.col_offset, Severity.WARNING)
    others = ", ".join(name for name in lost if name not in own)
    if others:
        yield _lost(f"the sibling no longer has {others}", 1, 0, Severity.NOTE)


def _lost(said: str, line: int, column: int, severity: Severity) -> Finding:
    hint = "see what the sibling does instead, and whether this class still needs it"
    return Finding("OP505", line, column, said, hint, severity)


def _ends(classes: Classes) -> tuple[Collection[str], Collection[str]]:
    return (
        list(own_methods(classes.before.text, classes.before.cls)),
        list(own_methods(classes.after.text, classes.after.cls)),
    )


def _propose(classes: Classes, name: str) -> EditOutcome:
    found = locate(classes.after.text, name, classes.after.cls)
    there = locate(classes.original, name, classes.after.cls)
    edit = Edit(EditKind.SIBLING, NEW_METHOD, Span(there.start, there.end), _headline(found))
    return EditOutcome(
        edit,
        Outcome.PROPOSED,
        Evidence.GUESSED,
        "the sibling gained this method; the NPU class neither defines nor, as far as can be "
        "seen, inherits it",
        proposed=_imports(classes, found) + without_margin(found.text),
        key=proposal_key(found.text),
        cause=needs_method(name),
    )


def needs_method(name: str) -> str:
    """Return why what uses the method *name* of the sibling is not brought over."""
    return f"it needs self.{name}, which the sibling gained and the NPU class has not"


def _headline(found: Located) -> str:
    lines = (line.strip() for line in found.text.split("\n"))
    return next((x for x in lines if x.startswith(("def ", "async def "))), found.qualname)


def _imports(classes: Classes, found: Located) -> str:
    rebuilt = Rebuilt("", (found.text,), found.start, "", found.text)
    needs = settle_imports(classes.local.text, rebuilt, classes.after.text, classes.module)
    lines = [f"{value.render()}\n" for value in needs.added]
    return "".join([*lines, "\n"]) if lines else ""


def without_margin(text: str) -> str:
    """Return *text* with the margin of its first line taken off every line; strings stay."""
    return "".join(line.text for line in shift_text(text, Shift(margin(text), "")))
