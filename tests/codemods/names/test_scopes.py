"""Scopes and what names in them were imported from."""

from __future__ import annotations

import ast

import pytest

from omni_codemods.names.scopes import (
    Binding,
    BindingKind,
    Scope,
    ScopeKind,
    find_scope,
    import_bindings,
    imported_path,
)


def bind(scope: Scope, name: str, path: str = "", kind: BindingKind | None = None) -> None:
    kind = kind or (BindingKind.IMPORT if path else BindingKind.OTHER)
    scope.bind(name, Binding(kind, 1, path))


@pytest.fixture
def scopes() -> tuple[Scope, Scope, Scope]:
    module = Scope(ScopeKind.MODULE, None)
    body = Scope(ScopeKind.CLASS, module)
    return module, body, Scope(ScopeKind.FUNCTION, body)


def test_functions_do_not_see_the_class_around_them(scopes: tuple[Scope, Scope, Scope]) -> None:
    module, body, function = scopes
    bind(module, "x", "m.x")
    bind(body, "x", "c.x")
    assert imported_path(function, "x") == "m.x"
    assert imported_path(body, "x") == "c.x"
    bind(function, "x")
    assert imported_path(function, "x") is None


def test_global_and_nonlocal(scopes: tuple[Scope, Scope, Scope]) -> None:
    module, _, function = scopes
    inner = Scope(ScopeKind.FUNCTION, function)
    inner.globals.add("g")
    bind(inner, "g", "a.g")
    assert find_scope("g", inner) is module
    bind(function, "n", "a.n")
    inner.nonlocals.add("n")
    bind(inner, "n")
    assert find_scope("n", inner) is function
    assert imported_path(inner, "n") is None


def test_one_meaning_or_none(scopes: tuple[Scope, Scope, Scope]) -> None:
    module, _, _ = scopes
    bind(module, "x", "a.x")
    bind(module, "x", "a.x")
    bind(module, "x", kind=BindingKind.PLACEHOLDER)
    assert imported_path(module, "x") == "a.x"
    bind(module, "x", "b.x")
    assert imported_path(module, "x") is None
    assert imported_path(module, "unbound") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import a.b.c", [("a", "a")]),
        ("import a.b as x, d", [("x", "a.b"), ("d", "d")]),
        ("from a.b import c, d as e", [("c", "a.b.c"), ("e", "a.b.d")]),
        ("from . import c", [("c", ".c")]),
        ("from ..a import c", [("c", "..a.c")]),
        ("from a import *", [("*", "a.*")]),
    ],
)
def test_import_bindings(text: str, expected: list[tuple[str, str]]) -> None:
    statement = ast.parse(text).body[0]
    assert isinstance(statement, (ast.Import, ast.ImportFrom))
    assert [(bound, path) for bound, path, _ in import_bindings(statement)] == expected
