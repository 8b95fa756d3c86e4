from __future__ import annotations

import pytest

from checked import ASCEND, HEAD, VLLM, check, codes, runner


def messages(body: str) -> list[str]:
    text = runner("def go(self, n):\n" + "".join(f"    {x}\n" for x in body.split("\n")))
    found = check(text)
    assert {finding.code for finding in found} <= {"OP609", "OP611", "OP612"}
    return [finding.message for finding in found]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("self._dummy_run(n, skip_state=True)", "does not take skip_state="),
        ("super()._dummy_run(n, skip_state=True)", "does not take skip_state="),
        ("self._build(n)", "also wants max_across_dp"),
        ("self._build(max_across_dp=n)", "also wants num_reqs"),
        ("self._dummy_run(n, n, n)", "takes 2 positional arguments, and gets 3"),
        ("self._pair(n, n)", "takes 1 positional arguments, and gets 2"),
    ],
)
def test_calls_of_own_methods_that_do_not_fit(call: str, message: str) -> None:
    (found,) = messages(call)
    assert message in found
    assert "vllm_ascend/worker/model_runner_v1.py:" in found


@pytest.mark.parametrize(
    "call",
    [
        "self._dummy_run(n, mode=1, uniform=True)",
        "self._build(*n, max_across_dp=1)",
        "self._build(**n)",
        "self._loose(1, 2, three=4)",
        "self._odd(1, 2, three=4)",
        "self._run(n)",
        "self.hook(n, anything=1)",
        "self.hook.feed(n)",
        "n._dummy_run(skip_state=True)",
    ],
)
def test_calls_that_fit_or_are_not_known(call: str) -> None:
    assert messages(call) == []


def test_the_classes_own_method_comes_first() -> None:
    text = runner(
        "def _build(self):\n    # ours\n    return 1\n\ndef go(self):\n    self._build(1)"
    )
    assert ("OP609", 10) in codes(check(text))
    text = text.replace("self._build(1)", "self._build()")
    assert "OP609" not in {code for code, _ in codes(check(text))}


def test_a_base_that_no_tree_has_may_have_anything() -> None:
    head = HEAD.replace("\n\n\n", "\nfrom elsewhere import Mixin\n\n\n")
    body = "def go(self):\n    self._dummy_run(1, skip_state=True)\n    self.gone()"
    assert check(runner(body, head, "Mixin, NPUModelRunner")) == []
    assert codes(check(runner(body, head, "NPUModelRunner, Mixin"))) == [("OP609", 7)]


def test_bases_are_looked_through_in_the_order_of_python() -> None:
    head = (
        "from vllm.v1.worker.gpu_model_runner import GPUModelRunner\n" + HEAD + "class Mine("
        "GPUModelRunner):\n    pass\n\n\n"
    )
    upstream = (
        VLLM["vllm/v1/worker/gpu_model_runner.py"] + "\n    def _build(self):\n        pass\n"
    )
    trees = (ASCEND, {**VLLM, "vllm/v1/worker/gpu_model_runner.py": upstream})
    text = runner(
        "def go(self):\n    self._build(1, max_across_dp=2)", head, "Mine, NPUModelRunner"
    )
    assert "OP609" not in {code for code, _ in codes(check(text, *trees))}
    alone = runner("def go(self):\n    self._build(1, max_across_dp=2)", head, "Mine")
    assert "OP609" in {code for code, _ in codes(check(alone, *trees))}


def test_a_method_that_no_class_has() -> None:
    assert messages("self._model_forward(n)") == [
        "neither Runner nor a base of it has _model_forward"
    ]
    text = runner("def go(self):\n    self._model_forward(1)")
    assert check(text, ASCEND) == []  # a base that is in no tree may have it


def test_a_mixin_calls_what_it_is_mixed_into() -> None:
    assert check("class Mixin:\n    def go(self):\n        self._model_forward()\n") == []


def test_imported_functions_and_classes() -> None:
    head = (
        "from vllm_ascend.ops import update_cos_sin\n"
        "from vllm_ascend.worker import model_runner_v1\n"
    )
    text = head + (
        "\n\ndef go(x):\n"
        "    update_cos_sin(x, positions=1)\n"
        "    update_cos_sin(x, step=2)\n"
        "    model_runner_v1.Pool(1, device=2)\n"
        "    model_runner_v1.Pool(1, 2)\n"
        "    model_runner_v1.Plan(1, 2, 3)\n"
    )
    assert codes(check(text)) == [("OP609", 6), ("OP609", 9), ("OP609", 10)]


def test_a_name_that_is_bound_again_is_not_the_import() -> None:
    text = (
        "from vllm_ascend.ops import update_cos_sin\n\n\n"
        "def go(update_cos_sin):\n    update_cos_sin(1, 2, 3, 4)\n"
    )
    assert check(text) == []


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("a, b = self._prepare_inputs(n)", True),
        ("a, b, c, d = super()._prepare_inputs(n)", True),
        ("a, b, c = self._pair(n)", True),
        ("a, b, c = self._prepare_inputs(n)", False),
        ("a, *b = self._prepare_inputs(n)", False),
        ("a = self._prepare_inputs(n)", False),
        ("a, b = self._dummy_run(n)", False),
        ("a, b = self._loose(n)", False),
        ("a, b = self._odd(n)", False),
    ],
)
def test_values_taken_apart(line: str, wrong: bool) -> None:
    found = messages(line)
    assert len(found) == wrong
    assert all(" values, and " in message for message in found)


@pytest.mark.parametrize("call", ["super().__init__()", "self.__eq__(1)", "super().__repr__()"])
def test_what_every_class_has_from_object_is_not_gone(call: str) -> None:
    text = f"class Plain:\n    def __init__(self):\n        {call}\n"
    assert check(text) == []
