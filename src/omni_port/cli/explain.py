"""``omni-port explain``."""

from __future__ import annotations

from pathlib import Path

import click

from omni_port.base.errors import ExitCode, UsageError
from omni_port.cli import complete
from omni_port.cli.console import Console


@click.command()
@click.argument("name", required=False, shell_complete=complete.names)
@click.pass_obj
def explain(console: Console, name: str | None) -> ExitCode:
    """Say what a code, rule, outcome or id means, and what to do: whatever a message names.

    NAME is a code (OP401), a rule of the gate, a kind of upstream change, an outcome (orphan), an
    exit code (3), or an entry of the table by its id or by a GPU or NPU name. In a project it is
    also a place (FILE:LINE) or the number of a question or proposal: then what the upgrade did
    there, and what speaks for each side. Without it, the names are listed. Needs no network.
    """
    from omni_port.cli.explain_place import explain_place, is_place
    from omni_port.project.project import find_project
    from omni_port.report.explain import iter_explanations, list_names, render_explanation

    project = find_project(Path.cwd())
    names = list_names(project)
    if name is None:
        click.echo("\n".join(names))
        console.say("and every entry of the table: see `omni-port table show`")
        return ExitCode.DONE
    told = [] if project is None else explain_place(project, name)
    told += [render_explanation(one) for one in iter_explanations(name, project)]
    told += _of_table(name)
    if not told and is_place(name):
        hint = "`omni-port decide` and `omni-port take` list what is open, with its places"
        raise UsageError(f"no upgrade put or left anything at {name}", hint=hint)
    if not told:
        from omni_codemods.findings.suggest import suggest

        hint = suggest(name, names, otherwise="`omni-port explain` lists what there is")
        raise UsageError(f"nothing is called {name!r}", hint=hint)
    click.echo("\n\n".join(told))
    return ExitCode.DONE


def _of_table(name: str) -> list[str]:
    from omni_port.methods.explain_entry import find_entries, render_entry
    from omni_port.sources.tables import load_merged, load_selected

    selected = load_selected((), None)
    return [render_entry(entry, selected, name) for entry in find_entries(load_merged(()), name)]
