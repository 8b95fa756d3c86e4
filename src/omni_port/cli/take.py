"""``omni-port take`` and ``omni-port leave``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from omni_port.base.errors import ExitCode, UsageError
from omni_port.base.words import count
from omni_port.cli import complete
from omni_port.cli.console import Console
from omni_port.cli.format_option import format_option

if TYPE_CHECKING:
    from omni_port.decisions.desk import Desk
    from omni_port.decisions.proposal import Proposal


@click.command()
@click.argument("which", nargs=-1, shell_complete=complete.proposals)
@click.option("--because", default="", metavar="TEXT", help="Why; kept with the decision.")
@format_option("json", text="How to print the proposals.")
@click.pass_obj
def take(console: Console, which: tuple[str, ...], because: str, form: str) -> ExitCode:
    """Take what is proposed from the GPU sibling: WHICH are numbers or keys, one or more.

    Without them, what is open is listed, with its translated code: what hangs together is one
    item. What was taken is kept in omni-port.decisions.toml, and the next `omni-port upgrade` puts
    it in, with the same checks as everything else; so does the upgrade in a colleague's clone.
    """
    from omni_port.decisions.proposal import TAKEABLE

    desk = _desk()
    if not which:
        _list(console, desk, form)
        return ExitCode.DONE
    for one in _chosen(desk, which):
        if one.kind not in TAKEABLE:
            message = f"{one.number} is to be looked at ({one.kind}): there is nothing to put in"
            raise UsageError(message, hint=f"edit {_place(one)}, or `omni-port leave {one.number}`")
        _settle(console, desk, one, "take", because)
    console.say("`omni-port upgrade` puts in what was taken")
    return ExitCode.DONE


@click.command()
@click.argument("which", nargs=-1, required=True, shell_complete=complete.proposals)
@click.option("--because", required=True, metavar="TEXT", help="Why; kept with the decision.")
@click.pass_obj
def leave(console: Console, which: tuple[str, ...], because: str) -> ExitCode:
    """Leave what is proposed, or what was only to be looked at, as it is: WHICH are numbers.

    It is not listed again, in this upgrade and, where the same code is proposed, in later ones:
    that is kept in omni-port.decisions.toml.
    """
    if not because.strip():
        raise UsageError("a decision needs its reason", hint='--because "..."')
    desk = _desk()
    for one in _chosen(desk, which):
        _settle(console, desk, one, "leave", because)
    return ExitCode.DONE


def _desk() -> Desk:
    from omni_port.decisions.desk import Desk
    from omni_port.project.project import require_project
    from omni_port.upgrade.open_items import load_open

    project = require_project(Path.cwd())
    return Desk(project, load_open(project))


def _chosen(desk: Desk, which: tuple[str, ...]) -> list[Proposal]:
    by_name = {name: one for one in desk.proposals for name in (str(one.number), one.key)}
    questions = {str(one.number) for one in desk.questions}
    for name in which:
        if name in questions:
            hint = f"`omni-port decide {name}` answers it"
            raise UsageError(f"{name} is a question of a conflict", hint=hint)
        if name not in by_name:
            hint = "`omni-port take` lists what is open"
            raise UsageError(f"no open proposal {name!r}", hint=hint)
    return list(dict.fromkeys(by_name[name] for name in which))


def _settle(console: Console, desk: Desk, one: Proposal, what: str, because: str) -> None:
    desk.settle(one, what, because)
    done = "taken" if what == "take" else "left"
    console.say(f"{one.number}: {done}, {count(len(one.keys), 'part')}")


def _place(one: Proposal) -> str:
    part = one.parts[0]
    return f"{part.path}:{part.line}" if part.line else part.path


def _list(console: Console, desk: Desk, form: str) -> None:
    if form == "json":
        from omni_port.documents.common import render_document
        from omni_port.documents.decide import make_decide_document

        click.echo(render_document(make_decide_document((), desk.proposals)))
        return
    from omni_port.report.proposals import render_proposal

    for one in desk.proposals:
        click.echo(render_proposal(one) + "\n")
    console.say(f"{count(len(desk.proposals), 'proposal')} to take or leave")
