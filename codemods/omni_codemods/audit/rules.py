"""All rules, in the order in which they are looked at."""

from __future__ import annotations

from omni_codemods.audit import (
    arguments,
    empty_arm,
    fences,
    lost_edit,
    lost_frame,
    one_tuple,
    place,
    twice,
    unbound,
)
from omni_codemods.audit.model import Rule

RULES: tuple[Rule, ...] = (
    lost_frame.RULE,
    lost_edit.RULE,
    twice.RULE,
    place.RULE,
    one_tuple.RULE,
    empty_arm.RULE,
    arguments.RULE,
    fences.RULE,
    unbound.RULE,
)
