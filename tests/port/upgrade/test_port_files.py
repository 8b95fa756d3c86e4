from __future__ import annotations

import ast
from pathlib import Path

import pytest

from omni_codemods.findings.model import EditKind, Outcome
from omni_codemods.functions.conflict_markers import HUNK, blank_hunks
from omni_port.base.errors import InputError, OmniPortError
from omni_port.methods.rebase import Rebase, rebase_method
from omni_port.methods.requests import rebase_request
from omni_port.project.project import require_project
from omni_port.upgrade.port_files import Carried, CarriedFile, Carrier
from worlds import PATCH, RUNNER, make_world, world_project


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_world(tmp_path)


def carry(root: Path) -> dict[str, CarriedFile]:
    return {one.path: one for one in Carrier(require_project(root)).carry()}


def of(file: CarriedFile, method: str) -> Carried:
    return next(one for one in file.methods if one.job.method == method)


def test_every_copy_is_rebased_in_the_order_of_the_file(root: Path) -> None:
    files = carry(root)
    names = [one.job.name for one in files[RUNNER].methods if one.job.is_copy]
    assert names == [
        f"OmniNPUModelRunner.{name}"
        for name in ("load_model", "_dummy_run", "execute_model", "sample_tokens", "capture_model")
    ]
    assert [one.job.name for one in files[PATCH].methods] == ["_build_batch"]
    assert all(one.error is None for file in files.values() for one in file.methods)


def test_all_together_is_what_each_alone_gives(root: Path) -> None:
    project = require_project(root)
    together = carry(root)[RUNNER].text
    for port in project.ports[:1]:
        for method in ("load_model", "_dummy_run", "sample_tokens"):
            alone = rebase_method(rebase_request(project, port, method)).result
            assert _cut(alone.text, method) == _cut(together, method)


def _cut(text: str, method: str) -> str:
    tree = ast.parse(blank_hunks(text))
    (found,) = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == method)
    assert found.end_lineno is not None
    return "\n".join(text.split("\n")[found.lineno - 1 : found.end_lineno])


def test_conflicts_of_one_method_stay_while_others_are_rebased(root: Path) -> None:
    file = carry(root)[RUNNER]
    account = of(file, "execute_model").account
    assert account is not None
    hunks = [file.text.count("\n", 0, h.start()) + 1 for h in HUNK.finditer(file.text)]
    assert sorted(c.line for c in account.result.conflicts) == hunks
    for side in ("local", "base", "target"):
        ast.parse(blank_hunks(file.text, side))
    assert "__omni_port" not in file.text


def test_lines_are_those_of_the_first_and_of_the_last_text(root: Path) -> None:
    file = carry(root)[RUNNER]
    before, after = file.local.source.text.split("\n"), file.text.split("\n")
    seen = 0
    for one in file.methods:
        assert one.account is not None
        for edit in one.account.result.edits:
            if edit.edit.kind is EditKind.BLOCK and edit.outcome is Outcome.CARRIED:
                assert edit.result is not None
                old = [x.strip() for x in before[edit.edit.span.start - 1 : edit.edit.span.end]]
                new = [x.strip() for x in after[edit.result.start - 1 : edit.result.end]]
                assert old[0] in new or new[0] in old
                seen += 1
    assert seen >= 8


def test_a_method_that_cannot_be_carried_stays_and_is_named(root: Path) -> None:
    target = root / "upstream-2" / "npu_runner.py"
    target.write_text(target.read_text().replace("def sample_tokens", "def sample_ids"))
    file = carry(root)[RUNNER]
    failed = of(file, "sample_tokens")
    assert isinstance(failed.error, OmniPortError)
    assert "sample_tokens" in failed.error.message
    old = file.local.source.text
    assert _cut(old, "sample_tokens") == _cut(file.text, "sample_tokens")
    assert of(file, "load_model").account is not None


def rename(root: Path, old: str, new: str) -> None:
    target = root / "upstream-2" / "npu_runner.py"
    target.write_text(target.read_text().replace(f"def {old}(", f"def {new}("))


def test_the_hint_of_a_renamed_method_is_a_key_that_makes_it_go(root: Path) -> None:
    straight = carry(root)[RUNNER].text
    rename(root, "sample_tokens", "sample_ids")
    failed = of(carry(root)[RUNNER], "sample_tokens")
    assert failed.error is not None
    assert (
        'upstream-target = "ascend:npu_runner.py::NPUModelRunner.sample_ids" in a port of its own, '
        'local = "local/omni_npu_runner.py::OmniNPUModelRunner.sample_tokens"'
    ) in failed.error.hint
    config = root / "omni-port.toml"
    config.write_text(
        config.read_text()
        + '\n[[port]]\nlocal = "local/omni_npu_runner.py::OmniNPUModelRunner.sample_tokens"\n'
        'upstream = "ascend:npu_runner.py::NPUModelRunner.sample_tokens"\n'
        'upstream-target = "ascend:npu_runner.py::NPUModelRunner.sample_ids"\n'
    )
    file = carry(root)[RUNNER]
    assert of(file, "sample_tokens").error is None
    assert file.text == straight


def test_a_class_that_moved_in_the_target(root: Path) -> None:
    straight = carry(root)[RUNNER].text
    target = root / "upstream-2"
    text = (target / "npu_runner.py").read_text()
    (target / "npu_runner.py").write_text("")
    (target / "new_place.py").write_text(text)
    config = root / "omni-port.toml"
    old = 'upstream = "ascend:npu_runner.py::NPUModelRunner"\n'
    new = old + 'upstream-target = "ascend:new_place.py::NPUModelRunner"\n'
    config.write_text(
        config.read_text().replace(old, new).partition('\n[[port]]\nlocal = "local/batch')[0]
    )
    found = carry(root)[RUNNER].text
    assert found.replace("new_place.py", "npu_runner.py") == straight


def test_nothing_changes_where_the_target_is_the_base(root: Path) -> None:
    config = root / "omni-port.toml"
    text = config.read_text().replace('target = "upstream-2"', 'target = "upstream-1"')
    config.write_text(text.replace('target = "gpu-2"', 'target = "gpu-1"'))
    for file in carry(root).values():
        assert not file.changed


def test_listed_methods_alone(root: Path) -> None:
    config = root / "omni-port.toml"
    listed = 'sibling = "gpu_runner.py::OmniGPUModelRunner"\nmethods = ["load_model"]'
    config.write_text(
        config.read_text().replace('sibling = "gpu_runner.py::OmniGPUModelRunner"', listed)
    )
    copies = [one.job.method for one in carry(root)[RUNNER].methods if one.job.is_copy]
    assert copies == ["load_model"]


def test_a_method_with_a_port_of_its_own_is_left_to_that(root: Path) -> None:
    config = root / "omni-port.toml"
    config.write_text(
        config.read_text()
        + '\n[[port]]\nlocal = "local/omni_npu_runner.py::OmniNPUModelRunner.load_model"\n'
        'upstream = "ascend:npu_runner.py::NPUModelRunner.load_model"\nbase = "upstream-2"\n'
    )
    methods = [one for one in carry(root)[RUNNER].methods if one.job.method == "load_model"]
    (one,) = methods
    assert isinstance(one.account, Rebase)
    assert "upstream-2" in one.account.base.address.path


def test_what_the_class_gained_is_said_once(root: Path) -> None:
    gpu = root / "gpu-2" / "gpu_runner.py"
    gpu.write_text(gpu.read_text() + "\n    def fresh(self):\n        return self.talker.state\n")
    proposed = [
        edit.edit.summary
        for one in carry(root)[RUNNER].methods
        if one.account
        for edit in one.account.result.edits
        if edit.edit.change == "new method"
    ]
    assert [line for line in proposed if "fresh" in line] == ["def fresh(self):"]


@pytest.mark.parametrize("name", ["OmniNPUModelRuner", "Nothing"])
def test_a_port_that_names_nothing(root: Path, name: str) -> None:
    config = root / "omni-port.toml"
    config.write_text(config.read_text().replace("py::OmniNPUModelRunner", f"py::{name}"))
    with pytest.raises(InputError) as caught:
        carry(root)
    assert name in caught.value.message
    assert caught.value.path.endswith(RUNNER)
    assert "OmniNPUModelRunner" in caught.value.hint or "project file" in caught.value.hint


def test_the_world_is_left_alone(tmp_path: Path) -> None:
    project = world_project(tmp_path)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    list(Carrier(project).carry())
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


def test_copies_that_are_known_are_not_looked_for(root: Path) -> None:
    carrier = Carrier(require_project(root), copies={"OmniNPUModelRunner": ["load_model"]})
    (file,) = (one for one in carrier.carry() if one.path == RUNNER)
    assert [one.job.method for one in file.methods if one.job.is_copy] == ["load_model"]
