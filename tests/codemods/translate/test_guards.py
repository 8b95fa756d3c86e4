"""Code behind a test for one device, and code that handles both."""

from __future__ import annotations

import pytest

from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


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
        ("if torch.version.cuda:\n    torch.cuda.synchronize()\n", "OP115"),
        ("if torch.version.hip is None:\n    torch.cuda.synchronize()\n", "OP115"),
        ("y = torch.cuda.Event() if torch.version.cuda else None\n", "OP115"),
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


def test_a_flag_of_the_module_itself_is_no_test_for_the_gpu() -> None:
    check_rewrite(
        """
        import torch

        is_cuda = torch.cuda.is_available()

        class Timer:
            def __init__(self):
                self.is_rocm: bool = torch.cuda.is_initialized()

            def wait(self):
                if is_cuda or self.is_rocm:
                    torch.cuda.synchronize()
        """,
        """
        import torch

        is_cuda = torch.npu.is_available()

        class Timer:
            def __init__(self):
                self.is_rocm: bool = torch.npu.is_initialized()

            def wait(self):
                if is_cuda or self.is_rocm:
                    torch.npu.synchronize()
        """,
    )


DEVICE_CLASSES = [
    "class XPUThing(Base):\n",
    "class Thing(XPUWorker):\n",
    "class Thing(platforms.RocmPlatform):\n",
    "class CudaOmniPlatform(Base):\n",
    "class MUSAPlatformX(Base):\n",
]


@pytest.mark.parametrize("head", DEVICE_CLASSES)
def test_a_class_for_one_device_stays(head: str) -> None:
    text = (
        f"import os\nimport torch\n{head}"
        "    def device(self):\n        return torch.device('cuda')\n"
        "    def free(self):\n        return torch.cuda.mem_get_info()[0]\n"
    )
    check_noop(text, dedent=False)
    result = translate(text)
    assert [finding.code for finding in result.kept] == ["OP133", "OP133"]
    assert result.findings == ()


def test_a_class_for_one_device_keeps_its_bases() -> None:
    check_noop(
        "from vllm_omni.worker.gpu_ar_model_runner import GPUARModelRunner\n"
        "class XPUARModelRunner(GPUARModelRunner): ...\n",
        dedent=False,
    )


@pytest.mark.parametrize(
    "head", ["class CUDAGraphThing:\n", "class GPUPlatformThing(Base):\n", "class Cudarunner:\n"]
)
def test_other_classes_go(head: str) -> None:
    text = f"import torch\n{head}    stream = torch.cuda.Stream()\n"
    check_rewrite(text, text.replace("cuda.Stream", "npu.Stream"), dedent=False)


def test_code_beside_a_class_for_one_device_goes() -> None:
    text = "import torch\nclass XPUThing:\n    x = torch.cuda.Stream\ny = torch.cuda.Stream()\n"
    check_rewrite(text, text.replace("y = torch.cuda", "y = torch.npu"), dedent=False)


def test_another_version_is_no_guard() -> None:
    text = "import torch\nif torch.version.debug or x.version.cuda:\n    torch.cuda.synchronize()\n"
    check_rewrite(text, text.replace("torch.cuda", "torch.npu"), dedent=False)


@pytest.mark.parametrize(
    "line",
    [
        "x = torch.version.hip is not None and torch.cuda.is_available()\n",
        "def f(t): return t.is_cuda and torch.cuda.current_device() == t.index\n",
        "name = f'cuda:{torch.cuda.current_device()}'\n",
        "log(f'cuda:{torch.cuda.current_device()} is used')\n",
    ],
)
def test_parts_of_one_expression_stay_together(line: str) -> None:
    text = f"import torch\n{line}"
    check_noop(text, dedent=False)
    assert "OP115" in codes(text)


@pytest.mark.parametrize(
    "line",
    [
        "x = ready and torch.cuda.is_available()\n",
        "device = device or torch.cuda.current_device()\n",
        "print(f'on {torch.cuda.current_device()}')\n",
    ],
)
def test_other_expressions_go(line: str) -> None:
    text = f"import torch\n{line}"
    check_rewrite(text, text.replace("torch.cuda", "torch.npu"), dedent=False)
