"""``omni-port decide``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from omni_port.base.errors import ExitCode, UndecidedError, UsageError
from omni_port.base.words import count
from omni_port.cli import complete
from omni_port.cli.console import Console
from omni_port.cli.format_option import format_option
from omni_port.cli.streams import show

if TYPE_CHECKING:
    from omni_port.decisions.desk import Desk
    from omni_port.decisions.question import Question

_TAKE = ("local", "target", "base", "both", "text")


@click.command()
@click.argument("which", required=False, shell_complete=complete.questions)
@click.option("--take", type=click.Choice(_TAKE), help="Whose code it shall be.")
@click.option(
    "--text",
    type=click.File("r", encoding="utf-8"),
    metavar="FILE",
    help="The code of --take text.",
)
@click.option("--because", metavar="TEXT", help="Why; kept with the decision. Required.")
@click.option("--accept", is_flag=True, help="Take what is proposed: of a decider, or from before.")
@click.option(
    "--with",
    "decider",
    metavar="CMD",
    help="Ask CMD each open question, as JSON on its stdin; its answers are proposals.",
)
@format_option("json", text="How to print the questions.")
@click.pass_obj
def decide(
    console: Console,
    which: str | None,
    take: str | None,
    text: TextIO | None,
    because: str | None,
    accept: bool,
    decider: str | None,
    form: str,
) -> ExitCode:
    """Decide the conflicts of the ports, each question once, with what speaks for each side.

    Without arguments: on a terminal they are gone through one by one, else they are listed. WHICH
    is a question's number, key or place (FILE:LINE). Decisions are kept in
    omni-port.decisions.toml, which git carries: a colleague's clone comes to the same result. Exits
    3 while a question is open.
    """
    from omni_port import revisions
    from omni_port.decisions.desk import Desk
    from omni_port.project.project import require_project
    from omni_port.upgrade.open_items import load_open

    if (take or text or because) and which is None:
        raise click.UsageError("say which question: its number, key, or FILE:LINE")
    project = require_project(Path.cwd())
    with revisions.session():
        desk = Desk(project, load_open(project))
        if desk.apply():
            desk.read()
        if which is not None:
            _one(console, desk, which, take, text.read() if text else "", because, accept=accept)
        elif accept:
            _accept_all(console, desk)
        elif decider is not None:
            _ask_all(console, desk, decider)
        elif form == "text" and sys.stdin is not None and sys.stdin.isatty():
            _go_through(console, desk)
        else:
            _list(desk, form)
    console.say(f"{count(len(desk.questions), 'question')} open")
    if desk.proposals:
        console.say(f"{count(len(desk.proposals), 'proposal')} to take or leave: `omni-port take`")
    return ExitCode.PERSON if desk.questions else ExitCode.DONE


def _one(
    console: Console,
    desk: Desk,
    which: str,
    take: str | None,
    text: str,
    because: str | None,
    *,
    accept: bool,
) -> None:
    from omni_codemods.findings.suggest import suggest
    from omni_port.decisions.question import among

    question = among(desk.questions, which)
    if question is None:
        names = [name for one in desk.questions for name in map(str, one.places)]
        hint = suggest(which, names, otherwise="`omni-port decide` lists them")
        raise UsageError(f"no open question {which!r}", hint=hint)
    if accept:
        _accept(console, desk, question)
    elif take is None:
        show(_render(desk, question))
    else:
        if not (because or "").strip():
            raise UsageError("a decision needs its reason", hint='--because "..."')
        if bool(text) != (take == "text"):
            raise UsageError("--take text and --text FILE need each other")
        _take(console, desk, question, take, because or "", text)


def _take(
    console: Console, desk: Desk, question: Question, take: str, because: str, text: str = ""
) -> None:
    done = desk.take(desk.make(question, take, because, text=text, by="a person"))
    console.say(f"{question.number}: {take}, at {count(done, 'place')}")


def _accept(console: Console, desk: Desk, question: Question) -> None:
    earlier = desk.earlier(question)
    if earlier is None:
        raise UsageError(f"nothing is proposed for question {question.number}")
    made = desk.make(question, earlier.take, earlier.because, text=earlier.text, by=earlier.by)
    done = desk.take(made)
    console.say(f"{question.number}: {earlier.take}, at {count(done, 'place')}")


def _accept_all(console: Console, desk: Desk) -> None:
    for question in list(desk.questions):
        if desk.earlier(question) is not None:
            _accept(console, desk, question)


def _ask_all(console: Console, desk: Desk, decider: str) -> None:
    import msgspec

    from omni_port.decisions.desk import ask
    from omni_port.documents.decide import make_question

    for question in list(desk.questions):
        asked = make_question(question, desk.facts(question), desk.earlier(question), desk.texts)
        answer = ask(decider, asked, desk.project.root)
        try:
            made = desk.make(question, answer.take, answer.because, text=answer.text, by=decider)
        except UndecidedError as error:
            console.say(f"{question.number}: the answer {answer.take} is not kept: {error.message}")
            continue
        desk.take(msgspec.structs.replace(made, proposed=True))
        console.say(f"{question.number}: {answer.take} is proposed: {answer.because}")


def _go_through(console: Console, desk: Desk) -> None:
    """Ask a person each question; what is answered later stays open."""
    keys = [question.key for question in desk.questions]
    for key in keys:
        question = next((one for one in desk.questions if one.key == key), None)
        if question is None:
            continue
        show(_render(desk, question))
        choices = click.Choice(["local", "target", "both", "edit", "accept", "later"])
        take = click.prompt("take", type=choices, default="later")
        try:
            _answered(console, desk, question, take)
        except (UndecidedError, UsageError) as error:
            console.say(f"{error.message}: stays open")


def _answered(console: Console, desk: Desk, question: Question, take: str) -> None:
    if take == "later":
        return
    if take == "accept":
        _accept(console, desk, question)
        return
    text = ""
    if take == "edit":
        start = question.target + question.local
        take, text = "text", click.edit(start, extension=".py") or ""
        if not text:
            return
    _take(console, desk, question, take, click.prompt("because"), text)


def _list(desk: Desk, form: str) -> None:
    if form == "json":
        from omni_port.documents.common import render_document
        from omni_port.documents.decide import make_decide_document, make_question

        questions = [
            make_question(one, desk.facts(one), desk.earlier(one), desk.texts)
            for one in desk.questions
        ]
        click.echo(render_document(make_decide_document(questions, desk.proposals)))
        return
    for question in desk.questions:
        show(_render(desk, question) + "\n\n")


def _render(desk: Desk, question: Question) -> str:
    from omni_port.report.decide import render_question

    return render_question(question, desk.facts(question), desk.earlier(question))
