"""Edits on the skeleton: the rules of docs/internals/replay-rules.md.

Three :mod:`.versions` come in, a :mod:`.plan` goes out, and ``printing`` makes lines of it. What is
given is asked of :mod:`.facts`; what is decided stands in the plan and in the account.

Read in the order of the rules. :mod:`.replay` says which stage comes when; :mod:`.attribution` what
an edit is; :mod:`.placement`, :mod:`.within_gap` and :mod:`.insertions` where it goes;
:mod:`.wraps` and :mod:`.already_upstream` what is there already; :mod:`.doubled` what may run
twice; :mod:`.deletions` and :mod:`.clashes` what was deleted. :mod:`.prepared` and :mod:`.runs`
bring these together for insertions and deletions, :mod:`.modifications` and ``merge`` are for what
both changed.
"""

from __future__ import annotations
