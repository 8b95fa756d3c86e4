"""All checks of the contract between a local file and the upstreams that it rests on."""

from __future__ import annotations

from collections.abc import Iterator

from omni_codemods.checks.arguments import check_arguments
from omni_codemods.checks.assigned import check_assigned
from omni_codemods.checks.definitions import check_definitions
from omni_codemods.checks.imports import Where, check_imports
from omni_codemods.checks.lifespans import check_lifespans
from omni_codemods.checks.misfit import Misfit
from omni_codemods.checks.overrides import check_overrides
from omni_codemods.checks.references import check_references
from omni_codemods.checks.signatures import check_signatures
from omni_codemods.checks.state import check_state
from omni_codemods.sources.subject import Subject


def check_contract(subject: Subject, where: Where | None = None) -> Iterator[Misfit]:
    """Yield every misfit of *subject*, those among them that only a comparison can use.

    Positions are those of :mod:`ast`: columns count bytes.
    """
    yield from check_imports(subject, where)
    yield from check_signatures(subject)
    yield from check_overrides(subject)
    yield from check_arguments(subject)
    yield from check_references(subject)
    yield from check_state(subject)
    yield from check_assigned(subject)
    yield from check_definitions(subject)
    yield from check_lifespans(subject)
