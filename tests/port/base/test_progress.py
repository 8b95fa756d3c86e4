from __future__ import annotations

from omni_port.base.progress import listen, step, steps


def test_without_a_listener_a_step_is_nothing() -> None:
    step("reading")
    assert list(steps("reading", [1, 2])) == [1, 2]


def test_a_listener_hears_each_step_until_it_ends() -> None:
    heard: list[str] = []
    end = listen(heard.append)
    step("reading vllm")
    assert list(steps("file", "ab")) == ["a", "b"]
    assert list(steps("one", iter("x"))) == ["x"]
    end()
    step("not heard")
    assert heard == ["reading vllm", "file (1 of 2)", "file (2 of 2)", "one (1)"]
