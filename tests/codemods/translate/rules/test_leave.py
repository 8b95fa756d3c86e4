"""Names that stay on purpose."""

from __future__ import annotations

from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate


def test_shared_class_name_stays() -> None:
    check_rewrite(
        """
        from vllm.v1.worker.gpu_model_runner import AsyncGPUModelRunnerOutput, GPUModelRunner

        class R(GPUModelRunner):
            def out(self):
                return AsyncGPUModelRunnerOutput()
        """,
        """
        from vllm.v1.worker.gpu_model_runner import AsyncGPUModelRunnerOutput
        from vllm_ascend.worker.model_runner_v1 import NPUModelRunner

        class R(NPUModelRunner):
            def out(self):
                return AsyncGPUModelRunnerOutput()
        """,
    )


def test_notes_say_why() -> None:
    text = "from vllm.compilation.cuda_graph import CUDAGraphStat\n"
    check_noop(text, dedent=False)
    (note,) = translate(text).kept
    assert (note.code, note.line, note.column) == ("OP130", 1, 40)
    assert "import it from vllm" in note.message


def test_notes_through_the_module() -> None:
    text = "import vllm.config as c\nx = c.CUDAGraphMode.FULL\ny = c.CUDAGraphMode\n"
    check_noop(text, dedent=False)
    assert [(k.code, k.line) for k in translate(text).kept] == [("OP130", 2), ("OP130", 3)]


def test_optional_names_make_no_noise() -> None:
    text = "from vllm.forward_context import get_forward_context\nget_forward_context()\n"
    assert translate(text).kept == ()
