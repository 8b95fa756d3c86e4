from __future__ import annotations

import pytest

from omni_codemods.sources.modules import Sources
from omni_codemods.table.table import Table, load_table
from omni_codemods.table.verify import Verification, verify_table

TABLE = """
name = "acc"

[[symbol]]
id = "context"
gpu = "gpu.context.set_context"
npu = "acc.context.set_acc_context"

[[symbol]]
id = "outside"
gpu = "torch.gpu.Event"
npu = "torch.acc.Event"

[[keyword]]
id = "mode"
callee = "gpu.context.set_context"
gpu = "gpu_mode"
npu = "acc_mode"

[[dropped-keyword]]
id = "no-slots"
callee = "gpu.context.set_context"
gpu = "slots"

[[needed-keyword]]
id = "takes-model"
callee = "gpu.context.set_context"
npu = "model"

[[report]]
id = "no-clear"
gpu = "gpu.context.Wrapper.clear"
why = "member"

[[symbol]]
id = "wrapper"
gpu = "gpu.context.Wrapper"
npu = "acc.context.AccWrapper"
"""

CONTEXT = """
def set_acc_context(meta, *, acc_mode=None, model=None): ...
class AccWrapper:
    def run(self): ...
"""


@pytest.fixture
def table() -> Table:
    return load_table(TABLE, name="acc.toml").select(None)


def verify(table: Table, context: str, gpu: str | None = None) -> Verification:
    acc = {"acc/__init__.py": "", "acc/context.py": context}
    readers = {"acc": acc.get}
    if gpu is not None:
        readers["gpu"] = {"gpu/__init__.py": "", "gpu/context.py": gpu}.get
    return verify_table(table, Sources(readers))


def test_all_holds(table: Table) -> None:
    verification = verify(table, CONTEXT)
    assert verification.fallen == ()
    assert verification.unknown == ("outside",)


@pytest.mark.parametrize(
    ("before", "after", "entries"),
    [
        ("acc_mode", "mode", ["mode"]),
        ("model=None", "slots=None", ["no-slots", "takes-model"]),
        ("model=None", "**more", []),
        ("def run", "def clear", ["no-clear"]),
        ("AccWrapper", "Wrapper", ["wrapper"]),
        ("set_acc_context", "set_context", ["context", "mode", "no-slots", "takes-model"]),
        (
            "class AccWrapper",
            "from gpu.context import Wrapper as AccWrapper\nclass Other",
            ["wrapper"],
        ),
        ("class AccWrapper", "from gpu.other import AccWrapper\nclass Other", []),
        ("def set_acc_context(", "from elsewhere import set_acc_context\ndef other(", []),
    ],
)
def test_what_falls(table: Table, before: str, after: str, entries: list[str]) -> None:
    verification = verify(table, CONTEXT.replace(before, after))
    assert sorted({fallen.entry for fallen in verification.fallen}) == entries


def test_the_gpu_side_is_checked_where_it_is_at_hand(table: Table) -> None:
    gpu = "def set_context(): ...\n"
    fallen = verify(table, CONTEXT, gpu).fallen
    assert [(f.entry, f.name) for f in fallen] == [
        ("wrapper", "gpu.context.Wrapper"),
        ("no-clear", "gpu.context.Wrapper.clear"),
    ]
