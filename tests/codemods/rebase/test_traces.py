"""Where each line of a rebuilt function came from."""

from __future__ import annotations

from omni_codemods.findings.model import RebaseResult, Trace
from omni_codemods.rebase.method import rebase_method


def trace_of(base: str, local: str, target: str) -> Trace:
    result = rebase_method(local=local, base=base, target=target, method="f")
    (found,) = result.traces
    check(result, found, local, target)
    return found


def check(result: RebaseResult, trace: Trace, local: str, target: str) -> None:
    """What holds of every trace: its text is the result's, its lines are lines of the files."""
    assert "".join(x.text for x in trace.lines) in result.text
    mine, theirs = local.split("\n"), target.split("\n")
    for line in trace.lines:
        here, there = mine[line.local - 1].strip(), theirs[line.target - 1].strip()
        if line.local and not line.target:
            assert line.text.strip() == here
        if line.target and not line.local:
            assert line.text.strip() == there


def numbers(trace: Trace) -> list[tuple[int, int]]:
    return [(line.local, line.target) for line in trace.lines]


BASE = "def f(x):\n    a = 1\n    b = 2\n    return x\n"


def test_lines_of_all_three() -> None:
    local = "import os\n\n\ndef f(x):\n    a = 1\n    ours()\n    b = 2\n    return x\n"
    target = "#\ndef f(x):\n    a = 1\n    b = 3\n    new()\n    return x\n"
    found = numbers(trace_of(BASE, local, target))
    assert found == [(4, 2), (5, 3), (6, 0), (7, 4), (0, 5), (8, 6)]


def test_a_merged_statement_is_of_both() -> None:
    base = "def f(x):\n    call(x, a=1)\n    b = 2\n    return x\n"
    local = base.replace("a=1", "a=1, ours=2")
    target = base.replace("call(x", "call(x, y")
    assert numbers(trace_of(base, local, target)) == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_a_statement_that_grew_lines() -> None:
    target = BASE.replace("a = 1", "a = g(\n        1,\n    )")
    found = numbers(trace_of(BASE, BASE.replace("b = 2", "b = 5"), target))
    assert found[-2:] == [(3, 5), (4, 6)]
    assert [there for _, there in found] == [1, 2, 3, 4, 5, 6]


def test_the_sides_of_a_conflict_know_their_lines() -> None:
    local, target = BASE.replace("b = 2", "b = 5"), BASE.replace("b = 2", "b = 9")
    found = numbers(trace_of(BASE, local, target))
    assert found == [(1, 1), (2, 2), (0, 0), (3, 0), (0, 0), (0, 0), (0, 0), (0, 3), (0, 0), (4, 4)]


def test_an_unchanged_upstream_is_known_as_well() -> None:
    assert numbers(trace_of(BASE, BASE.replace("    b", "    x = 1\n    b"), BASE)) == [
        (1, 1),
        (2, 2),
        (3, 0),
        (4, 3),
        (5, 4),
    ]
    assert numbers(trace_of(BASE, BASE, BASE.replace("    b", "    x = 1\n    b"))) == [
        (1, 1),
        (2, 2),
        (0, 3),
        (3, 4),
        (4, 5),
    ]
