"""How long the twelve longest methods of a runner take to read: as token trees, and by libcst.

python benchmarks/reading.py [FILE]
"""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import libcst as cst

from fetch_corpus import default_corpus
from omni_codemods.functions.tree import parse_function
from omni_codemods.text.outline import iter_functions

_FILE = "vllm-0.26.0/vllm/v1/worker/gpu_model_runner.py"


def _milliseconds(read: Callable[[str], object], texts: Sequence[str]) -> float:
    start = time.perf_counter()
    for text in texts:
        read(text)
    return 1000 * (time.perf_counter() - start)


def main(arguments: Sequence[str]) -> int:
    """Print both times."""
    path = Path(arguments[0]) if arguments else default_corpus() / _FILE
    found = sorted(iter_functions(path.read_text(encoding="utf-8")), key=lambda f: -len(f.text))
    texts = [textwrap.dedent(one.text) for one in found[:12]]
    print(f"own reading {_milliseconds(parse_function, texts):.0f} ms")
    print(f"libcst {_milliseconds(cst.parse_module, texts):.0f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
