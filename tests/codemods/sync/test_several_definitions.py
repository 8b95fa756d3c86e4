"""A sync of a name that is defined more than once."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.errors import NotACopy
from omni_codemods.findings.model import RebaseResult
from omni_codemods.rebase.method import rebase_method
from omni_codemods.sync.sibling import Sibling
from omni_codemods.sync.sync_method import sync_method

FENCE = "# ---- Omni-new ----"


def runner(name: str, get: str = "", put: str = "") -> str:
    body = (
        "@property\ndef scale(self):\n    omni = self.omni_scale()\n"
        f"{textwrap.indent(get, '    ')}    return omni * self.factor\n\n"
        "@scale.setter\ndef scale(self, value):\n    self.omni_check(value)\n"
        f"{textwrap.indent(put, '    ')}    self.factor = value\n"
    )
    return f"class {name}:\n" + textwrap.indent(body, "    ", lambda line: line != "\n")


OURS = f"{FENCE}\nself.omni_mine()\n{FENCE}\n"


def sync(local: str, after: str) -> RebaseResult:
    sibling = Sibling(
        runner("GPU"),
        after,
        cls="GPU",
        package="omni",
        upstream_base=runner("Up"),
        upstream_target=runner("Up"),
        upstream_class="Up",
    )
    return sync_method(local=local, sibling=sibling, method="scale", local_class="NPU")


@pytest.mark.parametrize(
    ("get", "put"),
    [("self.omni_new()\n", ""), ("", "self.omni_new()\n"), ("self.omni_new()\n",) * 2],
)
def test_each_accessor_gets_what_its_own_gained(get: str, put: str) -> None:
    result = sync(runner("NPU", OURS, OURS), runner("GPU", get, put))
    counts = [part.count("omni_new") for part in result.text.split("setter")]
    assert counts == [get.count("new"), put.count("new")]
    assert result.text.count("omni_mine") == 2
    assert len({(e.edit.span.start, e.edit.summary) for e in result.edits}) == sum(counts)


def test_an_accessor_that_the_copy_has_not_is_left_out() -> None:
    local = runner("NPU").split("    @scale.setter")[0]
    result = sync(local, runner("GPU", "self.omni_new()\n", "self.omni_other()\n"))
    assert "omni_new" in result.text
    assert "omni_other" not in result.text


def test_after_a_rebase_every_accessor_is_synced() -> None:
    sibling = Sibling(
        runner("GPU"), runner("GPU", "", "self.omni_new()\n"), cls="GPU", package="omni"
    )
    result = rebase_method(
        local=runner("NPU", OURS, ""),
        base=runner("Up"),
        target=runner("Up").replace("self.factor", "self.ratio"),
        method="scale",
        sibling=sibling,
    )
    assert result.text.count("self.ratio") == 2
    assert "omni_mine" in result.text.split("setter")[0]
    whole = result.text + "".join(e.proposed for e in result.edits)
    assert "omni_new" in whole


def test_nothing_in_common_with_any() -> None:
    local = "class NPU:\n    @property\n    def scale(self):\n        pass\n"
    local += "    @scale.setter\n    def scale(self, value):\n        pass\n"
    body = "def scale(this):\n    return 1\n"
    gpu = "class GPU:\n" + textwrap.indent(body + body, "    ")
    sibling = Sibling(gpu, gpu.replace("1", "2"), cls="GPU")
    with pytest.raises(NotACopy):
        sync_method(local=local, sibling=sibling, method="scale", local_class="NPU")
