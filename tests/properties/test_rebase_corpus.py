"""What holds for every rebase, on the released sources that the project replays."""

from __future__ import annotations

import ast
import difflib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from invariants import Texts, assert_invariants, code_of, resolve
from omni_codemods.model import RebaseResult
from omni_codemods.rebase import rebase_method

CORPUS = Path(os.environ.get("OMNI_CORPUS", Path.home() / ".cache" / "omni-port" / "corpus"))
UPSTREAM = "NPUModelRunner"
RUNNERS = {
    "npu_model_runner.py": "OmniNPUModelRunner",
    "npu_ar_model_runner.py": "NPUARModelRunner",
    "npu_generation_model_runner.py": "NPUGenerationModelRunner",
}
# vllm-omni, the vllm-ascend that it was made from, the one aimed at
TRANSITIONS = (
    ("0.12.0rc1", "0.12.0rc1", "0.14.0rc1"),
    ("0.16.0", "0.15.0rc1", "0.17.0rc1"),
    ("0.24.0", "0.19.1rc1", "0.25.1rc1"),
)


@dataclass(frozen=True, slots=True)
class Case:
    """One copied method of one runner, with the whole files."""

    name: str
    method: str
    local_class: str
    texts: Texts

    def run(self, local: str, base: str, target: str, local_class: str = "") -> RebaseResult:
        """Rebase the method on other texts than the case's own."""
        return rebase_method(
            local=local,
            base=base,
            target=target,
            method=self.method,
            local_class=local_class or self.local_class,
            base_class=UPSTREAM,
            target_class=UPSTREAM,
        )


def methods_of(text: str, name: str) -> dict[str, str]:
    """The methods of class *name*, as text."""
    lines = text.splitlines()
    (cls,) = (n for n in ast.parse(text).body if isinstance(n, ast.ClassDef) and n.name == name)
    return {
        node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in cls.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }


def is_copy(local: str, base: str) -> bool:
    """Whether *local* is long enough and close enough to *base* to be worth a rebase."""
    sides = [[line.strip() for line in text.splitlines() if line.strip()] for text in (base, local)]
    return (
        len(sides[1]) >= 20
        and difflib.SequenceMatcher(a=sides[0], b=sides[1], autojunk=False).ratio() >= 0.3
    )


def iter_cases() -> Iterator[Case]:
    """All copied methods of the three transitions whose sources are at hand."""
    for omni, before, after in TRANSITIONS:
        upstream = [
            CORPUS / f"ascend-{version}" / "vllm_ascend" / "worker" / "model_runner_v1.py"
            for version in (before, after)
        ]
        for name, cls in RUNNERS.items():
            path = CORPUS / f"omni-{omni}" / "vllm_omni" / "platforms" / "npu" / "worker" / name
            if not path.exists():
                path = CORPUS / f"omni-{omni}" / "vllm_omni" / "worker" / "npu" / name
            if not path.exists():
                continue
            base, target = (file.read_text() for file in upstream)
            local = path.read_text()
            old, new, ours = (
                methods_of(base, UPSTREAM),
                methods_of(target, UPSTREAM),
                methods_of(local, cls),
            )
            for method in ours.keys() & old.keys() & new.keys():
                if is_copy(ours[method], old[method]):
                    yield Case(
                        f"{omni}-{path.stem}.{method}", method, cls, Texts(base, local, target)
                    )


CASES = sorted(iter_cases(), key=lambda case: case.name) if CORPUS.exists() else []
pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not CASES, reason=f"no released sources at {CORPUS}"),
]


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def test_invariants_hold(case: Case) -> None:
    texts = case.texts
    assert_invariants(texts, case.run(texts.local, texts.base, texts.target))


def test_upstream_unchanged_gives_local(case: Case) -> None:
    for upstream in (case.texts.base, case.texts.target):
        assert case.run(case.texts.local, upstream, upstream).text == case.texts.local


def test_local_unchanged_gives_target(case: Case) -> None:
    base, target = case.texts.base, case.texts.target
    result = case.run(base, base, target, UPSTREAM)
    assert not result.conflicts
    assert (
        methods_of(result.text, UPSTREAM)[case.method] == methods_of(target, UPSTREAM)[case.method]
    )


def test_second_run_changes_nothing(case: Case) -> None:
    texts = case.texts
    first = resolve(case.run(texts.local, texts.base, texts.target).text, "target")
    assert case.run(first, texts.target, texts.target).text == first


def test_invariants_hold_backwards(case: Case) -> None:
    texts = case.texts
    swapped = Texts(texts.target, texts.local, texts.base)
    result = case.run(texts.local, texts.target, texts.base)
    assert_invariants(swapped, result)
    assert code_of(resolve(result.text, "local"))
