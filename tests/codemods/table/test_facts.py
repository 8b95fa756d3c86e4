"""The packaged table against the facts beside it: every row, in every release, without a tree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omni_codemods.findings.errors import TableError
from omni_codemods.table.entries import Entry, Keyword, Leave, NeededKeyword, Symbol
from omni_codemods.table.facts import (
    Facts,
    NameFact,
    load_packaged,
    nearest,
    parse_facts,
    render_facts,
)
from omni_codemods.table.gather import iter_names
from omni_codemods.table.table import TableFile, packaged
from omni_codemods.table.verify import Verification, iter_releases

SET = "vllm.forward_context.set_forward_context"


@pytest.fixture(scope="module")
def facts() -> Facts:
    found = load_packaged("ascend")
    assert found is not None
    return found


def with_row(row: Entry) -> TableFile:
    file = packaged()
    return replace(file, entries=(*file.entries, row))


def verify(file: TableFile, facts: Facts) -> dict[str, Verification]:
    return {table.target: found for table, found in iter_releases(file, facts)}


def test_every_row_holds_in_every_release_that_it_says(facts: Facts) -> None:
    fallen = {target: found.fallen for target, found in verify(packaged(), facts).items()}
    assert {target: fell for target, fell in fallen.items() if fell} == {}
    assert len(fallen) == len(packaged().releases)


def test_the_facts_know_every_release_and_every_name(facts: Facts) -> None:
    assert facts.releases["vllm_ascend"] == packaged().releases
    for name in iter_names(packaged().entries):
        assert facts.names[name], f"{name}: no tree has it"


def test_every_name_that_both_devices_have_is_known(facts: Facts) -> None:
    file = packaged()
    known = set(iter_names(file.entries))
    shared = [set(fact.shares.split()) for fact in facts.names["torch.npu"]]
    assert {f"torch.cuda.{name}" for name in set.intersection(*shared)} <= known


@pytest.mark.parametrize(
    "row",
    [
        Symbol(id="made-up", gpu=SET, npu="vllm_ascend.ascend_forward_context.set_it"),
        Symbol(id="made-up", gpu="vllm.worker.Made", npu="vllm_ascend.utils.enable_sp"),
        Symbol(id="made-up", gpu="torch.cuda.made_up", npu="torch.npu.made_up"),
        Leave(id="made-up", gpu="vllm.forward_context.made_up"),
        Keyword(id="made-up", callee=SET, gpu="is_padding", npu="made_up"),
        NeededKeyword(id="made-up", callee=SET, npu="with_prefill"),
    ],
    ids=lambda row: f"{row.kind} {row.npu or row.gpu}",
)
def test_a_made_up_row_falls(row: Entry, facts: Facts) -> None:
    found = verify(with_row(row), facts)["vllm-ascend==0.30.0rc2,vllm==0.30.0"]
    assert "made-up" in {fallen.entry for fallen in found.fallen}


def test_a_row_that_holds_in_some_releases_falls_in_the_others(facts: Facts) -> None:
    row = NeededKeyword(id="row", callee=SET, npu="has_sinks", since="0.18.0")
    fell = [target for target, found in verify(with_row(row), facts).items() if found.fallen]
    assert [target.partition(",")[0] for target in fell] == [
        "vllm-ascend==0.18.0",
        "vllm-ascend==0.19.1rc1",
    ]


def test_one_target(facts: Facts) -> None:
    found = dict(iter_releases(packaged(), facts, "0.23.0.post1,vllm==0.23.1"))
    assert [table.target for table in found] == ["vllm-ascend==0.23.0.post1,vllm==0.23.1"]
    with pytest.raises(TableError, match=r"knows no vllm-ascend 0\.99\.0"):
        dict(iter_releases(packaged(), facts, "0.99.0"))


def test_facts_are_written_as_they_are_read(facts: Facts) -> None:
    assert parse_facts(render_facts(facts).encode(), name="again") == facts


def test_what_is_no_facts() -> None:
    with pytest.raises(TableError, match=r"mine\.json holds no facts"):
        parse_facts(b'{"releases": 1}', name="mine.json")


@pytest.mark.parametrize(
    ("release", "to"), [("1.0", "1.0"), ("1.5", "1.0"), ("2.0rc1", "2.0"), ("0.1", "1.0")]
)
def test_the_nearest_release(release: str, to: str) -> None:
    assert nearest(("1.0", "2.0"), release) == to


def test_a_name_is_found_by_release() -> None:
    fact = NameFact("1.0", "2.0", "function", takes="a, b=...")
    facts = Facts({"p": ("1.0", "2.0", "3.0")}, {"p.f": (fact,)})
    assert [facts.find("p.f", release) for release in ("1.0", "2.0", "3.0", "4.0")] == [
        fact,
        fact,
        None,
        None,
    ]
