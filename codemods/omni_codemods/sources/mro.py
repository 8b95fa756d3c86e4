"""The order in which Python looks through the classes that a class inherits from (C3).

Every room that asks what a class inherits asks here; which class a base is, each of them finds in
its own way. For a diamond the order is neither depth first nor breadth first::

        A               class_order(D) is D, B, C, A: depth first would find A's member
       / \\              before C's own, breadth first would do so one level further up.
      B   C
       \\ /
        D
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, MutableMapping, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def class_order(
    cls: T,
    bases: Callable[[T], Sequence[T]],
    known: MutableMapping[T, list[T]] | None = None,
) -> list[T]:
    """Return *cls* and all that it inherits from, in Python's order.

    *bases* returns the bases of a class, none for one that is not seen. Orders are kept in
    *known*; a circle, which is no Python, ends where it closes.
    """
    orders = {} if known is None else known
    if cls not in orders:
        orders[cls] = [cls]
        mine = [base for base in bases(cls) if base != cls]
        merged = merge_orders([*(class_order(b, bases, orders) for b in mine), mine])
        orders[cls] = [cls, *(one for one in merged if one != cls)]
    return orders[cls]


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
