"""Conflicts as questions: asked once, with their facts; the answers are kept and applied.

``question`` finds the hunks of the ports' files and puts equal ones together, ``facts`` says what
speaks for each side, ``record`` is the file that git carries (``omni-port.decisions.toml``), and
``answer`` puts an answer into the text. A question is known by its content, never by its line.
"""

from __future__ import annotations
