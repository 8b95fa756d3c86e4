from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.errors import ConfigurationError, InputError, UsageError
from omni_port.project.project import Project, require_project
from omni_port.upgrade.port_method import find_ported

HEAD = '[upstream.up]\ncurrent = "1"\ntarget = "2"\n[siblings]\ncurrent = "1"\n'
LOCAL = """\
class A:
    def run(self):
        pass

    def stop(self):
        pass


class B:
    def run(self):
        pass


def run():
    pass
"""


def port(local: str, upstream: str = "U", **more: str) -> str:
    lines = "".join(f"{key} = {value}\n" for key, value in more.items())
    return f'[[port]]\nlocal = "a.py::{local}"\nupstream = "up:u.py::{upstream}"\n{lines}'


def project(folder: Path, *ports: str) -> Project:
    (folder / "a.py").write_text(LOCAL)
    (folder / "omni-port.toml").write_text(HEAD + "".join(ports))
    return require_project(folder)


def found(
    project: Project, method: str, *classes: str, mirrored: bool = False
) -> list[tuple[str, int]]:
    every = find_ported(project, method, classes, mirrored=mirrored)
    return [(one.port.name, one.line) for one in every]


def test_every_port_that_has_the_method(tmp_path: Path) -> None:
    both = project(tmp_path, port("A"), port("B"))
    assert found(both, "run") == [("A", 2), ("B", 10)]
    assert found(both, "stop") == [("A", 5)]


def test_listed_methods_and_no_others(tmp_path: Path) -> None:
    listed = project(tmp_path, port("A", methods='["stop"]'), port("B"))
    assert found(listed, "run") == [("B", 10)]


def test_a_function_is_its_own_method(tmp_path: Path) -> None:
    alone = project(tmp_path, port("run", "U.run"), port("A.stop", "U.halt"))
    assert found(alone, "run") == [("run", 14)]
    assert found(alone, "stop") == [("A.stop", 5)]


def test_a_port_of_the_method_alone_wins_over_that_of_its_class(tmp_path: Path) -> None:
    both = project(tmp_path, port("A"), port("A.run", "U.other"))
    assert found(both, "run") == [("A.run", 2)]


def test_a_class_narrows_and_stands_for_its_methods(tmp_path: Path) -> None:
    every = project(tmp_path, port("A", methods='["stop"]'), port("A.run", "U.other"), port("B"))
    assert found(every, "run", "A") == [("A.run", 2)]
    assert found(every, "run", "A.run") == [("A.run", 2)]
    assert found(every, "run", "B", "A") == [("A.run", 2), ("B", 10)]


def test_a_mirrored_method_is_any_of_a_class_with_a_sibling(tmp_path: Path) -> None:
    sibling = {"sibling": '"g.py::G"'}
    every = project(tmp_path, port("A", methods='["stop"]', **sibling), port("B"))
    assert found(every, "run", mirrored=True) == [("A", 2)]
    with pytest.raises(UsageError, match="no port with a GPU sibling has a method 'gone'"):
        found(every, "gone", mirrored=True)


def test_mirrored_without_siblings_it_is_said_what_is_missing(tmp_path: Path) -> None:
    one = project(tmp_path, port("A", sibling='"g.py::G"'))
    (tmp_path / "omni-port.toml").write_text(
        HEAD.partition("[siblings]")[0] + port("A", sibling='"g.py::G"')
    )
    with pytest.raises(ConfigurationError, match="says no 'current' revision"):
        found(require_project(tmp_path), "run", mirrored=True)
    assert found(one, "run", mirrored=True) == [("A", 2)]


def test_what_no_port_has(tmp_path: Path) -> None:
    one = project(tmp_path, port("A"))
    with pytest.raises(UsageError, match="no port has a method 'stopp'") as caught:
        found(one, "stopp")
    assert caught.value.hint == "did you mean stop?"
    with pytest.raises(UsageError) as caught:
        found(one, "wholly_unlike")
    assert caught.value.hint == "known: run, stop"


def test_a_class_that_is_no_port(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no port 'Runner'") as caught:
        found(project(tmp_path, port("A")), "run", "Runner")
    assert caught.value.hint == "known: A"


def test_a_port_that_is_not_there_is_named_when_it_is_used(tmp_path: Path) -> None:
    gone = project(tmp_path, port("AA"), port("B"))
    with pytest.raises(InputError, match="no class or function AA, which") as caught:
        found(gone, "run")
    assert caught.value.hint == "did you mean A?"
    assert found(gone, "run", "B") == [("B", 10)]
    (tmp_path / "a.py").unlink()
    with pytest.raises(InputError, match="cannot be read") as caught:
        found(gone, "run", "B")
    assert "omni-port.toml names it" in caught.value.hint


def test_a_port_in_a_file_that_is_not_python(tmp_path: Path) -> None:
    one = project(tmp_path, port("A"))
    (tmp_path / "a.py").write_text("class A(:\n")
    with pytest.raises(InputError, match="not Python"):
        found(one, "run")


def test_a_port_in_a_file_of_another_encoding_keeps_its_hint(tmp_path: Path) -> None:
    one = project(tmp_path, port("A"))
    (tmp_path / "a.py").write_bytes(b"# caf\xe9\n")
    with pytest.raises(InputError, match="not utf-8") as caught:
        found(one, "run")
    assert "coding cookie" in caught.value.hint
