"""Text → tree: the one way to parse, and the one wording of what is wrong.

A parser gives up on code that is nested too deeply, each in its own way, and so do walks over the
tree, which are recursive. Whoever works on texts does it within :func:`deep_code_named`.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import symtable
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from omni_codemods.findings.errors import SourceError
from omni_codemods.text import newer

_P = ParamSpec("_P")
_R = TypeVar("_R")
_MEND = "mend the file: no Python up to 3.14 reads it"
_SHALLOWER = "split the expression or the block, or leave this file out"


@functools.lru_cache(maxsize=12)
def _parsed(text: str) -> ast.Module:
    return parse(text)


def parse_module(text: str, side: str = "") -> ast.Module:
    """Return the tree of *text*; raise :class:`SourceError` with line and column, naming *side*.

    A byte order mark in front is passed over. The tree is shared: do not change it.
    """
    with errors_named(side):
        return _parsed(text.removeprefix("\ufeff"))


def find_tree(text: str) -> ast.Module | None:
    """Return the tree of *text*, a new one; ``None`` where it is not Python."""
    try:
        with errors_named():
            return parse(text)
    except SourceError:
        return None


@functools.lru_cache(maxsize=32)
def shared_tree(text: str) -> ast.Module | None:
    """Return the tree of *text*, ``None`` where it is not Python.

    Whoever asks for the same text gets the same tree, so nobody may change it: the findings around
    a rebase ask for four functions, again and again.
    """
    return find_tree(text)


@functools.lru_cache(maxsize=4096)
def kept_tree(text: str) -> ast.Module | None:
    """Return the tree of *text*, ``None`` where it is not Python: for whole ports with all the
    modules that they rest on, which both ends of a comparison ask for. Do not change it."""
    return find_tree(text)


def require_python(text: str, side: str = "") -> None:
    """Raise :class:`SourceError` naming *side* unless *text* is Python.

    Mostly no tree is made of it, which is what takes the time in a parse. Notices what only a
    compiler does: two parameters of one name.
    """
    make_scopes(text, side)


def make_scopes(text: str, side: str = "") -> tuple[symtable.SymbolTable, bool]:
    """Return the scopes of *text*, and whether its lines are those of *text*.

    Raises :class:`SourceError` naming *side*.
    """
    with errors_named(side), _quietly():
        return newer.symbol_table(text, "<file>")


def parse(text: str) -> ast.Module:
    """Parse *text*, without warnings; raises what :func:`ast.parse` raises.

    What the running Python is too old for is read by libcst.
    """
    with _quietly(), without_collector():
        return newer.parse(text)


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Nothing that a parse allocates is garbage; collecting meanwhile takes a quarter of it."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextlib.contextmanager
def errors_named(side: str = "") -> Iterator[None]:
    """Raise :class:`SourceError` naming *side* for whatever a parser raises."""
    try:
        yield
    except SyntaxError as error:
        message = f"not Python: {error.msg}"
        column = max(0, (error.offset or 1) - 1)
        raise SourceError(
            message, line=error.lineno, column=column, side=side, hint=_MEND
        ) from error
    except ValueError as error:  # null bytes, lone surrogates
        raise SourceError(
            f"not Python: {error}", line=1, column=0, side=side, hint="is this a text file?"
        ) from error
    except (RecursionError, MemoryError) as error:
        raise _too_deep(side) from error


@contextlib.contextmanager
def deep_code_named(texts: Mapping[str, str]) -> Iterator[None]:
    """Raise :class:`SourceError` where a walk over one of *texts* (by side) goes too deep.

    It names the side whose code is nested most deeply, and where.
    """
    try:
        yield
    except RecursionError as error:
        raise _name_deepest(texts) from error


@dataclass(frozen=True, slots=True)
class NamesDeepCode:
    """Puts a function of keywords within :func:`deep_code_named`; *texts* picks them by side."""

    texts: Callable[[Mapping[str, Any]], Mapping[str, str]]

    def __call__(self, function: Callable[_P, _R]) -> Callable[_P, _R]:
        """Decorate *function*."""

        @functools.wraps(function)
        def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            try:
                return function(*args, **kwargs)
            except RecursionError as error:
                raise _name_deepest(self.texts(kwargs)) from error

        return wrapper


def _name_deepest(texts: Mapping[str, str]) -> SourceError:
    deepest = (0, 0, "")
    for side, text in texts.items():
        try:
            tree = parse(text)
        except (RecursionError, MemoryError):
            return _too_deep(side)
        except (SyntaxError, ValueError):
            continue
        deepest = max(deepest, (*_depth(tree), side))
    return _too_deep(deepest[2], deepest[1] or None)


def _too_deep(side: str, line: int | None = None) -> SourceError:
    message = "the code is nested too deeply to work on"
    return SourceError(message, hint=_SHALLOWER, line=line, side=side)


def _depth(tree: ast.Module) -> tuple[int, int]:
    """How deep the tree goes, and the line where it is deepest. Not recursive, for a reason."""
    waiting: list[tuple[ast.AST, int, int]] = [(tree, 0, 1)]
    deepest = (0, 1)
    while waiting:
        node, depth, line = waiting.pop()
        line = getattr(node, "lineno", line)
        deepest = max(deepest, (depth, line))
        waiting.extend((child, depth + 1, line) for child in ast.iter_child_nodes(node))
    return deepest
