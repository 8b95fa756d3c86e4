"""Methods that the GPU sibling's class gained and a person took: put into the NPU class."""

from __future__ import annotations

from dataclasses import replace

from omni_codemods.findings.model import EditOutcome, Evidence, Outcome, RebaseResult, Span
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.rebuild.line_map import join_results
from omni_codemods.rebuild.settle_imports import Rebuilt, settle_imports
from omni_codemods.rebuild.splice import margin
from omni_codemods.replay.printing.lines import Shift, shift_text
from omni_codemods.sources.classes import own_methods
from omni_codemods.sync.gained_methods import NEW_METHOD, Classes
from omni_codemods.sync.taken import Taken
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import Located, definitions, locate


def take_methods(result: RebaseResult, classes: Classes, taken: Taken) -> RebaseResult:
    """Return *result* with the methods that it proposes and that were taken in the class.

    Each stands behind the method that it follows in the sibling, where the class has that, else
    at the end of the class; the imports that it needs come with it. Those of
    :class:`~omni_codemods.sync.taken.Taken` *only* leave out all other proposals of methods.
    """
    gained = [e for e in result.edits if e.edit.change == NEW_METHOD]
    chosen = [e for e in gained if e.key in taken.keys]
    if not chosen:
        kept = [e for e in result.edits if e not in gained] if taken.only else result.edits
        return replace(result, edits=tuple(kept))
    left = [] if taken.only else [e for e in gained if e not in chosen]
    kept = [*(e for e in result.edits if e not in gained), *left]
    out = replace(result, edits=tuple(kept))
    names = list(own_methods(classes.after.text, classes.after.cls))
    for name in names:
        found = locate(classes.after.text, name, classes.after.cls)
        edit = next((e for e in chosen if e.edit.summary == _headline(found)), None)
        if edit is not None:
            out = join_results(out, _put_in(out, classes, found, names, edit))
    return out


def _headline(found: Located) -> str:
    lines = (line.strip() for line in found.text.split("\n"))
    return next((x for x in lines if x.startswith(("def ", "async def "))), found.qualname)


def _put_in(
    result: RebaseResult, classes: Classes, found: Located, names: list[str], edit: EditOutcome
) -> RebaseResult:
    plain = blank_hunks(result.text)
    cls = classes.local.cls
    mine = [d for d in definitions(plain) if not d.is_class and d.qualname.startswith(f"{cls}.")]
    own = {last_part(d.qualname): d for d in mine if d.qualname.count(".") == cls.count(".") + 1}
    above = names[: names.index(last_part(found.qualname))]
    near = next((own[name] for name in reversed(above) if name in own), None)
    end = near.end if near else max(d.end for d in definitions(plain) if d.qualname == cls)
    lines = result.text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    sample = next(iter(own.values()), None)
    indent = _indent(lines[sample.start - 1]) if sample else "    "
    code = "".join(line.text for line in shift_text(found.text, Shift(margin(found.text), indent)))
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    code = f"\n{code.rstrip()}\n".replace("\r\n", "\n").replace("\n", newline)
    text = "".join([*lines[:end], code, *lines[end:]])
    rebuilt = Rebuilt("", (found.text,), end + 2, "", found.text, code, cls)
    needs = settle_imports(text, rebuilt, classes.after.text, classes.module)
    start = end + 2 + needs.text.count("\n") - text.count("\n")
    where = "at the end of the class" if near is None else f"behind {last_part(near.qualname)}"
    done = replace(
        edit,
        outcome=Outcome.CARRIED,
        evidence=Evidence.MOVED if near is None else Evidence.EXACT,
        reason=f"taken; put {where}",
        result=Span(start, start + code.strip().count("\n")),
        proposed="",
    )
    return RebaseResult(
        needs.text,
        result.method,
        (done,),
        (),
        needs.findings,
        tuple(i.render() for i in needs.added),
    )


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
