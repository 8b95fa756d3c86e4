"""The trees that come from libcst are those of :mod:`ast`, places included."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest

from omni_codemods.text.newer.convert import convert

_ROOT = Path(__file__).parents[4]
_FILES = sorted([*(_ROOT / "codemods").rglob("*.py"), *(_ROOT / "tests").rglob("*.py")])[::11]
_SAMPLE = '''\
import a.b.c as d, e.f
from . import (g as h,  # c
  i)
from ..j import *
@k.l(m)
class N(o.P, *q, metaclass=R, **s):
    """Ä."""
    x: int = "ü" "v"; w.x: str
async def f(a, /, b: int = 1, *c: str, d=(), e, **g) -> "h":
    async with a as b, c(): await d
    async for i, *j in k: yield
    else: yield from l
    return {**m, "n": [o async for o in p if q if r]}, {s for s in t}, {u: v for u in w}
def g(a, *, b): global c; nonlocal_ = lambda *x, y=1: (x, y)
try: pass
except (A, B) as e: raise C from e
except: raise
else: assert x, "y"
finally: del (a), b[0], c.d
while not a < b <= c is not d not in e: break
else: continue_ = -1 ** 2 or a and b and c or d
if a: pass
elif b: pass
else: x = y = (yield)
with (open(a) as b, c as (d, e)): f"{a!r:>{b}}{c=}{{}}é" f"{d}"
a[1:2, ::3, ...], b[c], d[e, f] = f(*g, h=1, **i), (j := 2), b"k" rb'l', 1_0, 2.5, 3j, None, True
a @= b // c % d << e >> f & g ^ h | ~i if j else k
print((x for x in y), *(z for z in w)); f((a), (b, c))
match a, b:
    case [1, "x", *_] | (None, *rest) if y: pass
    case {"k": -1, **more} | {}: pass
    case Point(x=0, y=z.W) as p: pass
    case (1 | 2), "a" "b", 1 - 2j: pass
    case _: pass
'''


def _nodes(node: ast.AST, inside: bool = False) -> Iterator[tuple[object, ...]]:
    # Before 3.12 what stands in an f-string has no true place.
    placed = not inside or (sys.version_info >= (3, 12) and not isinstance(node, ast.JoinedStr))
    place = [getattr(node, name, None) for name in ast.expr._attributes] if placed else []
    kind = "Module" if isinstance(node, ast.Module) else type(node).__name__
    plain = {
        name: value
        for name, value in ast.iter_fields(node)
        if not isinstance(value, (ast.AST, list)) and name not in ("type_comment", "kind")
    }
    yield kind, place, repr(plain)
    for child in ast.iter_child_nodes(node):
        yield from _nodes(child, inside or isinstance(node, ast.JoinedStr))


def _read(text: str) -> tuple[ast.Module, ast.Module]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text), convert(cst.parse_module(text))


@pytest.mark.parametrize("path", _FILES, ids=lambda path: str(path.relative_to(_ROOT)))
def test_house(path: Path) -> None:
    wanted, got = _read(path.read_text(encoding="utf-8"))
    assert list(_nodes(got)) == list(_nodes(wanted))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="some f-strings have other pieces there")
def test_sample() -> None:
    wanted, got = _read(_SAMPLE)
    assert list(_nodes(got)) == list(_nodes(wanted))
