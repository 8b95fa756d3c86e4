from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.errors import ConfigurationError, InputError
from omni_port.methods.check_project import (
    check_ports,
    package_of,
    package_trees,
    require_table,
    require_trees,
)
from omni_port.project.project import Project, require_project
from planned import make_project
from worlds import PATCH, RUNNER, make_world

COPY = """\
from vllm.runner import Runner


class Mine(Runner):
    def run(self, x):
        return torch.cuda.current_stream(x)


import torch
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_world(tmp_path)


def codes(project: Project, **options: object) -> dict[str, list[str]]:
    found = check_ports(project, project.ports, **options)  # type: ignore[arg-type]
    return {
        one.path: [finding.code for finding in one.result.findings]
        for one in found.files
        if one.result
    }


def test_a_port_as_it_is(root: Path) -> None:
    assert codes(require_project(root)) == {RUNNER: [], PATCH: []}


def test_texts_instead_of_the_files(root: Path) -> None:
    text = "import torch\n\ntorch.cuda.synchronize()\n"
    assert codes(require_project(root), texts={PATCH: text})[PATCH] == ["OP603"]


def test_blocks_of_the_old_copies(root: Path) -> None:
    path = root / RUNNER
    text = path.read_text().replace("self.talker.warm_up(hidden)", "pass")
    assert "OP604" in codes(require_project(root), texts={RUNNER: text}, old=root)[RUNNER]


def test_codes_that_are_not_wanted(root: Path) -> None:
    config = root / "omni-port.toml"
    config.write_text(config.read_text() + '\n[check]\nignore = ["OP603"]\n')
    text = "import torch\n\ntorch.cuda.synchronize()\n"
    assert codes(require_project(root), texts={PATCH: text})[PATCH] == []


@pytest.mark.parametrize(("package", "found"), [("vllm", []), ("vllm_ascend", ["OP603"])])
def test_a_copy_of_the_gpu_upstream_is_gpu_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, found: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for end in ("one", "two"):
        folder = tmp_path / end / package
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
        (folder / "runner.py").write_text("class Runner:\n    def run(self, x):\n        pass\n")
    (tmp_path / "mine.py").write_text(COPY.replace("vllm.", f"{package}."))
    (tmp_path / "omni-port.toml").write_text(
        '[upstream.up]\ncurrent = "one"\ntarget = "two"\n\n'
        f'[[port]]\nlocal = "mine.py::Mine"\nupstream = "up:{package}/runner.py::Runner"\n'
    )
    assert codes(require_project(tmp_path)) == {"mine.py": found}


@pytest.mark.parametrize(
    ("path", "package"),
    [
        ("vllm_ascend/worker/x.py", ("vllm_ascend", "")),
        ("src/vllm/x.py", ("vllm", "src")),
        ("src/x.py", ("src", "")),
    ],
)
def test_package_of(path: str, package: tuple[str, str]) -> None:
    assert package_of(path) == package


def test_files_in_no_package_have_no_tree(root: Path) -> None:
    project = require_project(root)
    assert package_trees(project, project.ports) == {}


def test_a_tree_that_is_not_there_is_named(tmp_path: Path) -> None:
    make_project(tmp_path)
    one = require_project(tmp_path)
    require_trees(one, one.ports)
    for init in tmp_path.rglob("uplib/__init__.py"):
        init.unlink()
    with pytest.raises(InputError, match="holds no package uplib"):
        require_trees(one, one.ports)


def test_a_target_of_the_table_that_is_no_release_is_named(tmp_path: Path) -> None:
    make_project(tmp_path)
    require_table(require_project(tmp_path))
    config = tmp_path / "omni-port.toml"
    config.write_text(f'target = "vllm-ascend=0.19"\n{config.read_text()}')
    with pytest.raises(ConfigurationError, match="is no version") as caught:
        require_table(require_project(tmp_path))
    assert caught.value.path == str(config)
