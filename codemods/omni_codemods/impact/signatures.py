"""Two versions of a signature, and what the difference asks of callers and overrides."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.impact.model import Difference, Impact
from omni_codemods.impact.wording import find_moved
from omni_codemods.sources.subject import Function

_MECHANICAL, _BEHAVIORAL = Impact.MECHANICAL, Impact.BEHAVIORAL


@dataclass(frozen=True, slots=True)
class _Parameter:
    """*place* is its index among those that can be given by position, ``None`` for the others."""

    name: str
    place: int | None
    default: str | None
    annotation: str
    by_name: bool


def compare_signatures(old: Function, new: Function) -> tuple[Difference, ...]:
    """Return how the parameters differ, in the order of the new ones; layout counts nothing.

    A parameter with a default at the end, or by name alone, and other annotations are
    mechanical; all else is behavioral.
    """
    before, after = ({p.name: p for p in _parameters(f)} for f in (old, new))
    return (
        *_removed(before, after, new),
        *_added(before, after),
        *_changed(before, after),
        *_reordered(before, after),
        *_open_ends(old, new),
        *_annotations(old, new, before, after),
    )


def read_defaults(function: Function) -> dict[str, str]:
    """Return the defaults as code, by the names of the parameters that have one."""
    return {p.name: p.default for p in _parameters(function) if p.default is not None}


def render_signature(function: Function) -> str:
    """Return the parameters and the result as one line: ``(self, n: int = 1) -> None``."""
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(function.args)}){returns}"


def _parameters(function: Function) -> Iterator[_Parameter]:
    arguments = function.args
    ordered = [*arguments.posonlyargs, *arguments.args]
    lacking = len(ordered) - len(arguments.defaults)
    defaults = [None] * lacking + [ast.unparse(d) for d in arguments.defaults]
    for place, (argument, default) in enumerate(zip(ordered, defaults, strict=True)):
        by_name = place >= len(arguments.posonlyargs)
        yield _Parameter(argument.arg, place, default, _annotation(argument), by_name)
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        said = None if value is None else ast.unparse(value)
        yield _Parameter(argument.arg, None, said, _annotation(argument), True)


def _annotation(argument: ast.arg) -> str:
    return ast.unparse(argument.annotation) if argument.annotation else ""


_Parameters = dict[str, _Parameter]


def _removed(before: _Parameters, after: _Parameters, new: Function) -> Iterator[Difference]:
    for name, parameter in before.items():
        if name not in after:
            # What is open takes it still, and hands it on or drops it.
            swallowed = new.args.kwarg is not None and parameter.by_name
            tail = f", except in **{new.args.kwarg.arg}" if swallowed and new.args.kwarg else ""
            yield Difference(_BEHAVIORAL, f"no longer takes {name}{tail}")


def _added(before: _Parameters, after: _Parameters) -> Iterator[Difference]:
    last = max((p.place for p in after.values() if p.place is not None and p.name in before),
               default=-1)  # fmt: skip
    for name, parameter in after.items():
        if name in before:
            continue
        if parameter.default is None:
            yield Difference(_BEHAVIORAL, f"also wants {name}")
        elif parameter.place is not None and parameter.place < last:
            message = f"takes {name}={parameter.default} before others: positions shift"
            yield Difference(_BEHAVIORAL, message)
        else:
            yield Difference(_MECHANICAL, f"also takes {name}={parameter.default}")


def _changed(before: _Parameters, after: _Parameters) -> Iterator[Difference]:
    for name, new in after.items():
        old = before.get(name)
        if old is None:
            continue
        if old.default is not None and new.default is None:
            yield Difference(_BEHAVIORAL, f"{name} has no default any more (was {old.default})")
        elif old.default is None and new.default is not None:
            yield Difference(_MECHANICAL, f"{name} has a default: {new.default}")
        elif old.default != new.default:
            message = f"the default of {name} is {new.default} (was {old.default})"
            yield Difference(_BEHAVIORAL, message)
        if old.place is not None and new.place is None:
            yield Difference(_BEHAVIORAL, f"{name} can be given by name alone")
        elif old.place is None and new.place is not None:
            yield Difference(_MECHANICAL, f"{name} can be given by position too")
        if old.by_name and not new.by_name:
            yield Difference(_BEHAVIORAL, f"{name} can no longer be given by name")


def _reordered(before: _Parameters, after: _Parameters) -> Iterator[Difference]:
    both = [[p.name for p in side.values() if p.place is not None and _is_placed(p, before, after)]
            for side in (before, after)]  # fmt: skip
    if moved := find_moved(*both):
        said = f"{', '.join(moved)} in another place of the order"
        yield Difference(_BEHAVIORAL, f"takes {said}")


def _is_placed(parameter: _Parameter, before: _Parameters, after: _Parameters) -> bool:
    sides = [side.get(parameter.name) for side in (before, after)]
    return all(p is not None and p.place is not None for p in sides)


def _open_ends(old: Function, new: Function) -> Iterator[Difference]:
    for mark, name in (("*", "vararg"), ("**", "kwarg")):
        was, now = getattr(old.args, name), getattr(new.args, name)
        if was is not None and now is None:
            yield Difference(_BEHAVIORAL, f"no longer takes {mark}{was.arg}")
        elif was is None and now is not None:
            yield Difference(_MECHANICAL, f"also takes {mark}{now.arg}")


def _annotations(
    old: Function, new: Function, before: _Parameters, after: _Parameters
) -> Iterator[Difference]:
    other = [n for n, p in after.items() if n in before and before[n].annotation != p.annotation]
    if other:
        yield Difference(_MECHANICAL, f"other annotations: {', '.join(other)}", annotation=True)
    results = [ast.unparse(f.returns) if f.returns else "" for f in (old, new)]
    if results[0] != results[1]:
        said = "" if results[1] else " no more"
        message = f"the result is annotated{said or ' otherwise'}"
        yield Difference(_MECHANICAL, message, annotation=True)
