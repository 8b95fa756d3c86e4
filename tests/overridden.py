"""A class with a base and a method that calls another, at both ends: what several tests change."""

from __future__ import annotations

OLD = """\
from abc import abstractmethod
from up.mixin import Mixin

class Runner(Mixin):
    def warm_up(self, sizes):
        for size in sizes:
            self.capture(size, graph=True)
        return len(sizes)

    def capture(self, size, graph):
        self.pool.take(size)
        with self.graph(size):
            return self.model(self.buffers[size])
"""
MIXIN = "class Mixin:\n    def load(self):\n        return 1\n"
LOCAL = """\
from up.runner import Runner

class Mine(Runner):
    def capture(self, size, graph):
        return None
"""
ENDS = {"up/runner.py": OLD, "up/mixin.py": MIXIN}
CAPTURE = OLD[OLD.index("    def capture") :]


def ends(old: str, new: str) -> dict[str, str]:
    return {**ENDS, "up/runner.py": OLD.replace(old, new)}
