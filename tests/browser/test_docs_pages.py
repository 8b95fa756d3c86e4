"""The documentation as a browser shows it, where `make docs` was run."""

from __future__ import annotations

from pathlib import Path

import pytest

from browsing import Page

pytestmark = pytest.mark.browser
BUILT = Path(__file__).parents[2] / "docs" / "_build" / "html"
WIDER = """
Array.from(document.querySelectorAll("article pre, article code"))
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
  .map((one) => one.textContent.slice(0, 60))
"""


@pytest.fixture
def built() -> Path:
    if not (BUILT / "index.html").exists():
        pytest.skip("the documentation is not built: make docs")
    return BUILT


@pytest.mark.parametrize("name", ["index", "guide/check", "guide/review", "reference/papers"])
def test_no_code_runs_out_of_its_box(page: Page, built: Path, name: str) -> None:
    page.size(1200, 900)
    page.open(built / f"{name}.html")
    assert page.evaluate(WIDER) == []


def test_an_option_is_no_dash(page: Page, built: Path) -> None:
    page.open(built / "guide" / "check.html")
    text = page.evaluate("document.querySelector('article').textContent")
    assert "--" in text
    assert "\u2013check" not in text


def test_search_needs_no_network(page: Page, built: Path) -> None:
    page.open(built / "search.html", fragment="?q=sibling")
    for _ in range(50):
        found = page.evaluate("document.querySelectorAll('#search-results li').length")
        if found:
            break
        page.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert found
    assert not [error for error in page.errors if "network" in error]
