"""Small functions as trees, and the nodes in them: what the tests of the engine's stages share."""

from __future__ import annotations

import textwrap

from omni_codemods.functions.account import Account, Item
from omni_codemods.functions.align import align
from omni_codemods.functions.alignment import Alignment
from omni_codemods.functions.diff import Ledger, make_ledger
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.functions.tree import Node, Tree, parse_function
from omni_codemods.rebuild.attempts import WORDS
from omni_codemods.replay.facts import Facts, Options
from omni_codemods.replay.plan import Plan
from omni_codemods.replay.replay import replay
from omni_codemods.replay.versions import Versions


def suite(text: str, header: str = "def run(self):") -> str:
    """A function of one header with the dedented *text* as its body."""
    return f"{header}\n{textwrap.indent(textwrap.dedent(text).strip(chr(10)), '    ')}\n"


def tree_of(text: str) -> Tree:
    """The tree of a function with the body *text*."""
    return parse_function(suite(text))


def body_of(tree: Tree) -> list[Node]:
    """The statements of the function itself."""
    return tree.root.children[-1].children


def node(tree: Tree, start: str, nth: int = 0) -> Node:
    """The *nth* node whose own text starts with *start*."""
    found = [n for n in tree.root.walk() if n.lines and n.lines[0].strip().startswith(start)]
    return found[nth]


def statement(text: str) -> Node:
    """The node of one statement, or of the header of a compound one."""
    first = body_of(tree_of(text))[0]
    return first if first.lines else first.children[0]


def pairs(alignment: Alignment) -> list[tuple[str, str]]:
    """The paired own texts, in the order of the left function; the header apart."""
    found = [(a, b) for a, b in alignment.right.items() if a.lines and a.line > 1]
    found.sort(key=lambda p: p[0].line)
    return [(a.lines[0].strip(), b.lines[0].strip()) for a, b in found]


def aligned(left: str, right: str) -> tuple[Tree, Tree, Alignment]:
    """Two functions by their bodies, and their alignment."""
    one, other = tree_of(left), tree_of(right)
    return one, other, align(one, other)


def ledger_of(base: str, local: str) -> tuple[Tree, Tree, Ledger]:
    """Two functions by their bodies, and what the second changed."""
    one, other, alignment = aligned(base, local)
    return one, other, make_ledger(one.root, other.root, alignment)


def replayed(base: str, local: str, target: str) -> tuple[Plan, list[Item]]:
    """What a replay plans for three functions by their bodies, and its account."""
    one, mine, theirs = tree_of(base), tree_of(local), tree_of(target)
    account = Account(function_fences(mine).blocks, mine)
    by_local = align(one, mine)
    versions = Versions(one, mine, theirs, by_local, align(one, theirs))
    facts = Facts(versions, account, Options(words=WORDS))
    return replay(make_ledger(one.root, mine.root, by_local), facts), account.items
