"""A group that imports a command's module only when that command is called."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from omni_codemods.findings.suggest import suggest
from omni_port.cli.console import shared_options

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@dataclass(frozen=True, slots=True)
class Lazy:
    """Where a command lives (``module:attribute``), and its line in the list of commands.

    The line, and the *section* of the list that it is in, stand here so that ``--help`` need not
    import the module.
    """

    location: str
    short_help: str
    section: str = "Commands"

    def load(self) -> click.Command:
        """Import the command."""
        module, _, attribute = self.location.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{self.location} is not a command")
        add_shared(command)
        return command


def add_shared(command: click.Command) -> None:
    """Let *command*, and those below it, take ``-q``, ``-v`` and ``--color`` after its name too."""
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        add_shared(below)
    known = {name for param in command.params for name in param.opts}
    command.params += [option for option in shared_options() if not known & set(option.opts)]


class LazyGroup(click.Group):
    """A click group over *lazy* commands."""

    def __init__(self, *args: Any, lazy: Mapping[str, Lazy], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = dict(lazy)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order in which they were given."""
        return [*self.lazy, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command *cmd_name*, importing its module."""
        lazy = self.lazy.get(cmd_name)
        return super().get_command(ctx, cmd_name) if lazy is None else lazy.load()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that *args* start with; an unknown one is told its nearest name."""
        if self.get_command(ctx, args[0]) is None:
            hint = suggest(args[0], self.list_commands(ctx), otherwise="")
            if hint:
                ctx.fail(f"No such command {args[0]!r}. {hint[0].upper()}{hint[1:]}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Propose commands from the lines given, importing none, and the group's options."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=lazy.short_help)
            for name, lazy in self.lazy.items()
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the lines given, importing nothing."""
        width = max(map(len, self.lazy), default=0)
        for section in dict.fromkeys(lazy.section for lazy in self.lazy.values()):
            rows = [
                (f"{name:<{width}}", lazy.short_help)
                for name, lazy in self.lazy.items()
                if lazy.section == section
            ]
            with formatter.section(section):
                formatter.write_dl(rows)
