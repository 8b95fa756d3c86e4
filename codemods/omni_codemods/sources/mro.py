"""The order in which Python looks through the classes that a class inherits from (C3).

Every room that asks what a class inherits merges the orders of its bases here; which class a base
is, each of them finds in its own way.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def merge_orders(orders: Sequence[Sequence[T]]) -> list[T]:
    """Return the C3 merge of *orders*: those of the bases, and then the bases themselves.

    Where there is no consistent order (Python would refuse the class), what is left comes in the
    order it is given in.
    """
    out: list[T] = []
    waiting = [list(order) for order in orders if order]
    while waiting:
        tails = {one for order in waiting for one in order[1:]}
        head = next((order[0] for order in waiting if order[0] not in tails), waiting[0][0])
        out.append(head)
        waiting = [[one for one in order if one != head] for order in waiting]
        waiting = [order for order in waiting if order]
    return out
