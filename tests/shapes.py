"""Methods as small trees, and their text: what the strategies draw, edit and print."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

STEP = "    "


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a block is fenced: its opening and its closing comment."""

    opening: str
    closing: str


DIALECTS = (
    Dialect("# ---- Omni-new ----", "# ---- Omni-new ----"),
    Dialect("# ---Omni-new---", "# ---- Omni-new ----"),
    Dialect(f"#  {'-' * 38} Omni-new {'-' * 38}", f"#  {'-' * 38} Omni-new {'-' * 38}"),
    Dialect("# ---- Omni-new ----", f"# {'-' * 60}"),
    Dialect("# ### PATCH START: talker", "# ### PATCH END: talker"),
    Dialect("# ### PATCH START: talker", "# ### PATCH END"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A simple statement, an own-line comment, or (empty or white space) a blank line."""

    text: str
    marked: bool = False

    @property
    def is_code(self) -> bool:
        """Whether a suite may consist of this line alone."""
        return bool(self.text.strip()) and not self.text.startswith("#")


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call or a parameter, as text, with or without a trailing marker."""

    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """``head(arguments)``; *head* may hold an assignment."""

    head: str
    arguments: tuple[Argument, ...]
    is_code: bool = True


@dataclass(frozen=True, slots=True)
class Clause:
    """A header and its suite; *fence* puts a fence around both."""

    header: str
    body: tuple[Node, ...]
    fence: Dialect | None = None


@dataclass(frozen=True, slots=True)
class Compound:
    """A compound statement."""

    clauses: tuple[Clause, ...]
    is_code: bool = True


@dataclass(frozen=True, slots=True)
class Fenced:
    """A run of statements between two fences."""

    dialect: Dialect
    body: tuple[Node, ...]

    @property
    def is_code(self) -> bool:
        """Whether a suite may consist of this block alone."""
        return any(node.is_code for node in self.body)


Node = Line | Call | Compound | Fenced
Body = tuple[Node, ...]
Path = tuple[tuple[int, int], ...]
Edit = Callable[[Body], Body]


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a class."""

    name: str
    parameters: tuple[Argument, ...]
    body: Body
    decorators: tuple[str, ...] = ()
    is_async: bool = False


def iter_bodies(body: Body, path: Path = ()) -> list[Path]:
    """The paths of all suites of *body*, itself first; fenced runs are not entered."""
    paths = [path]
    for index, node in enumerate(body):
        if isinstance(node, Compound):
            for number, clause in enumerate(node.clauses):
                paths += iter_bodies(clause.body, (*path, (index, number)))
    return paths


def body_at(body: Body, path: Path) -> Body:
    """The suite at *path*."""
    for index, number in path:
        node = body[index]
        assert isinstance(node, Compound)
        body = node.clauses[number].body
    return body


def edit_at(body: Body, path: Path, edit: Edit) -> Body:
    """*body* with *edit* applied to the suite at *path*, which never becomes empty."""
    if not path:
        changed = edit(body)
        return changed if any(node.is_code for node in changed) else (*changed, Line("pass"))
    (index, number), *rest = path
    node = body[index]
    assert isinstance(node, Compound)
    clause = node.clauses[number]
    inner = replace(clause, body=edit_at(clause.body, tuple(rest), edit))
    clauses = (*node.clauses[:number], inner, *node.clauses[number + 1 :])
    return (*body[:index], replace(node, clauses=clauses), *body[index + 1 :])


def has_fence(node: Node, *, markers: bool = True) -> bool:
    """Whether a fence on a line of its own, or one of the *markers*, stands anywhere in *node*."""
    if isinstance(node, Fenced):
        return True
    if isinstance(node, Line):
        return markers and node.marked
    if isinstance(node, Call):
        return markers and any(argument.marked for argument in node.arguments)
    return any(
        clause.fence or any(has_fence(inner, markers=markers) for inner in clause.body)
        for clause in node.clauses
    )


def without_fences(body: Body) -> Body:
    """The same code with every fence and marker taken off."""
    out: list[Node] = []
    for node in body:
        if isinstance(node, Fenced):
            out += without_fences(node.body)
        elif isinstance(node, Line):
            out.append(replace(node, marked=False))
        elif isinstance(node, Call):
            bare = tuple(replace(argument, marked=False) for argument in node.arguments)
            out.append(replace(node, arguments=bare))
        else:
            clauses = tuple(
                Clause(clause.header, without_fences(clause.body)) for clause in node.clauses
            )
            out.append(Compound(clauses))
    return tuple(out)


def render_list(
    head: str, items: tuple[Argument, ...], tail: str, indent: str, wide: bool
) -> list[str]:
    """A bracketed list on one line, or an element a line where *wide* is false or one is marked."""
    if not items or (wide and not any(item.marked for item in items)):
        return [f"{indent}{head}({', '.join(item.text for item in items)}){tail}"]
    inner = [
        f"{indent}{STEP}{item.text},{'  # Omni-new: ours' if item.marked else ''}" for item in items
    ]
    return [f"{indent}{head}(", *inner, f"{indent}){tail}"]


def render_node(node: Node, indent: str, wide: bool) -> list[str]:
    """The lines of *node* at *indent*."""
    if isinstance(node, Line):
        if not node.text.strip():
            return [indent + node.text if node.text else ""]
        text = node.text if wide else in_parentheses(node.text)
        return [f"{indent}{text}{'  # Omni-new' if node.marked else ''}"]
    if isinstance(node, Call):
        return render_list(node.head, node.arguments, "", indent, wide)
    if isinstance(node, Fenced):
        fence = node.dialect
        body = render_body(node.body, indent, wide)
        return [indent + fence.opening, *body, indent + fence.closing]
    lines: list[str] = []
    for clause in node.clauses:
        header = clause.header if wide else in_parentheses(clause.header)
        inner = [indent + header, *render_body(clause.body, indent + STEP, wide)]
        if clause.fence:
            inner = [indent + clause.fence.opening, *inner, indent + clause.fence.closing]
        lines += inner
    return lines


def in_parentheses(text: str) -> str:
    """A statement or header as a formatter may write it where the line is short."""
    text = re.sub(r"^(\w+, \w+) = (.+)$", r"(\1) = (\2)", text)
    text = re.sub(r"^(return|assert) ([^(]+)$", r"\1 (\2)", text)
    text = re.sub(r"^for (\w+) in (\w+):$", r"for (\1) in (\2):", text)
    return re.sub(r"'(\w+)'", r'"\1"', text)


def render_body(body: Body, indent: str, wide: bool) -> list[str]:
    """The lines of a suite at *indent*."""
    return [line for node in body for line in render_node(node, indent, wide)]


def render_method(method: Method, *, wide: bool = True, indent: str = STEP) -> str:
    """The text of *method* in a class body, with its final line end."""
    head = f"{'async ' if method.is_async else ''}def {method.name}"
    lines = [indent + decorator for decorator in method.decorators]
    lines += render_list(head, method.parameters, ":", indent, wide)
    lines += render_body(method.body, indent + STEP, wide)
    while not lines[-1].strip():
        lines.pop()  # blank lines below a function are not part of it
    return "\n".join(lines) + "\n"
