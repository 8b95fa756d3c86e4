"""The checks of a finished port, one a module: text and trees of sources in, findings out.

Each ``check_*`` takes a :class:`~omni_codemods.sources.subject.Subject`;
:func:`omni_codemods.checks.run.check_text` makes one and runs them all.
"""

from __future__ import annotations
