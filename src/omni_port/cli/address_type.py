"""An address as the type of an option."""

from __future__ import annotations

import click

from omni_port.base.address import Address, parse_address
from omni_port.base.errors import AddressError


class AddressType(click.ParamType[Address]):
    """``[REPO@REV:]PATH[::CLASS]`` on the command line."""

    name = "address"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Address:
        """Return the address that *value* spells."""
        if isinstance(value, Address):
            return value
        try:
            return parse_address(str(value))
        except AddressError as error:
            self.fail(f"{error.message}\n  hint: {error.hint}", param, ctx)


ADDRESS = AddressType()
METAVAR = "ADDRESS"
