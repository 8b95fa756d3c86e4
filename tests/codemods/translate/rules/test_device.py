"""Device names, in device positions only."""

from __future__ import annotations

import pytest

from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = torch.ones(1, device='cuda')", "x = torch.ones(1, device='npu')"),
        ("x = torch.ones(1, device='cuda:0')", "x = torch.ones(1, device='npu:0')"),
        ("x = torch.device('cuda')", "x = torch.device('npu')"),
        ('x = torch.device("cuda", rank)', 'x = torch.device("npu", rank)'),
        ("x = torch.device(f'cuda:{rank}')", "x = torch.device(f'npu:{rank}')"),
        ('x = torch.device(rf"cuda:{rank}")', 'x = torch.device(rf"npu:{rank}")'),
        ("x = torch.device('cuda:' + str(rank))", "x = torch.device('npu:' + str(rank))"),
        ("x = torch.device(type='cuda')", "x = torch.device(type='npu')"),
        ("y = x.to('cuda')", "y = x.to('npu')"),
        ("y = self.model.to('cuda', dtype)", "y = self.model.to('npu', dtype)"),
        ("y = x.to(device='cuda')", "y = x.to(device='npu')"),
        ("with torch.autocast('cuda'): pass", "with torch.autocast('npu'): pass"),
        (
            "with torch.autocast(device_type='cuda'): pass",
            "with torch.autocast(device_type='npu'): pass",
        ),
        (
            "d = torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
            "d = torch.device('npu' if torch.npu.is_available() else 'cpu')",
        ),
        (
            "device = 'cuda' if torch.cuda.is_available() else 'cpu'",
            "device = 'npu' if torch.npu.is_available() else 'cpu'",
        ),
        ("def f(device='cuda'): ...", "def f(device='npu'): ..."),
        ("class C:\n    device: str = 'cuda'", "class C:\n    device: str = 'npu'"),
        (
            "torch.distributed.init_process_group('nccl')",
            "torch.distributed.init_process_group('hccl')",
        ),
        ("f(backend='nccl')", "f(backend='hccl')"),
    ],
)
def test_positions(before: str, after: str) -> None:
    check_rewrite(f"import torch\n{before}\n", f"import torch\n{after}\n", dedent=False)


@pytest.mark.parametrize(
    "line",
    [
        "if profiler == 'cuda': pass",
        "if x.device.type == 'cuda': pass",
        "if kind in ('cuda', 'musa'): pass",
        "@custom_op(device_types='cuda')\ndef f(): ...",
        "names = {'cuda': 1}",
        "print('cuda')",
        "CUDA = 'cuda'",
        "log('cuda', 'nccl')",
        "x = 'cuda:0'",
        "x = f'cuda:{rank}'",
        "x = names.get('device', 'cuda')",
        "if backend == 'nccl': pass",
        "x.to('cudanot')",
        "x = torch.device(name, 'cuda')",
        "d = {'cuda', 'npu'}",
        "# device='cuda'",
        "x = torch.to('cuda')",
        "x = torch.device('cuda:x')",
        "x = torch.device(b'cuda')",
        "x = 'cu' 'da'",
    ],
)
def test_other_positions(line: str) -> None:
    check_noop(f"import torch\n{line}\n", dedent=False)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nname = 'cuda' if torch.cuda.is_available() else 'cpu'\n",
        "import torch\ndef f():\n    return 'cuda' if torch.cuda.is_available() else 'cpu'\n",
        (
            "import torch\ndef f():\n    if torch.cuda.is_available():\n        return 'cuda'\n"
            "    return 'cpu'\n"
        ),
        (
            "import torch\ndef f():\n    if not torch.cuda.is_available():\n        return 'cpu'\n"
            "    return 'cuda'\n"
        ),
        "import torch\nf(['CUDAProvider' if torch.cuda.is_available() else 'CPUProvider'])\n",
    ],
)
def test_test_and_literal_go_together_or_not_at_all(text: str) -> None:
    check_noop(text, dedent=False)
    assert "OP115" in codes(text)


def test_a_variable_that_is_compared_keeps_its_literal() -> None:
    text = "import torch\ndevice = 'cuda'\nif device == 'cuda':\n    torch.cuda.init()\n"
    check_noop(text, dedent=False)
    assert sorted(codes(text)) == ["OP114", "OP114", "OP115"]


@pytest.mark.parametrize(
    "call",
    [
        "torch.cuda.get_device_properties(torch.device('cuda'))",
        "torch.cuda.get_device_properties('cuda')",
        "torch.cuda.brand_new_function(device='cuda:0')",
        "torch.cuda.brand_new_function(f'cuda:{rank}', device=f'cuda:{rank}')",
    ],
)
def test_what_a_call_that_stays_is_given_stays(call: str) -> None:
    text = f"import torch\nx = {call}\n"
    check_noop(text, dedent=False)
    assert "OP115" in codes(text)


def test_what_a_call_that_goes_is_given_goes() -> None:
    check_rewrite(
        "import torch\ntorch.cuda.synchronize(torch.device('cuda'))\n",
        "import torch\ntorch.npu.synchronize(torch.device('npu'))\n",
        dedent=False,
    )
