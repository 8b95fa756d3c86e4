"""Every command of every guide is run, in its order, in a project where its files are.

What needs other repositories than the bundled world is held to the options that there are.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from commandline import Command
from omni_port.base.errors import ExitCode
from omni_port.cli.main import cli
from worlds import PATCH, RUNNER, make_world

ROOT = Path(__file__).parents[2]
GUIDES = sorted((ROOT / "docs" / "guide").glob("*.md"))
# Words of commands that are about what the bundled world has not.
_ELSEWHERE = ("../", "unpacked/", "_dummy_run", "take 4 7", "npu.py::", "seam-gone=", "my_decider")
_DONE = (ExitCode.DONE, ExitCode.WOULD_CHANGE, ExitCode.PERSON)


def iter_lines(page: Path) -> Iterator[list[str]]:
    """Yield the words of each command of *page* that is ours, without redirections."""
    for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for line in re.findall(r"^\$ (.*)$", block.replace("\\\n", " "), re.MULTILINE):
            words = shlex.split(line, comments=True)
            if words[0] == "omni-port":
                yield words[1 : words.index(">") if ">" in words else None]


def make_project(folder: Path) -> Path:
    """Put the world into *folder*, and what guides call their files."""
    root = make_world(folder)
    gpu = root / "gpu-1" / "gpu_runner.py"
    shutil.copy(gpu, root / "runner.py")
    (root / "worker").mkdir()
    shutil.copy(gpu, root / "worker" / "runner.py")
    npu = root / "vllm_omni" / "platforms" / "npu" / "worker"
    npu.mkdir(parents=True)
    shutil.copy(root / PATCH, npu / "patch.py")
    shutil.copy(root / PATCH, root / "PATHS")
    (root / "answer.py").write_text("self.timing.record(1)\n")
    return root


def check_options(words: list[str]) -> None:
    """Whether there are such a command and such options."""
    found: click.Command | None = cli
    context = click.Context(cli)
    while isinstance(found, click.Group):
        found = found.get_command(context, words[0])
        words = words[1:]
    assert found is not None
    found.make_parser(click.Context(found)).parse_args(args=list(words))


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_the_commands_of_a_guide_run(
    command: Command, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_project(tmp_path / "world")
    (root / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(root)
    assert (root / RUNNER).exists()
    for words in iter_lines(page):
        line = " ".join(words)
        if any(other in line for other in _ELSEWHERE):
            check_options(words)
            continue
        if words[0] in ("review", "decide") and not (root / ".omni-port").exists():
            assert command("upgrade").code == ExitCode.PERSON
        ran = command(*words)
        assert ran.code in _DONE, f"{line}: {ran.err}"
