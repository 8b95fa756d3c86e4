"""Imports that only a side which was not taken read."""

from __future__ import annotations

import pytest

from omni_codemods.rebuild.unread_imports import drop_unread_imports

HEAD = "import a\nimport b\nfrom c import d, e\nimport unrelated\n\n\ndef f():\n"
HUNK = """\
<<<<<<< local
    a.go()
||||||| base
    b.go()
=======
    d()
>>>>>>> target
"""


@pytest.mark.parametrize(
    ("rest", "left"),
    [
        ("    a.go()\n", "import a\nfrom c import e\nimport unrelated\n"),
        ("    d()\n", "from c import d, e\nimport unrelated\n"),
        ("    d()\n    b.go()\n", "import b\nfrom c import d, e\nimport unrelated\n"),
        ("    d()\n    x: 'a.T'\n", "import a\nfrom c import d, e\nimport unrelated\n"),
        ("    pass\n", "from c import e\nimport unrelated\n"),
    ],
)
def test_only_what_the_hunk_named_and_nothing_reads_goes(rest: str, left: str) -> None:
    after = drop_unread_imports(HEAD + HUNK, HEAD + rest)
    assert after == left + "\n\ndef f():\n" + rest


def test_what_another_hunk_may_need_stays() -> None:
    after = drop_unread_imports(HEAD + HUNK + HUNK, HEAD + "    a.go()\n" + HUNK)
    assert after == HEAD + "    a.go()\n" + HUNK


def test_what_does_not_parse_is_left_alone() -> None:
    assert drop_unread_imports(HEAD + HUNK, HEAD + "    (\n") == HEAD + "    (\n"
