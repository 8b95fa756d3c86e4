"""Reading syntax that the running Python is too old for: libcst parses, and :mod:`ast` comes out.

libcst reads all that Python 3.14 writes, under every Python; what works on the trees of
:mod:`ast` then works on newer files too.
"""

from __future__ import annotations

from omni_codemods.text.newer.read import parse
from omni_codemods.text.newer.stand_ins import NewerModule
from omni_codemods.text.newer.symbols import symbol_table

__all__ = ["NewerModule", "parse", "symbol_table"]
