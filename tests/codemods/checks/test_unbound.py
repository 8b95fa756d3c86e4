from __future__ import annotations

import pytest

from checked import check, codes


def test_a_name_that_nothing_binds() -> None:
    text = "def f(x):\n    y = x\n    return SIZE + y\n\n\ndef g():\n    return SIZE\n"
    assert codes(check(text)) == [("OP610", 3), ("OP610", 7)]


@pytest.mark.parametrize(
    "text",
    [
        "import os\n\n\ndef f():\n    return os.sep, len, __file__\n",
        "def f():\n    return SIZE\n\n\nSIZE = 1\n",
        "def f():\n    global SIZE\n    SIZE = 1\n\n\ndef g():\n    return SIZE\n",
        "class A:\n    n = 1\n\n    def f(self, m=n):\n        return m\n",
        (
            "class A:\n    @property\n    def f(self):\n        return 1\n\n"
            "    @f.setter\n    def f(self, x):\n        pass\n"
        ),
        "from typing import Literal\n\n\ndef f(x: 'Literal[\"first\"]'):\n    return x\n",
        "KNOWN = [y for x in (1, 2) if (y := x)]\n",
        "def f(x):\n    return [y for y in x if (z := y) and z]\n",
        "from os import *\n\n\ndef f():\n    return sep\n",
        "try:\n    import os\nexcept ImportError:\n    os = None\n\n\ndef f():\n    return os\n",
    ],
)
def test_names_that_something_binds(text: str) -> None:
    assert check(text) == []


def test_a_name_of_the_class_is_not_seen_from_its_methods() -> None:
    assert codes(check("class A:\n    n = 1\n\n    def f(self):\n        return n\n")) == [
        ("OP610", 5)
    ]
