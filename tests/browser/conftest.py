from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browsing import Page, browsing, find_browser
from omni_port.project.project import require_project
from omni_port.review.html import render_review
from omni_port.upgrade.finish import write_report
from omni_port.upgrade.reviewed import make_given
from omni_port.upgrade.run import UpgradeOptions, load_run, run_upgrade
from worlds import make_world


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    browser = find_browser()
    if browser is None:
        pytest.skip("no Chromium is installed (on Debian: apt install chromium-headless-shell)")
    with browsing(browser, tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="session")
def review(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The review of an upgrade of the bundled world."""
    project = require_project(make_world(tmp_path_factory.mktemp("world")))
    write_report(run_upgrade(project, UpgradeOptions()))
    path = project.root / "review.html"
    path.write_text(render_review(make_given(load_run(project))), encoding="utf-8")
    return path
