"""Files that mirror an upstream's, by path and likeness: `init --files`."""

from __future__ import annotations

from pathlib import Path

import pytest

from commandline import Command, Ran
from planned import write

UP = """\
class GPUSampler(Base):
    def sample(self, logits, metadata):
        probs = self.probs(logits, metadata)
        chosen = self.pick(probs, metadata.seeds)
        return self.output(chosen, probs)

    def name(self):
        return "gpu"


def gather(rows, sizes):
    starts = offsets(sizes)
    picked = [rows[start] for start in starts]
    return stack(picked)
"""
GROWN = UP.replace("metadata.seeds", "metadata.seed") + "\n\ndef scatter(rows):\n    return rows\n"
# Another class, which inherits from nothing; no fences, no notes.
MINE = UP.replace("class GPUSampler(Base):", "class HPUSampler:").replace(
    "        return self.output", "        self.mark_step()\n        return self.output"
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Command:
    for folder, text in (("up-1", UP), ("up-2", GROWN)):
        files = {
            "vllm/__init__.py": "",
            "vllm/v1/__init__.py": "",
            "vllm/v1/sample/__init__.py": "",
        }
        write(tmp_path / folder, {**files, "vllm/v1/sample/gpu_sampler.py": text})
    (tmp_path / "own").mkdir()
    monkeypatch.chdir(tmp_path / "own")
    return command


def init(run: Command, tmp_path: Path, path: str, text: str, *more: str) -> Ran:
    package = path.partition("/")[0]
    write(tmp_path / "own", {f"{package}/__init__.py": "", path: text})
    return run("init", "--upstream=vllm=../up-1..../up-2", *more)


@pytest.mark.parametrize(
    "path",
    [
        "vllm_hpu/v1/sample/gpu_sampler.py",
        "vllm_hpu/v1/sample/hpu_sampler.py",
        "vllm_hpu/v1/sample/sampler.py",
        "vllm_hpu/platforms/hpu/v1/sample/hpu_sampler.py",
    ],
)
def test_a_mirrored_file(run: Command, tmp_path: Path, path: str) -> None:
    ran = init(run, tmp_path, path, MINE, "--files")
    assert ran.code == 0, ran.err
    text = (tmp_path / "own" / "omni-port.toml").read_text()
    assert f'local = "{path}::HPUSampler"' in text
    assert 'upstream = "vllm:vllm/v1/sample/gpu_sampler.py::GPUSampler"' in text
    assert 'methods = ["sample", "name"]' in text or 'methods = ["sample"]' in text
    assert "# mirrors GPUSampler; of upstream's code it has" in text
    assert f'local = "{path}::gather"' in text
    assert f"{path} mirrors vllm:vllm/v1/sample/gpu_sampler.py, whose target has also scatter" in (
        ran.err
    )


def test_what_the_file_gained_is_in_the_plan(run: Command, tmp_path: Path) -> None:
    init(run, tmp_path, "vllm_hpu/v1/sample/hpu_sampler.py", MINE, "--files")
    ran = run("-v", "plan")
    assert ran.code == 0, ran.text
    assert "gpu_sampler: has new: scatter" in ran.text
    assert "file-grew, not there -> vllm/v1/sample/gpu_sampler.py:" in ran.text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("vllm_hpu/v1/sample/hpu_sampler.py", "def gather(rows, sizes):\n    return None\n"),
        ("vllm_hpu/other.py", MINE),
        ("vllm_hpu/v1/sample/__init__.py", MINE),
    ],
)
def test_what_mirrors_nothing(run: Command, tmp_path: Path, path: str, text: str) -> None:
    ran = init(run, tmp_path, path, text, "--files")
    assert ran.code == 3
    assert "no port was found" in ran.err


def test_without_the_option_nothing_is_mirrored(run: Command, tmp_path: Path) -> None:
    ran = init(run, tmp_path, "vllm_hpu/v1/sample/hpu_sampler.py", MINE)
    assert ran.code == 3
