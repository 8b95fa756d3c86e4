"""An upgrade, as the review shows it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from omni_port.decisions.desk import Desk
from omni_port.decisions.record import load_decisions, upgrade_of
from omni_port.documents.common import this_tool
from omni_port.documents.decide import QuestionValue, make_question
from omni_port.review.given import (
    Given,
    OpenItem,
    Phase,
    ReviewedFile,
    ReviewedMethod,
    Taken,
)
from omni_port.upgrade.carried_methods import MethodValue, summarise_method
from omni_port.upgrade.papers import make_title
from omni_port.upgrade.proposals import PROPOSAL, keys_of
from omni_port.upgrade.run import Run
from omni_port.upgrade.store import Store, Traces


def make_given(run: Run) -> Given:
    """Return what the review of *run* shows; raises OmniPortError.

    The questions come with their facts, for which siblings and histories are read.
    """
    store = Store(run.project.root)
    files = []
    for one, before in zip(run.written, run.before, strict=True):
        traces = {} if run.dry_run else store.traces(one.path)
        methods = tuple(_method(method, traces) for method in one.methods)
        files.append(ReviewedFile(one.path, before, one.after, one.now, methods))
    codes = _proposed(run)
    left = (
        OpenItem(
            one.kind.value,
            one.must,
            one.path,
            one.line,
            one.method,
            one.message,
            one.hint,
            one.detail or codes.get((one.path, one.key, one.message), ""),
            one.number,
        )
        for one in run.left
    )
    return Given(
        make_title(run.project, run.state.plan),
        this_tool().version,
        run.state.started,
        tuple(files),
        tuple(left),
        tuple(_questions(run)) if run.written else (),
        tuple(_taken(run)),
        tuple(_phases(run)),
        run.state.stop,
        run.next_action,
    )


def _proposed(run: Run) -> dict[tuple[str, str, str], str]:
    """The code of each proposal as added lines, by its file, its key and what is said of it."""
    return {
        (one.path, key, f"{edit.summary} ({edit.reason})"): textwrap.indent(
            edit.proposed, "+", lambda _: True
        )
        for one in run.written
        for method in one.methods
        if method.account is not None
        for edit in method.edits
        if edit.proposed
        for kind, key in keys_of(edit, method.account.method)
        if kind == PROPOSAL
    }


def _method(method: MethodValue, traces: Traces) -> ReviewedMethod:
    return ReviewedMethod(
        method.name,
        method.upstream if method.is_copy else "",
        summarise_method(method),
        method.account,
        traces.get(method.name, ()),
        "" if method.error is None else f"{method.error.message} {method.error.hint}".strip(),
    )


def _questions(run: Run) -> Iterator[QuestionValue]:
    desk = Desk(run.project)
    for question in desk.questions:
        yield make_question(question, desk.facts(question), desk.earlier(question), desk.texts)


def _taken(run: Run) -> Iterator[Taken]:
    now = upgrade_of(run.project)
    newest = {one.key: one for one in load_decisions(run.project) if one.upgrade == now}
    for one in newest.values():
        if one.proposed:
            continue
        sides = {"local": one.local, "base": one.base, "target": one.target, "text": one.text}
        shown = {name: text for name, text in sides.items() if text or name != "text"}
        yield Taken(one.take, one.because, one.by, one.on, one.places, shown)


def _phases(run: Run) -> Iterator[Phase]:
    for record in run.records:
        said = "; ".join(filter(None, (*record.evidence, record.blocker)))
        yield Phase(record.phase.value, record.status.value, said)
