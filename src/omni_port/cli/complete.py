"""What a shell proposes: names from the project file, questions and codes; else nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from omni_port.decisions.desk import Desk

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completer(find: Callable[[], Iterable[str]]) -> Completer:
    """Return a ``shell_complete`` of click that proposes what *find* gives.

    A shell waits for it and shows no error, so whatever cannot be read proposes nothing.
    """

    def complete(
        _ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        with contextlib.suppress(Exception):
            return [CompletionItem(name) for name in find() if name.startswith(incomplete)]
        return []

    return complete


def _methods() -> Iterator[str]:
    """The methods of the local classes of the project's ports, each once."""
    from omni_codemods.text.outline import definitions
    from omni_port.base import files
    from omni_port.project.project import require_project

    project = require_project(Path.cwd())
    seen: set[str] = set()
    for port in project.ports:
        text = files.decode(files.read_bytes(project.root / port.local.path)).text
        for found in definitions(text):
            owner, _, name = found.qualname.rpartition(".")
            if not found.is_class and port.name in (owner, found.qualname) and name not in seen:
                seen.add(name)
                yield name


def _classes() -> Iterator[str]:
    from omni_port.project.project import require_project

    yield from (port.name for port in require_project(Path.cwd()).ports)


def _questions() -> Iterator[str]:
    for question in _desk().questions:
        yield from (str(question.number), *map(str, question.places))


def _proposals() -> Iterator[str]:
    yield from (str(one.number) for one in _desk().proposals)


def _desk() -> Desk:
    from omni_port.decisions.desk import Desk
    from omni_port.project.project import require_project
    from omni_port.upgrade.open_items import load_open

    project = require_project(Path.cwd())
    return Desk(project, load_open(project), save=False)


def _names() -> Iterator[str]:
    from omni_port.project.project import find_project
    from omni_port.report.explain import list_names

    yield from list_names(find_project(Path.cwd()))


def _rules() -> Iterator[str]:
    from omni_port.plan.gate import load_rules
    from omni_port.project.project import find_project

    yield from (f"{rule.name}=" for rule in load_rules(find_project(Path.cwd())))


methods = completer(_methods)
classes = completer(_classes)
questions = completer(_questions)
proposals = completer(_proposals)
names = completer(_names)
rules = completer(_rules)
