"""Symbols and their imports: moved, merged, split, renamed at every use."""

from __future__ import annotations

import pytest

from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


def test_import_moves_and_uses_follow() -> None:
    check_rewrite(
        """
        from vllm.forward_context import set_forward_context

        def run():
            with set_forward_context(None, config):
                step()
        """,
        """
        from vllm_ascend.ascend_forward_context import set_ascend_forward_context

        def run():
            with set_ascend_forward_context(None, config):
                step()
        """,
    )


def test_alias_is_kept() -> None:
    check_rewrite(
        """
        from vllm.compilation.cuda_graph import CUDAGraphWrapper as Wrapper

        model = Wrapper(model)
        """,
        """
        from vllm_ascend.compilation.acl_graph import ACLGraphWrapper as Wrapper

        model = Wrapper(model)
        """,
    )


def test_alias_that_already_is_the_npu_name() -> None:
    check_rewrite(
        """
        from vllm.compilation.cuda_graph import CUDAGraphWrapper as ACLGraphWrapper

        model = ACLGraphWrapper(model)
        """,
        """
        from vllm_ascend.compilation.acl_graph import ACLGraphWrapper

        model = ACLGraphWrapper(model)
        """,
    )


def test_mixed_import_is_split() -> None:
    check_rewrite(
        """
        from vllm.compilation.cuda_graph import CUDAGraphStat, CUDAGraphWrapper

        def f(): return CUDAGraphWrapper, CUDAGraphStat
        """,
        """
        from vllm.compilation.cuda_graph import CUDAGraphStat
        from vllm_ascend.compilation.acl_graph import ACLGraphWrapper

        def f(): return ACLGraphWrapper, CUDAGraphStat
        """,
    )


def test_split_of_a_parenthesized_import_keeps_comments() -> None:
    check_rewrite(
        """
        from vllm.distributed.parallel_state import (
            # groups
            get_pp_group,  # pipeline
            graph_capture,  # for warm-up
            get_tp_group,
        )

        graph_capture(device)
        """,
        """
        from vllm.distributed.parallel_state import (
            # groups
            get_pp_group,  # pipeline
            get_tp_group,
        )
        from vllm_ascend.worker.model_runner_v1 import graph_capture  # for warm-up

        graph_capture(device)
        """,
    )


def test_split_in_a_function_keeps_the_indentation() -> None:
    check_rewrite(
        """
        def f():
            if ready:
                from vllm.compilation.cuda_graph import CUDAGraphStat, CUDAGraphWrapper
                return CUDAGraphWrapper(CUDAGraphStat)
        """,
        """
        def f():
            if ready:
                from vllm.compilation.cuda_graph import CUDAGraphStat
                from vllm_ascend.compilation.acl_graph import ACLGraphWrapper
                return ACLGraphWrapper(CUDAGraphStat)
        """,
    )


def test_split_on_one_line_with_other_statements() -> None:
    check_rewrite(
        "import os; from vllm.compilation.cuda_graph import CUDAGraphStat, CUDAGraphWrapper; x = 1\n",  # noqa: E501
        "import os; from vllm.compilation.cuda_graph import CUDAGraphStat; "
        "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper; x = 1\n",
    )


def test_split_in_a_one_line_suite() -> None:
    check_rewrite(
        "if x: from vllm.compilation.cuda_graph import CUDAGraphStat, CUDAGraphWrapper\n",
        "if x: from vllm.compilation.cuda_graph import CUDAGraphStat; "
        "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper\n",
    )


def test_split_with_continuation_lines() -> None:
    check_rewrite(
        "from vllm.compilation.cuda_graph import CUDAGraphStat, \\\n    CUDAGraphWrapper\n"
        "CUDAGraphWrapper()\n",
        "from vllm.compilation.cuda_graph import CUDAGraphStat\n"
        "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper\n"
        "ACLGraphWrapper()\n",
    )


def test_import_joins_one_of_its_module() -> None:
    check_rewrite(
        """
        from vllm.distributed.parallel_state import graph_capture
        from vllm_ascend.worker.model_runner_v1 import SEQ_LEN_WITH_MAX_PA_WORKSPACE, NPUModelRunner

        graph_capture(SEQ_LEN_WITH_MAX_PA_WORKSPACE, NPUModelRunner)
        """,
        """
        from vllm_ascend.worker.model_runner_v1 import SEQ_LEN_WITH_MAX_PA_WORKSPACE, NPUModelRunner, graph_capture

        graph_capture(SEQ_LEN_WITH_MAX_PA_WORKSPACE, NPUModelRunner)
        """,  # noqa: E501
    )


def test_import_that_is_there_already_is_not_doubled() -> None:
    check_rewrite(
        """
        from vllm.forward_context import BatchDescriptor, set_forward_context
        from vllm_ascend.ascend_forward_context import set_ascend_forward_context

        def f():
            set_forward_context(a, b, num_actual_tokens=1, model_instance=m)
            set_ascend_forward_context(a, b)
        """,
        """
        from vllm.forward_context import BatchDescriptor
        from vllm_ascend.ascend_forward_context import set_ascend_forward_context

        def f():
            set_ascend_forward_context(a, b, num_actual_tokens=1, model_instance=m)
            set_ascend_forward_context(a, b)
        """,
    )


def test_import_never_lands_below_its_first_use() -> None:
    check_rewrite(
        """
        from vllm.compilation.cuda_graph import CUDAGraphWrapper
        BASE = CUDAGraphWrapper
        import os
        from vllm_ascend.compilation.acl_graph import update_full_graph_params
        """,
        """
        from vllm_ascend.compilation.acl_graph import ACLGraphWrapper
        BASE = ACLGraphWrapper
        import os
        from vllm_ascend.compilation.acl_graph import update_full_graph_params
        """,
    )


def test_name_through_its_module() -> None:
    check_rewrite(
        """
        import vllm.forward_context

        def f():
            with vllm.forward_context.set_forward_context(None, config):
                pass
        """,
        """
        from vllm_ascend.ascend_forward_context import set_ascend_forward_context

        def f():
            with set_ascend_forward_context(None, config):
                pass
        """,
    )


def test_name_through_an_alias_of_its_module() -> None:
    check_rewrite(
        """
        import vllm.forward_context as vllm_forward_context

        class Model:
            def _vllm_forward_context(self):
                return vllm_forward_context.set_forward_context(None, self.config)
        """,
        """
        from vllm_ascend.ascend_forward_context import set_ascend_forward_context

        class Model:
            def _vllm_forward_context(self):
                return set_ascend_forward_context(None, self.config)
        """,
    )


def test_module_stays_imported_for_its_other_names() -> None:
    check_rewrite(
        """
        from vllm import forward_context as fc

        def f():
            fc.set_forward_context(None, config)
            return fc.get_forward_context()
        """,
        """
        from vllm import forward_context as fc
        from vllm_ascend.ascend_forward_context import set_ascend_forward_context

        def f():
            set_ascend_forward_context(None, config)
            return fc.get_forward_context()
        """,
    )


def test_package_import_binds_the_root() -> None:
    check_rewrite(
        """
        import vllm
        import vllm.envs

        def f():
            return vllm.compilation.cuda_graph.CUDAGraphWrapper, vllm.envs
        """,
        """
        import vllm
        from vllm_ascend.compilation.acl_graph import ACLGraphWrapper
        import vllm.envs

        def f():
            return ACLGraphWrapper, vllm.envs
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        # the module of that name belongs to somebody else
        """
        from vllm_omni.diffusion.forward_context import set_forward_context
        set_forward_context(a, cudagraph_runtime_mode=m)
        """,
        """
        from .forward_context import set_forward_context
        set_forward_context(a, cudagraph_runtime_mode=m)
        """,
        """
        from ..vllm.forward_context import set_forward_context
        set_forward_context(a)
        """,
        # a method of that name
        """
        from vllm.forward_context import BatchDescriptor
        current_omni_platform.set_forward_context(a, cudagraph_runtime_mode=m)
        """,
        # names that only contain the name
        """
        from auk.cudagraph_wrapper import AuKCUDAGraphWrapper
        from vllm.compilation.cuda_graph import CUDAGraphStat
        __all__ = ["AuKCUDAGraphWrapper"]
        AuKCUDAGraphWrapper()
        """,
        # a class of one's own
        """
        class InputBatch: ...
        def f(x: "InputBatch") -> InputBatch: ...
        """,
        # the other world's class of the same name is another entry
        """
        from vllm.v1.worker.gpu.sample.sampler import Sampler
        Sampler()
        """,
        # never bound
        "set_forward_context(a, cudagraph_runtime_mode=m)",
        # an enumeration that NPU code shares
        """
        from vllm.config import CUDAGraphMode
        mode = CUDAGraphMode.FULL
        """,
    ],
)
def test_same_spelling_other_meaning(text: str) -> None:
    check_noop(text)


def test_twins_go_their_own_ways() -> None:
    check_rewrite(
        """
        from vllm.v1.worker.gpu_input_batch import InputBatch
        a = InputBatch()
        """,
        """
        from vllm_ascend.worker.npu_input_batch import NPUInputBatch
        a = NPUInputBatch()
        """,
    )
    check_rewrite(
        """
        from vllm.v1.worker.gpu.input_batch import InputBatch
        a = InputBatch()
        """,
        """
        from vllm_ascend.worker.v2.input_batch import AscendInputBatch
        a = AscendInputBatch()
        """,
    )


def test_name_taken_is_reported_and_left() -> None:
    text = (
        "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n\n"
        "class ACLGraphWrapper: ...\n\n"
        "x = CUDAGraphWrapper()\n"
    )
    check_noop(text, dedent=False)
    assert codes(text) == ["OP108"]


def test_name_taken_in_a_scope_between() -> None:
    text = (
        "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n\n"
        "def f(ACLGraphWrapper):\n"
        "    return CUDAGraphWrapper\n"
    )
    check_noop(text, dedent=False)
    assert codes(text) == ["OP108"]


def test_name_bound_in_an_unrelated_scope_does_not_matter() -> None:
    check_rewrite(
        """
        from vllm.compilation.cuda_graph import CUDAGraphWrapper

        def g(ACLGraphWrapper):
            return ACLGraphWrapper

        def f():
            return CUDAGraphWrapper
        """,
        """
        from vllm_ascend.compilation.acl_graph import ACLGraphWrapper

        def g(ACLGraphWrapper):
            return ACLGraphWrapper

        def f():
            return ACLGraphWrapper
        """,
    )


def test_defining_the_npu_class_is_no_collision() -> None:
    text = "from vllm.v1.sample.sampler import Sampler\n\nclass AscendSampler(Sampler):\n    pass\n"
    check_noop(text, dedent=False)
    assert codes(text) == []
    assert [finding.code for finding in translate(text).kept] == ["OP133"]


def test_a_variant_of_the_npu_class_says_that_the_other_is_meant() -> None:
    check_noop(
        """
        from vllm.v1.sample.sampler import Sampler
        from vllm_ascend._310p.sample.sampler import AscendSampler310

        AscendSampler310.apply = Sampler.apply
        """
    )


def test_attributes_set_on_the_class_follow() -> None:
    check_rewrite(
        """
        from vllm_omni.worker.gpu_ar_model_runner import GPUARModelRunner

        original = GPUARModelRunner._sample
        GPUARModelRunner._sample = patched
        """,
        """
        from vllm_omni.platforms.npu.worker.npu_ar_model_runner import NPUARModelRunner

        original = NPUARModelRunner._sample
        NPUARModelRunner._sample = patched
        """,
    )


def test_missing_member_of_the_npu_class() -> None:
    text = (
        "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n"
        "CUDAGraphWrapper.clear_all_graphs()\n"
    )
    assert codes(text) == ["OP122"]
    assert "ACLGraphWrapper.clear_all_graphs()" in translate(text).text


def test_comments_inside_a_dotted_name_stay() -> None:
    check_rewrite(
        """
        import vllm.forward_context as fc
        x = (fc  # the module, v1.0
             .set_forward_context  # the function
        )
        """,
        """
        from vllm_ascend.ascend_forward_context import set_ascend_forward_context
        x = (set_ascend_forward_context  # the module, v1.0
               # the function
        )
        """,
    )
