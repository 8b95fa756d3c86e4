from __future__ import annotations

import re
from html.parser import HTMLParser

from omni_port.review.colours import colour_lines
from omni_port.review.given import Given, OpenItem, ReviewedFile, ReviewedMethod
from omni_port.review.html import render_review
from omni_port.review.summary import render_review_markdown

HOSTILE = "</style></title><script>alert(1)</script>\x1b[31m\u202e\x00`|`"
OLD = "class C:\n    def f(self):\n        return 1\n"


def given(text: str = OLD, *, before: str = OLD, path: str = "c.py") -> Given:
    method = ReviewedMethod("C.f", "", "synced")
    return Given("A title", "1", "", (ReviewedFile(path, before, text, text, (method,)),))


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") or name == "style" for name, _ in attrs)


def tags(page: str) -> list[str]:
    parser = _Tags()
    parser.feed(page)
    return parser.tags


def test_the_page_needs_nothing_else() -> None:
    page = render_review(given())
    assert not re.search(r"\b(?:src|href)=\"(?!#)", page)
    assert "http:" not in page
    assert "https:" not in page
    assert tags(page).count("script") == tags(page).count("style") == 1


def test_hostile_text_stays_text() -> None:
    code = f"class C:\n    def f(self):\n        return {HOSTILE!r}  # {HOSTILE[:40]}\n"
    item = OpenItem(HOSTILE, True, HOSTILE, 3, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    made = given(code, path=HOSTILE)
    page = render_review(
        Given(HOSTILE, HOSTILE, HOSTILE, made.files, (item,), stop=HOSTILE, next_action=HOSTILE)
    )
    assert tags(page).count("script") == tags(page).count("style") == 1
    assert "alert(1)" in page
    assert not set(page) & {"\x1b", "\u202e", "\x00"}


def test_every_line_is_coloured_as_itself() -> None:
    lines = ['def f(x):  # "', '    """a', "", '    b"""', "\treturn x\x0c"]
    assert [re.sub("<[^>]+>", "", html) for html in colour_lines(lines)] == [
        "def f(x):  # &#34;",
        "    &#34;&#34;&#34;a",
        "",
        "    b&#34;&#34;&#34;",
        "\treturn x\\x0c",
    ]


def test_what_is_no_python_is_shown_all_the_same() -> None:
    lines = ["<<<<<<< local", "if ((", "=======", '"""', ">>>>>>> target"]
    assert len(colour_lines(lines)) == len(lines)


def test_a_synced_method_has_two_columns() -> None:
    page = render_review(given(OLD.replace("1", "2")))
    assert "new upstream" not in page
    assert 'class="grid two head"' in page


def test_what_changed_outside_of_the_methods_is_told() -> None:
    assert "import os" in render_review(given("import os\n" + OLD))


def test_a_method_that_is_gone_is_no_failure() -> None:
    assert "C.f" in render_review(given("x = 1\n"))
    assert "C.f" in render_review(given("def (:\n"))


def test_markdown_escapes_what_it_is_given() -> None:
    item = OpenItem("error", True, "a.py", 1, "", "a | b <img>")
    text = render_review_markdown(Given("T", "1", "", (), (item,)))
    assert "- [ ] error, `a.py:1`: a \\| b \\<img>" in text
