"""What the tool says: values of results and findings, their codes, and the errors.

Everything above speaks with these. A code stands in ``codes`` once, with its remedy, and its
page is generated from there. From outside: all of ``model`` and ``errors``.
"""

from __future__ import annotations
