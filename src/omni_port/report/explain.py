"""What a code, rule, outcome or exit code of our messages means, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import click

from omni_codemods.findings.codes import CODES
from omni_codemods.findings.outcomes import EVIDENCE, OUTCOMES
from omni_codemods.impact.kinds import KINDS
from omni_port.base.errors import ExitCode
from omni_port.plan.gate import load_rules
from omni_port.project.project import Project
from omni_port.project.settings import RuleSettings

_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Explanation:
    """One thing that a message names: its *title*, what it *means*, and what to do (*remedy*).

    *example* is code in which it is met, *mended* the same code after it.
    """

    name: str
    title: str
    means: str
    remedy: str = ""
    example: str = ""
    mended: str = ""


def iter_explanations(name: str, project: Project | None = None) -> Iterator[Explanation]:
    """Yield everything that *name* may be, without regard to case.

    A code of a finding, a rule of the gate (of *project*, where it has its own), a kind of upstream
    change, an outcome or the evidence of an edit, an exit code.
    """
    for every in (_codes, _kinds, _edits, _exit_codes):
        yield from (one for one in every() if one.name.casefold() == name.casefold())
    rules = (rule for rule in load_rules(project) if rule.name == name.casefold())
    yield from map(_rule, rules)


def list_names(project: Project | None = None) -> list[str]:
    """Return every name that can be explained."""
    found = [one.name for every in (_codes, _kinds, _edits, _exit_codes) for one in every()]
    return list(dict.fromkeys([*found, *(rule.name for rule in load_rules(project))]))


def _codes() -> Iterator[Explanation]:
    for code in CODES.values():
        yield Explanation(
            code.code, code.title, code.meaning, code.remedy, code.example, code.mended
        )


def _kinds() -> Iterator[Explanation]:
    for kind in KINDS.values():
        yield Explanation(kind.name, "a kind of upstream change", f"{kind.meaning} {kind.why}")


def _edits() -> Iterator[Explanation]:
    for outcome, said in OUTCOMES.items():
        title = f"an outcome of an edit: {said.title}"
        yield Explanation(outcome.value, title, said.meaning, said.remedy)
    for evidence, said in EVIDENCE.items():
        title = f"the evidence of a placement: {said.title}"
        yield Explanation(evidence.value, title, said.meaning, said.remedy)


def _exit_codes() -> Iterator[Explanation]:
    for code in ExitCode:
        yield Explanation(str(int(code)), "an exit code", code.meaning.replace("`", ""))


def _rule(rule: RuleSettings) -> Explanation:
    title = f"a rule of the gate: {'stops an upgrade' if rule.action == 'stop' else 'is told'}"
    kinds = (KINDS[name].meaning for name in rule.change if name in KINDS)
    return Explanation(rule.name, title, " ".join(kinds), rule.decision)


def render_explanation(one: Explanation) -> str:
    """Return the explanation as text for a terminal."""
    parts = [f"{click.style(one.name, bold=True)}: {one.title}", _wrapped(one.means.strip())]
    parts += [_indented(one.example)] if one.example else []
    parts += [_wrapped(f"What to do: {one.remedy}")] if one.remedy else []
    parts += [_indented(one.mended)] if one.mended else []
    return "\n\n".join(part for part in parts if part)


def _wrapped(text: str) -> str:
    return click.wrap_text(text, _WIDTH).replace("`", "")


def _indented(code: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in code.rstrip().split("\n"))
