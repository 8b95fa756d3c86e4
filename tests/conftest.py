"""Options and profiles for the whole test run."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

# "default" is for every change: few examples, the same each time, so that a failure is the
# change's, and the whole run stays short. "ci" tries more of the same; the other two look for new
# ones.
settings.register_profile(
    "default",
    max_examples=25,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("ci", settings.get_profile("default"), max_examples=100)
settings.register_profile(
    "thorough", settings.get_profile("default"), max_examples=10_000, derandomize=False
)
settings.register_profile(
    "counted",
    settings.get_profile("default"),
    derandomize=False,
    max_examples=int(os.environ.get("HYPOTHESIS_EXAMPLES", "100")),
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever a test keeps is kept apart from what the user keeps."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-golden``: write expected files from results, and fail where one changed."""
    parser.addoption("--update-golden", action="store_true", help="rewrite fixtures' expected.py")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what was skipped, and why: a list of them hides what failed."""
    reasons = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", ()))
    if reasons:
        told = ", ".join(f"{number} ({reason})" for reason, number in reasons.most_common())
        terminalreporter.write_line(f"skipped: {told}")


def _reason(report: pytest.TestReport) -> str:
    said = report.longrepr[-1] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return said.removeprefix("Skipped: ")
