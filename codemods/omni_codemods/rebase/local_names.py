"""Base and target in the names that local has for the same things: imported ones, and variables.

A variable that local calls by another name, everywhere, is upstream's variable all the same: what
upstream writes anew reads it, and would read a name that nothing binds.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from difflib import SequenceMatcher

from omni_codemods.findings.codes import LOCAL_NAME
from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.functions.tree import Node, Tree
from omni_codemods.names.function_names import function_names
from omni_codemods.names.reads import as_module
from omni_codemods.rebase.definitions import Trio
from omni_codemods.rebase.respelling import respell
from omni_codemods.rebuild.splice import parse
from omni_codemods.text.dotted import first_part
from omni_codemods.text.lexer import Token, split_lines, tokenize_text
from omni_codemods.text.walks import walk

_WORD = re.compile(r"\w+")


def in_local_names(
    local: str, trio: Trio, base: str, target: str, module: str | None
) -> tuple[Trio, list[Finding]]:
    """Return *trio* with base and target in local's names, and a note for each variable renamed.

    *local*, *base* and *target* are the texts of the files, *module* the upstream's dotted name.
    Lines stay as they are; those of the findings are lines of the local function.
    """
    trio = replace(
        trio,
        base=respell(trio.base, base, trio.local, local, module),
        target=respell(trio.target, target, trio.local, local, module),
    )
    names = find_renamed_variables(trio)
    if not names:
        return trio, []
    renamed = replace(
        trio,
        base=replace(trio.base, text=rename_variables(trio.base.text, names)),
        target=replace(trio.target, text=rename_variables(trio.target.text, names)),
    )
    return renamed, list(_notes(trio, names))


def _notes(trio: Trio, names: Mapping[str, str]) -> Iterator[Finding]:
    lines = trio.local.text.split("\n")
    before = set(trio.base.text.split("\n"))
    theirs = trio.target.text.split("\n")
    for old, new in names.items():
        changed = rename_variables(trio.target.text, {old: new}).split("\n")
        if all(a == b or a in before for a, b in zip(theirs, changed, strict=True)):
            continue
        at = next((n for n, x in enumerate(lines, 1) if new in _WORD.findall(x)), 1)
        yield Finding(
            LOCAL_NAME.code,
            at,
            0,
            f"the upstream's {old} is {new} here: what the upstream wrote anew says {new} too",
            LOCAL_NAME.remedy,
            Severity.NOTE,
        )


def find_renamed_variables(trio: Trio) -> dict[str, str]:
    """Variables of base that local calls otherwise, everywhere, and that the target still has.

    The statement that binds one must be the same on both sides but for such names.
    """
    mine = function_names(trio.local.text)
    words = _WORD.findall(f"{trio.base.text} {trio.target.text}")
    come = mine.own.difference(words)
    if not come:
        return {}
    old, new = (function_names(x.text) for x in (trio.base, trio.target))
    gone = (old.own & new.own) - mine.own - mine.free
    binds = _binding_lines(trio.base.text, gone) if gone else {}
    if not binds:
        return {}
    base, local = parse(trio.base, "base"), parse(trio.local, "local")
    pairs = list(_renaming_pairs(base, local, binds.keys(), come))
    names = _consistent(name for _, found in pairs for name in found)
    bound: set[str] = set()
    for node, found in pairs:
        if all(names.get(a) == b for a, b in found):
            lines = range(node.line, node.line + len(node.lines))
            bound |= {a for a, _ in found if binds[a] & set(lines)}
    return {a: b for a, b in names.items() if a in bound}


def _renaming_pairs(
    base: Tree, local: Tree, gone: Set[str], come: Set[str]
) -> Iterator[tuple[Node, list[tuple[str, str]]]]:
    """Statements and headers that both have, the same but for names: base's, and which names."""
    ones, others = ([n for n in t.root.walk() if n.lines and n.is_code] for t in (base, local))
    shapes, like = (
        [tuple("" if word in names else word for word in n.key) for n in nodes]
        for nodes, names in ((ones, gone), (others, come))
    )
    matcher = SequenceMatcher(None, shapes, like, autojunk=False)
    for block in matcher.get_matching_blocks():
        for k in range(block.size):
            one, other = ones[block.a + k], others[block.b + k]
            found = [(a, b) for a, b in zip(one.key, other.key, strict=True) if a != b]
            if found:
                yield one, found


def _consistent(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    """One to one: what is called by two names, or calls two, is no renaming."""
    pairs = set(found)
    return {
        a: b
        for a, b in sorted(pairs)
        if sum(x == a for x, _ in pairs) == 1 and sum(y == b for _, y in pairs) == 1
    }


def _binding_lines(text: str, names: Set[str]) -> dict[str, set[int]]:
    """For each of *names* the lines (from 1) of *text* that bind it, imports and globals aside."""
    source = as_module(text)
    above = source.count("\n") - text.count("\n")
    binds: dict[str, set[int]] = {}
    foreign: set[str] = set()
    for node in walk(ast.parse(source)):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            foreign.update(node.names)
        elif isinstance(node, ast.alias):
            foreign.add(node.asname or first_part(node.name))
        elif (name := _bound(node)) in names:
            line: int = node.lineno  # type: ignore[attr-defined]
            binds.setdefault(name, set()).add(line - above)
    return {name: lines for name, lines in binds.items() if name not in foreign}


def _bound(node: ast.AST) -> str:
    """The variable that *node* binds, if it binds one."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    if isinstance(node, ast.arg):
        return node.arg
    return (node.name or "") if isinstance(node, ast.ExceptHandler) else ""


def rename_variables(text: str, names: Mapping[str, str]) -> str:
    """The function *text* with its variables renamed: no attributes, no keywords of calls."""
    source = as_module(text)
    try:
        keywords = {
            (n.lineno, n.col_offset)
            for n in walk(ast.parse(source))
            if isinstance(n, ast.keyword) and n.arg in names
        }
        tokens = tokenize_text(source)
    except (SourceError, SyntaxError, ValueError):
        return text
    lines = split_lines(source)
    previous = ""
    edits: list[tuple[Token, str]] = []
    for token in tokens:
        if token.type == tokenize.NAME and token.text in names and previous != ".":
            column = len(lines[token.line - 1][: token.column].encode())
            if (token.line, column) not in keywords:
                edits.append((token, names[token.text]))
        elif token.type == tokenize.STRING and "f" in token.text.split(token.text[-1])[0].lower():
            edits.append((token, _in_fields(token.text, names)))
        previous = token.text
    for token, new in reversed(edits):
        if token.line == token.end_line:
            line = lines[token.line - 1]
            lines[token.line - 1] = line[: token.column] + new + line[token.end_column :]
    out = "".join(lines)
    return out if source is text else out.partition("\n")[2]


def _in_fields(text: str, names: Mapping[str, str]) -> str:
    """The f-string *text* with the names in its fields renamed, as ``{x=}`` too."""
    word = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, names))})\b(?!\s*=(?![=}}!:]))")
    out: list[str] = []
    depth = start = 0
    for at, char in enumerate(text.replace("{{", "  ")):
        if char == "{":
            if depth == 0:
                out.append(text[start:at])
                start = at
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            if depth == 0:
                out.append(word.sub(lambda found: names[found[0]], text[start : at + 1]))
                start = at + 1
    return "".join([*out, text[start:]])
