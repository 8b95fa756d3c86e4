"""The checks for users' tests must fail when they should."""

from __future__ import annotations

import pytest

from omni_codemods.findings.errors import SourceError
from omni_codemods.testing import check_noop, check_rewrite


def test_pass() -> None:
    check_rewrite("import torch\ntorch.cuda.init()\n", "import torch\ntorch.npu.init()\n")
    check_rewrite("  x = 1\n", "  x = 2\n", lambda text: text.replace("1", "2"))
    check_noop("import torch\n")


def test_another_result() -> None:
    with pytest.raises(AssertionError, match=r"(?s)not what was expected.*-torch\.cuda"):
        check_noop("import torch\ntorch.cuda.init()\n")


def test_a_second_run_that_changes() -> None:
    with pytest.raises(AssertionError, match="second run"):
        check_rewrite("x = 1\n", "x = 11\n", lambda text: text.replace("1", "11", 1))


def test_a_result_that_does_not_parse() -> None:
    with pytest.raises(SourceError):
        check_rewrite("x = 1\n", "x = (\n", lambda text: text.replace("1", "("))
