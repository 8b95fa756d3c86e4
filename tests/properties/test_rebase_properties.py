"""What holds for every rebase, on random edits of random methods of real shape."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from hypothesis import event, given, note, reject
from hypothesis import strategies as st

from invariants import (
    Texts,
    account,
    assert_fences_change_no_code,
    assert_invariants,
    code_of,
    needs_a_person,
    resolve,
    statements_of,
)
from omni_codemods.findings.errors import NotACopy
from omni_codemods.findings.model import RebaseResult
from omni_codemods.rebase.method import rebase_method
from shapes import Line, Method, body_at, edit_at, iter_bodies, render_method
from strategies import (
    VARIABLES,
    fenced_versions,
    holds_cases,
    local_versions,
    methods,
    unmarked,
    upstream_versions,
)

HEAD = '''"""Runs batches."""

import time

from engine.rows import pad

LIMIT = 8


class Runner:
'''
FIRST = """    def __init__(self):
        self.rank  = 0   # odd layout stays
"""
LAST = """    def last(self):
        return pad(self.rank), time.monotonic()
"""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The three methods of one rebase."""

    base: Method
    local: Method
    target: Method


def file_of(method: Method, *, wide: bool = True, before: str = FIRST, after: str = LAST) -> str:
    """A module with *method* between two others."""
    return f"{HEAD}{before}\n{render_method(method, wide=wide)}\n{after}"


def rebase(base: str, local: str, target: str, policy: str = "replay") -> RebaseResult:
    """Rebase ``run``; inputs that are no copies of each other are not looked at."""
    for side, text in (("base", base), ("local", local), ("target", target)):
        note(f"--- {side}\n{function_of(text)}")
    try:
        result = rebase_method(base=base, local=local, target=target, method="run", policy=policy)
    except NotACopy:
        event("not a copy")
        reject()
    note(f"--- result\n{result.text.partition(FIRST)[2] or result.text}")
    return result


def texts_of(inputs: Inputs) -> Texts:
    """The three files, each method in the same surroundings."""
    return Texts(file_of(inputs.base), file_of(inputs.local), file_of(inputs.target))


def rebase_inputs(inputs: Inputs) -> RebaseResult:
    """Rebase the three methods, each in a file of the same surroundings."""
    return rebase(file_of(inputs.base), file_of(inputs.local), file_of(inputs.target))


def function_of(text: str) -> str:
    """The text of ``run`` with its decorators."""
    (cls,) = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    (run,) = (
        node
        for node in cls.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "run"
    )
    start = min([run.lineno, *(decorator.lineno for decorator in run.decorator_list)])
    return "".join(text.splitlines(keepends=True)[start - 1 : run.end_lineno])


@st.composite
def inputs(draw: st.DrawFn) -> Inputs:
    """A base method with a local and an upstream version of it, which may share some edits."""
    base = draw(methods())
    shared = draw(upstream_versions(base)) if draw(st.booleans()) else base
    return Inputs(base, draw(local_versions(shared)), draw(upstream_versions(shared)))


@given(inputs())
def test_upstream_unchanged_gives_local(three: Inputs) -> None:
    local = file_of(three.local)
    result = rebase(file_of(three.base), local, file_of(three.base))
    assert result.text == local
    assert not result.conflicts


@given(inputs())
def test_local_unchanged_gives_target(three: Inputs) -> None:
    base, target = file_of(three.base), file_of(three.target)
    result = rebase(base, base, target)
    assert result.text == target
    assert result.edits == ()


@given(inputs())
def test_local_that_is_target_stays(three: Inputs) -> None:
    target = file_of(three.target)
    result = rebase(file_of(three.base), target, target)
    assert result.text == target
    assert not result.conflicts


@given(inputs())
def test_nothing_fenced_is_lost_and_all_parses(three: Inputs) -> None:
    result = rebase_inputs(three)
    event(f"conflicts: {min(len(result.conflicts), 3)}")
    assert_invariants(texts_of(three), result)


@given(inputs())
def test_what_local_and_target_both_have_stays(three: Inputs) -> None:
    base, local, target = map(file_of, (three.base, three.local, three.target))
    counts = [statements_of(text) for text in (base, local, target)]
    result = rebase(base, local, target)
    both = [x for x in counts[1] if counts[1][x] == counts[2][x] == 1 and counts[0][x] <= 1]
    kept = statements_of(resolve(result.text, "local")) | statements_of(
        resolve(result.text, "target")
    )
    assert [x for x in both if not kept[x]] == []


@given(inputs())
def test_strict_policy_keeps_the_invariants(three: Inputs) -> None:
    base, local, target = map(file_of, (three.base, three.local, three.target))
    result = rebase(base, local, target, "strict")
    assert_invariants(Texts(base, local, target), result)
    if not result.conflicts:
        assert result.text == rebase(base, local, target).text


@given(inputs())
def test_second_run_changes_nothing(three: Inputs) -> None:
    first = rebase_inputs(three)
    if first.conflicts:
        reject()
    target = file_of(three.target)
    again = rebase(target, first.text, target)
    assert again.text == first.text


@given(inputs())
def test_bytes_outside_the_function_stay(three: Inputs) -> None:
    result = rebase_inputs(three)
    start, end = HEAD + FIRST + "\n", "\n" + LAST
    assert result.text.startswith(start)
    assert result.text.endswith(end)


@given(st.data())
def test_fences_do_not_change_which_code_survives(data: st.DataObject) -> None:
    three = data.draw(inputs())
    fenced = replace(three, local=data.draw(fenced_versions(unmarked(three.local))))
    plain = replace(three, local=unmarked(fenced.local))
    without, with_fences = rebase_inputs(plain), rebase_inputs(fenced)
    if any(needs_a_person(result) for result in (without, with_fences)):
        reject()
    assert_fences_change_no_code(without, with_fences, file_of(plain.local), file_of(fenced.local))


@given(inputs(), st.sampled_from([name for name in VARIABLES if name != "batch"]))
def test_renaming_a_variable_everywhere_renames_it_in_the_result(three: Inputs, name: str) -> None:
    def rename(text: str) -> str:
        return re.sub(rf"(?<![\w.]){name}\b", "fresh_name", text)

    texts = [file_of(method) for method in (three.base, three.local, three.target)]
    assert rebase(*map(rename, texts)).text == rename(rebase(*texts).text)


@given(inputs(), st.sampled_from(("base", "local", "target")))
def test_layout_of_one_input_changes_no_outcome(three: Inputs, side: str) -> None:
    names = ("base", "local", "target")
    texts = {name: file_of(getattr(three, name)) for name in names}
    narrow = {**texts, side: file_of(getattr(three, side), wide=False)}
    one, other = rebase(**texts), rebase(**narrow)
    assert account(one) == account(other)
    assert code_of(resolve(one.text, "local")) == code_of(resolve(other.text, "local"))
    assert code_of(resolve(one.text, "target")) == code_of(resolve(other.text, "target"))


@given(inputs(), st.sampled_from(("base", "local", "target")))
def test_order_of_other_methods_changes_nothing(three: Inputs, side: str) -> None:
    names = ("base", "local", "target")
    texts = {name: file_of(getattr(three, name)) for name in names}
    swapped = {**texts, side: file_of(getattr(three, side), before=LAST, after=FIRST)}
    one, other = rebase(**texts), rebase(**swapped)
    assert account(one) == account(other)
    run = slice(len(HEAD + FIRST), -len(LAST))
    if side == "local":
        assert one.text[run] == other.text[len(HEAD + LAST) : -len(FIRST)]
    else:
        assert one.text == other.text


def to_crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def to_tabs(text: str) -> str:
    return re.sub(r"(?m)^(?: {4})+", lambda m: "\t" * (len(m[0]) // 4), text)


@pytest.mark.parametrize("change", [to_crlf, to_tabs])
@given(three=inputs())
def test_line_ends_and_tabs_are_kept(change: Callable[[str], str], three: Inputs) -> None:
    texts = [file_of(method) for method in (three.base, three.local, three.target)]
    assert rebase(*map(change, texts)).text == change(rebase(*texts).text)


@st.composite
def probed(draw: st.DrawFn, method: Method, statement: str) -> Method:
    """*method* with *statement* put somewhere."""
    suites = [p for p in iter_bodies(method.body) if not holds_cases(body_at(method.body, p))]
    path = draw(st.sampled_from(suites))
    at = draw(st.integers(0, len(body_at(method.body, path))))
    body = edit_at(method.body, path, lambda b: (*b[:at], Line(statement), *b[at:]))
    return replace(method, body=body)


@given(st.data())
def test_new_upstream_statement_is_neither_lost_nor_doubled(data: st.DataObject) -> None:
    three = data.draw(inputs())
    target = data.draw(probed(three.target, "self.upstream_probe(rows, 17)"))
    result = rebase_inputs(replace(three, target=target))
    overruled = any("upstream_probe" in edit.overruled for edit in result.edits)
    count = resolve(result.text, "target").count("upstream_probe")
    assert count == 1 or (count == 0 and overruled), result.text


@given(st.data())
def test_new_local_statement_is_neither_lost_nor_doubled(data: st.DataObject) -> None:
    three = data.draw(inputs())
    local = data.draw(probed(three.local, "self.local_probe(rows, 17)"))
    result = rebase_inputs(replace(three, local=local))
    assert resolve(result.text, "local").count("local_probe") == 1, result.text
