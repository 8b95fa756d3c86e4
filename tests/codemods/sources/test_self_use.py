from __future__ import annotations

import ast

from omni_codemods.sources.self_use import read_selves

CLASS = """\
class Runner:
    limit: int = 4
    name = "runner"

    def __init__(self, config):
        self.size = config.size
        self.a, self.b = config.pair
        for self.last in config.items:
            self.note(self.size)

    if FAST:
        def jump(self):
            self.far = 1

    def note(self, size):
        self.size += size
        other.size = self.limit
"""


def test_what_is_assigned_and_used() -> None:
    node = ast.parse(CLASS).body[0]
    assert isinstance(node, ast.ClassDef)
    found = read_selves(node)
    said = {n: [(a.method, a.value) for a in made] for n, made in found.assigned.items()}
    assert said == {
        "limit": [("", "")],
        "name": [("", "")],
        "size": [("__init__", "config.size"), ("note", "")],
        "a": [("__init__", "")],
        "b": [("__init__", "")],
        "last": [("__init__", "")],
        "far": [("jump", "1")],
    }
    assert found.used == {"note": ("__init__",), "size": ("__init__",), "limit": ("note",)}
    assert found.stored == {"size", "a", "b", "last", "far"}
