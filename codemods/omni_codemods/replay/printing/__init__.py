"""What the plan says, as lines: the tree printed, fences put back, conflicts as hunks."""

from __future__ import annotations
