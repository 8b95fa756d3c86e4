"""The end of an upgrade: the papers, and the commits where they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import msgspec

from omni_codemods.findings.errors import OmniCodemodsError
from omni_port.base.errors import InputError, OmniPortError, UndecidedError, from_library
from omni_port.base.words import count
from omni_port.base.writing import require_inside
from omni_port.project.project import shown_path
from omni_port.upgrade.left import Kind
from omni_port.upgrade.papers import paper_folder, write_papers
from omni_port.upgrade.phases import Phase, Record, Status
from omni_port.upgrade.planned import path_inside
from omni_port.upgrade.records import put_record
from omni_port.upgrade.render_papers import iter_papers, render_commit_message
from omni_port.upgrade.run import Run
from omni_port.upgrade.store import State, Store


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that was made: its full SHA, the local file, and the first line of its message."""

    sha: str
    path: str
    subject: str


def write_report(run: Run) -> Run:
    """Write the papers of *run*, and record the phase; a dry run writes nothing.

    What cannot be rendered or written makes the phase fail, and nothing else.
    """
    if run.dry_run:
        skipped = Record(Phase.REPORT, Status.SKIPPED, blocker="a dry run writes no papers")
        return replace(run, state=_recorded(run, skipped))
    folder = paper_folder(run.project, run.state.started, run.state.plan)
    action = "decide what is left" if run.needs_person else "validate on an NPU"
    evidence = f"papers in {shown_path(folder)}; `omni-port review` shows it side by side"
    done = Record(Phase.REPORT, Status.PASS, (evidence,), next_action=action)
    run = replace(run, state=_recorded(run, done))
    state = run.state
    try:
        require_inside(folder, run.project.root)
        made = write_papers(folder, iter_papers(run), state.papers)
        state = msgspec.structs.replace(state, papers=made)
    except (OmniPortError, OmniCodemodsError) as error:
        found = from_library(error) if isinstance(error, OmniCodemodsError) else error
        blocker = f"{found.place}: {found.message}".removeprefix(": ")
        hint = found.hint or "mend it, and run `omni-port upgrade` again"
        state = _recorded(run, Record(Phase.REPORT, Status.FAIL, (), blocker, hint))
    Store(run.project.root).save(state)
    return replace(run, state=state)


def _recorded(run: Run, record: Record) -> State:
    """Where the gate stopped the upgrade there is a workbook, and no report."""
    if not run.written and record.status is not Status.FAIL:
        return run.state
    return msgspec.structs.replace(run.state, phases=put_record(run.state.phases, record))


def commit_finished(run: Run) -> Iterator[Commit]:
    """Commit each local file that the upgrade changed, signed off; never pushes.

    Raises UndecidedError where something must be decided first, InputError where a merge or the
    like is under way, or the project is in no repository.
    """
    from omni_port import revisions

    _require_finished(run)
    checkout = revisions.checkout_of(run.project.root)
    if checkout is None:
        message = "the project is in no git repository"
        raise InputError(message, hint="commit it in your own way", path=str(run.project.root))
    if checkout.operation not in (None, "bisect"):
        message = f"nothing is committed: a {checkout.operation} is under way"
        raise InputError(message, hint="finish it, or give it up, first", path=checkout.root)
    for one in run.state.files:
        inside = path_inside(checkout.root, run.project.root, one.path)
        if one.before == one.after or not checkout.touches(inside):
            continue
        message = render_commit_message(run, one.path)
        try:
            sha = revisions.commit_paths(run.project.root, [inside], message)
        except revisions.NothingToCommit:  # a hook took it into the commit before
            continue
        yield Commit(sha, one.path, message.partition("\n")[0])


def _require_finished(run: Run) -> None:
    if not run.written:
        raise InputError("nothing is committed: the upgrade did not come to the files")
    left = [item for item in run.must if item.kind is not Kind.ORPHAN]
    if left:
        first = left[0]
        place = f"{first.path}:{first.line}" if first.line else first.path
        message = f"nothing is committed: {count(len(left), 'thing')} must be decided first"
        hint = f"the first is at {place}: {first.message}"
        raise UndecidedError(message, hint=hint)
