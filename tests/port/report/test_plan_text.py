from __future__ import annotations

import re
from pathlib import Path

import click

from gitrepos import commit, make_repository, needs_git
from omni_codemods.impact.model import Consumer
from omni_port.plan.plan import make_plan
from omni_port.project.project import require_project
from omni_port.report.plan_text import render_consumer, render_plan_text
from planned import CONFIGURATION, LOCAL, NEW, OLD, upstream, write

TOOLS = "LIMIT = 4\n\ndef gather(batch):\n    return batch.ids\n"
# The signature of one copy changed, the other copy is gone, and so is a constant that ours uses.
WARM_UP = """
    def warm_up(self, sizes):
        for size in sizes:
            self.capture(size)
"""
FLUSH = """
    def flush(self, rows, limit):
        for row in rows[:limit]:
            row.close()
"""
CURRENT = OLD + WARM_UP + FLUSH
TARGET = NEW.replace("def run(self, batch)", "def run(self, batch, pad, *, mask=None)") + WARM_UP
OWN = (
    LOCAL.replace("import gather", "import LIMIT, gather")
    + FLUSH
    + "\n    def limits(self):\n        return LIMIT\n"
)

NOTHING = "0 blocks, 0 pieces of drift"

EXPECTED = """\
identity
  up    .../up-1 (files SHA) -> .../up-2 (files SHA)
  here  main SHA, 3 paths not committed
inventory  2 copied functions of 1 port: 1 block, 0 pieces of drift
impact  0 mechanical, 2 behavioral, 2 architectural
  architectural LIMIT: gone: the target defines nothing of this name
      import-gone, uplib/tools.py:1 -> not there; used by Mine.limits (runner.py:22)
  behavioral    Runner.run: also wants pad (and 1 more)
      copied-signature, uplib/runner.py:5 -> 5; used by Mine.run (runner.py:6)
  behavioral    Runner.run: 1 statement changed
      copied-body, uplib/runner.py:7 -> 7; used by Mine.run (runner.py:6)
history  none of up (both ends are folders: they have no history)
gate  STOPPED by copied-function-gone
  copied-function-gone
    uplib.runner.Runner.flush: gone, and nothing like it is in the target
      was      uplib/runner.py:18  def flush(self, rows, limit):
      now      not there
      used by  Mine.flush (runner.py:17)
    why      There is no skeleton to replay the blocks on: the old copy would stay as it is, and \
call what the new upstream no longer keeps up.
    affects  Mine
             mine/runner.py
    decide   Name the function that took over as the upstream-target of a port of its own (local \
= PATH::CLASS.METHOD), or drop the copy.
    go on    --override 'copied-function-gone=REASON'
  task imported-name-gone: LIMIT in Mine.limits (runner.py:22)
    Name what takes its place, or drop the code of ours that uses it.
"""


def project(folder: Path) -> Path:
    root = make_repository(folder / "down")
    configuration = CONFIGURATION.replace("up-1", "old/up-1").replace("up-2", "new/up-2")
    commit(root, {"mine/__init__.py": "", "omni-port.toml": configuration})
    write(root, {"mine/runner.py": OWN})
    write(root / "old" / "up-1", upstream(CURRENT, TOOLS))
    write(root / "new" / "up-2", upstream(TARGET, TOOLS.replace("LIMIT = 4\n\n", "")))
    return root


def render(root: Path, *, verbose: bool = False) -> str:
    text = render_plan_text(make_plan(require_project(root)), verbose=verbose)
    return re.sub(r"\b[0-9a-f]{12}\b", "SHA", click.unstyle(text))


@needs_git
def test_the_whole(tmp_path: Path) -> None:
    assert render(project(tmp_path)) == EXPECTED


@needs_git
def test_verbose(tmp_path: Path) -> None:
    lines = render(project(tmp_path), verbose=True).splitlines()
    start = lines.index("inventory  2 copied functions of 1 port: 1 block, 0 pieces of drift")
    assert lines[start + 1 : start + 5] == [
        "  mine/runner.py:6: Mine.run: 1 block, 0 pieces of drift, 100% of uplib.runner.Runner.run",
        "    (self, batch) -> (self, batch, pad, *, mask=None)",
        f"  mine/runner.py:17: Mine.flush: {NOTHING}, 100% of uplib.runner.Runner.flush",
        "    (self, rows, limit) -> gone",
    ]
    assert "      also takes mask=None" in lines
    assert (
        "      copied-gone, uplib/runner.py:18 -> not there; used by Mine.flush (runner.py:17)"
        in (lines)
    )
    assert not any("more" in line for line in lines[start:])


def test_many_lines_of_one_consumer() -> None:
    consumer = Consumer("Mine", "mine/runner.py", "", tuple(range(1, 8)))
    assert render_consumer(consumer) == "Mine (runner.py:1,2,3,4 and 3 more)"
    assert render_consumer(Consumer("Mine", "mine/runner.py", "Mine.run")) == "Mine.run (runner.py)"
