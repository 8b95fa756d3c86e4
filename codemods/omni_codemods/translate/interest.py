"""Which names, strings and lines of one module matter, before its expressions are visited.

Every name that matters occurs in the text where it is bound or read, so statements without an
interesting line need not be visited.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from omni_codemods.names.scopes import Scope, Variable, import_bindings
from omni_codemods.text.dotted import last_part
from omni_codemods.text.offsets import Source
from omni_codemods.translate.index import TableIndex

_ENVIRONMENT = ("os.environ", "os.getenv", "os.putenv", "os.unsetenv")


@dataclass(frozen=True, slots=True, eq=False)
class Interest:
    """*names* may refer to GPU names, or be where an NPU name would go; *lines* hold any of it.

    *npu_words* are the NPU's names that occur at all, *guards* what asks for a GPU; *guarded*
    says whether a test could ask for a device. *backends* are the GPU's, and *npu_backends* the
    NPU's. *modules* are the paths of imported names that may
    lead to a guard. *flags* are the variables and functions that answer for a guard
    (:mod:`guards` says how), by :attr:`Variable.key`; *attributes* those of *names* that are
    attributes of any object, with their dot.
    """

    names: frozenset[str]
    lines: tuple[int, ...]
    devices: tuple[str, ...]
    npu_words: frozenset[str]
    guards: frozenset[str]
    guarded: bool
    index: TableIndex
    backends: frozenset[str] = frozenset()
    npu_backends: frozenset[str] = frozenset()
    modules: dict[str, str] = field(default_factory=dict)
    flags: dict[tuple[int, str], int] = field(default_factory=dict)
    attributes: frozenset[str] = frozenset()

    def spelling(self, node: ast.AST) -> str:
        """A dotted name with its first part as it was imported, empty for anything else."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        return ".".join([self.modules.get(node.id, node.id), *reversed(names)])

    def find_flag(self, node: ast.Name | ast.Attribute, scope: Scope) -> int | None:
        """How the variable *node*, read in *scope*, answers for a guard; None if it does not."""
        if not self.flags:
            return None
        name = node.id if isinstance(node, ast.Name) else f".{node.attr}"
        return self.flags.get(Variable(name, scope).key)

    def extended(
        self, source: Source, flags: dict[tuple[int, str], int], names: set[str]
    ) -> Interest:
        """The same with more *flags* and *names* (those of attributes with a dot)."""
        words = {name.removeprefix(".") for name in names}
        # One pass, for there may be as many of them as lines.
        spelt = (match for match in re.finditer(r"\w+", source.text) if match[0] in words)
        found = {source.position(match.start())[0] for match in spelt}
        return replace(
            self,
            names=self.names | {name for name in names if not name.startswith(".")},
            attributes=self.attributes | {name for name in names if name.startswith(".")},
            lines=tuple(sorted(found.union(self.lines))),
            flags=flags,
        )

    def touches(self, node: ast.stmt | ast.excepthandler | ast.match_case) -> bool:
        """Whether *node* has an interesting line."""
        if isinstance(node, ast.match_case):
            return True
        first = node.lineno
        for decorator in getattr(node, "decorator_list", ()):
            first = min(first, decorator.lineno)
        at = bisect_left(self.lines, first)
        return at < len(self.lines) and self.lines[at] <= (node.end_lineno or first)


def find_interest(
    source: Source, tree: ast.Module, index: TableIndex, words: tuple[str, ...]
) -> Interest:
    """Find what matters in *source*, given the needle *words* that occur in it."""
    text = source.text
    present = {last for last in {last_part(path) for path in index.paths} if last in text}
    watched = _watched_paths(index, text, present)
    roots: set[str] = set()
    packages: set[str] = set()
    others: set[str] = set()
    modules: dict[str, str] = {}
    for statement in _iter_imports(tree):
        for bound, path, _ in import_bindings(statement):
            modules[bound] = path
            (packages if path == bound else others).add(bound)
            if _concerns(path, watched):
                roots.add(bound)
    goals = {answer.name for path, answer in index.answers.items() if last_part(path) in present}
    goals |= {answer.module.split(".")[0] for answer in index.answers.values()}
    goals |= {last_part(namespace.npu) for namespace in index.namespaces}
    bare = {last_part(path) for path in index.paths} & set(words)
    npu_words = frozenset(
        word
        for word in _npu_words(index)
        if word in text or word.upper() in text or word.capitalize() in text
    )
    names = frozenset(roots | goals | bare)
    guards = _find_guards(index, text, tree, modules)
    asked = {*index.guards, *(last_part(guard) for guard in guards)}
    plain = {*words, *asked, *(names - roots - _packages(index)), "__all__"}
    offsets = [
        *_iter_offsets(text, plain, r"\w"),
        *_iter_offsets(text, npu_words, "[A-Za-z]"),
        *_iter_roots(text, roots, packages - others, watched),
    ]
    lines = tuple(sorted({source.position(offset)[0] for offset in offsets}))
    devices = tuple(device.gpu for device in index.devices)
    backends = frozenset(entry.gpu for entry in index.backends)
    told = any(word in text for word in (*devices, *backends))
    return Interest(
        names,
        lines,
        devices,
        npu_words,
        guards,
        guarded=told or bool(npu_words or guards),
        index=index,
        backends=backends,
        npu_backends=frozenset(entry.npu for entry in index.backends),
        modules=modules,
    )


def _find_guards(
    index: TableIndex, text: str, tree: ast.Module, modules: dict[str, str]
) -> frozenset[str]:
    """The spellings of guards that occur: ``is_cuda``, ``_is_cuda`` and ``IS_CUDA`` are one.

    Attributes have a dot in front; others with dots are paths. Not those that this module computes
    itself: ``is_cuda = torch.cuda.is_available()`` changes its meaning with the call.
    """
    lowered = text.lower()
    plain = [g for g in index.guards if "." not in g and g in lowered]
    found = {guard for guard in index.guards if "." in guard and last_part(guard) in text}
    if plain:
        pattern = rf"(?<!\w)_*(?:{_any(set(plain))})_*(?!\w)"
        spelt = {match[0] for match in re.finditer(pattern, text, re.IGNORECASE)}
        computed = set(_iter_assigned(tree)) if spelt else set()
        found |= {name for name in spelt if name not in computed}
        found |= {f".{name}" for name in spelt if f".{name}" not in computed}
    for bound, path in modules.items():
        last = last_part(path)
        if path in index.guards or (bound != last and last.strip("_").lower() in plain):
            found.add(bound)
    return frozenset(found)


def _iter_assigned(tree: ast.Module) -> Iterator[str]:
    """The names that are assigned to, those of attributes with a dot."""
    for node in iter_statements(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            yield from (
                target.id if isinstance(target, ast.Name) else f".{target.attr}"
                for target in targets
                if isinstance(target, (ast.Name, ast.Attribute))
            )


def _watched_paths(index: TableIndex, text: str, present: set[str]) -> tuple[str, ...]:
    paths = [path for path in index.paths if last_part(path) in present]
    paths += [namespace.gpu for namespace in index.namespaces]
    for entry in index.literals:
        if entry.gpu in text:
            paths += entry.callees
            specs = (*entry.callee_keywords, *entry.callee_positions)
            paths += [spec.partition(":")[0] for spec in specs]
    if any(name in text for name in index.environment):
        paths += _ENVIRONMENT
    return tuple(dict.fromkeys(paths))


def _concerns(path: str, watched: tuple[str, ...]) -> bool:
    return any(
        target == path or target.startswith(path + ".") or path.startswith(target + ".")
        for target in watched
    )


def _iter_offsets(text: str, words: Iterable[str], letter: str) -> Iterator[int]:
    """Where one of *words* stands with no *letter* (a character class) beside it."""
    for word in words:
        # The literal comes first so that the engine can search for it directly.
        pattern = rf"{re.escape(word)}(?!{letter})(?<!{letter}{re.escape(word)})"
        yield from (match.start() for match in re.finditer(pattern, text))


def _npu_words(index: TableIndex) -> set[str]:
    return {*(last_part(n.npu) for n in index.namespaces), *(d.npu for d in index.devices)}


def _iter_roots(
    text: str, roots: set[str], packages: set[str], watched: tuple[str, ...]
) -> Iterator[int]:
    """Where a root stands alone, or leads to a watched path; star imports too.

    One of *packages* followed by an attribute that leads nowhere in the table has nothing to
    translate.
    """
    attributes = {part for path in watched for part in path.split(".")[1:2]}
    other = rf"(?!\s*\.\s*(?!(?:{_any(attributes)})\b))" if attributes else ""
    for root in roots:
        pattern = rf"{re.escape(root)}\b{other if root in packages else ''}"
        yield from (match.start() for match in re.finditer(pattern, text))
    yield from (match.start() for match in re.finditer(r"import\s*\*", text))


def _packages(index: TableIndex) -> set[str]:
    return {answer.module.split(".")[0] for answer in index.answers.values()}


def _any(words: set[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words))


def _iter_imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in iter_statements(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node


def iter_statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Every statement, and what only holds statements, in no order."""
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            children = getattr(node, block, None)
            if isinstance(children, list):
                pending.extend(children)
