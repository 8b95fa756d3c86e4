"""Imports through a re-export."""

from __future__ import annotations

from omni_codemods.testing import check_noop, check_rewrite


def test_import_through_a_re_export() -> None:
    check_rewrite(
        """
        from vllm.v1.worker.gpu_model_runner import EMPTY_MODEL_RUNNER_OUTPUT, PerLayerAttnMetadata

        x = EMPTY_MODEL_RUNNER_OUTPUT
        """,
        """
        from vllm.v1.worker.gpu_model_runner import PerLayerAttnMetadata
        from vllm.v1.outputs import EMPTY_MODEL_RUNNER_OUTPUT

        x = EMPTY_MODEL_RUNNER_OUTPUT
        """,
    )


def test_names_read_from_the_module_work_as_they_are() -> None:
    check_noop(
        """
        from vllm.v1.worker import gpu_model_runner

        x = gpu_model_runner.IntermediateTensors
        """
    )


def test_import_joins_the_defining_module() -> None:
    check_rewrite(
        """
        from vllm.v1.outputs import ModelRunnerOutput
        from vllm.v1.worker.gpu_model_runner import EMPTY_MODEL_RUNNER_OUTPUT

        x = EMPTY_MODEL_RUNNER_OUTPUT, ModelRunnerOutput
        """,
        """
        from vllm.v1.outputs import EMPTY_MODEL_RUNNER_OUTPUT, ModelRunnerOutput

        x = EMPTY_MODEL_RUNNER_OUTPUT, ModelRunnerOutput
        """,
    )
