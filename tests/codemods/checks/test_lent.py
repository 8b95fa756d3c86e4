"""Methods that are lent to another class, and bases of Python's own library."""

from __future__ import annotations

import pytest

from omni_codemods.checks.run import CheckOptions, check_text
from omni_codemods.sources.modules import Sources

FILES = {
    "up/__init__.py": "",
    "up/b.py": """\
import logging
import threading


class B:
    def __init__(self, n, tag=None):
        self.n = n


class Whole(B):
    def __init__(self, n):
        self.rest = n


class Log(logging.Logger):
    def once(self):
        pass


class Thread(threading.Thread):
    def go(self):
        pass
""",
}
METHOD = """\
import up.b
from up.b import B


class Mine(B):
    def go(self):
        return self.rest
"""
INIT = """\
from up.b import B


def init(self, n, tag=None, more=0):
    self.n = n


B.__init__ = init
B(1, 2, 3)
"""


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (METHOD, ["OP616"]),
        (METHOD + "\n\nup.b.Whole.go = Mine.go\n", []),
        (METHOD + "\n\ntarget = up.b.Whole\ntarget.go = Mine.go\n", []),
        (METHOD + "\n\nup.b.Whole.go = B.go\n", ["OP616"]),
        # What the library's classes have is there; what they set on self nobody sees.
        ("from up.b import Log\n\nLog('x').error(1)\n", []),
        ("from up.b import Log\n\nLog('x').handlers\n", []),
        ("from up.b import Thread\n\nThread().start()\nThread().name\n", []),
        # A patched constructor takes what the patch takes.
        ("from up.b import B\n\nB(1, 2, 3)\n", ["OP609"]),
        (INIT, []),
    ],
)
def test_what_runs_elsewhere_is_judged_there(text: str, codes: list[str]) -> None:
    options = CheckOptions(Sources({"up": FILES.get}), npu=False)
    found = {one.code for one in check_text(text, options, module="port.m")}
    assert sorted(found) == codes


NESTED = """\
from up.b import B


class Mine(B):
    def go(self):
        class Inner(Other):
            def run(self):
                return super().run()

        return Inner
"""
HANDED = """\
from up.b import B


def fix(values: dict):
    return values.keys()


B.__init__ = fix
"""


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        # A class in a function: its super() is not the one around it.
        (NESTED, []),
        # A function that is handed something else than self, for all that it is assigned.
        (HANDED, []),
        # A class that has the name of its base.
        ("from up.b import B\n\n\nclass B(B):\n    def go(self):\n        return self.n\n", []),
        ("from up.b import B\n\n\nclass B(B):\n    def go(self):\n        self.x()\n", ["OP612"]),
        # What a mixin lacks was never its to have.
        ("from up.b import SomeMixin\n\n\nclass A(SomeMixin):\n    x = SomeMixin\n", ["OP607"]),
    ],
)
def test_what_is_what_it_seems_to_be(text: str, codes: list[str]) -> None:
    options = CheckOptions(Sources({"up": FILES.get}), npu=False)
    found = {one.code for one in check_text(text, options, module="port.m")}
    assert sorted(found - {"OP610"}) == codes
