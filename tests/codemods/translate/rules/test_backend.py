"""Names of communication backends."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import Severity
from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("dist.init_process_group('nccl')", "dist.init_process_group('hccl')"),
        ("dist.init_process_group(backend='nccl')", "dist.init_process_group(backend='hccl')"),
        ('dist.new_group(ranks, backend="nccl")', 'dist.new_group(ranks, backend="hccl")'),
        ("f(backend='nccl' if x else 'gloo')", "f(backend='hccl' if x else 'gloo')"),
        ("dist.init_process_group('NCCL')", "dist.init_process_group('hccl')"),
        ("dist.new_group(ranks, None, 'nccl')", "dist.new_group(ranks, None, 'hccl')"),
        ("f(backend='cpu:gloo,cuda:nccl')", "f(backend='cpu:gloo,npu:hccl')"),
        ("f(backend='cuda:nccl')", "f(backend='npu:hccl')"),
        ("f(backend='CPU:GLOO,CUDA:NCCL')", "f(backend='CPU:GLOO,npu:hccl')"),
        ("f(backend='cuda:NCCL, cpu:gloo')", "f(backend='npu:hccl, cpu:gloo')"),
        ("f(backend='cpu:gloo,cuda:gloo')", "f(backend='cpu:gloo,npu:gloo')"),
        ("dist.init_process_group(r'cuda:nccl')", "dist.init_process_group(r'npu:hccl')"),
        ("def f(backend='cpu:gloo,cuda:nccl'): ...", "def f(backend='cpu:gloo,npu:hccl'): ..."),
        ("self.backend = 'cpu:gloo,cuda:nccl'", "self.backend = 'cpu:gloo,npu:hccl'"),
        ("x = dist.Backend.NCCL", "x = dist.Backend.HCCL"),
        ("x = dist.Backend('nccl')", "x = dist.Backend('hccl')"),
        (
            "from torch.distributed import Backend as B\nif b == B.NCCL: pass",
            "from torch.distributed import Backend as B\nif b == B.HCCL: pass",
        ),
        (
            "from torch.distributed import new_group as g\ng(r, t, 'cpu:gloo,cuda:nccl')",
            "from torch.distributed import new_group as g\ng(r, t, 'cpu:gloo,npu:hccl')",
        ),
    ],
)
def test_positions(before: str, after: str) -> None:
    head = "import torch.distributed as dist\n"
    check_rewrite(f"{head}{before}\n", f"{head}{after}\n", dedent=False)


@pytest.mark.parametrize(
    "line",
    [
        "if backend == 'nccl': pass",
        "log('nccl')",
        "init_process_group('nccl')",
        "f(backend='cpu:gloo')",
        "x = 'cpu:gloo,cuda:nccl'",
        "f(backend='nccl' if is_cuda else 'hccl')  # omni-port: keep",
        "x = {'nccl': 1}",
    ],
)
def test_left(line: str) -> None:
    check_noop(f"{line}\n", dedent=False)


@pytest.mark.parametrize(
    "line",
    [
        "x = 'cpu:gloo,cuda:nccl'",
        "x = {'gpu': 'nccl'}",
        "NAME = 'NCCL'",
        "f(backend=f'cpu:gloo,cuda:{b}')",
        "f(backend=f'{b},cuda:nccl')",
        "f(backend='cpu:gloo,cuda:' + b)",
        "f(backend='cpu:gloo' ',cuda:nccl')",
        "f(*a, 'nccl')",
        "x = torch.distributed.ProcessGroup.BackendType.NCCL",
        "x = torch.distributed.is_nccl_available()",
    ],
)
def test_what_stays_needs_a_person(line: str) -> None:
    text = f"import torch.distributed\n{line}\n"
    check_noop(text, dedent=False)
    assert [f.severity for f in translate(text).findings] == [Severity.WARNING]


def test_note() -> None:
    assert [k.code for k in translate("log('nccl')\n").kept] == ["OP114"]


def test_variables_and_defaults() -> None:
    check_rewrite(
        "import torch\nbackend = 'nccl' if torch.cuda.is_available() else 'gloo'\n",
        "import torch\nbackend = 'hccl' if torch.npu.is_available() else 'gloo'\n",
        dedent=False,
    )
    check_rewrite("def f(backend='nccl'): ...\n", "def f(backend='hccl'): ...\n", dedent=False)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nkind = 'nccl' if torch.cuda.is_available() else 'gloo'\n",
        "backend = 'nccl'\nif backend == 'nccl': pass\n",
    ],
)
def test_choice_and_test_stay_together(text: str) -> None:
    check_noop(text, dedent=False)


@pytest.mark.parametrize("test", ["dist.get_backend() == 'nccl'", "'nccl' in names"])
def test_a_comparison_needs_a_person(test: str) -> None:
    text = f"if {test}: pass\n"
    check_noop(text, dedent=False)
    assert [f.code for f in translate(text).findings][:1] == ["OP114"]
