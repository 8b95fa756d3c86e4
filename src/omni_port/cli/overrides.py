"""``--override RULE=REASON``, for the commands that pass the gate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from omni_port.cli import complete


class OverrideType(click.ParamType[tuple[str, str]]):
    """``RULE=REASON`` on the command line."""

    name = "override"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Return the rule and the reason."""
        if isinstance(value, tuple):
            return value
        rule, _, reason = str(value).partition("=")
        if not rule.strip() or not reason.strip():
            self.fail(f"{value!r} is not RULE=REASON: the reason lands in the report", param, ctx)
        return rule.strip(), reason.strip()


def override_option(function: Callable[..., Any]) -> Any:
    """Add ``--override``, given to the command as *overrides*."""
    return click.option(
        "--override",
        "overrides",
        type=OverrideType(),
        multiple=True,
        metavar="RULE=REASON",
        shell_complete=complete.rules,
        help="A rule of the gate that shall not stop this upgrade, and why. Repeatable.",
    )(function)
