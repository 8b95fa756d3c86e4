"""The trial bench itself: a trial of each sort that is cheap, and what it says of a fault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import soak


@pytest.mark.parametrize("trial", [soak.saved_meanwhile, soak.hostile_file])
def test_a_trial_goes_well(trial: soak.Trial) -> None:
    assert soak.run_trial(trial, 3) == []


def test_what_went_wrong_is_said_with_its_seed() -> None:
    def lost(random: Random, folder: Path) -> Iterator[str]:
        (folder / "a.py").write_bytes(soak.GPU)
        yield from soak.command_ends(["translate", "a.py"], folder, {70})

    (failure,) = soak.run_trial(lost, 5)
    assert (failure.trial, failure.seed) == ("lost", 5)
    assert failure.what.startswith("translate a.py exits 0")
