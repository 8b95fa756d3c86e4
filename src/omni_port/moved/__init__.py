"""Old places of documented modules: they keep working, and hold nothing of their own.

The folder is on the path of the package above, so that ``omni_port.api`` is found here.
"""

from __future__ import annotations
