"""What the GPU sibling gained, replayed on the NPU copy (docs/internals/sync.md).

``sibling`` finds the functions, ``ownership`` tells the sibling's own changes from those of its
upstream, ``sync_trees`` replays them, ``gained_methods`` and ``findings`` say what they need.
"""

from __future__ import annotations
