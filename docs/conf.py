"""Sphinx configuration. Pages that restate code are generated from it, by ``generate.py``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from generate import write_pages  # noqa: E402

from omni_port import __version__  # noqa: E402

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "omni-port"
author = "omni-port maintainers"
copyright = "omni-port maintainers"  # noqa: A001 - Sphinx reads it by this name
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click"]
exclude_patterns = ["_build", "reference/generated"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"

# `--check` is an option, not a dash.
smartquotes = False

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["wrap.css"]
html_title = f"omni-port {release}"


def setup(_app: Sphinx) -> None:
    """Write the generated pages before Sphinx looks for sources."""
    write_pages(HERE / "reference")
