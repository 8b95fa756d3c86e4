from __future__ import annotations

from pathlib import Path

import pytest

from cases import Case, Side
from rebase import make_method
from replay import END, START, Row, render, run_omni_port, write_page
from score import Score


def test_the_table_goes_between_the_comments(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{START}\n\nold\n\n{END}\n\nafter\n")
    for table in ("one", "two"):
        write_page(page, table)
        assert page.read_text() == f"before\n\n{START}\n\n{table}\n\n{END}\n\nafter\n"


def test_a_page_without_the_comments(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    with pytest.raises(ValueError, match="replay: start"):
        write_page(page, "table")


def test_the_page_of_the_documentation_has_them() -> None:
    page = Path(__file__).parents[2] / "docs" / "internals" / "replay.md"
    assert page.read_text("utf-8").index(START) < page.read_text("utf-8").index(END)


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
