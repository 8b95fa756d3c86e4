"""Programs are run before and after translation, in made-up worlds, and must mean the same.

In the GPU world and in the NPU world every import gives an object that knows its path. A
translated program must read, at each place, what the original read there: the same thing, or the
NPU's counterpart of it by the table.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omni_codemods.table.table import packaged
from omni_codemods.translate import translate
from omni_codemods.translate.index import build_index

INDEX = build_index(packaged().select(), "npu")
COUNTERPARTS = {answer.path: path for path, answer in reversed(list(INDEX.answers.items()))}


class Thing:
    """An object that stands for a dotted path; its attributes are longer paths."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __getattr__(self, name: str) -> Thing:
        if name.startswith("__"):
            raise AttributeError(name)
        return Thing(f"{self.path}.{name}")


def run(program: str) -> list[str]:
    """What the program hands to ``see``, with NPU paths taken back to GPU paths."""
    seen: list[str] = []

    def import_thing(
        name: str,
        _globals: object = None,
        _locals: object = None,
        names: object = (),
        level: int = 0,
    ) -> Thing:
        return Thing("." * level + (name if names else name.split(".")[0]))

    def see(value: object) -> object:
        path = value.path if isinstance(value, Thing) else str(value)
        seen.append(canonical(path))
        return value

    own: dict[str, Callable[..., object]] = {"__import__": import_thing, "see": see}
    exec(program, {"__builtins__": {**vars(builtins), **own}, "ns": SimpleNamespace()})
    return seen


def canonical(path: str) -> str:
    """*path* with the longest NPU path in it replaced by its GPU path."""
    head, rest = path, ""
    while head:
        if head in COUNTERPARTS:
            return COUNTERPARTS[head] + rest
        head, _, last = head.rpartition(".")
        rest = f".{last}{rest}"
    return path


NAMES = (
    "torch",
    "cuda",
    "npu",
    "CUDAGraph",
    "NPUGraph",
    "CUDAGraphWrapper",
    "ACLGraphWrapper",
    "x",
)
IMPORTS = (
    "import torch",
    "import torch as x",
    "import torch.cuda",
    "import torch.cuda as x",
    "import torch.cuda as cuda",
    "from torch import cuda",
    "from torch import cuda, nn as x",
    "from torch import cuda as CUDAGraph",
    "from torch.cuda import CUDAGraph",
    "from torch.cuda import CUDAGraph as x, Event as cuda",
    "from torch.cuda import OutOfMemoryError as x, CUDAGraph",
    "from torch.npu import NPUGraph",
    "from other import CUDAGraph, torch",
    "from vllm.compilation.cuda_graph import CUDAGraphWrapper",
    "from vllm.compilation.cuda_graph import CUDAGraphStat as x, CUDAGraphWrapper",
    "from vllm.compilation import cuda_graph as x",
    "import vllm.compilation.cuda_graph as CUDAGraphWrapper",
    "import vllm.compilation.cuda_graph as cuda, torch.cuda as x",
    "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper",
    "from other import ACLGraphWrapper as npu, CUDAGraphWrapper",
)
CHAINS = (
    "",
    ".cuda",
    ".cuda.Event",
    ".cuda.CUDAGraph",
    ".cuda.OutOfMemoryError",
    ".cuda.brand_new",
    ".npu.Event",
    ".CUDAGraph",
    ".Event.record",
    ".CUDAGraphWrapper",
    ".CUDAGraphWrapper.unwrap",
    ".CUDAGraphStat",
)

names = st.sampled_from(NAMES)
reads = st.builds(lambda name, chain: f"{name}{chain}", names, st.sampled_from(CHAINS))


def safely(statement: str) -> list[str]:
    # What fails, an unbound name for one, must fail after translation too.
    return [
        "try:",
        f"    {statement}",
        "except Exception as error:",
        "    see(type(error).__name__)",
    ]


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


simple = st.one_of(
    st.sampled_from(IMPORTS).map(lambda line: [line]),
    reads.map(lambda read: safely(f"see({read})")),
    st.builds(lambda a, b: safely(f"see([{a}, {b}][1])"), reads, reads),
    st.builds(lambda name, read: safely(f"{name} = see({read})"), names, reads),
    names.map(lambda name: [f"{name} = 'local'"]),
    names.map(lambda name: [f"for {name} in 'ab':", "    pass"]),
    st.builds(lambda name, read: safely(f"[see({read}) for {name} in 'a']"), names, reads),
    st.builds(lambda name, read: safely(f"(lambda {name}: see({read}))(1)"), names, reads),
    st.builds(lambda name, read: safely(f"(lambda {name}=see({read}): 1)()"), names, reads),
    st.builds(
        lambda name, read: safely(f"see(({name} := 'walrus')) and see({read})"), names, reads
    ),
    reads.map(lambda read: safely(f"see(f'{{{read}.path}}')")),
    names.map(lambda name: safely(f"del {name}")),
)


def joined(parts: list[list[str]]) -> list[str]:
    return [line for part in parts for line in part]


def blocks(children: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    bodies = st.lists(children, min_size=1, max_size=4).map(joined)
    return st.one_of(
        st.builds(lambda body: ["def f():", *indented(body), "f()"], bodies),
        st.builds(lambda name, body: [f"def f({name}):", *indented(body), "f(1)"], names, bodies),
        st.builds(
            lambda name, body: ["def f():", f"    global {name}", *indented(body), "f()"],
            names,
            bodies,
        ),
        st.builds(lambda body: ["class A:", *indented(body)], bodies),
        st.builds(
            lambda body, other: ["if see(1):", *indented(body), "else:", *indented(other)],
            bodies,
            bodies,
        ),
        st.builds(
            lambda body: ["try:", *indented(body), "except ImportError:", "    raise"], bodies
        ),
        st.builds(
            lambda name, body: ["match 1:", f"    case {name}:", *indented(indented(body))],
            names,
            bodies,
        ),
    )


programs = st.lists(st.recursive(simple, blocks, max_leaves=5), min_size=1, max_size=5).map(
    lambda parts: "\n".join(joined(parts)) + "\n"
)


def compiles(program: str) -> bool:
    try:
        compile(program, "program", "exec")
    except SyntaxError:  # such as a name that is used before it is declared global
        return False
    return True


@given(programs.filter(compiles))
def test_translated_programs_read_the_same_things(program: str) -> None:
    result = translate(program)
    assert run(result.text) == run(program), result.text
    assert translate(result.text).text == result.text


HOOKS = "from vllm_omni.platforms import current_omni_platform\n"


@pytest.mark.parametrize(
    "body",
    [
        f"    try:\n        {HOOKS}    except ImportError:\n        torch.cuda.synchronize()\n",
        f"    if x:\n        {HOOKS}    torch.cuda.synchronize()\n",
        f"    torch.cuda.synchronize()\n    {HOOKS}",
        f"    {HOOKS}    current_omni_platform = x\n    torch.cuda.synchronize()\n",
    ],
)
def test_an_import_that_may_not_have_run_hides_the_name(body: str) -> None:
    text = f"import torch\ndef f():\n{body}"
    result = translate(text, dialect="platform")
    assert result.text == text
    assert [finding.code for finding in result.findings] == ["OP108"]


def test_an_import_that_has_run_serves() -> None:
    text = f"import torch\ndef f():\n    {HOOKS}    if x:\n        torch.cuda.synchronize()\n"
    result = translate(text, dialect="platform")
    assert "        current_omni_platform.synchronize()\n" in result.text
