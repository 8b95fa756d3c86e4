"""A small project whose upgrade passes the gate or not: what several test modules share."""

from __future__ import annotations

from pathlib import Path

OLD = """\
from uplib.tools import gather


class Runner:
    def run(self, batch):
        ids = gather(batch)
        hidden = self.model(ids, batch.positions)
        return self.head(hidden[batch.last])

    def capture(self, size):
        with self.graph(size):
            return self.model(self.buffers[size])
"""
NEW = OLD.replace("self.model(ids, batch.positions)", "self.model(ids, self.positions)")
# The seam that the local class overrides is gone.
WITHOUT = NEW.partition("\n    def capture")[0] + "\n    def replay(self, size):\n        pass\n"
TOOLS = "def gather(batch):\n    return batch.ids\n"
LOCAL = """\
from uplib.runner import Runner
from uplib.tools import gather


class Mine(Runner):
    def run(self, batch):
        ids = gather(batch)
        hidden = self.model(ids, batch.positions)
        # ---- Omni-new ----
        self.talker(hidden)
        # ---- Omni-new ----
        return self.head(hidden[batch.last])

    def capture(self, size):
        return None
"""
CONFIGURATION = """\
[upstream.up]
current = "up-1"
target = "up-2"

[[port]]
local = "mine/runner.py::Mine"
upstream = "up:uplib/runner.py::Runner"
"""


def write(root: Path, files: dict[str, str]) -> None:
    """Write *files* by their paths below *root*."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def upstream(text: str, tools: str = TOOLS) -> dict[str, str]:
    """Return the files of the upstream package with *text* as its runner."""
    return {"uplib/__init__.py": "", "uplib/runner.py": text, "uplib/tools.py": tools}


def make_project(root: Path, target: str = NEW, *, configuration: str = CONFIGURATION) -> Path:
    """Make a project in *root*, with both releases of its upstream as folders."""
    for folder, text in (("up-1", OLD), ("up-2", target)):
        write(root / folder, upstream(text))
    write(root, {"mine/__init__.py": "", "mine/runner.py": LOCAL, "omni-port.toml": configuration})
    return root
