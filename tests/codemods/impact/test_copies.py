from __future__ import annotations

import pytest

from omni_codemods.impact.model import Impact
from upgrades import compare, kinds, only, port

OLD = """\
import torch
from up.tools import gather

class Runner:
    def run(self, batch, pad=0):
        ids = gather(batch)
        lengths = self.count(ids, pad)
        hidden = self.model(ids, lengths)
        return self.head(hidden), lengths

    def count(self, ids, pad):
        return [len(one) + pad for one in ids]
"""
LOCAL = (
    OLD.replace("import torch\n", "from up.runner import Runner\n")
    .replace("class Runner:", "class Mine(Runner):")
    .partition("\n    def count")[0]
    .replace(
        "        return",
        "        # ---- Omni-new ----\n        self.talker(hidden)\n"
        "        # ---- Omni-new ----\n        return",
    )
)
SUBJECT = "up.runner.Runner.run"


def test_nothing_changed() -> None:
    found = compare(LOCAL, OLD, OLD)
    assert found.changes == ()
    (copy,) = found.copies
    assert (copy.method, copy.upstream) == ("Mine.run", SUBJECT)
    assert (copy.before, copy.after) == ("(self, batch, pad=0)",) * 2
    assert len(copy.blocks) == 1
    assert copy.uses == ("up.runner.Runner.count", "up.tools.gather")


@pytest.mark.parametrize(
    "new",
    [
        OLD.replace("gather(batch)", "gather(\n            batch\n        )"),
        OLD.replace("        ids =", "        # first\n        ids ="),
        OLD.replace("pad=0):\n", 'pad=0):\n        """Run it."""\n'),
        OLD + "\n    def other(self):\n        return 1\n",
        OLD.replace("+ pad", "- pad"),  # another method, which nothing of ours calls
    ],
)
def test_what_touches_no_copy(new: str) -> None:
    assert compare(LOCAL, OLD, new).changes == ()


def test_a_changed_body() -> None:
    change = only(compare(LOCAL, OLD, OLD.replace("lengths)\n", "lengths, None)\n")), "copied-body")
    assert change.impact is Impact.BEHAVIORAL
    assert (change.subject, change.message) == (SUBJECT, "1 statement changed")
    assert str(change.old) == "up/runner.py:8"
    assert change.new is not None
    assert change.new.text == "hidden = self.model(ids, lengths, None)"
    (consumer,) = change.consumers
    assert (consumer.port, consumer.path, consumer.method) == ("Mine", "mine/runner.py", "Mine.run")
    assert change.ports == ("Mine",)


def test_names_alone() -> None:
    change = only(compare(LOCAL, OLD, OLD.replace("lengths", "sizes")), "copied-names")
    assert change.impact is Impact.MECHANICAL


def test_an_imported_name_that_changed_throughout() -> None:
    change = only(compare(LOCAL, OLD, OLD.replace("gather", "collect")), "copied-names")
    assert change.message == "the same but for names: gather is collect"


@pytest.mark.parametrize(
    ("parameters", "impact"),
    [
        ("self, batch, pad=0, mask=None", Impact.MECHANICAL),
        ("self, batch: list, pad: int = 0", Impact.MECHANICAL),
        ("self, batch, pad=1", Impact.BEHAVIORAL),
        ("self, batch, mask, pad=0", Impact.BEHAVIORAL),
    ],
)
def test_a_changed_signature(parameters: str, impact: Impact) -> None:
    new = OLD.replace("self, batch, pad=0", parameters)
    found = compare(LOCAL, OLD, new)
    assert only(found, "copied-signature").impact is impact
    assert found.copies[0].after != found.copies[0].before


def test_result_decorators_and_async() -> None:
    new = OLD.replace("    def run", "    @torch.inference_mode()\n    def run")
    assert only(compare(LOCAL, OLD, new), "copied-decorators").message == (
        "decorators: @torch.inference_mode (were none)"
    )
    assert compare(LOCAL, new, new.replace("mode()", "mode")).changes == ()
    new = OLD.replace("self.head(hidden), lengths", "self.head(hidden), lengths, ids")
    assert kinds(compare(LOCAL, OLD, new)) == ["copied-body", "copied-result"]
    new = OLD.replace("def run", "async def run")
    assert only(compare(LOCAL, OLD, new), "copied-async").message == "is async now"


def test_a_new_name_with_the_same_code() -> None:
    change = only(compare(LOCAL, OLD, OLD.replace("def run", "def execute")), "copied-renamed")
    assert change.impact is Impact.MECHANICAL
    assert change.message.startswith("up.runner.Runner.execute now (")


def test_a_new_name_with_other_code_too() -> None:
    new = OLD.replace("def run", "def execute").replace(
        "        lengths = self.count(ids, pad)\n", "        lengths = self.measure(batch)\n"
    )
    change = only(compare(LOCAL, OLD, new), "copied-renamed")
    assert change.impact is Impact.BEHAVIORAL


BODY = OLD.partition("    def run")[2].partition("    def count")[0]


def test_moved_to_a_base() -> None:
    new = OLD.replace("class Runner:", "class Base:").replace(
        "    def count", "class Runner(Base):\n    def count"
    )
    change = next(c for c in compare(LOCAL, OLD, new).changes if c.kind == "copied-moved")
    assert change.impact is Impact.MECHANICAL
    assert change.message == "moved to up.runner.Base.run"


def test_moved_to_another_module() -> None:
    new = {
        "up/runner.py": OLD.replace("    def run" + BODY, ""),
        "up/loop.py": "class Loop:\n    def run" + BODY,
    }
    change = only(compare(LOCAL, {"up/runner.py": OLD}, new), "copied-moved")
    assert change.message == "up.loop.Loop.run now (100% of the code is the same)"
    assert str(change.new) == "up/loop.py:2"


def test_a_function_of_the_same_name_elsewhere_is_not_it() -> None:
    new = {
        "up/runner.py": OLD.replace("    def run" + BODY, ""),
        "up/loop.py": "def run(queue):\n    while queue:\n        queue.pop().start()\n",
    }
    change = only(compare(LOCAL, {"up/runner.py": OLD}, new), "copied-gone")
    assert change.impact is Impact.ARCHITECTURAL
    assert change.new is None


def test_what_is_gone_has_no_signature_after() -> None:
    found = compare(LOCAL, OLD, OLD.replace("    def run" + BODY, ""))
    assert only(found, "copied-gone").consumers[0].method == "Mine.run"
    assert found.copies[0].after is None


def test_a_patched_function() -> None:
    local = "from up.runner import Runner\n\n\ndef run" + BODY.replace("\n        ", "\n    ")
    local += "\nRunner.run = run\n"
    one = port(local, "run", "up.runner.Runner.run")
    found = compare(one, OLD, OLD.replace("self.head(hidden)", "self.head(hidden, ids)"))
    assert only(found, "copied-body").subject == SUBJECT
    assert found.copies[0].method == "run"


def test_a_function_of_a_module_that_moved() -> None:
    tools = (
        "def gather(batch, sizes):\n    ids = batch.ids[: sizes.sum()]\n    return ids.clone()\n"
    )
    one = port(tools + "\nup.tools.gather = gather\n", "gather", "up.tools.gather")
    new = {"up/tools.py": "X = 1\n", "up/batch.py": "class Pool:\n    pass\n\n" + tools}
    change = only(compare(one, {"up/tools.py": tools}, new), "copied-moved")
    assert change.message == "up.batch.gather now (100% of the code is the same)"
    assert str(change.new) == "up/batch.py:4"


def test_where_code_was_only_added_the_old_place_is_the_header() -> None:
    new = OLD.replace("        hidden =", "        self.note(ids)\n        hidden =")
    change = only(compare(LOCAL, OLD, new), "copied-body")
    assert (str(change.old), str(change.new)) == ("up/runner.py:5", "up/runner.py:8")
    assert change.old is not None
    assert change.old.text == "def run(self, batch, pad=0):"


def test_a_nested_class() -> None:
    def nested(text: str) -> str:
        return "class Outer:\n" + "".join(f"    {line}\n" for line in text.splitlines())

    inner = OLD[OLD.index("class Runner") :].partition("\n    def count")[0]
    one = port(nested(inner), "Outer.Runner", "up.runner.Outer.Runner")
    found = compare(one, nested(inner), nested(inner).replace("self.head(", "self.tail("))
    assert only(found, "copied-body").subject == "up.runner.Outer.Runner.run"
    assert found.copies[0].method == "Outer.Runner.run"
