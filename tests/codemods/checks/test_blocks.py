from __future__ import annotations

import pytest

from checked import check, codes
from omni_codemods.findings.model import Severity

OLD = """\
class Runner:
    def run(self, batch):
        hidden = self.model(batch)
        # ---- Omni-new ---- talker
        self.talker.feed(hidden)
        self.talker.step(batch)
        # ---- Omni-new ----
        return hidden
"""


def gone(text: str) -> list[str]:
    return [finding.message for finding in check(text, old=OLD) if finding.code == "OP604"]


@pytest.mark.parametrize(
    "text",
    [
        OLD,
        OLD.replace("        hidden =", "        self.new(batch)\n        hidden ="),
        OLD.replace("(hidden)\n", "(hidden)  # why\n"),
        OLD.replace(
            "self.talker.feed(hidden)", "self.talker.feed(\n            hidden,\n        )"
        ),
        OLD.replace("        # ---- Omni-new ---- talker\n", "").replace(
            "        # ---- Omni-new ----\n", ""
        ),
    ],
    ids=["the same", "moved", "commented", "laid out otherwise", "absorbed"],
)
def test_blocks_that_are_there(text: str) -> None:
    assert gone(text) == []


def test_a_block_that_is_gone_is_an_error_at_its_function() -> None:
    lines = OLD.splitlines(keepends=True)
    (found,) = check("".join([*lines[:3], *lines[7:]]), old=OLD)
    assert (found.code, found.line, found.column) == ("OP604", 2, 4)
    assert found.severity is Severity.ERROR
    assert "line 4 of the old copy, in Runner.run" in found.message
    assert "is gone; line 5: self.talker.feed(hidden)" in found.message


def test_a_block_that_lost_a_line_is_a_warning() -> None:
    (found,) = check(OLD.replace("        self.talker.step(batch)\n", ""), old=OLD)
    assert found.severity is Severity.WARNING
    assert "has lost 1 of its 2 lines; line 6: self.talker.step(batch)" in found.message


def test_where_the_function_is_gone_it_stands_at_the_top() -> None:
    assert codes(check("x = 1\n", old=OLD)) == [("OP604", 1)]


def test_without_an_old_copy_nothing_is_missing() -> None:
    assert check("x = 1\n") == []


def test_a_trailing_mark_is_a_block_too() -> None:
    old = "def run(x):\n    x.go(voice=1)  # Omni-new: voice\n"
    assert codes(check("def run(x):\n    x.go()\n", old=old)) == [("OP604", 1)]
