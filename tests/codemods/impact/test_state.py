from __future__ import annotations

import pytest

from omni_codemods.impact.model import Impact
from upgrades import compare, only, port

OLD = """\
class Runner:
    def __init__(self, config):
        self.config = config
        self.positions = self.make_buffer(config.tokens)
        self.pair, self.other = config.pair

    def make_buffer(self, size):
        return [0] * size

    def run(self, batch):
        ids = self.positions.gather(batch.ids, batch.lengths)
        return self.model(ids, self.positions)
"""
OWN = """\
from up.runner import Runner

class Mine(Runner):
    def talk(self, batch):
        return self.positions.gpu[batch.last]
"""


def test_nothing() -> None:
    assert compare(OWN, OLD, OLD).changes == ()


def test_an_attribute_that_nothing_sets() -> None:
    line = "        self.positions = self.make_buffer(config.tokens)\n"
    change = only(compare(OWN, OLD, OLD.replace(line, "")), "state-gone")
    assert change.impact is Impact.BEHAVIORAL
    assert change.subject == "up.runner.Runner.positions"
    assert (change.consumers[0].method, change.consumers[0].lines) == ("Mine.talk", (5,))


def test_an_attribute_that_is_made_otherwise() -> None:
    new = OLD.replace("self.make_buffer(config.tokens)", "zeros(config.tokens)")
    change = only(compare(OWN, OLD, new), "state-made")
    assert change.message == "made as zeros(config.tokens) (was self.make_buffer(config.tokens))"
    assert (str(change.old), str(change.new)) == ("up/runner.py:4", "up/runner.py:4")


def test_an_attribute_that_became_a_property() -> None:
    line = "        self.positions = self.make_buffer(config.tokens)\n"
    text = OLD.replace(line, "") + "\n    @property\n    def positions(self):\n        return []\n"
    change = only(compare(OWN, OLD, text), "state-kind")
    assert change.message == "is a property of Runner now (was set on self)"
    assert change.impact is Impact.MECHANICAL


def test_an_attribute_that_became_a_method() -> None:
    line = "        self.positions = self.make_buffer(config.tokens)\n"
    text = OLD.replace(line, "") + "\n    def positions(self):\n        return []\n"
    change = only(compare(OWN, OLD, text), "state-kind")
    assert change.message == (
        "is a method of Runner now (was set on self), which our code reads and does not call"
    )
    assert change.impact is Impact.BEHAVIORAL


def test_an_attribute_that_a_base_sets_now() -> None:
    line = "        self.positions = self.make_buffer(config.tokens)\n"
    base = "class Base:\n    def __init__(self, config):\n" + line
    new = base + "\n" + OLD.replace(line, "").replace("class Runner:", "class Runner(Base):")
    found = compare(OWN, OLD, new)
    assert [change.kind for change in found.changes] == ["base-added"]


@pytest.mark.parametrize(
    "new",
    [
        OLD.replace("self.config = config", "self.config = dict(config)"),  # we do not read it
        OLD.replace("(config.tokens)", "(self.config.tokens)"),  # the same with self
        OLD.replace("self.pair, self.other = config.pair\n", "self.pair, self.other = 1, 2\n"),
    ],
)
def test_what_we_do_not_rest_on(new: str) -> None:
    assert compare(OWN, OLD, new).changes == ()


def test_what_we_set_ourselves() -> None:
    local = OWN + "\n    def load(self):\n        self.positions = None\n"
    assert compare(local, OLD, OLD.replace("self.make_buffer(config.tokens)", "0")).changes == ()


def test_a_base_that_no_tree_holds_may_set_anything() -> None:
    old = OLD.replace("class Runner:", "from other import Base\nclass Runner(Base):")
    line = "        self.positions = self.make_buffer(config.tokens)\n"
    assert compare(OWN, old, old.replace(line, "")).changes == ()


def test_what_copied_code_reads_comes_with_the_rebase() -> None:
    head, _, run = OLD.partition("    def run")
    local = "from up.runner import Runner\n\nclass Mine(Runner):\n    def run" + run
    new = OLD.replace("self.make_buffer(config.tokens)", "zeros(config.tokens)")
    assert head
    assert compare(local, OLD, new).changes == ()


PATCH = """\
from up.runner import Runner


def run(self, batch):
    ids = self.positions.gather(batch.ids, batch.lengths)
    # ### PATCH START: note
    self.note(self.positions)
    # ### PATCH END: note
    return self.model(ids, self.positions)


Runner.run = run
"""


def test_a_block_in_a_patched_function() -> None:
    new = OLD.replace("self.make_buffer(config.tokens)", "zeros(config.tokens)")
    change = only(compare(port(PATCH, "run", "up.runner.Runner.run"), OLD, new), "state-made")
    (consumer,) = change.consumers
    assert (consumer.method, consumer.lines) == ("run", (7,))


def test_a_method_with_a_port_of_its_own() -> None:
    body = PATCH[PATCH.index("    ids") : PATCH.index("\n\n\nRunner")].replace(
        "\n    ", "\n        "
    )
    local = "class Mine(Runner):\n    def run(self, batch):\n    " + body + "\n"
    one = port("from up.runner import Runner\n\n" + local, "Mine.run", "up.runner.Runner.run")
    new = OLD.replace("self.make_buffer(config.tokens)", "zeros(config.tokens)")
    assert only(compare(one, OLD, new), "state-made").consumers[0].lines == (7,)
