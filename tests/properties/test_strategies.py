"""What the strategies promise: every method parses, and fences change no code."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from omni_codemods.functions.fences import parse_fences
from shapes import Method, has_fence, render_method
from strategies import fenced_versions, local_versions, methods, unmarked, upstream_versions


def parse(method: Method, *, wide: bool = True) -> ast.Module:
    return ast.parse("class Runner:\n" + render_method(method, wide=wide))


@given(methods(), st.booleans())
def test_every_method_parses(method: Method, wide: bool) -> None:
    assert ast.dump(parse(method, wide=wide)) == ast.dump(parse(method, wide=not wide))


@given(st.data())
def test_every_version_parses(data: st.DataObject) -> None:
    base = data.draw(methods())
    for versions in (local_versions(base), upstream_versions(base)):
        parse(data.draw(versions))


@given(st.data())
def test_fences_are_comments(data: st.DataObject) -> None:
    local = data.draw(methods().flatmap(local_versions))
    assert ast.dump(parse(local)) == ast.dump(parse(unmarked(local)))
    assert not any(map(has_fence, unmarked(local).body))


@given(st.data())
def test_fences_pair(data: st.DataObject) -> None:
    method = data.draw(methods().flatmap(local_versions).flatmap(fenced_versions))
    fences = parse_fences("class Runner:\n" + render_method(method))
    assert not [finding for finding in fences.findings if finding.severity.value == "error"]
    assert bool(fences.blocks) == (
        any(map(has_fence, method.body)) or any(p.marked for p in method.parameters)
    )
