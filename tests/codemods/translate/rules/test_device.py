"""Device names, in device positions only."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import Severity
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
        ("x = torch.load(p, 'cuda:0')", "x = torch.load(p, 'npu:0')"),
        ("x = torch.load(p, map_location='cuda')", "x = torch.load(p, map_location='npu')"),
        (
            "from torch import load as l\nl(p, f'cuda:{i}')",
            "from torch import load as l\nl(p, f'npu:{i}')",
        ),
        ("x = torch.jit.load(p, 'cuda')", "x = torch.jit.load(p, 'npu')"),
        ("x = torch.Stream('cuda')", "x = torch.Stream('npu')"),
        ("x = torch.Stream(device='cuda:1')", "x = torch.Stream(device='npu:1')"),
        ("x = torch.Event('cuda')", "x = torch.Event('npu')"),
        ("x = torch.get_device_module('cuda')", "x = torch.get_device_module('npu')"),
        ("from torch import Event\nx = Event('cuda')", "from torch import Event\nx = Event('npu')"),
        ("torch.cuda.set_rng_state(s, 'cuda:0')", "torch.npu.set_rng_state(s, 'npu:0')"),
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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("torch.cuda.set_device('cuda:0')", "torch.npu.set_device('npu:0')"),
        ("torch.cuda.set_device(f'cuda:{i}')", "torch.npu.set_device(f'npu:{i}')"),
        ("with torch.cuda.device('cuda'): pass", "with torch.npu.device('npu'): pass"),
        ("x = torch.zeros(1, device='cuda:%d' % i)", "x = torch.zeros(1, device='npu:%d' % i)"),
        ("x = f(device='cuda:{}'.format(i))", "x = f(device='npu:{}'.format(i))"),
        ("x = torch.device('cuda:{i}'.format(i=1))", "x = torch.device('npu:{i}'.format(i=1))"),
        (
            "x = f(device='cuda:{}'.format(torch.cuda.current_device()))",
            "x = f(device='npu:{}'.format(torch.npu.current_device()))",
        ),
    ],
)
def test_members_and_templates(before: str, after: str) -> None:
    head = "import torch\n"
    check_rewrite(f"{head}{before}\n", f"{head}{after}\n", dedent=False)


@pytest.mark.parametrize(
    "line",
    [
        "torch.cuda.brand_new('cuda:0')",
        "x = log('cuda:%d' % i)",
        "x = log('cuda:{}'.format(i))",
        "x = f(device='cuda:{} of {}'.format(i, j))",
        "x = f(device='cuda is %s' % i)",
        "x = f(device='cu' 'da')",
    ],
)
def test_no_members_and_no_templates(line: str) -> None:
    check_noop(f"import torch\n{line}\n", dedent=False)


def test_a_name_put_together_from_pieces_needs_a_person() -> None:
    # Without the word anywhere on its line, the statement is not looked into at all.
    assert codes("x = f(device='cu' 'da')  # cuda\n") == ["OP114"]


@pytest.mark.parametrize(
    "line",
    [
        "DEVICE = 'cuda'",
        "x = 'cuda:0'",
        "def f():\n    return 'cuda'",
        "names = {'cuda': 1}",
        "names = {'where': 'cuda'}",
        "names = ['cuda', 'cpu']",
        "parser.add_argument('--device', default='cuda')",
        "parser.add_argument('--device', choices=['cuda', 'cpu'])",
        "x = names.get('device', 'cuda')",
        "x = build('cuda')",
        "x = torch.load(*a, 'cuda')",
        "x = load(p, 'cuda')",
        "x.to(f'{kind}cuda:{i}')",
        "x = f(device='cuda:{} of {}'.format(i, j))",
        "if x.startswith('cuda'): pass",
        "if x in ('cuda', 'musa'): pass",
        "torch.backends.cuda.matmul.allow_tf32 = True",
        "with torch.backends.cuda.sdp_kernel(): pass",
        "torch.backends.cudnn.benchmark = True",
    ],
)
def test_what_stays_needs_a_person(line: str) -> None:
    text = f"import torch\n{line}\n"
    check_noop(text, dedent=False)
    assert {f.severity for f in translate(text).findings} == {Severity.WARNING}


@pytest.mark.parametrize(
    "line", ["print('cuda')", "log.info('cuda')", "X = Literal['cuda', 'cpu']"]
)
def test_what_only_tells_people_something_is_a_note(line: str) -> None:
    result = translate(f"import torch\n{line}\n")
    assert result.findings == ()
    assert [f.code for f in result.kept] == ["OP114"]


def test_a_device_inside_a_format_string() -> None:
    """Changed where Python says where it stands (3.12), reported before that."""
    result = translate("y = f\"{x.to('cuda')}\"\n")
    assert bool(result.changes) != ([f.code for f in result.findings] == ["OP118"])
