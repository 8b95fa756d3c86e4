"""One command on one file or method: read by address, run the library, check the result."""

from __future__ import annotations
