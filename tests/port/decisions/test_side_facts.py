from __future__ import annotations

import pytest

from omni_port.decisions.side_facts import find_left

CLASS = """\
class R:
    def run(self, batch):
        rows = self.prepare(batch)
        {}
        return rows

    def prepare(self, batch, *, pad=0):
        return batch

    @odd
    def strange(self):
        pass
"""


@pytest.mark.parametrize(
    ("line", "unread", "twice", "wrong"),
    [
        ("x = 1", {"x"}, set(), set()),
        ("rows = self.prepare(batch)", set(), {"rows = self.prepare(batch)"}, set()),
        ("rows += 1", set(), set(), set()),
        (
            "self.prepare(batch, 1)",
            set(),
            set(),
            {"self.prepare takes 1 positional arguments, and gets 2"},
        ),
        ("self.prepare(batch, size=1)", set(), set(), {"self.prepare does not take size="}),
        ("self.prepare()", set(), set(), {"self.prepare also wants batch"}),
        ("self.strange(1)", set(), set(), set()),
        ("other.prepare()", set(), set(), set()),
        ("_ = 1", set(), set(), set()),
    ],
)
def test_what_is_left_over(line: str, unread: set[str], twice: set[str], wrong: set[str]) -> None:
    left = find_left(CLASS.format(line), "R.run")
    assert (set(left.unread), set(left.twice), set(left.wrong)) == (unread, twice, wrong)


def test_what_is_no_python_leaves_nothing() -> None:
    assert not find_left(CLASS.format("("), "R.run").unread
    assert not find_left(CLASS.format("x = 1"), "R.lost").unread
