"""Text behind addresses: files and trees, upstreams at an end, versions and siblings."""

from __future__ import annotations
