from __future__ import annotations

from pathlib import Path

import pytest

from followed import CONFIGURATION, LOCAL, make_project, make_upstreams
from gitrepos import needs_git
from omni_port.base.errors import ConfigurationError, InputError
from omni_port.methods.find_port_base import PortBase, find_port_base
from omni_port.plan.plan import make_plan
from omni_port.project.project import Project, require_project

pytestmark = needs_git


def project(folder: Path, old: str = 'current = "v1"\n', new: str = "") -> Project:
    make_upstreams(folder)
    root = make_project(folder)
    (root / "omni-port.toml").write_text(CONFIGURATION.replace(old, new))
    return require_project(root)


@pytest.mark.parametrize("methods", ['methods = ["prepare", "execute"]\n', ""])
def test_what_most_copies_were_made_from(tmp_path: Path, methods: str) -> None:
    one = project(tmp_path)
    text = one.path.read_text().replace('methods = ["prepare", "execute"]\n', methods)
    one.path.write_text(text)
    one = require_project(one.root)
    assert find_port_base(one, one.ports[0]) == PortBase("DownNPURunner", "v1", 2, 2)


def test_the_plan_says_what_it_found(tmp_path: Path) -> None:
    found = make_plan(project(tmp_path))
    assert found.found == (PortBase("DownNPURunner", "v1", 2, 2),)
    assert {change.kind for change in found.changes} == {"copied-body"}
    assert len(found.history[0].commits) == 2


def test_nothing_is_looked_for_where_somebody_says_it(tmp_path: Path) -> None:
    assert make_plan(project(tmp_path, "", "")).found == ()
    based = CONFIGURATION + 'base = "v1"\n'
    (tmp_path / "down" / "omni-port.toml").write_text(based.replace('current = "v1"\n', ""))
    assert make_plan(require_project(tmp_path / "down")).found == ()


def test_a_port_without_copies(tmp_path: Path) -> None:
    one = project(tmp_path)
    local = one.root / "down/npu/npu_runner.py"
    head, _, _ = local.read_text().partition("    def prepare")
    local.write_text(head + "    def prepare(self):\n        return 1\n\n"
                     "    def execute(self):\n        return 2\n")  # fmt: skip
    with pytest.raises(InputError, match="nothing of DownNPURunner is a copy"):
        find_port_base(one, one.ports[0])


def test_folders_have_no_history_to_look_in(tmp_path: Path) -> None:
    one = project(tmp_path, 'repository = "../npulib"\ncurrent = "v1"\ntarget = "v3"',
                  'target = "../npulib"')  # fmt: skip
    with pytest.raises(ConfigurationError, match="says no 'current' revision"):
        make_plan(one)


def test_listed_methods_alone_count(tmp_path: Path) -> None:
    one = project(tmp_path)
    one.path.write_text(one.path.read_text().replace('["prepare", "execute"]', '["execute"]'))
    one = require_project(one.root)
    assert find_port_base(one, one.ports[0]) == PortBase("DownNPURunner", "v1", 1, 1)


def test_a_function_with_a_name_of_its_own(tmp_path: Path) -> None:
    one = project(tmp_path)
    body = LOCAL[LOCAL.index("    def execute") : LOCAL.index("\n    def talk")]
    function = body.replace("\n    ", "\n")[4:].replace("def execute", "def npu_execute")
    (one.root / "down/npu/npu_runner.py").write_text(function)
    text = one.path.read_text().partition("[[port]]")[0]
    one.path.write_text(
        f'{text}[[port]]\nlocal = "down/npu/npu_runner.py::npu_execute"\n'
        'upstream = "npulib:npulib/worker/runner.py::NPURunner.execute"\n'
    )
    one = require_project(one.root)
    assert find_port_base(one, one.ports[0]) == PortBase("npu_execute", "v1", 1, 1)
