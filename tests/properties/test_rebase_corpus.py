"""What holds for every rebase, on the released sources that the project replays."""

from __future__ import annotations

import ast
import difflib
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from invariants import (
    Texts,
    account,
    assert_fences_change_no_code,
    assert_invariants,
    code_of,
    needs_a_person,
    resolve,
)
from omni_codemods.findings.model import RebaseResult
from omni_codemods.functions.fences import parse_fences
from omni_codemods.functions.tree import parse_function
from omni_codemods.rebase.method import rebase_method

CORPUS = Path(os.environ.get("OMNI_CORPUS", Path.home() / ".cache" / "omni-port" / "corpus"))
RUFF = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
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


def functions_of(text: str, name: str) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """The methods of class *name*."""
    (cls,) = (n for n in ast.parse(text).body if isinstance(n, ast.ClassDef) and n.name == name)
    return {
        node.name: node
        for node in cls.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }


def methods_of(text: str, name: str) -> dict[str, str]:
    """The methods of class *name*, as text."""
    lines = text.splitlines()
    return {
        method: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for method, node in functions_of(text, name).items()
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


def names_of(method: str) -> list[str]:
    """Local variables of the *method* of which nothing else there has the name."""
    nodes = list(ast.walk(ast.parse(textwrap.dedent(method))))
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    count = Counter(n.id for n in nodes if isinstance(n, ast.Name))
    return sorted(n for n in bound if count[n] == len(re.findall(rf"\b{n}\b", method)))


def suites_of(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The suites in *node*, one-line ones included."""
    for inner in ast.walk(node):
        for name in ("body", "orelse", "finalbody"):
            suite = getattr(inner, name, None)
            if isinstance(suite, list) and suite and isinstance(suite[0], ast.stmt):
                yield suite


def without_fences(text: str) -> str:
    """*text* without the fences on lines of their own."""
    fences = {fence.line for fence in parse_fences(text).fences}
    lines = text.splitlines(keepends=True)
    return "".join(
        line
        for number, line in enumerate(lines, 1)
        if number not in fences or not line.lstrip().startswith("#")
    )


def fenced_at_random(text: str, function: ast.AST, random: Random) -> str:
    """*text* with a fence around some neighbouring statements of *function*."""
    suite = random.choice(list(suites_of(function)))
    first = random.randrange(len(suite))
    last = min(len(suite) - 1, first + random.randrange(4))
    start, end = suite[first].lineno, suite[last].end_lineno
    lines = text.splitlines(keepends=True)
    indent = lines[start - 1][: suite[first].col_offset]
    if indent.strip() or lines[start - 1].lstrip().startswith("elif"):
        return fenced_at_random(text, function, random)
    lines.insert(end or start, f"{indent}# ### PATCH END: mine\n")
    lines.insert(start - 1, f"{indent}# ### PATCH START: mine\n")
    return "".join(lines)


def reversed_methods(text: str, name: str) -> str:
    """*text* with the methods of class *name* in the other order."""
    lines = text.splitlines(keepends=True)
    spans = [
        (min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1, node.end_lineno or 0)
        for node in functions_of(text, name).values()
    ]
    parts = ["".join(lines[start:end]) for start, end in spans]
    for (start, end), part in zip(spans[::-1], parts, strict=True):
        lines[start:end] = [part, *[""] * (end - start - 1)]
    return "".join(lines)


def code_in(method: str) -> str:
    """What the engine compares of a method."""
    return parse_function(f"{method}\n").root.code


def formatted(text: str, width: int) -> str:
    """*text* as ruff lays it out at a line *width*."""
    command = [RUFF or "", "format", "--isolated", "--line-length", str(width), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


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


@pytest.mark.parametrize("nth", range(3))
def test_renaming_a_variable_everywhere_renames_it_in_the_result(case: Case, nth: int) -> None:
    texts = case.texts
    sides = ((texts.local, case.local_class), (texts.base, UPSTREAM), (texts.target, UPSTREAM))
    methods = [methods_of(text, cls)[case.method] for text, cls in sides]
    names = set.intersection(*(set(names_of(method)) for method in methods))
    if len(names) <= nth:
        pytest.skip("no such variable")
    name = Random(case.name).sample(sorted(names), nth + 1)[nth]

    def rename(text: str) -> str:
        return re.sub(rf"\b{name}\b", "fresh_name", text)

    renamed = [t.replace(m, rename(m)) for (t, _), m in zip(sides, methods, strict=True)]
    result = case.run(*renamed).text.replace("fresh_name", name)
    assert result == case.run(texts.local, texts.base, texts.target).text


@pytest.mark.skipif(RUFF is None, reason="no formatter is installed")
@pytest.mark.parametrize("width", [60, 140])
@pytest.mark.parametrize("side", ["local", "base", "target"])
def test_layout_of_one_input_changes_no_outcome(case: Case, side: str, width: int) -> None:
    texts = {name: getattr(case.texts, name) for name in ("local", "base", "target")}
    one = case.run(**texts)
    other = case.run(**{**texts, side: formatted(texts[side], width)})
    assert account(one) == account(other)
    assert code_of(resolve(one.text, "local")) == code_of(resolve(other.text, "local"))
    assert code_of(resolve(one.text, "target")) == code_of(resolve(other.text, "target"))


@pytest.mark.skipif(RUFF is None, reason="no formatter is installed")
@pytest.mark.parametrize("width", [60, 140])
@pytest.mark.parametrize("version", sorted({v for _, *both in TRANSITIONS for v in both}))
def test_a_formatter_makes_no_other_code(version: str, width: int) -> None:
    path = CORPUS / f"ascend-{version}" / "vllm_ascend" / "worker" / "model_runner_v1.py"
    text = path.read_text()
    before, after = (methods_of(t, UPSTREAM) for t in (text, formatted(text, width)))
    assert [name for name in before if code_in(before[name]) != code_in(after[name])] == []


def test_order_of_other_methods_changes_nothing(case: Case) -> None:
    texts = case.texts
    result = case.run(texts.local, texts.base, texts.target)
    base, target = (reversed_methods(text, UPSTREAM) for text in (texts.base, texts.target))
    assert case.run(texts.local, base, target).text == result.text


@pytest.mark.parametrize("nth", range(5))
def test_fences_do_not_change_which_code_survives(case: Case, nth: int) -> None:
    texts = case.texts
    plain = without_fences(texts.local)
    method = functions_of(plain, case.local_class)[case.method]
    fenced = fenced_at_random(plain, method, Random(f"{case.name} {nth}"))
    without = case.run(plain, texts.base, texts.target)
    result = case.run(fenced, texts.base, texts.target)
    if any(needs_a_person(x) for x in (without, result)):
        pytest.skip("a person must decide")
    assert_fences_change_no_code(without, result, plain, fenced)
