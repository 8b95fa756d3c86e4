"""GPU code becomes NPU code by a table: what a name means decides, not how it is spelt."""

from __future__ import annotations

from omni_codemods.translate.engine import translate
from omni_codemods.translate.index import DIALECTS

__all__ = ["DIALECTS", "translate"]
