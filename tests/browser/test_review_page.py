from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from browsing import Page
from omni_codemods.findings.model import Span, Trace, TracedLine
from omni_port.review.given import Given, OpenItem, ReviewedFile, ReviewedMethod
from omni_port.review.html import render_review

pytestmark = pytest.mark.browser

HOSTILE = "</code></script><script>window.hurt = 1</script><img src=x onerror='window.hurt = 1'>"
FOCUSED = "document.activeElement.className"


def given(lines: int, methods: int = 1, files: int = 1, word: str = "self.x") -> Given:
    """A review of methods of *lines* lines, every tenth of which the upstream changed."""
    old = ["def f(self):\n", *(f"    self.a{n} = {word!r}\n" for n in range(lines))]
    new = [x.replace("self.a", "self.b") if n % 25 == 5 else x for n, x in enumerate(old)]
    local = "".join(f"class C{m}:\n" + "".join(f"    {x}" for x in old) for m in range(methods))
    result = "".join(f"class C{m}:\n" + "".join(f"    {x}" for x in new) for m in range(methods))
    found = []
    for m in range(methods):
        start = 2 + m * (lines + 2)
        traced = tuple(TracedLine(f"    {x}", start + n, 1 + n) for n, x in enumerate(new))
        span = Span(start, start + lines)
        trace = Trace(span, "".join(old), 1, "".join(new), 1, traced)
        found.append(ReviewedMethod(f"C{m}.f", "up:x.py::C", "rebased", None, (trace,)))
    one = ReviewedFile("x.py", local, result, result, tuple(found))
    return Given("A title", "1", "", tuple(replace(one, path=f"{n}.py") for n in range(files)))


def load(page: Page, path: Path, text: str = "", *, fragment: str = "") -> float:
    if text:
        path.write_text(text, encoding="utf-8")
    seconds = page.open(path, fragment=fragment)
    assert page.errors == []
    return seconds


def test_it_loads_and_says_what_was_done(page: Page, review: Path) -> None:
    load(page, review)
    assert page.evaluate("document.querySelectorAll('.method').length") == 6
    assert "open question" in page.evaluate("document.querySelector('.totals').textContent")
    assert page.evaluate("document.querySelector('.tools').hidden") is False
    assert page.errors == []


def test_keys_go_through_the_decisions(page: Page, review: Path) -> None:
    load(page, review)
    number = page.evaluate("document.querySelectorAll('.stop').length")
    assert number > 3
    page.press("n")
    assert "stop" in page.evaluate(FOCUSED)
    assert page.evaluate("document.activeElement.id") == "q1"
    page.press("n")
    assert page.evaluate("document.activeElement.id") == "q2"
    page.press("p")
    page.press("p")
    assert page.evaluate("document.getElementById('said').value") == f"{number} of {number}"


def test_keys_fold_and_search(page: Page, review: Path) -> None:
    load(page, review)
    opened = "document.querySelectorAll('details[open]').length"
    before, total = (
        page.evaluate(opened),
        page.evaluate("document.querySelectorAll('details').length"),
    )
    page.press("f")
    assert page.evaluate(opened) == total
    page.press("f")
    assert page.evaluate(opened) == before
    page.press("/")
    assert page.evaluate("document.activeElement.id") == "find"
    for key in "vocoder":
        page.press(key)
    page.press("Enter")
    assert page.evaluate("document.querySelector('.here').textContent.includes('vocoder')")
    page.press("Escape")
    assert page.evaluate("document.activeElement.tagName") == "BODY"
    assert page.errors == []


def test_a_link_opens_what_it_goes_to(page: Page, review: Path) -> None:
    link = "document.querySelector('#q1 a').hash"
    load(page, review)
    goal = page.evaluate(link)
    load(page, review, fragment=goal)
    place = f"document.querySelector({goal!r})"
    assert page.evaluate(f"{place}.closest('details').open")
    assert page.evaluate(f"{place}.getBoundingClientRect().top < innerHeight")


def test_hostile_text_is_text(page: Page, tmp_path: Path) -> None:
    made = given(20, word=HOSTILE)
    hostile = OpenItem(HOSTILE, True, HOSTILE, 1, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    made = replace(made, title=HOSTILE, left=(hostile, replace(hostile, must=False)), stop=HOSTILE)
    load(page, tmp_path / "hostile.html", render_review(made))
    assert page.evaluate("window.hurt") is None
    assert page.evaluate("document.querySelectorAll('script').length") == 1
    assert page.evaluate("document.querySelectorAll('img').length") == 0
    assert page.evaluate("document.body.textContent").count(HOSTILE) >= 20


def test_nothing_runs_that_is_not_the_pages_own(page: Page, tmp_path: Path) -> None:
    text = render_review(given(3)).replace("</main>", "<script>window.hurt = 1</script></main>")
    (tmp_path / "x.html").write_text(text)
    page.open(tmp_path / "x.html")
    assert page.evaluate("window.hurt") is None
    assert any("Content Security Policy" in error for error in page.errors)


def test_three_runners_load_in_two_seconds(page: Page, tmp_path: Path) -> None:
    seconds = load(page, tmp_path / "long.html", render_review(given(150, methods=8, files=3)))
    assert seconds < 2


def test_print_and_dark(page: Page, review: Path) -> None:
    load(page, review)
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    page.call("Emulation.setEmulatedMedia", features=[dark])
    assert page.evaluate(background) != light
    page.call("Emulation.setEmulatedMedia", media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none"
    page.call("Emulation.setEmulatedMedia", media="")


def test_without_javascript_everything_is_there(page: Page, review: Path) -> None:
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.open(review)
    finally:
        page.call("Emulation.setScriptExecutionDisabled", value=False)
    assert page.evaluate("document.querySelector('.tools').hidden") is True
    assert page.evaluate("document.querySelector('.method').textContent.includes('result')")
