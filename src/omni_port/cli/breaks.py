"""``omni-port breaks``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omni_port.base.errors import ExitCode, UsageError
from omni_port.cli.console import Console
from omni_port.cli.format_option import format_option
from omni_port.cli.streams import show
from omni_port.project.project import load_settings

if TYPE_CHECKING:
    from omni_port.plan.breaks import Breaks
    from omni_port.sources.upstream import Upstream


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option(
    "--upstream",
    "spelled",
    multiple=True,
    metavar="NAME=REPO@OLD..NEW",
    help="An upstream with two revisions of it, or two folders: NAME=OLD..NEW. Repeatable. "
    "[default: those of the project]",
)
@click.option(
    "--since-good",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A baseline: what it knows is not reported. With --update it is written.",
)
@click.option("--update", is_flag=True, help="Write what breaks to the file of --since-good.")
@format_option("json", "markdown", "github", "sarif", text="How to print what breaks.")
@click.pass_obj
def breaks(
    console: Console,
    paths: tuple[Path, ...],
    spelled: tuple[str, ...],
    since_good: Path | None,
    update: bool,
    form: str,
) -> ExitCode:
    """Say what an upstream's step to another revision breaks in this code.

    What fits OLD and no longer fits NEW, and nothing else: imports, attributes, calls, overrides,
    state, patches. It is grouped by the upstream change that causes it, each place with what
    upstream writes instead, where it shows that. PATH is a file or a folder, by default the
    packages here. Exits 1 where something breaks.
    """
    from omni_port import revisions
    from omni_port.plan.breaks import find_breaks
    from omni_port.report.breaks import render_breaks_closing

    if update and since_good is None:
        raise UsageError("--update writes the file of --since-good", hint="name that file, too")
    known = _baseline(since_good) if since_good is not None and not update else frozenset()
    upstreams, root = _upstreams(spelled)
    exclude = load_settings(root).exclude
    chosen = paths or _packages(root)
    with revisions.session():
        found = find_breaks(upstreams, chosen, root, exclude=exclude, baseline=known)
    if update and since_good is not None:
        _write(since_good, found)
        console.say(f"{since_good}: {len(found.places)} known from now on")
        return ExitCode.DONE
    _print(found, form)
    for path in found.left:
        console.say(f"{path}: not Python, left out")
    if found.unread:
        console.say(f"not parsed, and nothing said of it: {', '.join(found.unread)}")
    console.say(render_breaks_closing(found))
    return ExitCode.WOULD_CHANGE if found.broken else ExitCode.DONE


def _upstreams(spelled: tuple[str, ...]) -> tuple[list[Upstream], Path]:
    from omni_port.project.project import require_project
    from omni_port.sources.upstream import Upstream, parse_upstream

    if spelled:
        return [parse_upstream(one) for one in spelled], Path.cwd()
    project = require_project(Path.cwd())
    found = [
        Upstream(name, one.target, one.current, one.repository)
        for name, one in project.settings.upstream.items()
        if one.current is not None
    ]
    if not found:
        raise UsageError(
            f"{project.path} names no upstream with a current revision",
            hint="write current = ... there, or give --upstream NAME=REPO@OLD..NEW",
        )
    return found, project.root


def _packages(root: Path) -> list[Path]:
    from omni_port.sources.upstream import packages_of

    found = [root / start / package for package, start in packages_of(root).items()]
    if not found:
        raise UsageError("there is no package here", hint="name the files or folders to look at")
    return found


def _baseline(path: Path) -> frozenset[str]:
    try:
        data = json.loads(path.read_text("utf-8"))
        return frozenset(data["breaks"])
    except (OSError, ValueError, TypeError, KeyError) as error:
        hint = f"write it first: omni-port breaks ... --since-good {path} --update"
        raise UsageError(f"{path} is no baseline that can be read: {error}", hint=hint) from error


def _write(path: Path, found: Breaks) -> None:
    known = sorted({one.identity for one in found.places})
    path.write_text(json.dumps({"version": 1, "breaks": known}, indent=2) + "\n", "utf-8")


def _print(found: Breaks, form: str) -> None:
    text = ""
    if form == "json":
        from omni_port.documents.breaks import make_breaks_document
        from omni_port.documents.common import render_document

        text = render_document(make_breaks_document(found))
    elif form == "markdown":
        from omni_port.report.breaks import render_breaks_markdown

        text = render_breaks_markdown(found)
    elif form == "github":
        from omni_port.report.breaks import breaks_as_findings
        from omni_port.report.github import render_github

        text = "\n".join(map(render_github, breaks_as_findings(found)))
    elif form == "sarif":
        from omni_port.report.breaks import breaks_as_findings
        from omni_port.report.sarif import render_sarif

        text = render_sarif(breaks_as_findings(found))
    else:
        from omni_port.report.breaks import render_breaks_text

        text = render_breaks_text(found)
    if text:
        show(text, form)
