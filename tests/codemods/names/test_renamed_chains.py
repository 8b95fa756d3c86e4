"""Chains that two versions of a function spell differently."""

from __future__ import annotations

import ast
import textwrap

import pytest

from omni_codemods.names.renamed_chains import (
    count_chain,
    find_renamed_chains,
    is_gone,
    iter_chains,
)


def function(body: str) -> ast.Module:
    return ast.parse("def f(self, n):\n" + textwrap.indent(body, "    "))


def renamed(base: str, target: str) -> dict[str, str]:
    return dict(find_renamed_chains([function(base)], [function(target)]))


@pytest.mark.parametrize(
    ("base", "target", "old", "new"),
    [
        ("r = int(cfg.server_rank)", "r = int(cfg.role_rank)", "cfg.server_rank", "cfg.role_rank"),
        ("p = self.pos.gpu[:n]", "p = self.pos[:n]", "self.pos.gpu", "self.pos"),
        ("p = self.pos[:n]", "p = self.pos.gpu[:n]", "self.pos", "self.pos.gpu"),
        ("self.pos.copy_(n)", "self.pos.gpu.copy_(n)", "self.pos", "self.pos.gpu"),
        ("self.topo = n", "self.mesh = n", "self.topo", "self.mesh"),
        ("if self.c.xsize and n: n()", "if self.c.size and n: n()", "self.c.xsize", "self.c.size"),
        ("x = self.rank", "x = self.rank()", "self.rank", "self.rank()"),
        ("x = cfg.rank + 1", "x = cfg.ranks.rank[0] + 1", "cfg.rank", "cfg.ranks.rank[0]"),
        ("x = cfg.rank", "x = get_group().rank", "cfg.rank", "get_group().rank"),
        ("x = old.rank", "x = new.rank", "old.rank", "new.rank"),
        ("x = f(cfg.a, 1)", "x = f(cfg.b, 1, new=2)", "cfg.a", "cfg.b"),
        ("with g(self.a.lock): n()", "with g(self.b.lock): n()", "self.a", "self.b"),
        (
            "for i in self.r.ids: n(i)",
            "for i in self.r.req_ids: n(i)",
            "self.r.ids",
            "self.r.req_ids",
        ),
        ("return f(n)[self.ids]", "return f(n)[self.req_ids]", "self.ids", "self.req_ids"),
    ],
)
def test_a_statement_that_is_the_same_but_for_a_chain(
    base: str, target: str, old: str, new: str
) -> None:
    assert renamed(base, target) == {old: new}
    assert renamed(f"n = 1\n{base}\nn = 2", f"n = 1\nn(0)\n{target}\nn = 2") == {old: new}


@pytest.mark.parametrize(
    ("base", "target"),
    [
        ("self.end(n)", "self.note(n)"),  # another call, not another name
        ("a.b(c)", "d.e(f)"),
        ("x = self.a", "y = self.b"),
        ("x = self.a_size", "x = self.b_size + 1"),
        ("x = self.a", "x = f(self.a)"),
        ("x = self.size", "x = 1"),
        ("x = size", "x = self.size"),  # no chain: a variable
        ("x = f(self.size)\ny = f(self.size)", "x = f(self.n_size)\ny = f(self.m_size)"),
    ],
)
def test_what_shows_no_new_name(base: str, target: str) -> None:
    assert renamed(base, target) == {}


def test_several_in_a_row() -> None:
    found = renamed("self.a = n\nself.b = n(1)", "self.c = n\nself.d = n(1)")
    assert found == {"self.a": "self.c", "self.b": "self.d"}


def test_what_is_gone() -> None:
    text = "x = self.pos.gpu\ny = self . rank\nz = other.self.size\nself.pos_ids\n"
    assert count_chain("self.pos", text) == 1
    assert count_chain("self.rank", text) == 1
    assert is_gone("self.size", "self.n_size", text)
    assert is_gone("self.pos", "self.pos.gpu", text)
    assert not is_gone("self.pos", "self.positions", text)
    assert not is_gone("self.rank", "self.rank.id", text)


def test_the_longest_chains_alone() -> None:
    found = iter_chains(ast.parse("a.b.c(d, e.f).g\nx[i].y\n"))
    assert sorted((r.chain, r.line, r.column) for r in found) == [("a.b.c", 1, 0), ("e.f", 1, 9)]
