from __future__ import annotations

import pytest

from omni_codemods.impact.model import Impact
from upgrades import compare, kinds, only

RUNNER = """\
from up.tools import gather

class Runner:
    def run(self, batch):
        ids = gather(batch)
        hidden = self.model(ids, batch.positions)
        return self.head(hidden[batch.last])
"""
TOOLS = """\
import enum
from typing import NamedTuple

LIMIT = 4
NAMES = ["a", "b"]

class State(NamedTuple):
    ids: list
    mask: object = None

class Mode(enum.Enum):
    NONE = 0
    FULL = 1

def gather(batch):
    return batch.ids
"""
OLD = {"up/runner.py": RUNNER, "up/tools.py": TOOLS}
HEAD = "from up.runner import Runner\nfrom up.tools import LIMIT, Mode, State, gather\n\n"
OWN = (
    HEAD + "class Mine(Runner):\n    def warm_up(self, batch):\n"
    "        state = State(ids=gather(batch))\n"
    "        return state, LIMIT, Mode.FULL\n"
)
COPY = "from up.runner import Runner\nfrom up.tools import gather\n\n" + RUNNER.partition("\n\n")[
    2
].replace("class Runner:", "class Mine(Runner):")


def tools(old: str, new: str) -> dict[str, str]:
    assert old in TOOLS
    return {**OLD, "up/tools.py": TOOLS.replace(old, new)}


def test_nothing() -> None:
    assert compare(OWN, OLD, OLD).changes == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("NAMES = [", "NAMES = [1, "),  # not imported
        ("return batch.ids", "return list(batch.ids)"),  # how it does it is its own business
        ("LIMIT = 4", "LIMIT = (4)"),
    ],
)
def test_what_is_not_used(old: str, new: str) -> None:
    assert compare(OWN, OLD, tools(old, new)).changes == ()


def test_a_name_that_moved() -> None:
    new = {
        **tools("class State(NamedTuple):\n    ids: list\n    mask: object = None\n", ""),
        "up/states.py": "class State:\n    ids = mask = None\n",
    }
    change = only(compare(OWN, OLD, new), "import-moved")
    assert change.impact is Impact.MECHANICAL
    assert (change.subject, change.message) == ("up.tools.State", "in up.states now")
    assert str(change.new) == "up/states.py:1"
    assert change.consumers[0].lines == (6,)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("LIMIT", "LIMIT = 99\n"),
        ("State", "class State:\n    def load(self):\n        return 1\n"),
        ("State", "def State(ids):\n    return ids\n"),
        ("gather", "def gather(queue, sizes):\n    while queue:\n        yield queue.pop(sizes)\n"),
    ],
)
def test_something_else_of_the_same_name_is_not_it(name: str, other: str) -> None:
    new = {
        "up/runner.py": RUNNER.replace("gather", "collect"),
        "up/tools.py": TOOLS.replace(f"{name} ", "_ ").replace(f" {name}(", " _("),
        "up/more.py": other,
    }
    gone = next(c for c in compare(OWN, OLD, new).changes if c.kind == "import-gone")
    assert gone.subject == f"up.tools.{name}"
    assert gone.message == "gone: what up.more calls so is something else"


def test_the_logger_of_another_module_is_not_it() -> None:
    made = "log = get_logger(__name__)\n"
    old = {**OLD, "up/tools.py": TOOLS + made, "up/more.py": made}
    local = OWN.replace("import LIMIT,", "import log, LIMIT,").replace(
        "return state", "log(state)\n        return state"
    )
    gone = next(c for c in compare(local, old, {**OLD, "up/more.py": made}).changes)
    assert (gone.kind, gone.subject) == ("import-gone", "up.tools.log")


def test_a_method_of_the_same_name_is_not_it() -> None:
    new = {
        "up/runner.py": RUNNER.replace("gather", "collect"),
        "up/tools.py": TOOLS.replace("def gather", "def collect"),
        "up/more.py": "class Pool:\n    def gather(self, batch):\n        return batch.ids\n",
    }
    gone = next(c for c in compare(OWN, OLD, new).changes if c.kind == "import-gone")
    assert gone.message == "gone: the target defines nothing of this name"


def test_a_name_that_can_still_be_imported_did_not_move() -> None:
    new = {
        **tools("LIMIT = 4", "from up.limits import LIMIT"),
        "up/limits.py": "LIMIT = 4\n",
    }
    change = only(compare(OWN, OLD, new), "import-alias")
    assert change.impact is Impact.MECHANICAL
    assert change.message == "defined in up.limits now, and still to be had from up.tools"


def test_a_name_that_is_gone() -> None:
    change = only(compare(OWN, OLD, tools("LIMIT = 4", "")), "import-gone")
    assert change.impact is Impact.ARCHITECTURAL
    assert change.subject == "up.tools.LIMIT"
    assert change.consumers[0].lines == (7,)


def test_a_member_that_is_gone() -> None:
    change = only(compare(OWN, OLD, tools("    FULL = 1\n", "")), "import-gone")
    assert change.subject == "up.tools.Mode.FULL"


def test_a_module_that_is_gone() -> None:
    new = {"up/runner.py": RUNNER.replace("up.tools", "up.other")}
    found = compare(OWN, OLD, new)
    assert set(kinds(found)) == {"import-gone"}
    assert {change.subject for change in found.changes} == {
        f"up.tools.{name}" for name in ("LIMIT", "Mode", "State", "gather")
    }


def test_a_guard_around_the_import() -> None:
    guarded = (
        "from up.runner import Runner\n\n"
        "try:\n    from up.tools import LIMIT\nexcept ImportError:\n"
        "    LIMIT = 1\n\n\nclass Mine(Runner):\n    limit = LIMIT\n"
    )
    change = only(compare(guarded, OLD, tools("LIMIT = 4", "")), "import-gone")
    assert change.impact is Impact.BEHAVIORAL
    assert "a guard around the import hides it" in change.message


def test_an_import_that_nothing_uses_still_has_to_work() -> None:
    local = HEAD.replace("LIMIT, Mode, State, gather", "NAMES") + "class Mine(Runner):\n    pass\n"
    change = only(compare(local, OLD, tools('NAMES = ["a", "b"]\n', "")), "import-gone")
    assert (change.consumers[0].method, change.consumers[0].lines) == ("", (2,))


@pytest.mark.parametrize("elsewhere", [True, False])
def test_what_only_copied_code_uses(elsewhere: bool) -> None:
    new = {
        "up/runner.py": RUNNER.replace("gather", "collect"),
        "up/tools.py": TOOLS.replace("def gather", "def collect"),
    }
    if elsewhere:
        new["up/more.py"] = "def gather(batch):\n    return batch.ids\n"
    found = compare(COPY, OLD, new)
    assert kinds(found) == ["copied-names", "import-copied"]
    assert {change.impact for change in found.changes} == {Impact.MECHANICAL}


def test_a_constant_with_another_value() -> None:
    change = only(compare(OWN, OLD, tools("LIMIT = 4", "LIMIT = 8")), "constant")
    assert (change.impact, change.message) == (Impact.BEHAVIORAL, "is 8 (was 4)")


def test_an_annotated_constant() -> None:
    old, new = (tools("LIMIT = 4", f"LIMIT: int = {value}") for value in (4, 8))
    assert only(compare(OWN, old, new), "constant").message == "is 8 (was 4)"
    assert compare(OWN, old, tools("LIMIT = 4", "LIMIT: float = 4")).changes == ()


def test_a_member_with_another_value() -> None:
    change = only(compare(OWN, OLD, tools("FULL = 1", "FULL = 2")), "constant")
    assert change.subject == "up.tools.Mode.FULL"


@pytest.mark.parametrize(
    ("call", "impact"), [("State(ids=1)", Impact.MECHANICAL), ("State(1)", Impact.BEHAVIORAL)]
)
def test_fields_in_another_order(call: str, impact: Impact) -> None:
    local = OWN.replace("State(ids=gather(batch))", call)
    new = tools("    ids: list\n", "    pad: int = 0\n    ids: list = ()\n")
    change = only(compare(local, OLD, new), "layout")
    assert change.impact is impact


def test_fields_that_nothing_of_ours_fills() -> None:
    local = OWN.replace("State(ids=gather(batch))", "isinstance(batch, State) and gather(batch)")
    assert (
        compare(local, OLD, tools("    ids: list\n", "    pad: int\n    ids: list\n")).changes == ()
    )
