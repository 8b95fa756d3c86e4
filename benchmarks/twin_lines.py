"""The lines in which two methods differ, and why, as far as a tool can tell.

Lines are code alone, one argument each: neither layout, comments nor docstrings count.
"""

from __future__ import annotations

import ast
import difflib
import enum
import io
import itertools
import keyword
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.names.scopes import import_bindings

_OPEN, _CLOSE = "([{", ")]}"
_KEYWORD = re.compile(r"(\w+)=(?!=)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")


class Reason(enum.Enum):
    """Why a line stands in one twin alone: the value is how a table's column is headed."""

    NEEDED = "NPU keyword"
    UPSTREAM = "vllm-ascend's"
    NPU = "NPU name"
    VALUE = "otherwise"
    IMPORT = "import"
    NPU_LOGIC = "NPU logic"
    GPU_LOGIC = "GPU logic"


@dataclass(frozen=True, slots=True)
class Side:
    """A module: what it imports, by local name, and the functions in it, by qualified name."""

    imports: dict[str, str]
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef]


@dataclass(frozen=True, slots=True)
class Rest:
    """One line that one twin has alone; *name* is what *reason* is about."""

    reason: Reason
    name: str


def read_side(text: str) -> Side:
    """Return what the module *text* imports, and its functions and methods."""
    tree = ast.parse(text)
    imports = {
        bound: path
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for bound, path, _ in import_bindings(node)
    }
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    for node in tree.body:
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        start = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for member in members:
            if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
                functions[start + member.name] = member
    return Side(imports, functions)


def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Return the code of *function*, one argument, element or statement a line."""
    copy = ast.parse(ast.unparse(function))
    for node in ast.walk(copy):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    return [part for line in ast.unparse(copy).split("\n") for part in _explode(line.strip())]


def count_differing(one: list[str], other: list[str]) -> int:
    """Return how many lines stand in one of both alone."""
    return sum((i2 - i1) + (j2 - j1) for i1, i2, j1, j2 in _hunks(one, other))


@dataclass(frozen=True, slots=True)
class Judge:
    """What the reasons rest on: both modules, the keywords that only NPU callees take, and the
    lines of vllm-ascend's method of the same name.
    """

    gpu: Side
    npu: Side
    needed: frozenset[str]
    upstream: frozenset[str]

    def iter_rest(self, gpu: list[str], npu: list[str]) -> Iterator[Rest]:
        """Yield each line that the translated *gpu* or *npu* has alone, with its reason."""
        for i1, i2, j1, j2 in _hunks(gpu, npu):
            heads = {_head(line) for line in gpu[i1:i2]} & {_head(line) for line in npu[j1:j2]}
            for line in gpu[i1:i2]:
                yield self._of_gpu(line, heads)
            for line in npu[j1:j2]:
                yield self._of_npu(line, heads)

    def _of_gpu(self, line: str, heads: set[str]) -> Rest:
        if _head(line) in heads:
            return Rest(Reason.VALUE, _head(line))
        foreign = _foreign(line, self.gpu, self.npu)
        return Rest(Reason.IMPORT, foreign) if foreign else Rest(Reason.GPU_LOGIC, _head(line))

    def _of_npu(self, line: str, heads: set[str]) -> Rest:
        found = _KEYWORD.match(line)
        if found and found[1] in self.needed:
            return Rest(Reason.NEEDED, found[1])
        if line in self.upstream:
            return Rest(Reason.UPSTREAM, _head(line))
        own = next((name for name in _names(line) if _is_npu(name, self.npu)), "")
        if own:
            return Rest(Reason.NPU, own)
        if _head(line) in heads:
            return Rest(Reason.VALUE, _head(line))
        foreign = _foreign(line, self.npu, self.gpu)
        return Rest(Reason.IMPORT, foreign) if foreign else Rest(Reason.NPU_LOGIC, _head(line))


def _names(line: str) -> list[str]:
    return [name for name in _NAME.findall(_STRING.sub("", line)) if not keyword.iskeyword(name)]


def _is_npu(name: str, side: Side) -> bool:
    root = side.imports.get(name, "").partition(".")[0]
    words = {"npu", "ascend", "aclgraph", "acl"}
    return root in ("vllm_ascend", "torch_npu") or not words.isdisjoint(name.lower().split("_"))


def _foreign(line: str, own: Side, other: Side) -> str:
    imported = (name for name in _names(line) if name in own.imports)
    return next((name for name in imported if name not in other.imports), "")


def _head(line: str) -> str:
    found = _KEYWORD.match(line.replace(" ", "")) or _NAME.match(line)
    start = found[0].rstrip("=") if found else line
    # "if x is None:" has the same head only as another test of x.
    if start in ("if", "elif", "with", "for", "return", "while", "not", "assert", "self"):
        words = re.findall(r"\w+", line)
        return " ".join(words[:3])
    return start


def _hunks(one: list[str], other: list[str]) -> Iterator[tuple[int, int, int, int]]:
    for tag, *span in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            i1, i2, j1, j2 = span
            yield i1, i2, j1, j2


def _explode(line: str) -> Iterator[str]:
    breaks: set[int] = set()
    stack: list[tuple[int, list[int]]] = []
    for token in tokenize.generate_tokens(io.StringIO(f"{line}\n").readline):
        if token.type != tokenize.OP:
            continue
        if token.string in _OPEN:
            stack.append((token.end[1], []))
        elif token.string in _CLOSE and stack:
            start, inside = stack.pop()
            if inside:
                breaks |= {start, *inside, token.start[1]}
        elif token.string in (",", "=") and stack:
            stack[-1][1].append(token.end[1] if token.string == "," else stack[-1][0])
    cuts = [0, *sorted(breaks), len(line)]
    for start, end in itertools.pairwise(cuts):
        part = line[start:end].strip().rstrip(",")
        if part:
            yield part
