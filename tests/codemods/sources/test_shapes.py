from __future__ import annotations

import pytest

from omni_codemods.sources.modules import Answer, find_definition, find_origin, resolve
from omni_codemods.sources.shapes import Sort, find_shape
from upgrades import sources

HOME = "class A:\n    def go(self):\n        return 1\n\ndef f(n):\n    return n\n\nN = 3\n"


def shape(code: str, name: str = "X") -> object:
    found = find_shape(f"up.m.{name}", sources({"up/m.py": code, "up/home.py": HOME}))
    return None if found is None else found.sort


@pytest.mark.parametrize(
    ("code", "sort"),
    [
        ("class X:\n    pass\n", Sort.CLASS),
        ("def X():\n    pass\n", Sort.FUNCTION),
        ("async def X():\n    pass\n", Sort.FUNCTION),
        ("X = lambda: 1\n", Sort.FUNCTION),
        ("X = functools.partial(print)\n", Sort.FUNCTION),
        ("X = collections.namedtuple('X', 'a b')\n", Sort.CLASS),
        ("X = make()\n", Sort.MADE),
        ("X = 1\n", Sort.CONSTANT),
        ("X = (1, 2)\n", Sort.CONSTANT),
        ("X: int\n", Sort.DECLARED),
        ("X = Union[int, str]\n", Sort.TYPE),
        ("X = int | None\n", Sort.TYPE),
        ("X = int | str\n", Sort.TYPE),
        ("import torch as X\n", Sort.OUTSIDE),
        ("from up.home import A as X\n", Sort.CLASS),
        ("from up import home as X\n", Sort.MODULE),
        ("from up.home import A\nX = A\n", Sort.CLASS),
        ("from up import home\nX = home.f\n", Sort.FUNCTION),
        ("try:\n    from up.home import A as X\nexcept ImportError:\n    X = None\n", Sort.CLASS),
        ("X = None\nif a:\n    from up.home import f as X\n", Sort.FUNCTION),
        ("Y = 1\n", None),
    ],
)
def test_what_a_name_is(code: str, sort: Sort | None) -> None:
    assert shape(code) is sort


@pytest.mark.parametrize(
    ("code", "sort"),
    [
        ("    def go(self):\n        pass\n", Sort.METHOD),
        ("    @property\n    def go(self):\n        pass\n", Sort.PROPERTY),
        ("    @functools.cached_property\n    def go(self):\n        pass\n", Sort.PROPERTY),
        ("    @classmethod\n    def go(cls):\n        pass\n", Sort.CLASS_METHOD),
        ("    @staticmethod\n    def go():\n        pass\n", Sort.STATIC_METHOD),
        ("    go = None\n", Sort.ATTRIBUTE),
        ("    go: int\n", Sort.ATTRIBUTE),
        ("    def __init__(self):\n        self.go = 1\n", Sort.ATTRIBUTE),
    ],
)
def test_what_a_member_is(code: str, sort: Sort) -> None:
    assert shape(f"class X:\n{code}", "X.go") is sort


def test_another_name_is_followed() -> None:
    given = sources({"up/m.py": "from up import home\nX = home.A\nY = X\n", "up/home.py": HOME})
    assert find_origin("up.m.Y.go", given) == "up.home.A.go"
    assert resolve("up.m.Y.go", given) is Answer.FOUND
    assert resolve("up.m.Y.lost", given) is Answer.MISSING
    assert find_definition("up.m.Y", given) is find_definition("up.home.A", given)


@pytest.mark.parametrize(
    "code",
    ["X = Y\nY = X\n", "X = X\n", "X = Y.Z\nY = 1\n", "X = torch.Tensor\nimport torch\n",
     "X = A\nX = B\nclass A:\n    pass\nclass B:\n    pass\n"],
)  # fmt: skip
def test_what_is_no_other_name_of_anything(code: str) -> None:
    given = sources({"up/m.py": code})
    assert find_origin("up.m.X", given) == "up.m.X"
    assert resolve("up.m.X", given) is Answer.FOUND


def test_what_stands_under_conditions() -> None:
    code = (
        "if a:\n    class X:\n        pass\nelif b:\n    def X():\n        pass\nelse:\n    X = 3\n"
    )
    found = find_shape("up.m.X", sources({"up/m.py": code}))
    assert found is not None
    assert found.arms == ("a class (line 2)", "a function (line 5)", "3 (line 8)")
    assert not found.typing


def test_what_only_type_checkers_see() -> None:
    code = "if typing.TYPE_CHECKING:\n    from up.home import A as X\n"
    found = find_shape("up.m.X", sources({"up/m.py": code, "up/home.py": HOME}))
    assert found is not None
    assert found.typing
    lazy = f"{code}\ndef __getattr__(name):\n    return name\n"
    found = find_shape("up.m.X", sources({"up/m.py": lazy, "up/home.py": HOME}))
    assert found is not None
    assert not found.typing
