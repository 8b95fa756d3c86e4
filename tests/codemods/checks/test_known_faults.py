"""Shapes of faults that were reported in public after upgrades, and that a check must find."""

from __future__ import annotations

from checked import ASCEND, HEAD, VLLM, check, runner


def found(text: str, *trees: dict[str, str]) -> set[str]:
    return {finding.code for finding in check(text, *trees)}


def test_a_class_that_the_new_release_dropped() -> None:
    text = "from vllm_ascend.ops.fused_moe import AscendMoE\n\n\nclass Mine(AscendMoE):\n    pass\n"
    assert found(text) == {"OP607"}


def test_a_method_that_returns_one_value_more() -> None:
    text = runner(
        "def execute(self, so):\n    logits, spec = self._prepare_inputs(so)\n    return spec"
    )
    assert found(text) == {"OP611"}


def test_a_helper_that_the_npu_side_never_got() -> None:
    block = "# ---- Omni-new ----"
    text = runner(
        f"def execute(self, so):\n    {block}\n    h = self._model_forward(so.ids)\n    {block}\n"
        "    return h"
    )
    assert found(text) == {"OP612"}


def test_an_init_that_lags_behind() -> None:
    fence = ("# ### PATCH START: keep", "# ### PATCH END: keep")
    text = runner(f"def __init__(self):\n    {fence[0]}\n    self.mine = 2\n    {fence[1]}")
    assert found(text) == {"OP614"}


def test_one_of_two_call_sites_was_not_updated() -> None:
    text = runner(
        "def dummy(self):\n    return self._build(1)\n\n"
        "def real(self, m):\n    return self._build(2, max_across_dp=m)"
    )
    (only,) = check(text)
    assert (only.code, only.line) == ("OP609", 6)


def test_an_nvidia_graph_in_npu_code() -> None:
    text = "import torch\n\n\ndef new_graph():\n    return torch.cuda.CUDAGraph()\n"
    assert found(text) == {"OP603"}


def test_a_keyword_that_is_newer_than_the_pinned_release() -> None:
    text = runner(
        "def _dummy_run(self, num_tokens, *, skip_state=False, **kw):\n"
        "    return super()._dummy_run(num_tokens, skip_state=skip_state, **kw)"
    )
    assert "OP609" in found(text)


def test_a_block_whose_line_the_upstream_still_has() -> None:
    text = (
        "def execute(self, so):\n"
        "    with prep():\n"
        "        # ---- Omni-new ----\n"
        "        self.update(so)\n"
        "        # ----------------------------------------\n"
        "        # note\n"
        "        self.update(so)\n\n\n"
        "def prep():\n    pass\n"
    )
    assert found(text) == {"OP606"}


def test_a_call_of_an_object_that_the_runner_holds() -> None:
    head = HEAD.replace("NPUModelRunner", "NPUModelRunner, Pool")
    text = runner(
        "def go(self):\n    self.pool = Pool(1)\n    self.pool.resize(2, gone=3)", head=head
    )
    runner_file = "vllm_ascend/worker/model_runner_v1.py"
    resize = "    def resize(self, size):\n        self.size = size\n\n"
    tree = ASCEND[runner_file].replace("class NPUModelRunner", resize + "\nclass NPUModelRunner", 1)
    assert "OP609" in found(text, {**ASCEND, runner_file: tree}, VLLM)


def test_an_attribute_that_the_forward_context_no_longer_has() -> None:
    text = (
        "from vllm.forward_context import get_forward_context\n\n\n"
        "def pad():\n    return get_forward_context().num_tokens\n"
    )
    context = "class Context:\n    pass\n\n\ndef get_forward_context():\n    return Context()\n"
    tree = {**VLLM, "vllm/forward_context.py": context}
    assert found(text, ASCEND, tree) == {"OP615"}
