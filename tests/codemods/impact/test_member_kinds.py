"""Whatever a method becomes, who overrides, copies, calls or reads it hears of it."""

from __future__ import annotations

import pytest

from omni_codemods.impact.model import Impact
from upgrades import compare

HEAD = """\
class Runner:
    def __init__(self):
        self.limit = 3
        self.size = 1

    def other(self, n):
        first = self.start(n)
        second = self.middle(first)
        return self.end(second)

"""
METHOD = """\
    def step(self, batch):
        ids = self.gather(batch)
        hidden = self.model(ids, batch.positions)
        return self.head(hidden[batch.last])
"""
BODY = METHOD.partition("\n")[2]
SHAPES = {
    "method": METHOD,
    "async": METHOD.replace("def step", "async def step"),
    "property": "    @property\n    def step(self):\n        return 1\n",
    "cached property": "    @functools.cached_property\n    def step(self):\n        return 1\n",
    "class method": f"    @classmethod\n    def step(cls, batch):\n{BODY}",
    "static method": f"    @staticmethod\n    def step(batch):\n{BODY}",
    "attribute": "    step = None\n",
    "declared": "    step: int\n",
    "partial": "    step = functools.partialmethod(other, 1)\n",
    "alias": "    step = other\n",
    "class": "    class step:\n        pass\n",
    "set": "    def again(self):\n        self.step = self.other\n",
    "conditional": "    if FLAG:\n"
    + "".join(f"    {line}" for line in METHOD.splitlines(True))
    + "    else:\n        def step(self, batch):\n            return None\n",
    "gone": "    def again(self):\n        return 1\n",
    "inherited": "",
}
BASES = {"inherited": "class Base:\n" + METHOD + "\n\n"}
IMPORT = "from up.runner import Runner\n\n\nclass Mine(Runner):\n"
OURS = "        self.ours(batch)  # Omni-new\n"
ROLES = {
    "overrides": IMPORT + "    def step(self, batch):\n        return None\n",
    "copies": IMPORT + METHOD.replace("        return", f"{OURS}        return"),
    "calls": IMPORT + "    def own(self, batch):\n        return self.step(batch)\n",
}


def upstream(shape: str) -> str:
    head = HEAD.replace("class Runner:", "class Runner(Base):") if shape in BASES else HEAD
    return BASES.get(shape, "") + head + SHAPES[shape]


# A bound method is called the same way, and a base may have it.
_FINE = {("calls", "class method"), ("calls", "static method"), ("calls", "class")}


@pytest.mark.parametrize("new", [name for name in SHAPES if name != "method"])
@pytest.mark.parametrize("role", ROLES)
def test_it_is_told(role: str, new: str) -> None:
    found = compare(ROLES[role], upstream("method"), upstream(new)).changes
    about = [change for change in found if change.subject.endswith(".step")]
    # What is set on self may be anything that can be called.
    quiet = (role, new) in _FINE or new == "inherited" or (role, new) == ("calls", "set")
    quiet = quiet or (role, new) == ("calls", "conditional")
    assert about or quiet, [change.message for change in found]
    for change in about:
        assert change.message
        assert change.consumers


SET = "Runner.again sets it on self now: the override is called no more"
LOST = "gone, and nothing like it is in its class: nothing calls the override"
CALLED = "is a property now (was a method): the call calls what it gives"
ARMS = "is there under conditions now: a function (line 12), or a function (line 17)"
STATIC = "is a static method now (was a method)"
SAID = [
    ("overrides", "property", "seam-kind", "is a property now (was a method)", "architectural"),
    ("overrides", "static method", "seam-kind", STATIC, "behavioral"),
    ("overrides", "set", "seam-kind", SET, "architectural"),
    ("overrides", "gone", "seam-gone", LOST, "architectural"),
    ("overrides", "conditional", "seam-kind", ARMS, "behavioral"),
    ("copies", "conditional", "copied-kind", ARMS, "behavioral"),
    ("copies", "property", "copied-decorators", "decorators: @property (were none)", "behavioral"),
    ("copies", "attribute", "copied-kind", "is an attribute now (was a method)", "architectural"),
    ("calls", "property", "call-kind", CALLED, "behavioral"),
    ("calls", "gone", "call-gone", "gone: no class of the target has it", "architectural"),
]


@pytest.mark.parametrize(("role", "new", "kind", "message", "impact"), SAID)
def test_the_words(role: str, new: str, kind: str, message: str, impact: str) -> None:
    found = compare(ROLES[role], upstream("method"), upstream(new)).changes
    assert (kind, message, Impact(impact)) in {(c.kind, c.message, c.impact) for c in found}
