"""Strings: devices, backends, environment variables and dotted paths, by position."""

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


def test_test_stays_with_what_only_the_gpu_has() -> None:
    text = (
        "import torch\n"
        "def hopper():\n"
        "    if not torch.cuda.is_available():\n"
        "        return False\n"
        "    return torch.cuda.get_device_capability()[0] == 9\n"
    )
    check_noop(text, dedent=False)
    assert sorted(codes(text)) == ["OP103", "OP115"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("if x.device.type == 'cuda':\n    torch.cuda.synchronize()\n", "OP115"),
        ("if x.is_cuda:\n    torch.cuda.synchronize()\n", "OP115"),
        ("if current_platform.is_cuda():\n    torch.cuda.synchronize()\n", "OP115"),
        ("if d.type != 'cuda':\n    pass\nelse:\n    torch.cuda.synchronize()\n", "OP115"),
        ("y = torch.cuda.Event() if d.type == 'cuda' else None\n", "OP115"),
    ],
)
def test_behind_a_test_for_the_gpu(text: str, code: str) -> None:
    check_noop("import torch\n" + text, dedent=False)
    assert code in codes("import torch\n" + text)


def test_after_a_test_for_the_gpu_that_left() -> None:
    text = (
        "import torch\ndef f(d):\n    if d.type != 'cuda':\n        return\n"
        "    torch.cuda.synchronize()\n"
    )
    check_noop(text, dedent=False)
    assert "OP115" in codes(text)


def test_the_other_branch_of_a_test_for_the_gpu_goes() -> None:
    check_rewrite(
        "import torch\nif d.type == 'cuda':\n    pass\nelse:\n    torch.cuda.synchronize()\n",
        "import torch\nif d.type == 'cuda':\n    pass\nelse:\n    torch.npu.synchronize()\n",
        dedent=False,
    )


@pytest.mark.parametrize(
    "text",
    [
        "m = torch.npu if d.type == 'npu' else torch.cuda\n",
        "if is_npu():\n    torch.npu.synchronize()\nelse:\n    torch.cuda.synchronize()\n",
        "if hasattr(torch, 'npu'):\n    f()\nelif torch.cuda.is_available():\n    torch.cuda.init()\n",  # noqa: E501
        "if a:\n    torch.npu.init()\nelse:\n    torch.cuda.init()\n",
        "x.to('cuda' if not is_npu else 'npu')\n",
        "if d in ('cuda', 'npu'):\n    torch.cuda.init()\n",
    ],
)
def test_code_that_handles_both(text: str) -> None:
    check_noop("import torch\n" + text, dedent=False)
    assert "OP115" not in codes("import torch\n" + text)


def test_code_that_handles_both_by_leaving() -> None:
    check_noop(
        """
        import torch

        def wait(device):
            if device.type == "npu":
                torch.npu.synchronize()
                return
            torch.cuda.synchronize()
        """
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("os.environ['CUDA_VISIBLE_DEVICES']", "os.environ['ASCEND_RT_VISIBLE_DEVICES']"),
        ("os.environ.get('CUDA_VISIBLE_DEVICES')", "os.environ.get('ASCEND_RT_VISIBLE_DEVICES')"),
        ("os.getenv('PYTORCH_CUDA_ALLOC_CONF')", "os.getenv('PYTORCH_NPU_ALLOC_CONF')"),
        ("'CUDA_VISIBLE_DEVICES' in os.environ", "'ASCEND_RT_VISIBLE_DEVICES' in os.environ"),
    ],
)
def test_environment(before: str, after: str) -> None:
    check_rewrite(f"import os\nx = {before}\n", f"import os\nx = {after}\n", dedent=False)


def test_environment_by_name() -> None:
    check_rewrite(
        "from os import environ\nenviron['CUDA_VISIBLE_DEVICES'] = '0'\n",
        "from os import environ\nenviron['ASCEND_RT_VISIBLE_DEVICES'] = '0'\n",
        dedent=False,
    )


@pytest.mark.parametrize(
    "text",
    [
        "import os\nprint('CUDA_VISIBLE_DEVICES')\n",
        "environ = {}\nenviron['CUDA_VISIBLE_DEVICES'] = 1\n",
        "name = 'CUDA_VISIBLE_DEVICES'\n",
        "import os\nx = os.getenv('ASCEND_RT_VISIBLE_DEVICES') or os.getenv('CUDA_VISIBLE_DEVICES')\n",  # noqa: E501
    ],
)
def test_environment_left(text: str) -> None:
    check_noop(text, dedent=False)


def test_dotted_paths_in_platform_hooks() -> None:
    check_rewrite(
        """
        class Platform:
            def get_static_graph_wrapper_cls(cls):
                return "vllm.compilation.cuda_graph.CUDAGraphWrapper"

            def check(self, config):
                config.worker_cls = "vllm.v1.worker.gpu_worker.Worker"
        """,
        """
        class Platform:
            def get_static_graph_wrapper_cls(cls):
                return "vllm_ascend.compilation.acl_graph.ACLGraphWrapper"

            def check(self, config):
                config.worker_cls = "vllm_ascend.worker.worker.NPUWorker"
        """,
    )


def test_dotted_paths_elsewhere_are_reported() -> None:
    text = 'x = load("vllm.compilation.cuda_graph.CUDAGraphWrapper")\n'
    check_noop(text, dedent=False)
    assert codes(text) == ["OP105"]


def test_a_variable_that_is_compared_keeps_its_literal() -> None:
    text = "import torch\ndevice = 'cuda'\nif device == 'cuda':\n    torch.cuda.init()\n"
    check_noop(text, dedent=False)
    assert sorted(codes(text)) == ["OP114", "OP114", "OP115"]


@pytest.mark.parametrize(
    "text",
    [
        "x = {'cuda': torch.cuda.Event, 'npu': torch.npu.Event}\n",
        "x = {'cuda': torch.cuda.Event, 'cpu': None}\n",
        "match kind:\n    case 'cuda':\n        torch.cuda.init()\n",
        "try:\n    import torch_npu\n    device = 'npu'\nexcept E:\n    device = 'cuda'\n",
        "def sync_npu(): torch.npu.init()\ndef sync_cuda(): torch.cuda.init()\n",
        "class NPUTimer: ...\nclass CUDATimer:\n    event = torch.cuda.Event\n",
    ],
)
def test_one_of_several_for_devices(text: str) -> None:
    check_noop("import torch\n" + text, dedent=False)


def test_dictionary_values_of_other_keys_go() -> None:
    check_rewrite(
        "import torch\nx = {'event': torch.cuda.Event, **{'b': torch.cuda.Stream}}\n",
        "import torch\nx = {'event': torch.npu.Event, **{'b': torch.npu.Stream}}\n",
        dedent=False,
    )
