"""Make the picture of the review page: an upgrade of the bundled world, in a real browser."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from browsing import browsing, find_browser  # noqa: E402
from omni_port.project.project import require_project  # noqa: E402
from omni_port.review.html import render_review  # noqa: E402
from omni_port.upgrade.finish import write_report  # noqa: E402
from omni_port.upgrade.reviewed import make_given  # noqa: E402
from omni_port.upgrade.run import UpgradeOptions, load_run, run_upgrade  # noqa: E402
from worlds import make_world  # noqa: E402

PICTURE = HERE / "review.png"
# The method with a conflict.
METHOD = "document.querySelector('#f1m3 .delta').scrollIntoView()"


def main() -> int:
    """Write the picture; say why not where there is no browser."""
    browser = find_browser()
    if browser is None:
        print("no Chromium is installed (on Debian: apt install chromium-headless-shell)")
        return 1
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        project = require_project(make_world(Path(folder) / "world"))
        write_report(run_upgrade(project, UpgradeOptions()))
        path = project.root / "review.html"
        path.write_text(render_review(make_given(load_run(project))), encoding="utf-8")
        with browsing(browser, Path(folder) / "profile") as page:
            page.size(1280, 900)
            page.open(path)
            page.evaluate(METHOD)
            page.picture(PICTURE)
    print(PICTURE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
