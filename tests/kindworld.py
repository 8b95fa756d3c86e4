"""Upstreams in which a name is a class at one end and something else at the other.

SHAPES are all that a name ``Thing`` of the module ``up/things.py`` can be; some come with files of
their own. FUNCTIONS are those that are copied as a function, CLASSES as a class.
"""

from __future__ import annotations

CLASS = """\
class Thing:
    def run(self, batch):
        ids = self.gather(batch)
        hidden = self.model(ids, batch.positions)
        return self.head(hidden[batch.last])

    def capture(self, size):
        with self.graph(size):
            return self.model(self.buffers[size])
"""
FUNCTION = """\
def Thing(batch, model, head):
    ids = list(batch.ids)
    hidden = model(ids, batch.positions)
    return head(hidden[batch.last])
"""
OTHER = "class Other:\n    def go(self):\n        return 1\n"


def _indented(text: str) -> str:
    return "".join(f"    {line}" if line.strip() else line for line in text.splitlines(True))


def _again(text: str) -> dict[str, dict[str, str]]:
    """The same thing, from elsewhere, under another name, under a condition."""
    name = "class Thing" if text is CLASS else "def Thing"
    renamed = text.replace(name, f"{name}Impl")
    return {
        "re-exported": {"up/things.py": "from up.home import Thing\n", "up/home.py": text},
        "re-exported by a star": {"up/things.py": "from up.home import *\n", "up/home.py": text},
        "alias": {"up/things.py": f"{renamed}\n\nThing = ThingImpl\n"},
        "alias of an import": {
            "up/things.py": "from up import home\n\nThing = home.ThingImpl\n",
            "up/home.py": renamed,
        },
        "conditional": {
            "up/things.py": f"import os\n\nif os.name == 'x':\n{_indented(text)}"
            "else:\n    Thing = None\n"
        },
        "tried": {
            "up/things.py": "try:\n    from up.home import Thing\nexcept ImportError:\n"
            "    Thing = None\n",
            "up/home.py": text,
        },
        "for checkers": {
            "up/things.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
            "    from up.home import Thing\n",
            "up/home.py": text,
        },
        "a package": {"up/things/__init__.py": "from .home import Thing\n",
                      "up/things/home.py": text},
        "moved": {"up/things.py": "", "up/home.py": text},
    }  # fmt: skip


_PLAIN: dict[str, dict[str, str]] = {
    "constant": {"up/things.py": "Thing = 3\n"},
    "none": {"up/things.py": "Thing = None\n"},
    "lambda": {"up/things.py": "Thing = lambda *args: args\n"},
    "partial": {"up/things.py": "from functools import partial\n\nThing = partial(print, 1)\n"},
    "named tuple": {"up/things.py": "import typing\n\nThing = typing.NamedTuple('T', [])\n"},
    "made": {"up/things.py": "from up.home import make\n\nThing = make(3)\n",
             "up/home.py": "def make(n):\n    return n\n"},
    "type": {"up/things.py": "from typing import Union\n\nThing = Union[int, str]\n"},
    "declared": {"up/things.py": "Thing: int\n"},
    "module": {"up/things/__init__.py": "", "up/things/Thing.py": "run = 1\n"},
    "from elsewhere": {"up/things.py": "from torch.nn import Thing\n"},
    "gone": {"up/things.py": OTHER},
    "module gone": {"up/other.py": OTHER},
    "asked for": {"up/things.py": "def __getattr__(name):\n    return name\n"},
    "not Python": {"up/things.py": "class Thing(:\n"},
}  # fmt: skip
CLASSES = {"class": {"up/things.py": CLASS}, **_again(CLASS)}
FUNCTIONS = {"function": {"up/things.py": FUNCTION}, **_again(FUNCTION)}
_AS_FUNCTION = {f"function {name}": files for name, files in _again(FUNCTION).items()}
_AS_CLASS = {f"class {name}": files for name, files in _again(CLASS).items()}
SHAPES = {
    "class": {"up/things.py": CLASS},
    "function": {"up/things.py": FUNCTION},
    **_AS_CLASS,
    **_AS_FUNCTION,
    **_PLAIN,
}
BLOCK = "        # ---- Omni-new ----\n        self.talker(hidden)\n        # ---- Omni-new ----\n"
_LAST = "        return self.head(hidden[batch.last])\n"
SUBCLASS = "from up.things import Thing\n\n" + CLASS.replace("class Thing:", "class Mine(Thing):")
SUBCLASS = SUBCLASS.replace(_LAST, BLOCK + _LAST)
# A class that copies, and inherits nothing.
COPY = SUBCLASS.replace("class Mine(Thing):", "class Mine:").replace(
    "from up.things import Thing\n\n", ""
)
OVERRIDE = """\
from up.things import Thing


class Mine(Thing):
    def capture(self, size):
        return None
"""
_PATCHED = FUNCTION.replace("def Thing", "def mine")
_PATCHED = _PATCHED.replace("    return", "    print(ids)  # Omni-new\n    return")
PATCH = f"import up.things\n\n\n{_PATCHED}\n\nup.things.Thing = mine\n"
USES = """\
from up.base import Base
from up.things import Thing


class Sub(Thing):
    pass


def make(kind: Thing = Thing):
    if isinstance(kind, Thing):
        return Thing(1)
    return Thing.run


class Mine(Base):
    def own(self):
        return Thing(2)
"""
BASE = {"up/base.py": "class Base:\n    def start(self):\n        return 1\n"}
