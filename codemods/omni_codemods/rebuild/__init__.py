"""One function rebuilt and put into its file, with the imports that it needs now.

``attempts`` replays until the result holds (docs/internals/safety.md says why that ends),
``splice`` puts the function into its file, ``settle_imports`` adds and removes imports and finds
names that nothing binds, ``line_map`` follows lines from one text to the next.
"""

from __future__ import annotations
