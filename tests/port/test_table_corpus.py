"""The packaged table against the released sources of vllm-ascend that it has ranges for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from omni_codemods.sources.modules import Sources
from omni_codemods.table.table import packaged
from omni_codemods.table.verify import Verification, verify_table
from omni_port.base.address import parse_address
from omni_port.sources.packages import open_package

CORPUS = Path(os.environ.get("OMNI_CORPUS", Path.home() / ".cache" / "omni-port" / "corpus"))
RELEASES = (
    "0.12.0rc1",
    "0.14.0rc1",
    "0.15.0rc1",
    "0.17.0rc1",
    "0.19.1rc1",
    "0.25.1rc1",
    "0.26.0rc1",
)
pytestmark = pytest.mark.corpus


def verify(target: str, release: str) -> Verification:
    """Check what the table says for *target* against the sources of *release*."""
    folder = CORPUS / f"ascend-{release}"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    with open_package(parse_address(str(folder)), "vllm_ascend") as read:
        return verify_table(packaged().select(target), Sources({"vllm_ascend": read}))


@pytest.mark.parametrize("release", RELEASES)
def test_every_entry_holds_in_its_own_release(release: str) -> None:
    verification = verify(release, release)
    assert verification.fallen == ()
    # Most of the rest is about torch.npu and vllm, which those sources do not hold.
    assert len(packaged().select(release).entries) - len(verification.unknown) > 20


@pytest.mark.parametrize(
    ("target", "release", "fallen"),
    [
        ("0.26.0rc1", "0.25.1rc1", set()),
        (
            "0.26.0rc1",
            "0.19.1rc1",
            {"takes-has-sinks", "takes-input-ids", "takes-eplb-heat-collection-status"},
        ),
        (
            "0.26.0rc1",
            "0.15.0rc1",
            {
                "no-virtual-engine",
                "takes-max-tokens-across-pcp",
                "takes-has-sinks",
                "takes-input-ids",
                "takes-eplb-heat-collection-status",
            },
        ),
        ("0.19.1rc1", "0.26.0rc1", set()),
        ("0.15.0rc1", "0.19.1rc1", {"sampler-v2"}),
        (
            "0.15.0rc1",
            "0.12.0rc1",
            {
                "input-batch",
                "input-batch-v2",
                "sampler-v2",
                "model-runner-v2",
                "worker",
                "takes-skip-compiled",
                "worker-path",
            },
        ),
    ],
)
def test_in_another_release_fall_those_that_moved(
    target: str, release: str, fallen: set[str]
) -> None:
    assert {found.entry for found in verify(target, release).fallen} == fallen


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("target", RELEASES)
def test_what_falls_is_out_of_its_range(target: str, release: str) -> None:
    verification = verify(target, release)
    fallen = {found.entry for found in verification.fallen}
    table = packaged()
    here = table.select(release).entries
    ids = {entry.id for entry in here}
    facts = {(entry.kind, entry.gpu, entry.npu) for entry in here}
    # Ranges of what vllm-omni calls by a name of its own are those of vllm-omni.
    moved = {
        entry.id
        for entry in table.select(target).entries
        if entry.id not in ids
        and (entry.kind, entry.gpu, entry.npu) not in facts
        and not entry.gpu.startswith("vllm_omni.")
    }
    assert fallen == moved - set(verification.unknown)
