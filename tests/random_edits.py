"""Random edits of a method's text, as people make them: what the random worlds are made of."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

FENCE = "# ---- Omni-new ----"
_HEAD = "class R:\n"
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Suite:
    """The statements of one suite, each on lines of its own, and their column."""

    nodes: tuple[ast.stmt, ...]
    column: int
    owner: ast.AST


class Text:
    """The lines of a method (at one indentation), with its suites."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.tree = ast.parse(_HEAD + text)
        cls = self.tree.body[0]
        assert isinstance(cls, ast.ClassDef)
        function = cls.body[0]
        assert isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        self.function = function

    def suites(self) -> list[Suite]:
        """All suites that stand on lines of their own."""
        out: list[Suite] = []
        for node in ast.walk(self.function):
            for name in ("body", "orelse", "finalbody"):
                found = getattr(node, name, None)
                if not (isinstance(found, list) and found and isinstance(found[0], ast.stmt)):
                    continue
                if name == "orelse" and self._is_elif(node, found[0]):
                    continue
                if self._is_plain(node, found):
                    out.append(Suite(tuple(found), found[0].col_offset, node))
        return out

    def _is_elif(self, node: ast.AST, first: ast.stmt) -> bool:
        return isinstance(node, ast.If) and self.line(first).lstrip().startswith("elif")

    def _is_plain(self, node: ast.AST, suite: list[ast.stmt]) -> bool:
        starts = [self.start(n) for n in suite]
        ends = [self.end(n) for n in suite]
        alone = all(a <= b for a, b in zip(ends, starts[1:], strict=False))
        return alone and self.line(suite[0])[: suite[0].col_offset].strip() == ""

    def line(self, node: ast.stmt) -> str:
        """The first line of *node*."""
        return self.lines[node.lineno - 2]

    @staticmethod
    def start(node: ast.stmt) -> int:
        """The index of the first line of *node*, its decorators with it."""
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        return min([node.lineno, *(one.lineno for one in decorators)]) - 2

    @staticmethod
    def end(node: ast.stmt) -> int:
        """The index after the last line of *node*."""
        return int(node.end_lineno or node.lineno) - 1

    def replaced(self, first: int, last: int, lines: list[str]) -> str:
        """The text with the lines from *first* to before *last* replaced."""
        return "\n".join([*self.lines[:first], *lines, *self.lines[last:]]) + "\n"

    def calls(self) -> Iterator[ast.Call]:
        """The calls that have an argument and end with their bracket, outermost first."""
        for node in ast.walk(self.function):
            if isinstance(node, ast.Call) and (node.args or node.keywords):
                yield node


@dataclass(slots=True)
class Side:
    """Who edits: a *tag* for the names of what is new, and whether edits may be fenced."""

    tag: str
    fences: bool
    count: int = 0

    def fresh(self) -> str:
        """A name that nobody else gives."""
        self.count += 1
        return f"{self.tag}_{self.count}"


Edit = Callable[[Random, str, Side], "str | None"]


def _suite(random: Random, text: Text) -> tuple[Suite, int, int]:
    suite = random.choice(text.suites())
    first = random.randrange(len(suite.nodes))
    last = min(len(suite.nodes), first + random.choice((1, 1, 1, 2, 3)))
    if isinstance(suite.nodes[first], ast.Expr) and first == 0 and suite.owner is text.function:
        first, last = min(first + 1, len(suite.nodes) - 1), max(last, first + 1)
    return suite, first, max(last, first + 1)


def _names(text: Text, before: int) -> list[str]:
    """Variables that are bound above line index *before*, in the text's order."""
    args = text.function.args
    out = [a.arg for a in [*args.args, *args.kwonlyargs] if a.arg != "self"]
    for node in ast.walk(text.function):
        if isinstance(node, ast.Assign) and text.end(node) <= before:
            out += [t.id for t in node.targets if isinstance(t, ast.Name)]
    return out or ["self"]


def new_code(random: Random, side: Side, variable: str) -> list[str]:
    """Some new statements, at column 0."""
    name = side.fresh()
    kind = random.randrange(8)
    if kind == 0:
        return [f"self.{name}({variable})"]
    if kind == 1:
        return [f"{name} = self.make_{name}({variable})", f"self.use_{name}({name})"]
    if kind == 2:
        return [f"if self.{name}:", f"    self.run_{name}({variable})"]
    if kind == 3:
        return [
            f"if self.{name} is not None:",
            f"    self.a_{name}({variable})",
            "else:",
            f"    self.b_{name}()",
        ]
    if kind == 4:
        return [f"for x_{name} in self.{name}:", f"    x_{name}.take({variable})"]
    if kind == 5:
        return [f"with self.{name}({variable}):", f"    self.inside_{name}()"]
    if kind == 6:
        return [f"self.{name} = self.build_{name}(", f"    {variable},", "    depth=2,", ")"]
    return [f"if {variable} is None:", f"    return self.{name}"]


def _at(lines: list[str], column: int, *, fenced: bool) -> list[str]:
    margin = " " * column
    shown = [FENCE, *lines, FENCE] if fenced else lines
    return [f"{margin}{line}" for line in shown]


def insert(random: Random, source: str, side: Side) -> str | None:
    """New statements before or after one."""
    text = Text(source)
    suite, first, last = _suite(random, text)
    after = random.random() < 0.5 and not isinstance(
        suite.nodes[last - 1], (ast.Return, ast.Raise, ast.Continue, ast.Break)
    )
    at = text.end(suite.nodes[last - 1]) if after else text.start(suite.nodes[first])
    code = new_code(random, side, random.choice(_names(text, at)))
    return text.replaced(at, at, _at(code, suite.column, fenced=_fenced(random, side)))


def _fenced(random: Random, side: Side) -> bool:
    return side.fences and random.random() < 0.6


def delete(random: Random, source: str, side: Side) -> str | None:
    """A run of statements taken out, where its suite does not get empty."""
    text = Text(source)
    suite, first, last = _suite(random, text)
    if last - first >= len(suite.nodes):
        return None
    return text.replaced(text.start(suite.nodes[first]), text.end(suite.nodes[last - 1]), [])


def replace_run(random: Random, source: str, side: Side) -> str | None:
    """New statements in place of a run."""
    text = Text(source)
    suite, first, last = _suite(random, text)
    start, end = text.start(suite.nodes[first]), text.end(suite.nodes[last - 1])
    code = new_code(random, side, random.choice(_names(text, start)))
    return text.replaced(start, end, _at(code, suite.column, fenced=_fenced(random, side)))


def wrap(random: Random, source: str, side: Side) -> str | None:
    """A run of statements under a new header."""
    text = Text(source)
    suite, first, last = _suite(random, text)
    start, end = text.start(suite.nodes[first]), text.end(suite.nodes[last - 1])
    run = text.lines[start:end]
    if any('"""' in line or "'''" in line for line in run):
        return None
    name = side.fresh()
    header = random.choice((f"if self.{name}:", f"with self.{name}():", "try:"))
    inner = [f"    {line}" if line.strip() else line for line in run]
    margin = " " * suite.column
    lines = [margin + header, *inner]
    if header == "try:":
        lines += [f"{margin}finally:", f"{margin}    self.{name}()"]
    if _fenced(random, side):
        lines = [margin + FENCE, *lines, margin + FENCE]
    return text.replaced(start, end, lines)


def branch(random: Random, source: str, side: Side) -> str | None:
    """A statement put into one arm, and a look-alike of it into the other."""
    text = Text(source)
    suite, first, _ = _suite(random, text)
    node = suite.nodes[first]
    start, end = text.start(node), text.end(node)
    run = text.lines[start:end]
    if not isinstance(node, (ast.Assign, ast.Expr)) or any('"""' in line for line in run):
        return None
    name = side.fresh()
    changed = re.sub(r"(\.\w+)\(", rf"\g<1>_{name}(", "\n".join(run), count=1).split("\n")
    if changed == run:
        return None
    margin = " " * suite.column
    arms = [changed, run] if random.random() < 0.6 else [run, changed]
    inner = [[f"    {line}" for line in arm] for arm in arms]
    lines = [f"{margin}if self.{name}:", *inner[0], f"{margin}else:", *inner[1]]
    if _fenced(random, side):
        lines = [margin + FENCE, *lines, margin + FENCE]
    return text.replaced(start, end, lines)


def unwrap(random: Random, source: str, side: Side) -> str | None:
    """A compound replaced by its first suite."""
    text = Text(source)
    suite, first, _ = _suite(random, text)
    node = suite.nodes[first]
    if not isinstance(node, (ast.If, ast.With)) or '"""' in "".join(text.lines):
        return None
    body = text.lines[text.start(node.body[0]) : text.end(node.body[-1])]
    step = node.body[0].col_offset - node.col_offset
    lines = [line[step:] if line[:step].strip() == "" else line for line in body]
    return text.replaced(text.start(node), text.end(node), lines)


def move(random: Random, source: str, side: Side) -> str | None:
    """A statement exchanged with the next."""
    text = Text(source)
    suite, first, _ = _suite(random, text)
    if first + 1 >= len(suite.nodes):
        return None
    one, other = suite.nodes[first], suite.nodes[first + 1]
    if isinstance(other, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
        return None
    a, b, c, d = text.start(one), text.end(one), text.start(other), text.end(other)
    return text.replaced(a, d, [*text.lines[c:d], *text.lines[b:c], *text.lines[a:b]])


def argument(random: Random, source: str, side: Side) -> str | None:
    """A keyword added to a call, or one of its arguments changed or taken out."""
    text = Text(source)
    calls = [call for call in text.calls() if (call.end_lineno or 0) > 0]
    if not calls:
        return None
    call = random.choice(calls)
    every = [*call.args, *(k.value for k in call.keywords)]
    kind = random.randrange(4)
    if kind == 0 and call.keywords:
        value = random.choice(call.keywords).value
        return _spliced(text, value, f"self.{side.fresh()}")
    if kind == 1:
        return _spliced(text, random.choice(every), f"self.{side.fresh()}")
    if kind == 2 and isinstance(call.func, ast.Attribute):
        return _spliced(text, call.func, f"{ast.unparse(call.func)}_{side.fresh()}")
    return _with_keyword(random, text, call, side)


def _spliced(text: Text, node: ast.expr, new: str) -> str | None:
    if node.lineno != node.end_lineno or not text.lines[node.lineno - 2].isascii():
        return None
    at = node.lineno - 2
    line = text.lines[at]
    changed = line[: node.col_offset] + new + line[node.end_col_offset :]
    return text.replaced(at, at + 1, [changed])


def _with_keyword(random: Random, text: Text, call: ast.Call, side: Side) -> str | None:
    last = [*call.args, *(k.value for k in call.keywords)][-1]
    end, name = (last.end_lineno or 0) - 2, side.fresh()
    line = text.lines[end]
    if not line.isascii() or isinstance(last, ast.GeneratorExp):
        return None
    column = last.end_col_offset or 0
    rest = line[column:]
    if rest.strip() in ("", ","):  # one argument a line
        margin = line[: len(line) - len(line.lstrip())]
        added = [f"{margin}{name}=self.{name},"]
        if _fenced(random, side):
            added = [margin + FENCE, *added, margin + FENCE]
        return text.replaced(end, end + 1, [f"{line[:column]},", *added])
    return text.replaced(end, end + 1, [f"{line[:column]}, {name}=self.{name}{rest}"])


def condition(random: Random, source: str, side: Side) -> str | None:
    """An operand more in a condition, laid out in lines."""
    text = Text(source)
    heads = [n for n in ast.walk(text.function) if isinstance(n, (ast.If, ast.Assert, ast.While))]
    heads = [n for n in heads if n.test.lineno == n.test.end_lineno]
    if not heads:
        return None
    node = random.choice(heads)
    new = f"self.{side.fresh()}"
    old = ast.unparse(node.test)
    if isinstance(node.test, ast.BoolOp):
        parts = [ast.unparse(v) for v in node.test.values]
        word = "and" if isinstance(node.test.op, ast.And) else "or"
        parts = [f"({p})" if " or " in p or " if " in p else p for p in parts]
        parts.insert(random.randrange(len(parts) + 1), new)
    else:
        word, parts = "and", [f"({old})" if " or " in old or " if " in old else old, new]
    margin = " " * (node.col_offset + 4)
    rows = [f"{margin}{parts[0]}", *(f"{margin}{word} {p}" for p in parts[1:])]
    shown = "(\n" + "\n".join(rows) + "\n" + " " * node.col_offset + ")"
    if random.random() < 0.4:
        shown = f" {word} ".join(parts)
    return _spliced(text, node.test, shown)


def rename(random: Random, source: str, side: Side) -> str | None:
    """A variable given another name, everywhere."""
    text = Text(source)
    bound = {n.id for n in ast.walk(text.function) if isinstance(n, ast.Name) and _is_store(n)}
    names = sorted(n for n in bound if not re.search(rf"\.{n}\b|\b{n}=|[\"'].*\b{n}\b", source))
    if not names:
        return None
    name = random.choice(names)
    return re.sub(rf"\b{name}\b", f"{name}_{side.fresh()}", source)


def _is_store(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def parameter(random: Random, source: str, side: Side) -> str | None:
    """A parameter more."""
    text = Text(source)
    args = text.function.args
    if args.kwarg or args.vararg or args.kwonlyargs:
        return None
    last = args.args[-1]
    end = (last.annotation or last).end_lineno or 0
    if args.defaults:
        end = max(end, args.defaults[-1].end_lineno or 0)
    line = text.lines[end - 2]
    place = args.defaults[-1] if args.defaults else (last.annotation or last)
    column = place.end_col_offset or 0
    changed = f"{line[:column]}, {side.fresh()}=None{line[column:]}"
    return text.replaced(end - 2, end - 1, [changed])


def fence(random: Random, source: str, side: Side) -> str | None:
    """A fence around statements as they are."""
    text = Text(source)
    suite, first, last = _suite(random, text)
    start, end = text.start(suite.nodes[first]), text.end(suite.nodes[last - 1])
    run = text.lines[start:end]
    if not side.fences or any(FENCE in line for line in run):
        return None
    margin = " " * suite.column
    return text.replaced(start, end, [margin + FENCE, *run, margin + FENCE])


UPSTREAM: tuple[Edit, ...] = (
    insert, insert, insert, delete, replace_run, wrap, branch, unwrap, move, argument, argument,
    condition, rename, parameter,
)  # fmt: skip
LOCAL: tuple[Edit, ...] = (
    insert, insert, insert, replace_run, wrap, branch, delete, argument, argument, condition,
    condition, fence, parameter,
)  # fmt: skip


def is_method(text: str) -> bool:
    """Whether *text* is one method that Python takes."""
    try:
        tree = ast.parse(_HEAD + text)
        compile(tree, "<world>", "exec")
    except (SyntaxError, ValueError):
        return False
    cls = tree.body[0]
    return isinstance(cls, ast.ClassDef) and len(cls.body) == 1
