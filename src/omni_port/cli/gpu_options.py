"""The options that name the GPU sibling."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from omni_port.base.address import Address
from omni_port.cli.address_type import ADDRESS, METAVAR
from omni_port.cli.table_options import TABLES
from omni_port.project.project import load_settings
from omni_port.sources.sibling import GpuRequest


def gpu_options(*, target: bool) -> Callable[[Any], Any]:
    """Add the options that make a GpuRequest, given to the command as *gpu*.

    Where they are not given, *gpu* is ``None``. With *target* the table's release may be spelt
    ``--target``.
    """
    table_target = ("--target", "--table-target") if target else ("--table-target",)
    options: list[Callable[[Any], Any]] = [
        _address("base", "The GPU sibling before."),
        _address("target", "The GPU sibling after."),
        _address("upstream-base", "The sibling's upstream before: tells its own changes exactly."),
        _address("upstream-target", "The sibling's upstream after."),
        TABLES,
        click.option(
            *table_target,
            "table_target",
            metavar="RELEASE",
            help="The release that the table aims at, such as vllm-ascend==0.19.1rc1. "
            "[default: the newest that the table knows]",
        ),
    ]

    def decorate(function: Callable[..., Any]) -> Any:
        @functools.wraps(function)
        def wrapper(**arguments: Any) -> Any:
            names = ("base", "target", "upstream_base", "upstream_target")
            sides = [arguments.pop(f"gpu_{name}") for name in names]
            chosen = (arguments.pop("tables"), arguments.pop("table_target"))
            return function(gpu=_request(sides, *chosen), **arguments)

        decorated: Any = wrapper
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def table_choice(
    tables: tuple[Path, ...], target: str | None
) -> tuple[tuple[Path, ...], str | None]:
    """Return tables and release as given, or else as the project configures them."""
    settings = load_settings(Path.cwd())
    return tables or tuple(map(Path, settings.tables)), target or settings.target


def _address(end: str, text: str) -> Callable[[Any], Any]:
    return click.option(f"--gpu-{end}", type=ADDRESS, metavar=METAVAR, help=text)


def _request(
    sides: list[Address | None], tables: tuple[Path, ...], table_target: str | None
) -> GpuRequest | None:
    base, target, upstream_base, upstream_target = sides
    if base is None or target is None:
        if any(sides):
            raise click.UsageError("--gpu-base and --gpu-target need each other")
        if tables or table_target:
            raise click.UsageError("a table is for the GPU sibling: name it with --gpu-base")
        return None
    chosen = table_choice(tables, table_target)
    return GpuRequest(base, target, upstream_base, upstream_target, *chosen)
