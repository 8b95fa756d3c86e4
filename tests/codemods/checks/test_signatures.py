from __future__ import annotations

import pytest

from checked import check, codes, runner


def signature(parameters: str, name: str = "_dummy_run", decorator: str = "") -> str:
    return runner(f"{decorator}def {name}({parameters}):\n    return None")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("self, num_tokens", "does not take mode, uniform, as NPUModelRunner._dummy_run"),
        ("self, num_tokens, mode=None", "does not take uniform"),
        ("self, num_tokens, **options", "does not take mode"),
        ("self, num_tokens, voice, mode=None, *, uniform=False", "wants voice"),
    ],
)
def test_signatures_that_differ(parameters: str, message: str) -> None:
    (found,) = check(signature(parameters))
    assert (found.code, found.line) == ("OP608", 5)
    assert message in found.message


@pytest.mark.parametrize(
    "parameters",
    [
        "self, num_tokens, mode=None, *, uniform=False",
        "self, num_tokens, mode=1, uniform=True, voice=None",
        "self, *args, **kwargs",
        "self, num_tokens, mode=None, **kwargs",
        (
            "\n        self,\n        num_tokens,\n        voice,  # Omni-new\n"
            "        mode=None,\n        *,\n        uniform=False,\n    "
        ),
    ],
)
def test_signatures_that_fit_or_differ_by_a_fence(parameters: str) -> None:
    assert check(signature(parameters)) == []


@pytest.mark.parametrize("name", ["__init__", "warm_up"])
def test_what_overrides_nothing_is_free(name: str) -> None:
    assert "OP608" not in {code for code, _ in codes(check(signature("self, anything", name)))}


def test_an_override_under_a_decorator_that_is_not_known_is_left() -> None:
    assert codes(check(signature("self, x", "_odd"))) == []
