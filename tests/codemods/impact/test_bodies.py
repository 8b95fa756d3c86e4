from __future__ import annotations

import ast

import pytest

from omni_codemods.impact.bodies import Version, compare_bodies
from omni_codemods.impact.model import Impact
from omni_codemods.sources.subject import Function

OLD = """\
def run(self, batch):
    ids = self.gather(batch)
    lengths = self.count(ids)
    hidden = self.model(ids, cache=None)
    self.last = hidden
    return self.head(hidden)
"""


def version(text: str) -> Version:
    node = ast.parse(text).body[0]
    assert isinstance(node, Function)
    return Version(node, text)


@pytest.mark.parametrize(
    "new",
    [
        OLD,
        OLD.replace("    ids", '    """What it does."""\n    # why\n\n    ids', 1),
        OLD.replace("(ids, cache=None)", "(\n        ids,\n        cache=None,\n    )"),
        OLD.replace("batch):", "batch, pad=0) -> int:"),  # the signature is compared elsewhere
    ],
)
def test_the_same_code(new: str) -> None:
    assert compare_bodies(version(OLD), version(new)) is None
    assert compare_bodies(version(new), version(OLD)) is None


@pytest.mark.parametrize(
    ("new", "message", "lines"),
    [
        (OLD.replace("    self.last", "    self.check(ids)\n    self.last"),
         "1 statement added", (0, 5)),
        (OLD.replace("    lengths = self.count(ids)\n", ""), "1 statement removed", (3, 0)),
        (OLD.replace("self.gather(batch)", "self.gather(batch, 1)"), "1 statement changed", (2, 2)),
        (OLD.replace("    lengths = self.count(ids)\n", "").replace(
            "    return", "    lengths = self.count(ids)\n    return"),
         "1 statement in another place", (0, 5)),
        (OLD.replace("    self.last", "    if ids:\n        a()\n        b()\n    self.last"),
         "3 statements added", (0, 5)),
        (OLD.replace("    lengths = self.count(ids)\n", "").replace("head(hidden)", "head(ids)"),
         "1 statement removed, 1 changed", (6, 5)),
    ],
)  # fmt: skip
def test_counts(new: str, message: str, lines: tuple[int, int]) -> None:
    change = compare_bodies(version(OLD), version(new))
    assert change is not None
    assert change.impact is Impact.BEHAVIORAL
    assert change.message == message
    assert (change.old_line, change.new_line) == lines


def test_only_names() -> None:
    change = compare_bodies(version(OLD), version(OLD.replace("ids", "token_ids")))
    assert change is not None
    assert change.impact is Impact.MECHANICAL
    assert change.message == "the same but for names: ids is token_ids"


def test_state_and_keywords_are_told() -> None:
    new = OLD.replace("self.last = hidden", "self.latest = hidden")
    new = new.replace("cache=None", "cache=self.cache, pad=0")
    change = compare_bodies(version(OLD), version(new))
    assert change is not None
    assert change.details == (
        "self.latest is newly assigned",
        "self.last is no longer assigned",
        "self.model gets cache=self.cache (was None)",
        "self.model also gets pad=0",
    )


def test_two_calls_of_one_are_not_compared() -> None:
    old = "def f(a):\n    return g(a, x=1) + g(a, x=2)\n"
    new = "def f(a):\n    return g(a, x=3) + g(a, x=2)\n"
    change = compare_bodies(version(old), version(new))
    assert change is not None
    assert change.details == ()


def test_a_method_as_it_stands_in_its_class() -> None:
    old = "    @torch.inference_mode()\n    def run(self):\n        return self.a\n"
    node = ast.parse(f"class C:\n{old}").body[0]
    assert isinstance(node, ast.ClassDef)
    method = node.body[0]
    assert isinstance(method, Function)
    new = old.replace("self.a", "self.b")
    other = ast.parse(f"class C:\n{new}").body[0]
    assert isinstance(other, ast.ClassDef)
    second = other.body[0]
    assert isinstance(second, Function)
    change = compare_bodies(Version(method, old), Version(second, new))
    assert change is not None
    assert (change.message, change.old_line) == ("1 statement changed", 3)


def test_a_docstring_is_not_counted_with_the_rest() -> None:
    old = OLD.replace("batch):\n", 'batch):\n    """Run it."""\n')
    new = old.replace("Run it.", "Run it once.").replace("head(hidden)", "head(ids)")
    change = compare_bodies(version(old), version(new))
    assert change is not None
    assert change.message == "1 statement changed"


def test_another_callee_is_not_compared_by_keyword() -> None:
    change = compare_bodies(version(OLD), version(OLD.replace("self.model(", "self.network(")))
    assert change is not None
    assert (change.message, change.details) == ("1 statement changed", ())


def test_statements_of_one_word_count() -> None:
    old = "def f(rows):\n    for row in rows:\n        use(row)\n"
    new = "def f(rows):\n    for row in rows:\n        use(row)\n        continue\n"
    change = compare_bodies(version(old), version(new))
    assert change is not None
    assert change.message == "1 statement added"
