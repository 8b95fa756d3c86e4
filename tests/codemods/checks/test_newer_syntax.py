"""Files in syntax from 3.11 to 3.14 are checked and translated under every Python."""

from __future__ import annotations

import pytest

from omni_codemods.checks.run import CheckOptions, check_text
from omni_codemods.sources.modules import Sources
from omni_codemods.translate import translate

_HEAD = "import torch\nfrom up import first, A, B\n\n\n"
NEWER = {
    "except*": (
        "def f():\n    try:\n        {}()\n    except* A:\n        pass\n"
        "    else:\n        {}()\n    finally:\n        {}()\n"
    ),
    "a star in an index": "x = first[*{}(), 1]\n",
    "a star in an annotation": "def f(*args: *first[{}]): pass\n",
    "a type alias": "type C[T: {}] = dict[T, {}]\n",
    "type parameters": "class C[T: {}]:\n    def f[S = {}](self, x: S, y: T) -> S: return x\n",
    "same quotes in an f-string": 'x = f"{{A["b"]}} {{{}()}}"\n',
    "a comment in an f-string": 'x = f"""{{\n    {}()  # why\n}}"""\n',
    "a t-string": 'x = t"{{A}} {{{}()!r:>{{B}}}}"\n',
    "except without parentheses": "def f():\n    try: {}()\n    except A, B: {}()\n",
    "except* without parentheses": "try: first()\nexcept* A, B: {}()\n",
    "type parameters of an async function": "async def f[**P, *Ts](x: {}): await first(P, Ts)\n",
}


@pytest.mark.parametrize("shape", NEWER.values(), ids=NEWER)
def test_translated(shape: str) -> None:
    text = _HEAD + shape.replace("{}", "torch.cuda.Event").replace("{{", "{").replace("}}", "}")
    assert translate(text).text == text.replace("torch.cuda", "torch.npu")


@pytest.mark.parametrize("shape", NEWER.values(), ids=NEWER)
def test_checked(shape: str) -> None:
    code = shape.replace("{}", "first").replace("{{", "{").replace("}}", "}")
    options = CheckOptions(Sources({"up": {"up.py": "first = A = B = 1\n"}.get}))
    assert check_text(_HEAD + code, options, module="mine") == ()


@pytest.mark.parametrize("name", ["except*", "a t-string", "except without parentheses"])
def test_what_nothing_binds(name: str) -> None:
    code = NEWER[name].replace("{}", "nothing").replace("{{", "{").replace("}}", "}")
    function = code if code.startswith("def ") else f"def g():\n    {code}"
    assert "OP610" in {found.code for found in check_text(_HEAD + function)}
