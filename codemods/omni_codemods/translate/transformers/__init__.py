"""What writes: one libcst transformer for each kind of entry, each usable on its own."""

from __future__ import annotations
