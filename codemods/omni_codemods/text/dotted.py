"""Dotted names: their parts, relative ones made absolute, and the modules that paths are."""

from __future__ import annotations

import ast


def last_part(name: str) -> str:
    """Return what stands behind the last dot: ``run`` of ``Runner.run``, all of it without one."""
    return name.rpartition(".")[2]


def owner_of(name: str) -> str:
    """Return what stands before the last dot: ``Runner`` of ``Runner.run``, empty without one."""
    return name.rpartition(".")[0]


def first_part(name: str) -> str:
    """Return what stands before the first dot: ``torch`` of ``torch.cuda.Event``."""
    return name.partition(".")[0]


def absolute(name: str, package: str) -> str:
    """Return the dotted *name* without leading dots; *package* is the one that it is read in."""
    stripped = name.lstrip(".")
    dots = len(name) - len(stripped)
    if not dots:
        return name
    parts = package.split(".")
    above = parts[: len(parts) - dots + 1]
    return ".".join([*above, stripped] if stripped else above)


def imported_module(node: ast.ImportFrom, package: str) -> str:
    """Return the dotted module that a ``from`` import names, read in *package*."""
    return absolute("." * node.level + (node.module or ""), package)


def module_of(path: str) -> str:
    """Return the dotted module that the file *path* (``package/module.py``) is."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
