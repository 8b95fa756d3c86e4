from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cases import Case, Side
from rebase import make_method
from replay import (
    END,
    GPU_END,
    GPU_START,
    GPU_TOOLS,
    START,
    Row,
    measure,
    render,
    run_omni_port,
    write_between,
)
from score import Score


def test_the_table_goes_between_the_comments(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{START}\n\nold\n\n{END}\n\nafter\n")
    for table in ("one", "two"):
        write_between(page, START, END, table)
        assert page.read_text() == f"before\n\n{START}\n\n{table}\n\n{END}\n\nafter\n"


def test_a_page_without_the_comments(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    with pytest.raises(ValueError, match="replay: start"):
        write_between(page, START, END, "table")


@pytest.mark.parametrize("marks", [(START, END), (GPU_START, GPU_END)])
def test_the_page_of_the_documentation_has_them(marks: tuple[str, str]) -> None:
    page = Path(__file__).parents[2] / "docs" / "internals" / "replay.md"
    text = page.read_text("utf-8")
    assert 0 <= text.index(marks[0]) < text.index(marks[1])


def case(tmp_path: Path) -> Case:
    base = "class NPUModelRunner:\n    def run(self, x):\n        return read(x)\n"
    texts = {"base": base, "target": base.replace("read(x)", "read(x, 1)")}
    texts["local"] = base.replace("NPUModelRunner", "Omni").replace(
        "        return", "        talk()  # Omni-new\n        return"
    )
    sides = {}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
        sides[name] = Side(tmp_path / f"{name}.py", text.partition("\n")[2])
    truth = Side(tmp_path / "truth.py", sides["local"].method.replace("read(x)", "read(x, 1)"))
    return Case("t1/x.run", "run", "Omni", sides["base"], sides["local"], sides["target"], truth)


def test_the_engine_runs_on_a_case(tmp_path: Path) -> None:
    text, class_name = run_omni_port(case(tmp_path))
    assert class_name == "Omni"
    assert "talk()  # Omni-new" in text
    assert "read(x, 1)" in text


def test_a_rebase_with_a_sync_reads_the_siblings_of_both_releases(tmp_path: Path) -> None:
    plain = case(tmp_path)
    gpu = "class OmniGPUModelRunner:\n    def run(self, x):\n        return read(x)\n"
    sides = {}
    newer = gpu.replace("return", "self.omni.hear(x)\n        return")
    for name, sibling in (("old", gpu), ("new", newer)):
        folder = tmp_path / name / "vllm_omni"
        (folder / "worker").mkdir(parents=True)
        (folder / "platforms").mkdir()
        (folder / "worker" / "gpu_model_runner.py").write_text(sibling)
        path = folder / "platforms" / "npu_model_runner.py"
        path.write_text(plain.local.read().replace("class Omni:", "class OmniNPUModelRunner:"))
        sides[name] = replace(plain.local, path=path)
    synced = replace(
        plain, local=sides["old"], truth=sides["new"], local_class="OmniNPUModelRunner"
    )
    row = measure(synced, GPU_TOOLS)
    assert list(row.scores) == ["omni-port", "with sync"]
    assert not any(score.error for score in row.scores.values())
    text, _ = GPU_TOOLS["with sync"](synced)
    assert "self.omni.hear(x)" in text
    assert "read(x, 1)" in text
    assert "self.omni.hear(x)" not in GPU_TOOLS["omni-port"](synced)[0]


def test_render_has_totals_and_errors(tmp_path: Path) -> None:
    scores = {"omni-port": Score(10, 2), "git merge-file": Score(10, 10, error="broken")}
    row = Row(case(tmp_path), scores, {"omni-port": 0.05})
    table = render([row])
    assert "| `t1/x.run` | 10 | 0.800 | 0 | 0 | 0.000 | 0 | 0 |" in table
    assert "| **all** | 10 | 0.800 |" in table
    assert "- t1/x.run: git merge-file: broken" in table
    assert "50 ms at the median" in table


def test_made_up_methods_are_python() -> None:
    compile(make_method(200, 7), "x.py", "exec")
    assert make_method(50) != make_method(50, 2)
