"""One function as a tree of statements, and two of them side by side.

Read in this order: ``tree`` (statements with their exact text), ``fences`` (local blocks in it),
``brackets`` and ``statement_brackets`` (the inside of a statement), ``likeness`` and ``align``
(which statement is which, docs/internals/alignment.md), ``diff`` (what local did to base),
``account`` (an outcome for each edit). ``conflict_markers`` has the one grammar of hunks.
"""

from __future__ import annotations
