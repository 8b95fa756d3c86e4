"""The ``omni-port`` group: what is common to all commands. Imports click and nothing heavy."""

from __future__ import annotations

import sys

import click

from omni_port import __version__
from omni_port.cli.console import Console, shared_options
from omni_port.cli.lazy import Lazy, LazyGroup

_START = "Begin here"
_UPGRADE = "Upgrade a port"
_ONE = "One file or method"
_LOOK = "Look into it"

COMMANDS = {
    "demo": Lazy("omni_port.cli.demo:demo", "Show the main jobs on a small world.", _START),
    "init": Lazy("omni_port.cli.init:init", "Write the project file by looking.", _UPGRADE),
    "plan": Lazy("omni_port.cli.plan:plan", "Say what the upgrade of the project meets.", _UPGRADE),
    "upgrade": Lazy(
        "omni_port.cli.upgrade:upgrade",
        "Carry the ports of the project to the target revisions.",
        _UPGRADE,
    ),
    "decide": Lazy(
        "omni_port.cli.decide:decide",
        "Decide the conflicts of the ports, each question once.",
        _UPGRADE,
    ),
    "take": Lazy(
        "omni_port.cli.take:take", "Take what is proposed from the GPU sibling.", _UPGRADE
    ),
    "leave": Lazy(
        "omni_port.cli.take:leave",
        "Leave what is proposed, or what was looked at, as it is.",
        _UPGRADE,
    ),
    "review": Lazy(
        "omni_port.cli.review:review",
        "Show what the upgrade did, side by side, on one page.",
        _UPGRADE,
    ),
    "breaks": Lazy(
        "omni_port.cli.breaks:breaks",
        "Say what an upstream's step to another revision breaks in this code.",
        _UPGRADE,
    ),
    "check": Lazy("omni_port.cli.check:check", "Check files of a finished port.", _UPGRADE),
    "translate": Lazy(
        "omni_port.cli.translate:translate", "Translate GPU code to NPU code by the table.", _ONE
    ),
    "rebase-method": Lazy(
        "omni_port.cli.rebase_method:rebase_method",
        "Rebuild a local copy of a method on a new upstream.",
        _ONE,
    ),
    "sync-method": Lazy(
        "omni_port.cli.sync_method:sync_method",
        "Replay on an NPU method what its GPU sibling gained.",
        _ONE,
    ),
    "blocks": Lazy("omni_port.cli.blocks:blocks", "List the fenced blocks of files.", _LOOK),
    "provenance": Lazy(
        "omni_port.cli.provenance:provenance",
        "Say from which version of the upstream methods were copied.",
        _LOOK,
    ),
    "drift": Lazy(
        "omni_port.cli.drift:drift", "Compare a GPU class with its NPU counterpart.", _LOOK
    ),
    "table": Lazy("omni_port.cli.table:table", "Show, explain, check and verify the table.", _LOOK),
    "explain": Lazy(
        "omni_port.cli.explain:explain", "Say what a code, rule, outcome or id means.", _LOOK
    ),
    "skill": Lazy("omni_port.cli.skill:skill", "Give a coding agent the workflow.", _LOOK),
    "schema": Lazy("omni_port.cli.schema:schema", "Print the JSON Schema of a document.", _LOOK),
}

EPILOG = """\
Exit codes: 0 done, 1 --check found something, 2 usage or configuration, 3 a person must decide,
4 an input cannot be processed, 70 a bug in omni-port, 130 interrupted.
"""


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EPILOG,
    params=[*shared_options("auto")],
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Carry GPU code to NPU code, and local blocks onto new upstream releases.

    Results go to stdout, messages to stderr.
    """
    console = ctx.ensure_object(Console)
    if not console.quiet and sys.stderr is not None and sys.stderr.isatty():
        from omni_port.cli.progress import start_progress

        # The workers of a translation are forked: with a thread about, that is not safe.
        alone = ctx.invoked_subcommand != "translate"
        ctx.call_on_close(start_progress(alone=alone))
