"""The kinds of the contract: as many that fit as such that do not."""

from __future__ import annotations

import pytest

from checked import check
from omni_codemods.checks.run import CheckOptions, check_text
from omni_codemods.sources.guards import Versions
from omni_codemods.sources.modules import Sources

UP = {
    "up/__init__.py": "",
    "up/b.py": """\
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class B:
    def __init__(self, tp=1):
        self.tp = tp

    def go(self, x, y=None):
        return x

    def run(self, p, q):
        return p, q

    def step(self):
        a, b = self.run(1, 2)
        return a

    @property
    def size(self):
        return self.tp

    @classmethod
    def make(cls, n):
        return cls(n)

    async def wait(self, n): ...


class Color(Enum):
    RED = 1


@dataclass
class Part:
    depth: int = 0


@dataclass
class Config:
    part: Part
    name: str = ""


class State(NamedTuple):
    one: int
    two: int


class Builder:
    def build(self, a, b): ...


def get(head, dtype, use_mla=False):
    return dtype


def config() -> Config: ...
""",
    "up/ctx.py": """\
from contextlib import contextmanager

_ctx = None


def current():
    assert _ctx is not None
    return _ctx


@contextmanager
def override(ctx):
    global _ctx
    before, _ctx = _ctx, ctx
    yield
    _ctx = before


@contextmanager
def entered(x):
    with override(x):
        yield
""",
}
IN_A = "from up.b import *\nfrom up.b import B\nclass A(B):\n"


def found(text: str) -> set[str]:
    return {one.code for one in check(text, UP)}


def method(body: str, head: str = "def go(self, x, y=None):") -> str:
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    return f"from up.b import B, Builder, Config, Part, State\nclass A(B):\n    {head}\n{lines}"


WRONG = {
    "OP616": [
        method("return self.pcp"),
        method("if self.pcp > 1 and y:\n    return y"),
        method("return [self.pcp for _ in range(x)]"),
        method("def inner():\n    return self.pcp\nreturn inner()"),
        "from up.b import B\ndef go(self, x, y=None):\n    return self.pcp\nB.go = go\n",
    ],
    "OP609": [
        "from up.b import get\nget(1, 2, 3, use_mla=True)\n",
        "from up.b import get\nget(1, 2, head=1)\n",
        "from up import b\nb.Builder().build(1)\n",
        method("builder = Builder()\nbuilder.build(1)"),
        method("self.b = Builder()\nself.b.build(1)"),
        method("super().run(1)"),
        method("B.run(self, 1)"),
        "from up.b import Builder\ndef f(b: Builder | None):\n    b.build(1)\n",
        "from functools import partial\nfrom up.b import get\nget2 = partial(get, 1)\nget2()\n",
        "from functools import partial\nfrom up.b import get\npartial(get, gone=1)\n",
        "from up.b import Config\nConfig(name='x')\n",
        "from up.b import State\nState(1)\n",
        "from up.b import Part\nPart(width=1)\n",
    ],
    "OP611": [
        method("return 1, 2, 3", "def run(self, p, q):"),
        method("s = State(1, 2)\na, b, c = s"),
        method("a, b, c = self.run(1, 2)"),
    ],
    "OP615": [
        "from up.b import Color\nColor.BLUE\n",
        "from up import b\nb.gone\n",
        "from up.b import config\nconfig().part.width\n",
        "from up.b import Config\ndef f(c: Config):\n    return c.part.width\n",
    ],
    "OP617": [
        method("return 1", "@property\n    def go(self):"),
        method("return 1", "def size(self):"),
        method("return 1", "def make(self, n):"),
        method("return 1", "async def go(self, x, y=None):"),
        method("return 1", "def wait(self, n):"),
    ],
    "OP618": [
        method("super().__init__()", "def __init__(self):"),
        method("B.__init__(self)", "def __init__(self):"),
    ],
    "OP619": [
        "from up.b import B\ndef go(self, x):\n    return x\nB.go = go\n",
        "from up.b import B\ndef go(self, x):\n    return x\nB.gone = go\n",
        "from up.b import B\ndef go(self, x):\n    return x\nsetattr(B, 'gone', go)\n",
        "import up.b\ndef get(head):\n    return head\nup.b.get = get\n",
        "from up.b import B\ndef patch():\n    def go(self):\n        return 1\n    B.go = go\n",
        "from up.b import B\nB.go = lambda self, x: x\n",
        "from up.b import B\ndef go(self, x, y=None):\n    return x\nB.go = property(go)\n",
    ],
    "OP620": [
        "class A:\n    def run(self):\n        return 1\n    def run(self, x):\n        return x\n",
        (
            "class A:\n    @staticmethod\n    def f():\n"
            "        pass\n    def g(self):\n        pass\n"
            "    @staticmethod\n    def f(x):\n        pass\n"
        ),
        "def f():\n    pass\nasync def f(x):\n    pass\n",
    ],
    "OP621": [
        "if (a, ):\n    pass\n",
        "assert (a, 'm')\n",
        "while (a,):\n    pass\n",
        "x = 1 if (a,) else 2\n",
        "x = not (a,)\n",
        "if a and (b,):\n    pass\n",
        "x = [b for b in c if (b,)]\n",
    ],
    "OP622": [
        (
            "from up.ctx import current, override\ndef f(x):\n    with override(x):\n"
            "        current().hid = 1\n    return current().hid\n"
        ),
        (
            "from up.ctx import current, entered\nclass A:\n    def f(self, x):\n"
            "        with entered(x):\n            self.inner()\n        self.after()\n"
            "    def inner(self):\n        ctx = current()\n        ctx.hid = 1\n"
            "    def after(self):\n        return current().hid\n"
        ),
    ],
    "OP623": [
        (
            "from dataclasses import dataclass\nfrom up.b import Part\n@dataclass\nclass P(Part):\n"
            "    width: int\n"
        ),
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    a: int = 1\n    b: int\n",
    ],
    "OP624": [
        "import os\ndef f():\n    os.sep\n    import os\n",
        (
            "import os\ndef f(x):\n    y = os.sep\n    if x:\n"
            "        from other import os\n    return y\n"
        ),
    ],
}
FITS = {
    "OP616": [
        method("return self.tp"),
        method("self.pcp = 1\nreturn self.pcp"),
        method("return getattr(self, 'pcp', 1) or self.pcp"),
        method("try:\n    return self.pcp\nexcept AttributeError:\n    return 0"),
        method("return self.pcp") + "    def load(self):\n        self.pcp = 1\n",
        method("return self.pcp") + "class C(A):\n    pcp = 1\n",
        "class Mixin:\n    def go(self):\n        return self.pcp\n",
        method("return self.pcp") + "def use(a):\n    a.pcp = 1\n",
        (
            "from up.b import B\nfrom elsewhere import Base\nclass A(B, Base):\n    def f(self):\n"
            "        return self.pcp\n"
        ),
    ],
    "OP609": [
        "from up.b import get\nget(1, 2, use_mla=True)\nget(1, 2, True)\nget(*x, **y)\n",
        method("builder = Builder()\nbuilder.build(1, b=2)"),
        method("builder = Builder() if x else other()\nbuilder.build(1)"),
        method("B.run(self, 1, 2)\nsuper().run(1, 2)"),
        "from functools import partial\nfrom up.b import get\nget2 = partial(get, 1)\nget2(2)\n",
        "from up.b import Config, Part, State\nConfig(Part(), 'x')\nState(1, two=2)\n",
        (
            "import up.b\ndef own(head, dtype, mine=1):\n    return head\nup.b.get = own\n"
            "up.b.get(1, 2, mine=2)\n"
        ),
        (
            "from up import b\nfrom up.b import get\ndef own(head, dtype, use_mla=0, mine=1):\n"
            "    return head\nb.get = own\nget(1, 2, mine=2)\n"
        ),
        (
            "from up.b import Builder\ndef f(b: Builder):\n"
            "    if isinstance(b, Mine):\n        b.build(1)\n"
        ),
        (
            "from up.b import get\nif False:\n    pass\n"
            "try:\n    get(1)\nexcept TypeError:\n    pass\n"
        ),
    ],
    "OP611": [
        method("return 1, 2", "def run(self, p, q):"),
        method("s = State(1, 2)\na, b = s"),
        method("if p:\n    return 1\nreturn 1, 2, 3", "def run(self, p, q):"),
    ],
    "OP615": [
        "from up.b import Color\nColor.RED.value\nColor.__members__\n",
        "from up import b\nif hasattr(b, 'gone'):\n    b.gone\n",
        "from up.b import Config\ndef f(c: Config):\n    return c.part.depth\n",
        "from __future__ import annotations\nfrom up import b\ndef f(x: b.Gone):\n    pass\n",
        "from typing import TYPE_CHECKING\nfrom up import b\nif TYPE_CHECKING:\n    X = b.Gone\n",
    ],
    "OP617": [
        method("return 1", "@property\n    def size(self):"),
        method("return 1", "@staticmethod\n    def make(n):"),
        method("return coroutine(n)", "def wait(self, n):"),
        method("return 1", "@traced\n    def size(self):"),
    ],
    "OP618": [
        method("super().__init__(tp)", "def __init__(self, tp=1):"),
        method("super().__init__(**kw)", "def __init__(self, **kw):"),
        method("super().__init__(tp=2)", "def __init__(self):"),
        method("super().__init__(2)\nself.own = own", "def __init__(self, own):"),
    ],
    "OP619": [
        "from up.b import B\ndef go(self, x, y=None):\n    return x\nB.go = go\n",
        "from up.b import B\ndef go(self, *a, **k):\n    return a\nB.go = go\n",
        "from up.b import B\ndef new(self):\n    return 1\nB.new = new\nB().new()\n",
        "from up.b import B\ndef go(self, x, y=None, z=1):\n    return x\nB.go = go\n",
        "from up.b import B\nif hasattr(B, 'gone'):\n    B.gone = None\n",
        "from elsewhere import C\nC.gone = 1\n",
    ],
    "OP620": [
        (
            "class A:\n    @property\n    def f(self):\n        return 1\n    @f.setter\n"
            "    def f(self, v):\n        pass\n"
        ),
        (
            "from typing import overload\nclass A:\n    @overload\n    def f(self, a): ...\n"
            "    @overload\n    def f(self, b): ...\n    def f(self, c):\n        return c\n"
        ),
        (
            "class A:\n    if x:\n        def f(self):\n            pass\n    else:\n"
            "        def f(self):\n            pass\n"
        ),
        "def f():\n    pass\nf = wrap(f)\ndef f():\n    pass\n",
        "@app.get\ndef f():\n    pass\n@app.put\ndef f():\n    pass\n",
    ],
    "OP621": ["if a:\n    pass\n", "assert a, 'm'\n", "x = (a,)\n", "if ():\n    pass\n"],
    "OP622": [
        (
            "from up.ctx import current, override\ndef f(x):\n    with override(x):\n"
            "        current().hid = 1\n        return current().hid\n"
        ),
        (
            "from up.ctx import current, override\ndef f(x):\n    with override(x):\n"
            "        ctx = current()\n        ctx.hid = 1\n    return ctx.hid\n"
        ),
        (
            "from up.ctx import current, override\ndef f(x):\n    with override(x):\n"
            "        current().hid = 1\n    with override(x):\n        return current().hid\n"
        ),
        (
            "from up.ctx import current, override\ndef f(x):\n    with override(x):\n"
            "        with override(1):\n            current().hid = 1\n        current().hid\n"
            "        current().other = 1\n"
        ),
    ],
    "OP623": [
        (
            "from dataclasses import dataclass\nfrom up.b import Part\n@dataclass(kw_only=True)\n"
            "class P(Part):\n    width: int\n"
        ),
        (
            "from dataclasses import dataclass, field\n@dataclass\nclass P:\n"
            "    a: int = field(init=False, default=1)\n    b: int\n"
        ),
        "class P:\n    a: int = 1\n    b: int\n",
    ],
    "OP624": [
        "import os\ndef f():\n    import os\n    os.sep\n",
        "import os\ndef f():\n    os.sep\n    def g():\n        import os\n",
        "def f():\n    for i in range(2):\n        if i:\n            os.sep\n        import os\n",
        "import os\ndef f():\n    global os\n    os.sep\n    import os\n",
    ],
}


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, every in WRONG.items() for text in every]
)
def test_what_does_not_fit_is_found(code: str, text: str) -> None:
    assert code in found(text)


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, every in FITS.items() for text in every]
)
def test_what_fits_or_is_not_known_is_left(code: str, text: str) -> None:
    assert code not in found(text)


@pytest.mark.parametrize(
    ("test", "version", "told"),
    [
        ("if version_is('2.0'):", "2.0", True),
        ("if version_is('2.0'):", "3.0", False),
        ("if not version_is('2.0'):", "2.0", False),
        ("if Version(up.__version__) >= Version('2.0'):", "2.1", True),
        ("if Version(up.__version__) >= Version('2.0'):", "1.9", False),
        ("if version_is('2.0'):", "", False),
        ("if NEW:", "2.0", True),
    ],
)
def test_code_is_judged_for_the_version_that_it_is_for(test: str, version: str, told: bool) -> None:
    text = f"import up\n{test}\n    from up.gone import X\n"
    versions = Versions({"up": version} if version else {})
    options = CheckOptions(Sources({"up": UP.get}), versions=versions)
    assert ("OP607" in {one.code for one in check_text(text, options)}) is told


def test_after_a_test_of_the_version_that_leaves_comes_the_other_one() -> None:
    text = "import up\ndef f():\n    if version_is('2.0'):\n        return 1\n    import up.gone\n"
    for version, told in (("2.0", False), ("3.0", True)):
        options = CheckOptions(Sources({"up": UP.get}), versions=Versions({"up": version}))
        assert ("OP607" in {one.code for one in check_text(text, options)}) is told


def test_members_that_are_added_to_an_enum_are_there() -> None:
    text = "from up.b import Color\nextend_enum(Color, 'BLUE', 2)\nColor.BLUE\nColor.GREEN\n"
    assert [one.line for one in check(text, UP) if one.code == "OP615"] == [4]


def test_what_a_class_below_puts_into_an_attribute_counts() -> None:
    up = {**UP, "up/c.py": "from up.b import State\nclass C:\n    def __init__(self):\n"
          "        self.state: State = None\n"}  # fmt: skip
    head = "from up.c import C\nclass A(C):\n    def go(self):\n"
    taken = "        a, b, c = self.state\n"
    assert "OP611" in {one.code for one in check(head + taken, up)}
    other = "        self.state = other()\n"
    assert "OP611" not in {one.code for one in check(head + other + taken, up)}
