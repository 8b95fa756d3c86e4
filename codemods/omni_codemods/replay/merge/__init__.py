"""Three versions of one statement become one, bracket by bracket, or a conflict."""

from __future__ import annotations
