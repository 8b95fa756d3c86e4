from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.pins import Pin, find_pins


@pytest.mark.parametrize(
    ("path", "text", "version"),
    [
        ("pyproject.toml", 'dependencies = ["vllm-ascend==0.19.1rc1"]', "0.19.1rc1"),
        ("requirements.txt", "vllm_ascend[extra] == 0.18.0  # why", "0.18.0"),
        ("requirements-npu.txt", "x @ git+https://h/vllm-ascend.git@v0.18.0", "0.18.0"),
        ("requirements/npu.txt", "git+https://h/vllm-ascend.git@80d8c194f", "80d8c194f"),
        ("docker/Dockerfile", "FROM h/vllm-ascend:v0.18.0rc1", "0.18.0rc1"),
        ("setup.cfg", "  vllm-ascend==1", "1"),
    ],
)
def test_an_exact_pin(tmp_path: Path, path: str, text: str, version: str) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(f"first\n{text}\n")
    assert find_pins(tmp_path, ["vllm-ascend"]) == [Pin(path, 2, version)]


@pytest.mark.parametrize(
    "text",
    [
        "vllm-ascend>=0.18",
        "vllm-ascend",
        "# vllm-ascend==0.18.0",
        "vllm-ascend-extras==1.0",
        "my-vllm-ascend==1.0",
        "vllm-ascend==0.18.*",
    ],
)
def test_what_is_no_pin(tmp_path: Path, text: str) -> None:
    (tmp_path / "requirements.txt").write_text(text + "\n")
    assert find_pins(tmp_path, ["vllm-ascend"]) == []


def test_a_shorter_name_is_another_distribution(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("vllm-ascend==0.18.0\nvllm==0.17.0\n")
    assert [pin.version for pin in find_pins(tmp_path, ["vllm"])] == ["0.17.0"]


def test_the_projects_own_metadata_comes_first(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("up==1.0\n")
    (tmp_path / "pyproject.toml").write_text('x = ["up==2.0"]\n')
    assert [pin.version for pin in find_pins(tmp_path, ["up"])] == ["2.0", "1.0"]
    assert find_pins(tmp_path, ["up"])[0].revisions == ("v2.0", "2.0")


def test_nothing_to_read(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").mkdir()
    assert find_pins(tmp_path, ["up"]) == []
