"""The product's check on itself: what comes out of a rebase or sync, held against what went in.

The rules know nothing of how the engine aligns, places and merges. They read the four texts with
``ast`` and compare what stands in them. One rule is one module; :mod:`.rules` lists them, and
:func:`omni_codemods.audit.run.audit` runs them. What fails is a finding of severity ``error``.
"""
