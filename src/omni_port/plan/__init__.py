"""The plan of an upgrade: both ends compared, history, and the gate. Writes nothing, ever."""

from __future__ import annotations
