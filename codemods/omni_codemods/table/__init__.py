"""A room."""

from __future__ import annotations
