"""Targets, and the ranges of releases that entries hold for."""

from __future__ import annotations

import pytest

from omni_codemods.findings.errors import TableError
from omni_codemods.table.releases import Target, parse_target
from omni_codemods.table.table import find_clashes, load_table, packaged

TABLE = """
name = "acc"
distribution = "acc-plugin"
gpu-distribution = "engine"
releases = ["1.0", "2.0"]

[[symbol]]
id = "old"
gpu = "engine.Queue"
npu = "acc.OldQueue"
gpu-until = "0.5"

[[symbol]]
id = "new"
gpu = "engine.Queue"
npu = "acc.Queue"
gpu-since = "0.6"
since = "2.0"

[[symbol]]
id = "always"
gpu = "engine.Event"
npu = "acc.Event"
"""


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("1.0", Target("1.0")),
        ("acc-plugin==1.0", Target("1.0")),
        ("ACC_Plugin == 1.0", Target("1.0")),
        ("acc-plugin==1.0,engine==0.5", Target("1.0", "0.5")),
        ("engine==0.5, 1.0", Target("1.0", "0.5")),
    ],
)
def test_targets(text: str, target: Target) -> None:
    assert parse_target(text, "acc", "acc-plugin", "engine") == target


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("other==1.0", "is about acc-plugin, not other"),
        ("1.0,acc-plugin==2.0", "names acc-plugin twice"),
        ("engine==0.5", "names no release of acc-plugin"),
    ],
)
def test_no_targets(text: str, message: str) -> None:
    with pytest.raises(TableError, match=message) as caught:
        parse_target(text, "acc", "acc-plugin", "engine")
    assert caught.value.hint == (
        "Aim at acc-plugin==RELEASE, or acc-plugin==RELEASE,engine==RELEASE."
    )


def test_a_table_without_another_distribution_takes_no_second_target() -> None:
    with pytest.raises(TableError, match="not vllm"):
        parse_target("vllm==1.0", "acc", "acc-plugin", "")


@pytest.mark.parametrize(
    ("target", "ids"),
    [
        (None, ["old", "new", "always"]),
        ("1.0", ["old", "always"]),
        ("2.0,engine==0.5", ["old", "always"]),
        ("2.0,engine==0.6", ["new", "always"]),
        ("1.0,engine==0.6", ["always"]),
    ],
)
def test_what_holds_for_both_releases(target: str | None, ids: list[str]) -> None:
    table = load_table(TABLE, name="acc.toml").select(target)
    assert [entry.id for entry in table.entries] == ids
    assert len(table.skipped) == 3 - len(ids)


def test_the_target_is_spelt_out() -> None:
    table = load_table(TABLE, name="acc.toml")
    assert table.select("2.0, engine==0.6").target == "acc-plugin==2.0,engine==0.6"
    assert table.select("1.0").target == "acc-plugin==1.0"


def test_entries_for_other_gpu_releases_do_not_clash() -> None:
    assert find_clashes(load_table(TABLE, name="acc.toml").entries) == ()
    both = TABLE.replace('gpu-since = "0.6"', 'gpu-since = "0.5"')
    assert len(find_clashes(load_table(both, name="acc.toml").entries)) == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('gpu-since = "0.6"', 'gpu-since = "x"', "entry new: 'x' is no version"),
        (
            'gpu-since = "0.6"',
            'gpu-since = "0.6"\ngpu-until = "0.1"',
            r"entry new ends \(0.1\) before it begins \(0.6\)",
        ),
    ],
)
def test_ranges_that_are_none(old: str, new: str, message: str) -> None:
    with pytest.raises(TableError, match=message) as caught:
        load_table(TABLE.replace(old, new), name="acc.toml")
    assert caught.value.line == 14


def test_the_packaged_table_knows_what_older_vllm_lacks() -> None:
    table = packaged()
    for vllm, here in (("0.21.0", False), ("0.22.0", True)):
        ids = {entry.id for entry in table.select(f"vllm-ascend==0.30.0rc2,vllm=={vllm}").entries}
        assert ("breakable-graph-wrapper" in ids) is here
