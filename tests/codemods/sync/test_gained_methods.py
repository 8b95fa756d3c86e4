"""Methods that the sibling's class gained or lost."""

from __future__ import annotations

import ast
from dataclasses import replace

from omni_codemods.findings.model import EditKind, Outcome, Severity, Span
from omni_codemods.sync.gained_methods import Classes, Versions, check_lost, find_gained

BEFORE = """\
import torch


class GPU:
    def run(self):
        pass

    def old(self):
        pass
"""
AFTER = """\
import torch
from engine.rows import pad


class GPU:
    def run(self):
        pass

    def new(self, rows):
        torch.npu.synchronize()
        return pad(rows)
"""
ORIGINAL = AFTER.replace("torch.npu", "torch.cuda").replace("import torch\n", "import torch\n\n")
LOCAL = "import torch\n\n\nclass NPU:\n    def run(self):\n        pass\n"


def classes(local: str = LOCAL, inherited: frozenset[str] = frozenset()) -> Classes:
    return Classes(
        Versions(BEFORE, "GPU"),
        Versions(AFTER, "GPU"),
        ORIGINAL,
        Versions(local, "NPU"),
        "pkg.gpu",
        inherited,
    )


def test_a_gained_method_is_proposed_translated_and_with_its_imports() -> None:
    (edit,) = find_gained(classes())
    assert edit.outcome is Outcome.PROPOSED
    assert (edit.edit.kind, edit.edit.change) == (EditKind.SIBLING, "new method")
    assert edit.edit.summary == "def new(self, rows):"
    assert edit.edit.span == Span(10, 12)
    assert edit.proposed == (
        "from engine.rows import pad\n\n"
        "def new(self, rows):\n    torch.npu.synchronize()\n    return pad(rows)\n"
    )
    ast.parse(edit.proposed)
    assert edit.result is None


def test_an_import_that_the_file_has_is_not_proposed() -> None:
    (edit,) = find_gained(classes("from engine.rows import pad\n" + LOCAL))
    assert edit.proposed.startswith("def new(self, rows):")


def test_what_the_class_defines_or_inherits_is_not_proposed() -> None:
    method = "    def new(self, rows):\n        return rows\n"
    assert find_gained(classes(LOCAL + "\n" + method)) == ()
    assert (
        find_gained(classes(LOCAL.replace("NPU:", "NPU(Up):") + f"\n\nclass Up:\n{method}")) == ()
    )
    assert find_gained(classes(inherited=frozenset({"new"}))) == ()
    assert len(find_gained(classes(LOCAL + f"\n\nclass Other:\n{method}"))) == 1


def test_a_lost_method_is_named() -> None:
    (finding,) = check_lost(classes())
    assert (finding.code, finding.severity) == ("OP505", Severity.NOTE)
    assert "old" in finding.message


def test_it_weighs_more_where_the_class_defines_it() -> None:
    (finding,) = check_lost(classes(LOCAL + "\n    def old(self):\n        pass\n"))
    assert finding.severity is Severity.WARNING
    assert (finding.line, finding.column) == (8, 4)


def test_all_others_are_named_in_one_note() -> None:
    two = BEFORE + "\n    def older(self):\n        pass\n"
    (finding,) = check_lost(replace(classes(), before=Versions(two, "GPU")))
    assert finding.message == "the sibling no longer has old, older"


def test_nothing_gained_or_lost() -> None:
    same = Classes(Versions(BEFORE, "GPU"), Versions(BEFORE, "GPU"), BEFORE, Versions(LOCAL, "NPU"))
    assert find_gained(same) == ()
    assert list(check_lost(same)) == []
