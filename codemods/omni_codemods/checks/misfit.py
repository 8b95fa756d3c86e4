"""What a check of the contract between local code and an upstream finds."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from omni_codemods.findings.code import Code
from omni_codemods.findings.model import Finding, Severity


class Trust(enum.Enum):
    """How sure a misfit is.

    *Sure*: it fails where it runs. *Possible*: it stands under something that may keep it from
    running. *Unseen*: a part of what decides is in no tree; it says something only where the
    same place fitted another version of the trees.
    """

    SURE = "sure"
    POSSIBLE = "possible"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class Misfit:
    """A finding with the dotted upstream name that it hangs on, and how sure it is."""

    finding: Finding
    subject: str
    trust: Trust = Trust.SURE


def misfit(
    code: Code,
    node: ast.AST,
    message: str,
    subject: str,
    *,
    trust: Trust = Trust.SURE,
    hint: str = "",
    severity: Severity = Severity.ERROR,
) -> Misfit:
    """Return the misfit at *node*; by default the hint is the remedy of the *code*."""
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    made = Finding(code.code, line, column, message, hint or code.remedy, severity)
    return Misfit(made, subject, trust)
