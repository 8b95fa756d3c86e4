"""Edits on the skeleton: the rules of docs/internals/replay-rules.md.

Read in this order: ``plan`` (what is decided), ``replay`` (in which order), ``wraps``,
``already_upstream``, ``modifications``, ``insertions`` and ``placement`` (where an edit goes),
``merge`` (three versions of one statement), ``printing`` (lines and hunks of the result).
"""

from __future__ import annotations
