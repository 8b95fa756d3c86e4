"""Which revisions an upgrade is about, how each was found, and what evidence disagrees."""

from omni_port.identity.freezing import freeze_identity
from omni_port.identity.model import AGAIN, RULE, Disagreement, End, How, Identity

__all__ = ["AGAIN", "RULE", "Disagreement", "End", "How", "Identity", "freeze_identity"]
