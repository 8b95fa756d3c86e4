from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.address import Address, parse_address
from omni_port.base.errors import ExitCode, InputError
from omni_port.methods.rebase import RebaseRequest, rebase_method
from omni_port.sources.file_at import class_of


@pytest.mark.parametrize(
    ("qualname", "method", "expected"),
    [
        (None, "run", None),
        ("Runner", "run", "Runner"),
        ("Runner.run", "run", "Runner"),
        ("run", "run", None),
        ("Outer.Inner", "run", "Outer.Inner"),
        ("Outer.Inner.run", "run", "Outer.Inner"),
        ("Rerun", "run", "Rerun"),
        ("Runner.prerun", "run", "Runner.prerun"),
    ],
)
def test_class_of(qualname: str | None, method: str, expected: str | None) -> None:
    assert class_of(Address("x.py", qualname=qualname), method) == expected


def request(folder: Path, target: str = "target.py") -> RebaseRequest:
    texts = {
        "local.py": "def run(x):\n    y = read(x)\n    talk(y)  # Omni-new\n    return y\n",
        "base.py": "class Up:\n    def run(x):\n        y = read(x)\n        return y\n",
        "target.py": "class Up:\n    def run(x):\n        y = read(x, 1)\n        return y\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    local, base, aim = (parse_address(f"{folder}/{n}") for n in ("local.py", "base.py", target))
    return RebaseRequest("run", local, base, aim)


def test_a_function_from_a_method(tmp_path: Path) -> None:
    rebase = rebase_method(request(tmp_path))
    assert rebase.changed
    assert rebase.exit_code == ExitCode.DONE
    assert "read(x, 1)" in rebase.result.text
    assert "talk(y)  # Omni-new" in rebase.result.text
    assert rebase.local.label == f"{tmp_path}/local.py"
    assert len(rebase.base.provenance.sha256) == 64


def test_nothing_to_move_to(tmp_path: Path) -> None:
    rebase = rebase_method(request(tmp_path, "base.py"))
    assert not rebase.changed


def test_an_error_names_the_file_of_its_side(tmp_path: Path) -> None:
    asked = request(tmp_path)
    (tmp_path / "target.py").write_text("def run(:\n")
    with pytest.raises(InputError) as caught:
        rebase_method(asked)
    assert caught.value.path == f"{tmp_path}/target.py"
