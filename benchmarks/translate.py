"""The speed of ``omni-port translate``, beside tools that do less.

    python benchmarks/translate.py [--corpus FOLDER] [--runs N] [--slow]

On the tree: the whole table, against ast-grep with one pattern, and (``--slow``: minutes)
``libcst.tool codemod`` with one rename. On one large file: also pyupgrade.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fetch_corpus import default_corpus
from timing import Timed, render_times, time_command

TREE = "omni-0.30.0"
FILE = f"{TREE}/vllm_omni/worker/gpu_model_runner.py"
_RENAME = ("rename.RenameCommand", "--old_name", "torch.cuda", "--new_name", "torch.npu")


def time_tree(tree: Path, runs: int, *, slow: bool) -> list[Timed]:
    """Time the tools on every Python file below *tree*."""
    times = [
        time_command("omni-port", ["omni-port", "translate", "--check", tree], runs=runs),
        time_command("ast-grep", _ast_grep(tree), runs=runs, note="one pattern, no imports"),
    ]
    if slow:
        times.append(time_command("libcst.tool", _libcst(tree), runs=1, note="one rename"))
    return times


def time_file(path: Path, runs: int) -> list[Timed]:
    """Time the tools on one file."""
    return [
        time_command("omni-port", ["omni-port", "translate", "--check", path], runs=runs),
        time_command("ast-grep", _ast_grep(path), runs=runs, note="one pattern, no imports"),
        time_command(
            "pyupgrade",
            ["pyupgrade", "--exit-zero-even-if-changed", "--keep-percent-format", path],
            runs=runs,
            note="other rules",
        ),
        time_command("libcst.tool", _libcst(path), runs=1, note="one rename"),
    ]


def _ast_grep(path: Path) -> list[str | Path]:
    return ["ast-grep", "run", "--lang", "python", "--pattern", "torch.cuda.$NAME", path]


def _libcst(path: Path) -> list[str | Path]:
    command = [
        "python",
        "-m",
        "libcst.tool",
        "codemod",
        "-x",
        f"libcst.codemod.commands.{_RENAME[0]}",
    ]
    return [*command, *_RENAME[1:], "--no-format", "--hide-progress", path]


def main() -> int:
    parser = argparse.ArgumentParser(description="The speed of translate, beside other tools.")
    parser.add_argument("--corpus", type=Path, default=default_corpus())
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--slow", action="store_true", help="libcst.tool on the whole tree too")
    arguments = parser.parse_args()
    tree, path = arguments.corpus / TREE, arguments.corpus / FILE
    if not path.exists():
        print(f"{path} is not there: make corpus", file=sys.stderr)
        return 1
    number = sum(1 for _ in tree.rglob("*.py"))
    times = time_tree(tree, arguments.runs, slow=arguments.slow)
    print(render_times(f"vllm-omni 0.30.0, {number} files", times, unit="ast-grep"))
    print(
        render_times(
            "worker/gpu_model_runner.py", time_file(path, arguments.runs), unit="omni-port"
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
