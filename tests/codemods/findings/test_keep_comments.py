"""Keep comments: lines and ranges left alone, and those that keep nothing."""

from __future__ import annotations

from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


def test_line() -> None:
    text = "import torch\ntorch.cuda.init()  # omni-port: keep\ntorch.cuda.init()\n"
    assert translate(text).text == text[:-18] + "torch.npu.init()\n"
    assert codes(text) == []
    assert [(k.code, k.line) for k in translate(text).kept] == [("OP131", 2)]


def test_line_above() -> None:
    check_noop("import torch\n# omni-port: keep\ntorch.cuda.init()\n", dedent=False)


def test_range() -> None:
    check_rewrite(
        """
        import torch
        # omni-port: keep start
        torch.cuda.init()
        x = torch.ones(1, device="cuda")
        # omni-port: keep end
        torch.cuda.init()
        """,
        """
        import torch
        # omni-port: keep start
        torch.cuda.init()
        x = torch.ones(1, device="cuda")
        # omni-port: keep end
        torch.npu.init()
        """,
    )


def test_kept_use_keeps_its_import() -> None:
    check_rewrite(
        """
        from vllm.compilation.cuda_graph import CUDAGraphWrapper

        a = CUDAGraphWrapper()  # omni-port: keep
        b = CUDAGraphWrapper()
        """,
        """
        from vllm.compilation.cuda_graph import CUDAGraphWrapper
        from vllm_ascend.compilation.acl_graph import ACLGraphWrapper

        a = CUDAGraphWrapper()  # omni-port: keep
        b = ACLGraphWrapper()
        """,
    )


def test_kept_import_keeps_its_uses() -> None:
    check_noop(
        """
        from vllm.compilation.cuda_graph import CUDAGraphWrapper  # omni-port: keep

        b = CUDAGraphWrapper()
        """
    )


def test_kept_keyword() -> None:
    check_rewrite(
        """
        from vllm.forward_context import set_forward_context
        def f():
            set_forward_context(
                a,
                slot_mapping=s,  # omni-port: keep
                cudagraph_runtime_mode=m,
            )
        """,
        """
        from vllm_ascend.ascend_forward_context import set_ascend_forward_context
        def f():
            set_ascend_forward_context(
                a,
                slot_mapping=s,  # omni-port: keep
                aclgraph_runtime_mode=m,
            )
        """,
    )


def test_unused_and_broken() -> None:
    assert codes("import os  # omni-port: keep\n") == ["OP119"]
    assert codes("# omni-port: keep start\nx = 1\n# omni-port: keep end\n") == ["OP119"]
    assert codes("# omni-port: keep start\nx = 1\n") == ["OP120"]
    assert codes("x = 1\n# omni-port: keep end\n") == ["OP120"]
    assert codes("x = '# omni-port: keep'\n") == []
