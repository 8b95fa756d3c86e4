"""Many files: where a dotted name is defined, and what a class inherits."""

from __future__ import annotations
