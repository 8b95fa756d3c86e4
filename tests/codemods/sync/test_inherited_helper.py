"""A synced line that calls what the NPU class has from a base in another file."""

from __future__ import annotations

import pytest

from omni_codemods.sync.sibling import Sibling
from omni_codemods.sync.sync_method import sync_method


def runner(name: str, *lines: str, more: str = "") -> str:
    body = "".join(f"        {line}\n" for line in ("a = self.omni_a(n)", *lines, "return a"))
    return f"class {name}:\n    def run(self, n):\n{body}{more}"


HELPER = "    def omni_help(self, x):\n        return x\n"


@pytest.mark.parametrize(
    ("own", "found"),
    [((), ["OP501"]), (("self.omni_help(n)",), [])],
)
def test_what_the_copy_called_before_is_inherited(own: tuple[str, ...], found: list[str]) -> None:
    sibling = Sibling(
        runner("GPU", more=HELPER),
        runner("GPU", "a = self.omni_help(a)", more=HELPER),
        cls="GPU",
        package="omni",
        upstream_base=runner("Up"),
        upstream_target=runner("Up"),
        upstream_class="Up",
    )
    local = runner("NPU", *own).replace("class NPU:", "class NPU(Base):")
    result = sync_method(local=local, sibling=sibling, method="run", local_class="NPU")
    assert "a = self.omni_help(a)" in result.text
    assert [f.code for f in result.findings if f.code == "OP501"] == found
