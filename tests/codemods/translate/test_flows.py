"""A device's name that goes through variables, and what stays with what."""

from __future__ import annotations

import sys
from types import FrameType

import libcst as cst
import pytest

from omni_codemods.findings.model import Severity
from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate
from omni_codemods.translate.codemod import translate_module

HEAD = "import torch\nimport torch.distributed as dist\n"


def check_both_ways(text: str) -> None:
    """Assert that the tree is translated as the text is."""
    one = translate(text)
    module, other = translate_module(cst.parse_module(text))
    assert (module.code, other.changes, other.findings, other.kept) == (
        one.text,
        one.changes,
        one.findings,
        one.kept,
    )


DEVICES = [
    "dev = 'cuda'\nx = torch.zeros(1, device=dev)",
    "dev = f'cuda:{i}'\nx = torch.zeros(1, device=dev)",
    "d = 'cpu' if i == -1 else f'cuda:{i}'\nx.to(d)",
    "d = 'cuda:%d' % i\nx.to(d)",
    "d = 'cuda:' + str(i)\nx.to(d)",
    "d = 'cuda:{}'.format(i)\nx = torch.device(d)",
    "d: str = 'cuda'\nx.to(device=d)",
    "d = f'cuda'\nx.to(d)",
    "_D = None\ndef f():\n    global _D\n    _D = 'cuda'\n    x.to(_D)",
    "if (d := 'cuda:0'):\n    x.to(d)",
    "d, n = 'cuda', 1\nx.to(d)",
    "(n, [d, m]) = 1, ['cuda', 2]\nx.to(d)",
    "d = e = 'cuda'\nx.to(e)",
    "d = 'cuda'\ne = d\nx.to(e)",
    "d = 'cuda'\ndevice = d",
    "d = name or 'cuda'\nx.to(d)",
    "d = 'cuda'\nx.to(f'{d}:0')",
    "d = 'cuda'\nx.to(d + ':0')",
    "d = 'cuda'\nx.to(d if a else 'cpu')",
    "d = 'cuda'\ny = torch.load(p, d)",
    "d = 'cuda'\nwith torch.autocast(d): pass",
    "d = 'cuda:0'\ntorch.cuda.set_device(d)",
    "def f(dev='cuda'):\n    return torch.zeros(1, device=dev)",
    "def f(*, dev='cuda'):\n    return torch.zeros(1, device=dev)",
    "f = lambda dev='cuda': x.to(dev)",
    "def f():\n    dev = 'cuda'\n    def g():\n        return x.to(dev)\n    return g",
    "def f():\n    global dev\n    dev = 'cuda'\ndef g():\n    x.to(dev)",
    "class C:\n    dev = 'cuda'\n    def f(self):\n        x.to(self.dev)",
    "class C:\n    dev: str = 'cuda'\n    y = torch.zeros(1, device=dev)",
    "class C:\n    def f(self): self.dev = 'cuda'\n    def g(self): x.to(self.dev)",
    "from torch import zeros as z, device as D\nd = 'cuda'\nz(1, device=D(d))",
    "for i in n:\n    d = f'cuda:{i}'\n    x.to(d)",
    "with a:\n    try:\n        d = 'cuda'\n    finally:\n        x.to(d)",
    "async def f():\n    d = 'cuda'\n    await x.to(d)",
]


@pytest.mark.parametrize("text", DEVICES)
def test_a_variable_that_reaches_a_device_argument(text: str) -> None:
    goes = text.replace("'cuda", "'npu").replace("torch.cuda", "torch.npu")
    check_rewrite(f"{HEAD}{text}\n", f"{HEAD}{goes}\n", dedent=False)
    assert translate(f"{HEAD}{text}\n").findings == ()
    check_both_ways(f"{HEAD}{text}\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("b = 'nccl'\ndist.init_process_group(b)", "b = 'hccl'\ndist.init_process_group(b)"),
        (
            "b = 'cpu:gloo,cuda:nccl'\ndist.new_group(backend=b)",
            "b = 'cpu:gloo,npu:hccl'\ndist.new_group(backend=b)",
        ),
        (
            "def f(kind='nccl'):\n    dist.new_group(r, None, kind)",
            "def f(kind='hccl'):\n    dist.new_group(r, None, kind)",
        ),
        (
            "kind = 'nccl' if torch.cuda.is_available() else 'gloo'\nf(backend=kind)",
            "kind = 'hccl' if torch.npu.is_available() else 'gloo'\nf(backend=kind)",
        ),
        (
            "ok = torch.cuda.is_available()\nd = 'cuda' if ok else 'cpu'\nx.to(d)",
            "ok = torch.npu.is_available()\nd = 'npu' if ok else 'cpu'\nx.to(d)",
        ),
    ],
)
def test_backends_and_choices(before: str, after: str) -> None:
    check_rewrite(f"{HEAD}{before}\n", f"{HEAD}{after}\n", dedent=False)
    check_both_ways(f"{HEAD}{before}\n")


@pytest.mark.parametrize(
    "text",
    [
        "dev = 'cuda'",
        "dev = 'cuda'\nprint(dev)",
        "DEVICE = 'cuda'\nx.to(DEVICE)",
        "dev = 'cuda'\nx.to(dev)\nif dev == 'cuda': pass",
        "dev = 'cuda'\nx.to(dev)\nif dev in ('cuda', 'cpu'): pass",
        "dev = f'cuda:{i}'\nx.to(dev)\nif dev.startswith('cuda'): pass",
        "dev = 'cuda'\nx.to(dev)\nmatch dev:\n    case 'cuda': pass",
        "def f(dev='cuda'):\n    if 'cuda' in dev: pass\n    x.to(dev)",
        "for dev in ('cuda', 'cpu'):\n    x.to(dev)",
        "devs = ['cuda']\nx.to(devs[0])",
        "devs = {'a': 'cuda'}\nx.to(devs['a'])",
        "def f():\n    return 'cuda'\nx.to(f())",
        "dev, *n = 'cuda', 1\nx.to(dev)",
        "def f():\n    dev = 'cuda'\ndef g(dev):\n    x.to(dev)",
        "dev = 'cuda'\ntorch.cuda.brand_new(dev)",
        "class C:\n    dev = 'cuda'\nx.to(dev)",
        "parser.add_argument('--dev', default='cuda')\nx.to(parser.parse_args().dev)",
    ],
)
def test_what_is_not_followed_needs_a_person(text: str) -> None:
    check_noop(f"{HEAD}{text}\n", dedent=False)
    found = translate(f"{HEAD}{text}\n").findings
    assert any(f.code in ("OP114", "OP115") and f.severity is Severity.WARNING for f in found)
    check_both_ways(f"{HEAD}{text}\n")


STAY = [
    "def is_cuda(): return torch.cuda.is_available()\nif is_cuda(): torch.cuda.init()",
    "class P:\n    def is_cuda(self): return torch.cuda.is_available()",
    "_is_cuda = is_cuda()\ns = torch.cuda.Stream() if _is_cuda else None",
    "from m import is_cuda as ic\nif ic(): torch.cuda.init()",
    "from m import is_torch_cuda_available\nif is_torch_cuda_available(): torch.cuda.init()",
    "if IS_CUDA: torch.cuda.init()",
    "if m._is_cuda: torch.cuda.init()",
    "if torch.version.cuda is not None: torch.cuda.init()",
    "import torch.version as v\nif v.cuda: torch.cuda.init()",
    "import torch as t\nif t.version.cuda: t.cuda.init()",
    "from torch.version import cuda as v\nif v is not None: torch.cuda.init()",
    "def f():\n    if torch.version.cuda is None: return 0\n    return torch.cuda.is_available()",
    "x = torch.cuda.is_available() and torch.version.cuda is not None",
    "a = torch.cuda.is_available()\nb = a and torch.version.cuda is not None\nif b: f()",
    "on = x.device.type == 'cuda'\nif on: torch.cuda.init()",
    "self.on = x.is_cuda\nif self.on: torch.cuda.init()",
    "def on(t): return t.is_cuda\nif on(x): torch.cuda.init()",
    "class A:\n    def on(self): return x.is_cuda\nif self.on(): torch.cuda.init()",
    "on = False\nif is_cuda(): on = True\nif on: torch.cuda.init()",
    "on = bool(is_cuda())\nif on: torch.cuda.init()",
    "on = True if is_cuda() else False\nif on: torch.cuda.init()",
    "def on():\n    if is_cuda(): return True\n    return False\nif on(): torch.cuda.init()",
    "on = off = x.is_cuda\nif off: torch.cuda.init()",
    "a, b = x.is_cuda, 1\nif a: torch.cuda.init()",
    "if (on := x.is_cuda) and y: torch.cuda.init()\nif on: torch.cuda.init()",
    "if torch.cuda.is_available():\n    torch.cuda.init()\n    torch.cuda.get_device_capability()",
    "ok = torch.cuda.is_available()\nif ok:\n    torch.cuda.init()\n    torch.cuda.nvtx.mark('a')",
    "ok = torch.cuda.device_count() > 1\nif ok: torch.cuda.nvtx.mark('a')",
    "def ok(): return torch.cuda.is_available()\nif ok(): torch.cuda.nvtx.mark('a')",
    "def ok():\n    if torch.cuda.is_available(): return True\nif ok(): torch.cuda.nvtx.mark('a')",
    "ok = torch.cuda.is_available()\nno = not ok\nif no: pass\nelse: torch.cuda.nvtx.mark('a')",
    "self.ok = torch.cuda.is_available()\ndef g(self): return self.ok and torch.cuda.cudart()",
    "ok = torch.cuda.is_available()\nname = 'cuda' if ok else 'cpu'",
    "from torch.cuda import is_available as ia\nok = ia()\nif ok: torch.cuda.nvtx.mark('a')",
    "is_cuda = x.is_cuda\ny = torch.cuda.Event() if is_cuda else None",
    "is_cuda = current_platform.is_cuda()\ny = f(device='cuda' if is_cuda and z else 'cpu')",
    "assert torch.cuda.is_available()\ntorch.cuda.init()\ntorch.cuda.nvtx.mark('a')",
    "assert x.is_cuda\ntorch.cuda.init()",
    "assert current_platform.is_cuda(), m\ntorch.cuda.init()",
    "while torch.cuda.is_available():\n    torch.cuda.init()\n    torch.cuda.nvtx.mark('a')",
    "on = is_cuda() if a else False\nif on: torch.cuda.init()",
    "on = any([is_cuda(), b])\nif on: torch.cuda.init()",
    "on = int(x.is_cuda)\nif on: torch.cuda.init()",
    "if dist.get_backend() == 'nccl': torch.cuda.init()",
    "on = dist.get_backend(group) == 'nccl'\nif on: torch.cuda.init()",
    "while x.is_cuda: torch.cuda.init()",
    "y = [torch.cuda.cudart() for i in n if torch.cuda.is_available()]",
    "@skipif(not torch.cuda.is_available())\ndef f(): torch.cuda.cudart()",
    "skip = skipif(not torch.cuda.is_available())\n@skip\ndef f(): torch.cuda.cudart()",
    "if torch.cuda.get_device_capability() >= (8, 0): torch.cuda.init()",
    "a, b = torch.cuda.get_device_capability()\nif a >= 8: torch.cuda.init()",
    "if torch.cuda.is_available():\n    d = torch.device('cuda')\n    torch.cuda.brand_new(d)",
]


@pytest.mark.parametrize("text", STAY)
def test_a_test_that_stays_and_what_it_lets_in_stay_together(text: str) -> None:
    check_noop(f"{HEAD}{text}\n", dedent=False)
    assert any(f.severity is Severity.WARNING for f in translate(f"{HEAD}{text}\n").findings)
    check_both_ways(f"{HEAD}{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "ok = torch.cuda.is_available()\nif ok: torch.cuda.init()",
        "def ok(): return torch.cuda.is_available()\nif ok(): torch.cuda.init()",
        "self.ok = torch.cuda.is_available()\nif self.ok: torch.cuda.init()",
        "off = not is_cuda()\nif off: torch.cuda.init()",
        "on = x.is_cuda\nif not on: torch.cuda.init()",
        "if not is_cuda(): torch.cuda.init()",
        "if torch.version.cuda is None: torch.cuda.init()",
        "if is_cuda(): pass\nelse: torch.cuda.init()",
        "def f(on):\n    if on: torch.cuda.init()\ndef g():\n    on = x.is_cuda",
        "if torch.cuda.is_available(): print('cuda')",
        "if CUDAGraphMode.FULL == mode:\n    torch.cuda.init()",
    ],
)
def test_both_go(text: str) -> None:
    goes = text.replace("torch.cuda", "torch.npu")
    check_rewrite(f"{HEAD}{text}\n", f"{HEAD}{goes}\n", dedent=False)
    check_both_ways(f"{HEAD}{text}\n")


GROWING = [
    "dev = 'cuda:0'\nx.to(dev)\n",
    "device = 'cuda'\nx.to(device)\n",
    "d{i} = 'cuda'\nx.to(d{i})\n",
    "ok = torch.cuda.is_available()\nif ok: torch.cuda.init()\n",
    "ok = torch.cuda.is_available()\nif ok: torch.cuda.nvtx.mark('a')\n",
    "on = x.is_cuda\nif on: torch.cuda.init()\n",
    "torch.cuda.brand_new('cuda')\nx.to('cuda')\n",
    "y = f'cuda:{{torch.cuda.current_device()}}'\n",
    "torch = torch\ntorch.cuda.init()\n",
    "b = 'cpu:gloo,cuda:nccl'\ndist.new_group(backend=b)\n",
]


def calls(lines: str, count: int) -> int:
    """How many functions are called for *count* times these *lines*: no clock is as steady."""
    text = HEAD + "".join(lines.format(i=i) for i in range(count))
    called = 0

    def see(frame: FrameType, event: str, arg: object) -> None:
        nonlocal called
        called += event == "call"

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        translate(text)
    finally:
        sys.setprofile(before)
    return called


@pytest.mark.parametrize("lines", GROWING)
def test_growth_is_near_linear(lines: str) -> None:
    calls(lines, 5)  # what is made once
    assert calls(lines, 240) < 5 * calls(lines, 60)
