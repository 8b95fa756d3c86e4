"""Dotted paths in strings."""

from __future__ import annotations

from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


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
