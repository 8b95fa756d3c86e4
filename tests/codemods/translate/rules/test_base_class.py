"""Classes that change as base classes only."""

from __future__ import annotations

from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate


def test_base_classes_only() -> None:
    before = """
        from vllm.v1.worker.gpu_model_runner import GPUModelRunner

        class Runner(GPUModelRunner):
            def f(self, other: GPUModelRunner):
                return GPUModelRunner.f(self)
        """
    after = """
        from vllm.v1.worker.gpu_model_runner import GPUModelRunner
        from vllm_ascend.worker.model_runner_v1 import NPUModelRunner

        class Runner(NPUModelRunner):
            def f(self, other: GPUModelRunner):
                return GPUModelRunner.f(self)
        """
    check_rewrite(before, after)
    check_noop(
        """
        from vllm.v1.worker.gpu_model_runner import GPUModelRunner
        def f(x: GPUModelRunner): ...
        """
    )


def test_base_class_alias() -> None:
    check_rewrite(
        """
        from vllm.v1.worker.gpu_worker import Worker as GPUWorker

        class Base(GPUWorker):
            pass
        """,
        """
        from vllm_ascend.worker.worker import NPUWorker as GPUWorker

        class Base(GPUWorker):
            pass
        """,
    )


def test_one_name_is_not_bound_to_two_things() -> None:
    text = (
        "from vllm.v1.worker.gpu_model_runner import GPUModelRunner as A\n"
        "from vllm.v1.worker.gpu.model_runner import GPUModelRunner as B\n"
        "import vllm.v1.worker.gpu_model_runner as one\n"
        "import vllm.v1.worker.gpu.model_runner as two\n"
        "class X(one.GPUModelRunner): ...\nclass Y(two.GPUModelRunner): ...\n"
    )
    result = translate(text)
    assert "from vllm_ascend.worker.model_runner_v1 import NPUModelRunner" in result.text
    assert "from vllm_ascend.worker.v2.model_runner import NPUModelRunner" not in result.text
    assert [f.code for f in result.findings] == ["OP108"]
