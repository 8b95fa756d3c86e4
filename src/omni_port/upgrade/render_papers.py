"""The papers of an upgrade, rendered from templates that a project may replace.

Every template gets ``run``, the document that ``omni-port schema upgrade`` describes, and
``title``; what else each one gets stands with its function here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
import msgspec

from omni_codemods.findings.codes import CODES
from omni_codemods.findings.model import EditKind, Outcome, Span
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.impact.model import Impact
from omni_codemods.text.dotted import first_part
from omni_port.base.errors import ConfigurationError
from omni_port.base.words import count
from omni_port.methods.blocks import build_inventory
from omni_port.project.project import Project, by_file
from omni_port.report.blocks import render_blocks_markdown
from omni_port.report.markdown import code, make_environment, render_template, require_template
from omni_port.report.plan_markdown import require_plan_template
from omni_port.report.rebase_text import render_span
from omni_port.review.given import Given, OpenItem
from omni_port.review.summary import PAPER, by_kind, count_changed, render_review_markdown
from omni_port.upgrade.carried_methods import MethodValue, summarise_method
from omni_port.upgrade.document import UpgradeDocument, make_upgrade_document
from omni_port.upgrade.left import Kind
from omni_port.upgrade.papers import Paper, make_title, name_upstream, spell_end
from omni_port.upgrade.reviewed import make_given
from omni_port.upgrade.run import Run

DECIDE, CHECKLIST = "decide.md", "checklist.md"
TEMPLATES = (DECIDE, PAPER, CHECKLIST)
COMMIT = "commit.txt"
# What the codes of the checks begin with.
_CHECKS = "OP6"
# So many upstream changes stand in a commit message; the plan has all of them.
_CHANGES = 12
CONFLICT, WARNING = Kind.CONFLICT.value, Kind.WARNING.value
_CARRIED = (Outcome.CARRIED, Outcome.MOVED)


def iter_papers(run: Run) -> Iterator[Paper]:
    """Yield the papers of *run*: where the gate stopped it, what is to decide alone.

    Raises ConfigurationError for a template that cannot be rendered.
    """
    context = _context(run)
    for name in TEMPLATES:
        if name == PAPER and run.written:
            text = render_review_markdown(context["given"], _folder(run.project))
            yield Paper(name, text)
        elif run.written or name == DECIDE:
            yield Paper(name, _render(run.project, name, context))


def require_templates(project: Project) -> None:
    """Raise ConfigurationError where a template of the project cannot be read as one."""
    folder = _folder(project)
    if folder is None:
        return
    environment = _environment(folder)
    for name in (*TEMPLATES, COMMIT):
        require_template(environment, name, folder)
    require_plan_template(folder)


def render_commit_message(run: Run, path: str) -> str:
    """Return the message of the commit of the local file *path*.

    Its template also gets ``ports``, ``to`` (the target), ``upstreams`` and ``methods`` (a line
    each), ``blocks`` and ``absorbed`` (numbers), ``changes`` and ``synced`` (lines).
    """
    document = make_upgrade_document(run)
    ports = by_file(run.project.ports)[path]
    names = list(dict.fromkeys(port.name for port in ports))
    methods = next(one.methods for one in run.state.files if one.path == path)
    edits = [edit for method in methods for edit in method.edits]
    outcomes = [edit.outcome for edit in edits if edit.kind is EditKind.BLOCK]
    source = ports[0].source
    context = {
        "run": msgspec.to_builtins(document),
        "title": make_title(run.project, run.state.plan),
        "ports": list(dict.fromkeys(first_part(name) for name in names)),
        "to": f"{name_upstream(run.project, source)} {spell_end(run.project, source, 'target')}",
        "upstreams": list(_upstream_lines(run)),
        "methods": [line for line in map(_committed, methods) if line],
        "blocks": sum(outcome in _CARRIED for outcome in outcomes),
        "absorbed": outcomes.count(Outcome.ABSORBED),
        "changes": list(_changes(document, names)),
        "synced": [
            edit.summary
            for edit in edits
            if edit.kind is EditKind.SIBLING and edit.outcome in (*_CARRIED, Outcome.FOLLOWED)
        ],
    }
    lines = [line.rstrip() for line in _render(run.project, COMMIT, context).split("\n")]
    kept = [x for n, x in enumerate(lines) if x or (n and lines[n - 1])]
    return "\n".join(kept).strip() + "\n"


def _context(run: Run) -> dict[str, Any]:
    given = make_given(run)
    return {
        "given": given,
        "changed": count_changed(given),
        "must": [item for item in given.left if item.must and item.kind != CONFLICT],
        "rest": by_kind([item for item in given.left if not item.must]),
        "looks": list(_looks(given)),
        "run": msgspec.to_builtins(make_upgrade_document(run)),
        "title": make_title(run.project, run.state.plan),
        "plan_markdown": run.state.plan_markdown,
        "checks": list(_checks(run)),
        "inventories": [
            render_blocks_markdown(build_inventory(one.path, blank_hunks(one.now, "local")))
            for one in run.written
        ],
    }


def _looks(given: Given) -> Iterator[OpenItem]:
    """What is to be looked at, each number once: what hangs together is one thing."""
    numbers: set[int] = set()
    for item in given.left:
        if item.must or item.kind == WARNING or item.number in numbers:
            continue
        numbers.update({item.number} - {0})
        yield item


def _render(project: Project, name: str, context: Mapping[str, Any]) -> str:
    folder = _folder(project)
    return render_template(_environment(folder), name, folder, context)


def _folder(project: Project) -> Path | None:
    configured = project.settings.papers.templates
    folder = None if configured is None else project.root / Path(configured)
    if folder is not None and not folder.is_dir():
        message = f"no folder {configured!r} - at `$.papers.templates`"
        hint = "make it, or write the path from this file on"
        raise ConfigurationError(message, hint=hint, path=str(project.path))
    return folder


def _environment(folder: Path | None) -> jinja2.Environment:
    environment = make_environment(folder)
    environment.filters.update(lines=_lines, places=_places, what=_what, outcome=_outcome)
    return environment


def _lines(span: Mapping[str, int] | None) -> str:
    if span is None:
        return "no line"
    shown = render_span(Span(span["start"], span["end"]))
    return f"lines {shown}" if "-" in shown else f"line {shown}"


def _places(spans: Sequence[Mapping[str, int]]) -> str:
    starts = list(dict.fromkeys(span["start"] for span in spans))
    return f"line{'' if len(starts) == 1 else 's'} {', '.join(map(str, starts))}"


def _what(edit: Mapping[str, Any]) -> str:
    """Name an edit: by its first line of code, or by its label."""
    return code(edit["summary"] or edit["label"]) or "comments alone"


def _outcome(method: Mapping[str, Any]) -> str:
    return summarise_method(msgspec.convert(method, MethodValue))


def _checks(run: Run) -> Iterator[dict[str, Any]]:
    for known in (one for one in CODES.values() if one.code.startswith(_CHECKS)):
        found = [
            f"{one.path}:{finding.line}"
            for one in run.checked
            for finding in (one.result.findings if one.result else ())
            if finding.code == known.code
        ]
        yield {"code": known.code, "title": known.title, "found": found}


def _upstream_lines(run: Run) -> Iterator[str]:
    plan = run.state.plan
    for name in run.project.settings.upstream:
        parts = []
        for end in ("current", "target"):
            fixed = plan.identity.end(name, end) if plan else None
            short = ((fixed.revision or fixed.digest or "") if fixed else "")[:12]
            parts.append(spell_end(run.project, name, end) + (f" ({short})" if short else ""))
        yield f"{name_upstream(run.project, name)} {parts[0]} to {parts[1]}"


def _committed(method: MethodValue) -> str:
    """What a commit says of a method: what is in the text, and what a person decided."""
    account = method.account
    if account is None:
        return f"{method.name}: carried by hand"
    summary = account.summary
    kept = {"carried": summary.carried, "moved": summary.moved}
    said = [f"{number} {outcome}" for outcome, number in kept.items() if number]
    if summary.absorbed:
        said.append(f"{summary.absorbed} now in the upstream")
    if account.conflicts:
        said.append(f"{count(len(account.conflicts), 'conflict')} decided by hand")
    if not said and not method.is_copy:
        return ""
    what = "rebased" if method.is_copy else "synced with its GPU sibling"
    return f"{method.name}: {what}" + (f" ({', '.join(said)})" if said else "")


def _changes(document: UpgradeDocument, ports: list[str]) -> Iterator[str]:
    found = [
        f"{change.subject}: {change.message}"
        for change in (document.plan.changes if document.plan else ())
        if change.impact is not Impact.MECHANICAL
        and any(consumer.port in ports for consumer in change.consumers)
    ]
    yield from found[:_CHANGES]
    if len(found) > _CHANGES:
        yield f"and {len(found) - _CHANGES} more"
