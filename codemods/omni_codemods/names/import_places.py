"""Where a new import goes: into the section of the file that isort would give it."""

from __future__ import annotations

import ast
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.text.offsets import Source

AnyImport = ast.Import | ast.ImportFrom
_WIDTHS = (88, 100, 120)
# Packages that are nobody's own in a port: beside them a block of one other package is its own.
_OTHERS = frozenset(
    {"numpy", "torch", "torch_npu", "transformers", "triton", "vllm", "vllm_ascend"}
)


@dataclass(frozen=True, slots=True)
class Place:
    """The line after which an import goes, 0 for the top, and whether a blank line parts it from
    what stands above (*before*) or below (*after*)."""

    line: int
    before: bool = False
    after: bool = False


def place_import(
    source: Source, nodes: Sequence[AnyImport], module: str, floor: int, *, is_from: bool
) -> Place:
    """Return where an import of *module* goes among *nodes*, the imports above its first use.

    It goes into the section (blocks of imports without blank lines between) that has its package,
    else into that of its kind: the standard library first, then other packages, of which the last
    block is the file's own where there are several, then relative imports. *floor* is the line
    after docstring and ``__future__``.
    """
    blocks = list(_blocks(source, nodes))
    home = _home(blocks, module)
    if home is not None and _is_own(home, module):
        above = blocks[: blocks.index(list(home))]
        if not above:
            return Place(max(floor, home[0].lineno - 1), after=True)
        return Place(_end(above[-1][-1]), before=True)
    if home is not None:
        return _within(home, module, is_from=is_from)
    kind = kind_of(module)
    above = [block for block in blocks if _kind_of(block) <= kind]
    if above:
        return Place(_end(above[-1][-1]), before=True)
    first = blocks[0][0]
    return Place(max(floor, first.lineno - 1), after=True)


def _blocks(source: Source, nodes: Sequence[AnyImport]) -> Iterator[list[AnyImport]]:
    block: list[AnyImport] = []
    for node in nodes:
        if block and not _adjoins(source, block[-1], node):
            yield block
            block = []
        block.append(node)
    if block:
        yield block


def _adjoins(source: Source, above: AnyImport, below: AnyImport) -> bool:
    """Whether nothing but comments stands between the two."""
    between = range(_end(above) + 1, below.lineno)
    return all(source.line_text(number).lstrip().startswith("#") for number in between)


def _home(blocks: Sequence[Sequence[AnyImport]], module: str) -> Sequence[AnyImport] | None:
    root = _root(module)
    related = [b for b in blocks if any(_root(module_of(n)) == root for n in b)]
    if related:
        return max(related, key=lambda b: sum(_root(module_of(n)) == root for n in b))
    same = [b for b in blocks if _kind_of(b) == kind_of(module)]
    return same[0] if same else None


def _is_own(block: Sequence[AnyImport], module: str) -> bool:
    """Whether *block* is of the file's own package, and *module* another's: it goes before that."""
    roots = {_root(module_of(node)) for node in block}
    return (
        _root(module) in _OTHERS and len(roots) == 1 and not roots & {*_OTHERS, ".", _root(module)}
    )


def _within(block: Sequence[AnyImport], module: str, *, is_from: bool) -> Place:
    """The place in *block* by its order; at the end of the package where it has none."""
    for key in (_sectioned, _plain, _cased, _sectioned_cased):
        keys = [key(module_of(n), isinstance(n, ast.ImportFrom)) for n in block]
        if keys == sorted(keys):
            index = bisect_right(keys, key(module, is_from))
            return Place(_end(block[index - 1]) if index else block[0].lineno - 1)
    related = [n for n in block if _root(module_of(n)) == _root(module)]
    if not related:
        return Place(_end(block[-1]))
    keys = [_cased(module_of(n), True) for n in related]
    index = bisect_right(keys, _cased(module, True)) if keys == sorted(keys) else len(keys)
    return Place(_end(related[index - 1]) if index else related[0].lineno - 1)


def _sectioned(module: str, is_from: bool) -> tuple[object, ...]:
    return is_from, module.lower(), module


def _plain(module: str, is_from: bool) -> tuple[object, ...]:  # noqa: ARG001
    return module.lower(), module


def _cased(module: str, is_from: bool) -> tuple[object, ...]:  # noqa: ARG001
    return (module,)


def _sectioned_cased(module: str, is_from: bool) -> tuple[object, ...]:
    return is_from, module


def kind_of(module: str) -> int:
    """Return the section of *module*: 0 the standard library, 1 a package, 2 relative."""
    if module.startswith("."):
        return 2
    return 0 if module.split(".")[0] in sys.stdlib_module_names else 1


def _kind_of(block: Sequence[AnyImport]) -> int:
    kinds = [kind_of(module_of(node)) for node in block]
    return max(set(kinds), key=lambda kind: (kinds.count(kind), kind))


def module_of(node: AnyImport) -> str:
    """Return the module that *node* imports (from), with the dots of a relative one."""
    if isinstance(node, ast.Import):
        return node.names[0].name
    return "." * node.level + (node.module or "")


def _root(module: str) -> str:
    return "." if module.startswith(".") else module.split(".")[0]


def _end(node: AnyImport) -> int:
    return node.end_lineno or node.lineno


def fitting(statement: str, width: int, newline: str) -> str:
    """Return the one-line *statement* as it is, or in brackets with a name a line past *width*."""
    code = statement.partition("#")[0]
    long = "\n" not in statement and len(statement) > width
    if not long or not code.startswith("from ") or "(" in code or "#" in statement:
        return statement
    head, _, names = code.partition(" import ")
    lines = "".join(f"    {name.strip()},{newline}" for name in names.split(","))
    return f"{head} import ({newline}{lines})"


def width_of(text: str) -> int:
    """Return the line length that *text* keeps to: the least usual one that no code line passes."""
    longest = max((len(x) for x in text.splitlines() if not _excused(x)), default=0)
    return next((width for width in _WIDTHS if longest <= width), _WIDTHS[-1])


def _excused(line: str) -> bool:
    """Whether linters let the line be longer: a comment, an address, or one that asks for it."""
    return line.lstrip().startswith("#") or "noqa" in line or "://" in line
