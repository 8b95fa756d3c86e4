"""Where a copy comes from: the version that it is nearest to, or the name that it has now."""

from __future__ import annotations

from omni_codemods.provenance.provenance import Candidate, MethodProvenance, Rank, find_provenance

__all__ = ["Candidate", "MethodProvenance", "Rank", "find_provenance"]
