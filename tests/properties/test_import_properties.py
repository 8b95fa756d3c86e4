"""After a rebase each name of the function is bound once, and no import lacks a use."""

from __future__ import annotations

import ast
from collections import Counter

from hypothesis import given, note, reject
from hypothesis import strategies as st

from invariants import resolve
from omni_codemods.findings.errors import NotACopy
from omni_codemods.findings.model import RebaseResult
from omni_codemods.rebase.method import rebase_method
from shapes import Method, render_method
from strategies import local_versions, methods, upstream_versions

# what a generated call or attribute becomes, the name it needs, and the statement that binds it
NAMES = {
    "self.select(": ("pad(", "pad", "from engine.rows import pad"),
    "self.model(": ("trim(", "trim", "from engine.rows import trim"),
    "self.trace(": ("time.trace(", "time", "import time"),
    "self.head(": ("jsonlib.head(", "jsonlib", "import json as jsonlib"),
    "self.send(": ("send(", "send", "from engine.peers import send"),
    "not self.rank": ("not RANK", "RANK", "RANK = 4"),
    "if self.rank:": ("if RANK:", "RANK", "RANK = 4"),
}
LAST = """    def last(self):
        return pad(self.rows)
"""


def file_of(method: Method, *, local: bool) -> str:
    """A module that binds exactly the names it uses, imports sorted."""
    body = render_method(method) + "\n" + LAST
    bindings = set()
    for old, (new, _, statement) in NAMES.items():
        body = body.replace(old, new)
        if new in body:
            bindings.add(statement)
    constants = {statement for statement in bindings if "import" not in statement}
    imports = bindings - constants
    if local:
        own = sorted({"Runner", *(statement.split()[0] for statement in constants)})
        imports.add(f"from engine.runner import {', '.join(own)}")
        constants = set()
    rows = sorted(i.split()[-1] for i in imports if i.startswith("from engine.rows"))
    imports = {i for i in imports if not i.startswith("from engine.rows")}
    imports.add(f"from engine.rows import {', '.join(rows)}")
    head = sorted(imports, key=lambda i: (i.startswith("from"), i))
    cls = "class LocalRunner(Runner):" if local else "class Runner:"
    return "\n".join([*head, "", *sorted(constants), "", "", cls, body])


def imported(text: str) -> Counter[str]:
    """How often each name is bound by a top-level import."""
    nodes = [n for n in ast.parse(text).body if isinstance(n, (ast.Import, ast.ImportFrom))]
    return Counter(alias.asname or alias.name for node in nodes for alias in node.names)


def used(text: str) -> set[str]:
    """Every name that *text* reads."""
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


@st.composite
def files(draw: st.DrawFn) -> tuple[str, str, str]:
    """Base, local and target as whole files."""
    base = draw(methods())
    local, target = draw(local_versions(base)), draw(upstream_versions(base))
    return file_of(base, local=False), file_of(local, local=True), file_of(target, local=False)


def rebase(texts: tuple[str, str, str]) -> RebaseResult:
    """Rebase ``run`` of the files."""
    base, local, target = texts
    for side, text in zip(("base", "local", "target"), texts, strict=True):
        note(f"--- {side}\n{text}")
    try:
        result = rebase_method(
            base=base,
            local=local,
            target=target,
            method="run",
            local_class="LocalRunner",
            base_class="Runner",
            target_class="Runner",
        )
    except NotACopy:
        reject()
    note(f"--- result\n{result.text}")
    return result


@given(files())
def test_every_name_is_imported_once(texts: tuple[str, str, str]) -> None:
    result = rebase(texts)
    for side in ("local", "target"):
        text = resolve(result.text, side)
        bound, needed = imported(text), used(text) & {name for _, name, _ in NAMES.values()}
        assert all(bound[name] == 1 for name in needed), (bound, needed)


@given(files())
def test_no_import_is_left_without_a_use(texts: tuple[str, str, str]) -> None:
    result = rebase(texts)
    if result.conflicts:
        reject()
    assert set(imported(result.text)) - used(result.text) == set()


@given(files())
def test_the_report_names_each_change_of_the_imports(texts: tuple[str, str, str]) -> None:
    result = rebase(texts)
    before = imported(texts[1])
    after = imported(resolve(result.text, "target"))
    assert bool(after - before) == bool(result.imports_added)
    assert bool(before - after) == bool(result.imports_removed)
