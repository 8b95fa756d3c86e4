"""What a long command is doing, said step by step to whoever shows it.

Work says what it begins (:func:`step`); by default nobody listens, and a step costs next to
nothing. The command line shows the last one after two seconds, on a terminal alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from typing import TypeVar

T = TypeVar("T")

_listeners: list[Callable[[str], None]] = []


def step(text: str) -> None:
    """Say that *text* ("reading vllm") begins."""
    for listener in _listeners:
        listener(text)


def steps(text: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
    """Yield *items*, and say before each which of how many it is."""
    if total is None and isinstance(items, Sized):
        total = len(items)
    for number, item in enumerate(items, 1):
        if _listeners:
            step(f"{text} ({number} of {total})" if total else f"{text} ({number})")
        yield item


def listen(listener: Callable[[str], None]) -> Callable[[], None]:
    """Have *listener* called with each step; returns what ends that."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)
