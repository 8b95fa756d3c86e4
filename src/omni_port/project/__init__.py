"""The project file: its keys and what they say."""

from __future__ import annotations

from omni_port.project.project import require_project

__all__ = ["require_project"]
