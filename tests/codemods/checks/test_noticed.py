"""A signature that differs is told where somebody notices, or nobody knows who calls."""

from __future__ import annotations

import pytest

from omni_codemods.checks.run import CheckOptions, check_text
from omni_codemods.sources.modules import Sources

BASE = """\
class B:
    def go(self, x, y=None):
        return x


def help(a, b=1):
    return a
"""
MINE = "from up.b import B\n\n\nclass C(B):\n    def go(self, x):\n        return x\n"
OWN = MINE.replace("x", "z")
PATCH = "import up.b\n\n\ndef mine(a):\n    return a\n\n\nup.b.help = mine\n"


def found(text: str, caller: str) -> list[str]:
    files = {"up/__init__.py": "", "up/b.py": BASE, "up/c.py": caller}

    def search(wanted: str) -> list[tuple[str, str]]:
        return [(path[:-3].replace("/", "."), one) for path, one in files.items() if wanted in one]

    sources = Sources({"up": files.get}, search)
    made = check_text(text, CheckOptions(sources, npu=False), module="port.m")
    return [one.code for one in made if one.code in ("OP608", "OP619")]


@pytest.mark.parametrize(
    ("text", "caller", "codes"),
    [
        # Nobody calls: nobody knows.
        (MINE, "", ["OP608"]),
        # Somebody passes what it does not take.
        (MINE, "b.go(1, y=2)\n", ["OP608"]),
        (MINE, "b.go(1, 2)\n", ["OP608"]),
        (MINE, "b.go(1)\nself.b.go(1, y=2)\n", ["OP608"]),
        # All calls fit both.
        (MINE, "b.go(1)\n", []),
        (MINE, "b.go(x=1)\n", []),
        # Calls of something else of this name say nothing.
        (MINE, "b.go(1, 2, 3)\n", ["OP608"]),
        # Only the name of the parameter is another, and nobody writes it.
        (OWN, "b.go(1)\n", []),
        # It lacks one and wants another: it is another function on purpose.
        (OWN, "b.go(x=1)\n", []),
        (PATCH, "help(1)\n", []),
        (PATCH, "help(1, b=2)\n", ["OP619"]),
        (PATCH, "", ["OP619"]),
    ],
)
def test_what_nobody_notices_is_not_told(text: str, caller: str, codes: list[str]) -> None:
    assert found(text, caller) == codes
