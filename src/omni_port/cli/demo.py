"""``omni-port demo``."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from omni_port.base.bundled import find_bundled
from omni_port.base.errors import ExitCode, InternalError, UsageError
from omni_port.cli.console import Console

_SIDES = (
    "--local=local/omni_npu_runner.py::OmniNPUModelRunner "
    "--base=upstream-1/npu_runner.py::NPUModelRunner "
    "--target=upstream-2/npu_runner.py::NPUModelRunner"
)
STEPS = (
    ("GPU code becomes NPU code, by the table.", "translate --diff gpu-1/gpu_runner.py"),
    (
        "A local copy moves to a new upstream: its blocks go with the code around them.",
        f"rebase-method --method load_model {_SIDES} --diff",
    ),
    (
        "Where both sides changed the same thing, a person decides (exit code 3).",
        f"rebase-method --method execute_model {_SIDES} --diff",
    ),
    (
        "A whole upgrade: everything that the project file names, and what is left for a person.",
        "upgrade --dry-run",
    ),
)


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.pass_obj
def demo(console: Console, folder: Path | None) -> ExitCode:
    """Show the main jobs on a small world that comes with omni-port.

    The world (an upstream at two revisions, a local copy with blocks, GPU siblings, a project file)
    is put into a temporary folder, or into FOLDER, where it stays to be played with.
    """
    if folder is not None and folder.exists() and any(folder.iterdir()):
        raise UsageError("is not empty", hint="name a new folder", path=str(folder))
    with _world(folder) as root:
        console.say(f"in {root}")
        for said, line in STEPS:
            click.echo(f"# {said}\n$ omni-port {line}")
            code = _run(root, shlex.split(line))
            if code not in (ExitCode.DONE, ExitCode.PERSON):
                raise InternalError(f"the demo's own `omni-port {line}` ends with {int(code)}")
            click.echo()
    if folder is not None:
        console.say(f"the world is in {folder}: try the commands there")
    return ExitCode.DONE


def _run(root: Path, arguments: list[str]) -> ExitCode:
    from omni_port.cli import run

    before = Path.cwd()
    os.chdir(root)
    try:
        return ExitCode(run(arguments))
    finally:
        os.chdir(before)


@contextmanager
def _world(folder: Path | None) -> Iterator[Path]:
    """Copy the world to *folder*, or to one that goes when it is left."""
    world = find_bundled("world", "fixtures/world")
    if folder is not None:
        shutil.copytree(world, folder, dirs_exist_ok=True)
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="omni-port-demo-") as temporary:
        yield Path(shutil.copytree(world, Path(temporary, "world")))
