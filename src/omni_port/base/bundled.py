"""Files that come with omni-port beside its code."""

from __future__ import annotations

from pathlib import Path

from omni_port.base.errors import InternalError


def find_bundled(name: str, in_checkout: str) -> Path:
    """Return the folder *name* of the installed package, or *in_checkout* of a checkout.

    An editable installation has only the latter. Raises InternalError where neither is there.
    """
    package = Path(__file__).parents[1]
    places = (package / name, package.parents[1] / in_checkout)
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise InternalError(f"the folder {name} did not come with this installation")
    return found
