"""An upgrade as a page to read: what was done, what is open, and each method side by side.

``given`` is what a page is made of; ``rows`` puts *old local | new upstream | result* side by
side by what the engine knows of each line, ``delta`` our own changes before and after; ``pages``
puts those together to a value, which ``html`` and ``summary`` render.
"""

from __future__ import annotations
