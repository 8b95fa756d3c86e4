"""Nothing wrong in silence, on methods with random edits on both sides, judged by an oracle."""

from __future__ import annotations

import pytest

from oracle import judge
from random_edits import is_method
from random_worlds import (
    Verdict,
    World,
    main,
    reduce_world,
    released,
    show,
    try_world,
    worlds,
    written,
)

COUNT = 40


def verdicts(methods: list[tuple[str, str]], *, sync: bool) -> list[tuple[World, Verdict]]:
    made = worlds(1, COUNT, sync=sync, methods=methods)
    return [(world, try_world(world.base, *world.sides(), sync=sync)) for world in made]


def assert_none_silent(tried: list[tuple[World, Verdict]]) -> None:
    for world, verdict in tried:
        if verdict.word in ("silent", "crashed"):
            texts = reduce_world(world, frozenset(f.split(":")[0] for f in verdict.faults))
            pytest.fail(show(*texts, try_world(*texts, sync=world.sync)))


@pytest.mark.parametrize("sync", [False, True])
def test_no_written_world_is_wrong_in_silence(sync: bool) -> None:
    tried = verdicts(written(), sync=sync)
    assert_none_silent(tried)
    assert sum(verdict.word == "decided" for _, verdict in tried) > COUNT / 2


@pytest.mark.corpus
@pytest.mark.skipif(not released(), reason="no released sources")
@pytest.mark.parametrize("sync", [False, True])
def test_no_released_world_is_wrong_in_silence(sync: bool) -> None:
    assert_none_silent(verdicts(released(), sync=sync))


def test_the_same_seed_gives_the_same_world() -> None:
    one, other = (list(worlds(7, 3, sync=False, methods=written())) for _ in range(2))
    assert [world.sides() for world in one] == [world.sides() for world in other]


def test_the_command_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--count", "2"]) in (0, 1)
    assert "2 worlds" in capsys.readouterr().out


def test_the_oracle_sees_a_line_that_is_gone() -> None:
    seen = tried = 0
    for world in worlds(1, 15, sync=False, methods=written()):
        local, target = world.sides()
        trial = try_world(world.base, local, target, sync=False).trial
        if trial is None or trial.result.needs_person:
            continue
        lines = trial.text.splitlines(keepends=True)
        for number, line in enumerate(lines):
            broken = "".join(lines[:number] + lines[number + 1 :])
            if not line.strip() or line.strip().startswith(("#", '"""')) or not is_method(broken):
                continue
            tried += 1
            seen += bool(judge(world.base, local, target, broken, trial.result, sync=False))
    assert seen == tried > 50
