"""Documented modules that moved are found under their old names, and hold nothing of their own."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import omni_codemods.moved
import omni_port.moved

OLD = [
    (package.__name__.partition(".")[0], found.name)
    for package in (omni_codemods.moved, omni_port.moved)
    for found in pkgutil.iter_modules(package.__path__)
]


@pytest.mark.parametrize(("package", "name"), OLD)
def test_an_old_place_gives_the_same_objects(package: str, name: str) -> None:
    old = importlib.import_module(f"{package}.{name}")
    assert old.__all__
    for public in old.__all__:
        value = getattr(old, public)
        assert getattr(value, "__module__", package) != old.__name__


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("omni_codemods.rebase", "rebase_method"),
        ("omni_codemods.sync_method", "sync_method"),
        ("omni_codemods.table", "packaged"),
        ("omni_codemods.drift", "find_drift"),
        ("omni_codemods.provenance", "find_provenance"),
        ("omni_codemods.model", "RebaseResult"),
        ("omni_codemods.errors", "SourceError"),
        ("omni_port.api", "translate_bytes"),
        ("omni_port.project", "require_project"),
    ],
)
def test_what_the_documentation_named_is_there(module: str, name: str) -> None:
    assert getattr(importlib.import_module(module), name)
