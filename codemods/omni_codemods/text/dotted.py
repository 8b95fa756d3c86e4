"""Dotted names: their parts, relative ones made absolute, and the modules that paths are."""

from __future__ import annotations

import ast
from collections.abc import Mapping


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


def package_path(path: str, packages: Mapping[str, str]) -> str:
    """Return *path* from its root package on; as it is where it stands in none of *packages*.

    They are names, with what stands before them: ``src/vllm/x.py`` is ``vllm/x.py`` for
    ``{"vllm": "src/"}``.
    """
    for package, start in packages.items():
        if path.startswith(f"{start}{package}/"):
            return path[len(start) :]
    return path
