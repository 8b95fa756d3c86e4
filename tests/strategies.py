"""Random methods of real shape, and the edits that people make to them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from shapes import (
    DIALECTS,
    Argument,
    Body,
    Call,
    Clause,
    Compound,
    Dialect,
    Fenced,
    Line,
    Method,
    Node,
    Path,
    body_at,
    edit_at,
    has_fence,
    iter_bodies,
    without_fences,
)

VARIABLES = ("rows", "hidden", "logits", "count", "mode", "batch")
FUNCTIONS = ("select", "model", "head", "trace", "update", "prepare", "send", "balance")
ATTRIBUTES = ("limit", "mask", "scale", "peer", "talker", "rank")
KEYWORDS = ("limit", "mask", "scale", "voice", "depth", "stage")

variables = st.sampled_from(VARIABLES)
dialects: st.SearchStrategy[Dialect] = st.sampled_from(DIALECTS)
values = st.one_of(
    variables,
    st.sampled_from(ATTRIBUTES).map(lambda name: f"self.{name}"),
    st.integers(0, 9).map(str),
    st.builds("{}[{}]".format, variables, st.sampled_from(("0", ":count", "self.rows"))),
    st.sampled_from(("None", "'text'", "{'a': 1}", "(1, 2)", "not self.rank")),
)
conditions = st.one_of(
    st.builds("{} is not None".format, variables),
    st.builds("self.{} > {}".format, st.sampled_from(ATTRIBUTES), st.integers(0, 9)),
    st.builds("{} in {}".format, variables, variables),
)
HEADING = "# ------------------------------"
comments = st.sampled_from(("# pick what fits", "# run it", "# TODO: measure", HEADING))


@st.composite
def arguments(draw: st.DrawFn) -> tuple[Argument, ...]:
    """Positional arguments, then keywords of different names."""
    positional = draw(st.lists(values, max_size=2))
    names = draw(st.lists(st.sampled_from(KEYWORDS), max_size=3, unique=True))
    return tuple(Argument(text) for text in positional) + tuple(
        Argument(f"{name}={draw(values)}") for name in names
    )


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """A call, its value bound or dropped."""
    function = f"self.{draw(st.sampled_from(FUNCTIONS))}"
    head = draw(st.sampled_from(("", "{} = ", "{}, self.state = ", "self.{} = ", "{} += ")))
    return Call(head.format(draw(variables)) + function, draw(arguments()))


assignments = st.builds("{} = {}".format, variables, values)
lines: st.SearchStrategy[Line] = st.one_of(
    assignments,
    st.builds("self.{} = {}".format, st.sampled_from(ATTRIBUTES), values),
    st.builds("assert {}".format, conditions),
    st.builds("del {}".format, st.just("self.peer")),
    st.sampled_from(("pass", "self.total += 1", "rows, hidden = hidden, rows", "return None")),
    st.sampled_from(("text = '''a\n  # ---- not a fence\nb'''", "total = 1 + \\\n        2")),
).map(Line)
filler = st.one_of(comments.map(Line), st.sampled_from(("", "", " ", "    ")).map(Line))


def suites(nodes: st.SearchStrategy[Node], most: int) -> st.SearchStrategy[Body]:
    """A suite that holds at least one statement."""
    return st.lists(nodes, min_size=1, max_size=most).map(
        lambda body: tuple(body) if any(n.is_code for n in body) else (*body, Line("pass"))
    )


@st.composite
def compounds(draw: st.DrawFn, nodes: st.SearchStrategy[Node]) -> Compound:
    """One of the compound statements, with suites of *nodes*."""
    inner = suites(nodes, 3)
    kind = draw(st.sampled_from(("if", "elif", "for", "while", "with", "try", "match")))
    test = draw(conditions)
    first = {
        "if": f"if {test}:",
        "elif": f"if {test}:",
        "for": f"for {draw(variables)} in self.{draw(st.sampled_from(ATTRIBUTES))}:",
        "while": f"while {test}:",
        "with": f"with self.{draw(st.sampled_from(FUNCTIONS))}({draw(values)}):",
        "try": "try:",
        "match": f"match {draw(variables)}:",
    }[kind]
    if kind == "match":
        cases = tuple(
            Compound((Clause(f"case {pattern}:", draw(inner)),))
            for pattern in draw(
                st.lists(st.sampled_from(("1", "'a'", "[x, *_]")), min_size=1, unique=True)
            )
        )
        return Compound((Clause(first, cases),))
    clauses = [Clause(first, draw(inner))]
    if kind == "elif":
        clauses.append(Clause(f"elif {draw(conditions)}:", draw(inner)))
    if kind == "try":
        clauses.append(Clause("except ValueError:", draw(inner)))
        if draw(st.booleans()):
            clauses.append(Clause("finally:", draw(inner)))
    elif kind != "with" and draw(st.booleans()):
        clauses.append(Clause("else:", draw(inner)))
    return Compound(tuple(clauses))


leaves: st.SearchStrategy[Node] = st.one_of(calls(), lines, calls(), lines, filler)
inner_nodes: st.SearchStrategy[Node] = st.one_of(leaves, leaves, leaves, compounds(leaves))
nodes: st.SearchStrategy[Node] = st.one_of(leaves, leaves, compounds(inner_nodes))


@st.composite
def methods(draw: st.DrawFn, name: str = "run") -> Method:
    """A method without fences."""
    extra = draw(st.lists(st.sampled_from(KEYWORDS), max_size=2, unique=True))
    parameters = ("self", "batch", *(f"{keyword}=None" for keyword in extra))
    return Method(
        name,
        tuple(map(Argument, parameters)),
        draw(suites(nodes, 7)),
        draw(st.sampled_from(((), (), ("@traced",), ("@guard(level=1)", "@traced")))),
        draw(st.sampled_from((False, False, False, True))),
    )


def positions(draw: st.DrawFn, body: Body) -> tuple[Path, int, int]:
    """A suite of *body* and a non-empty run of its items, as start and end."""
    path = draw(st.sampled_from(iter_bodies(body)))
    size = len(body_at(body, path))
    start = draw(st.integers(0, size - 1))
    return path, start, draw(st.integers(start + 1, size))


def holds_cases(run: Body) -> bool:
    """Whether *run* has a case clause, which can stand only in a match."""
    return any(isinstance(n, Compound) and n.clauses[0].header.startswith("case") for n in run)


def block(dialect: Dialect, run: Body) -> Fenced:
    """*run* between fences, without headings that would read as the closing fence."""
    kept = tuple(node for node in run if not (isinstance(node, Line) and node.text == HEADING))
    return Fenced(dialect, kept)


def insert(draw: st.DrawFn, body: Body) -> Body:
    """Put one to three new statements somewhere."""
    path, start, _ = positions(draw, body)
    if holds_cases(body_at(body, path)):
        return body
    new = draw(suites(inner_nodes, 3))
    return edit_at(body, path, lambda b: (*b[:start], *new, *b[start:]))


def delete(draw: st.DrawFn, body: Body) -> Body:
    """Take a run of statements out."""
    path, start, end = positions(draw, body)
    if holds_cases(body_at(body, path)):
        return body
    return edit_at(body, path, lambda b: b[:start] + b[end:])


def move(draw: st.DrawFn, body: Body) -> Body:
    """Take one statement to another place of its suite."""
    path, start, _ = positions(draw, body)
    to = draw(st.integers(0, len(body_at(body, path)) - 1))

    def edit(b: Body) -> Body:
        rest = b[:start] + b[start + 1 :]
        return (*rest[:to], b[start], *rest[to:])

    return edit_at(body, path, edit)


def duplicate(draw: st.DrawFn, body: Body) -> Body:
    """Say a run of statements twice."""
    path, start, end = positions(draw, body)
    if holds_cases(body_at(body, path)):
        return body
    return edit_at(body, path, lambda b: b[:end] + b[start:end] + b[end:])


def wrap(draw: st.DrawFn, body: Body) -> Body:
    """Put a run of statements under a new header."""
    path, start, end = positions(draw, body)
    run = body_at(body, path)[start:end]
    if holds_cases(run) or not any(node.is_code for node in run):
        return body
    header = draw(st.sampled_from(("with self.trace('x'):", "if self.rank:", "for row in rows:")))
    wrapped = Compound((Clause(header, run),))
    return edit_at(body, path, lambda b: (*b[:start], wrapped, *b[end:]))


def unwrap(draw: st.DrawFn, body: Body) -> Body:
    """Replace a compound statement by its first suite."""
    path, start, _ = positions(draw, body)
    node = body_at(body, path)[start]
    if not isinstance(node, Compound) or holds_cases((node,)) or holds_cases(node.clauses[0].body):
        return body
    return edit_at(body, path, lambda b: b[:start] + node.clauses[0].body + b[start + 1 :])


def add_clause(draw: st.DrawFn, body: Body) -> Body:
    """Give an if an elif after its first suite, fenced or not."""
    path, start, _ = positions(draw, body)
    node = body_at(body, path)[start]
    if not isinstance(node, Compound) or not node.clauses[0].header.startswith("if "):
        return body
    fence = draw(st.one_of(st.none(), dialects))
    new = Clause(f"elif {draw(conditions)}:", draw(suites(leaves, 2)), fence)
    changed = replace(node, clauses=(node.clauses[0], new, *node.clauses[1:]))
    return edit_at(body, path, lambda b: (*b[:start], changed, *b[start + 1 :]))


def change_arguments(draw: st.DrawFn, body: Body) -> Body:
    """Add one argument or two to a call, or take out or change one."""
    path, start, _ = positions(draw, body)
    node = body_at(body, path)[start]
    if not isinstance(node, Call):
        return body
    args = node.arguments
    kind = draw(st.sampled_from(("add", "remove", "change")))
    at = draw(st.integers(0, max(len(args) - 1, 0)))
    taken = {argument.text.split("=")[0] for argument in args}
    free = [name for name in KEYWORDS if name not in taken]
    if not args or (kind == "add" and free):
        for name in draw(st.lists(st.sampled_from(free), min_size=1, max_size=2, unique=True)):
            args = (*args, Argument(f"{name}={draw(values)}", draw(st.booleans())))
    elif kind != "change":
        args = args[:at] + args[at + 1 :]
    else:
        name, _, _ = args[at].text.rpartition("=")
        text = f"{name}={draw(values)}" if name.isidentifier() else draw(values)
        args = (*args[:at], Argument(text), *args[at + 1 :])
    changed = replace(node, arguments=args)
    return edit_at(body, path, lambda b: (*b[:start], changed, *b[start + 1 :]))


def fence(draw: st.DrawFn, body: Body) -> Body:
    """Put a fence around a run of statements that has none inside, but for markers."""
    path, start, end = positions(draw, body)
    run = body_at(body, path)[start:end]
    fenced = any(has_fence(node, markers=False) for node in run)
    if fenced or holds_cases(run) or not any(node.is_code for node in run):
        return body
    new = block(draw(dialects), run)
    return edit_at(body, path, lambda b: (*b[:start], new, *b[end:]))


def insert_block(draw: st.DrawFn, body: Body) -> Body:
    """Put new statements somewhere, with a fence around them."""
    path, start, _ = positions(draw, body)
    if holds_cases(body_at(body, path)):
        return body
    new = block(draw(dialects), draw(suites(inner_nodes, 3)))
    return edit_at(body, path, lambda b: (*b[:start], new, *b[start:]))


def replace_by_block(draw: st.DrawFn, body: Body) -> Body:
    """Put a fenced block in the place of a run of statements."""
    path, start, end = positions(draw, body)
    if holds_cases(body_at(body, path)) or any(map(has_fence, body_at(body, path)[start:end])):
        return body
    new = block(draw(dialects), draw(suites(inner_nodes, 3)))
    return edit_at(body, path, lambda b: (*b[:start], new, *b[end:]))


def mark(draw: st.DrawFn, body: Body) -> Body:
    """Put a simple statement with a trailing marker somewhere."""
    path, start, _ = positions(draw, body)
    if holds_cases(body_at(body, path)):
        return body
    line = Line(f"self.talker.{draw(variables)} = {draw(values)}", marked=True)
    return edit_at(body, path, lambda b: (*b[:start], line, *b[start:]))


PLAIN = (insert, delete, move, duplicate, wrap, unwrap, change_arguments)
LOCAL = (*PLAIN, add_clause, insert_block, insert_block, replace_by_block, mark, fence)


def unmarked(method: Method) -> Method:
    """*method* as upstream could have it: no fences, no markers."""
    parameters = tuple(replace(parameter, marked=False) for parameter in method.parameters)
    return replace(method, parameters=parameters, body=without_fences(method.body))


def change_signature(draw: st.DrawFn, method: Method, *, local: bool) -> Method:
    """Now and then: another parameter, decorator or async."""
    taken = {parameter.text.split("=")[0] for parameter in method.parameters}
    free = [name for name in KEYWORDS if name not in taken]
    kind = draw(st.sampled_from(("", "", "parameter", "decorator", "async")))
    if kind == "parameter":
        new = Argument(f"{draw(st.sampled_from(free))}=1", local and draw(st.booleans()))
        return replace(method, parameters=(*method.parameters, new))
    if kind == "decorator" and not local:
        return replace(method, decorators=("@measured", *method.decorators))
    if kind == "async" and not local:
        return replace(method, is_async=not method.is_async)
    return method


@st.composite
def upstream_versions(draw: st.DrawFn, base: Method, most: int = 4) -> Method:
    """*base* after up to *most* upstream edits."""
    body = base.body
    for edit in draw(st.lists(st.sampled_from(PLAIN), max_size=most)):
        body = edit(draw, body)
    return unmarked(change_signature(draw, replace(base, body=body), local=False))


@st.composite
def local_versions(draw: st.DrawFn, base: Method, most: int = 4) -> Method:
    """*base* after up to *most* local edits, some of them fenced."""
    body = base.body
    for edit in draw(st.lists(st.sampled_from(LOCAL), max_size=most)):
        body = edit(draw, body)
    return change_signature(draw, replace(base, body=body), local=True)


@st.composite
def fenced_versions(draw: st.DrawFn, method: Method) -> Method:
    """The same code with fences put in."""
    body = method.body
    for _ in range(draw(st.integers(1, 3))):
        body = fence(draw, body)
    return replace(method, body=body)
