"""A plan as Markdown that reads well in a pull request."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import jinja2

from omni_codemods.impact.kinds import KINDS
from omni_codemods.impact.model import Impact, Spot
from omni_port.plan.gate import Stop
from omni_port.plan.plan import Plan
from omni_port.report.markdown import make_environment, render_template, require_template
from omni_port.report.plan_text import render_consumer, render_end

_NAME = "plan.md"


def render_plan_markdown(plan: Plan) -> str:
    """Return the plan; what a template of the project may replace is ``plan.md.j2``."""
    papers = plan.project.settings.papers.templates
    folder = None if papers is None else plan.project.root / papers
    counts = Counter(change.impact.value for change in plan.changes)
    names = dict.fromkeys(end.name for end in plan.identity.ends)
    context = {
        "plan": plan,
        "gate": plan.gate,
        "impacts": [(impact.value, counts[impact.value]) for impact in Impact],
        "ends": [
            (n, plan.identity.end(n, "current"), plan.identity.end(n, "target")) for n in names
        ],
        "bases": [end for end in plan.identity.ends if end.port],
    }
    return render_template(_environment(folder), _NAME, folder, context)


def require_plan_template(folder: Path) -> None:
    """Raise ConfigurationError where the template of *folder* cannot be read as one."""
    require_template(_environment(folder), _NAME, folder)


def _environment(folder: Path | None) -> jinja2.Environment:
    environment = make_environment(folder)
    environment.filters.update(end=render_end, consumer=render_consumer, why=_whys, spot=_spot)
    return environment


def _whys(stop: Stop) -> list[str]:
    return list(dict.fromkeys(filter(None, (KINDS[change.kind].why for change in stop.changes))))


def _spot(spot: Spot | None) -> str:
    return "not there" if spot is None else f"{spot}: {spot.text}"
