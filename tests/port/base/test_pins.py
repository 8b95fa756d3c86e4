from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.pins import Pin, Weight, find_pins


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
    ("path", "text", "version", "weight"),
    [
        ("Dockerfile", "ARG VLLM_TAG=v0.18.0", "0.18.0", Weight.BUILD),
        ("Dockerfile.a3", 'ENV VLLM_COMMIT="568AFB3A"', "568afb3a", Weight.BUILD),
        ("npu.Dockerfile", "ARG VLLM_BASE_TAG=v0.12.0", "0.12.0", Weight.BUILD),
        ("docker/npu/build.sh", "    --build-arg VLLM_VERSION=v0.18.0 \\", "0.18.0", Weight.BUILD),
        ("docker/compose.yaml", "  VLLM_TAG: 'v0.18.0rc1'", "0.18.0rc1", Weight.BUILD),
        (".github/Dockerfile.ci", "ARG VLLM_COMMIT_ARG=568afb3a", "568afb3a", Weight.BUILD),
        (".github/workflows/ci.yml", "  vllm_version: [v0.18.0, main]", "0.18.0", Weight.JOB),
        (".github/workflows/ci.yaml", "  VLLM_COMMIT: 568afb3a", "568afb3a", Weight.JOB),
        ("docs/source/conf.py", "    'vllm_version': 'v0.18.0',", "0.18.0", Weight.JOB),
    ],
)
def test_a_variable_of_a_build(
    tmp_path: Path, path: str, text: str, version: str, weight: Weight
) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
    (tmp_path / path).write_text(f"first\n{text}\n")
    (pin,) = find_pins(tmp_path, ["vllm"])
    assert (pin, pin.weight) == (Pin(path, 2, version), weight)


@pytest.mark.parametrize(
    ("path", "text", "version"),
    [
        ("VLLM_STABLE_COMMIT", "ee0da84ab9e04ac7610e28580af62c365e898389\n", "ee0da84ab9e04ac7"),
        (".github/vllm-release-tag.commit", "v0.26.0\n", "0.26.0"),
        ("vllm.version", "0.26.0", "0.26.0"),
    ],
)
def test_a_file_that_holds_nothing_else(tmp_path: Path, path: str, text: str, version: str) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    (pin,) = find_pins(tmp_path, ["vllm"])
    assert pin.version.startswith(version)
    assert (pin.line, pin.weight) == (1, Weight.BUILD)
    assert find_pins(tmp_path, ["vllm-ascend"]) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docker/README.md", "Run it with `vllm:v0.17.0`, or VLLM_TAG=v0.17.0."),
        ("docker/notes.rst", "vllm==0.17.0"),
        ("Dockerfile.md", "ARG VLLM_TAG=v0.17.0"),
        ("docker/page.MD", "vllm==0.17.0"),
        ("README.md", "vllm==0.17.0"),
        ("Dockerfile", "ARG VLLM_TAG"),
        ("Dockerfile", 'ARG VLLM_COMMIT=""'),
        ("Dockerfile", "RUN git checkout ${VLLM_TAG}"),
        ("Dockerfile", "# ARG VLLM_TAG=v0.17.0"),
        ("Dockerfile", "ARG VLLM_ASCEND_TAG=v0.17.0"),
        ("Dockerfile", "ARG MY_VLLM_TAG=v0.17.0"),
        ("Dockerfile", "ARG VLLM_TAG=main"),
        ("Dockerfile", "ENV VLLM_VERSION=v0.17.0-dev/x"),
        ("VLLM_STABLE_COMMIT", "two words"),
        (".github/workflows/ci.yml", "  VLLM_COMMIT=$(git rev-parse HEAD)"),
    ],
)
def test_what_says_nothing_of_what_runs(tmp_path: Path, path: str, text: str) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
    (tmp_path / path).write_text(text + "\n")
    assert find_pins(tmp_path, ["vllm"]) == []


def test_who_is_believed_first(tmp_path: Path) -> None:
    for path, text in {
        ".github/workflows/ci.yml": "VLLM_TAG: v5.0",
        "Dockerfile": "ARG VLLM_TAG=v4.0",
        ".github/vllm-main.commit": "568afb3a",
        ".github/vllm-release-tag.commit": "v3.0",
        "requirements.txt": "vllm==2.0",
        "pyproject.toml": 'x = ["vllm==1.0"]',
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / path).write_text(text + "\n")
    found = [pin.version for pin in find_pins(tmp_path, ["vllm"])]
    assert found == ["1.0", "2.0", "3.0", "568afb3a", "4.0", "5.0"]


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
