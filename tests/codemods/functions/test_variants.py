"""Several definitions of one name: what each is, and which is which."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.functions.variants import find_partner, find_variants, match_variants, repeated

GETTER = "@property\ndef f(self):\n    return self.a\n"
SETTER = "@f.setter\ndef f(self, v):\n    self.a = v\n"
DELETER = "@f.deleter\ndef f(self):\n    del self.a\n"
PLAIN = "def f(self, n):\n    a = self.a(n)\n    b = self.b(a)\n    return b\n"
OTHER = "def f(self, n):\n    x = open(n)\n    with x:\n        return x.read(1, 2, 3)\n"


def cls(*parts: str) -> str:
    return "class R:\n" + textwrap.indent("".join(parts), "    ")


def branch(first: str, second: str, test: str = "A") -> str:
    first, second = (textwrap.indent(x, "    ") for x in (first, second))
    return f"if {test}:\n{first}else:\n{second}"


def guarded(first: str, second: str, error: str = "ImportError") -> str:
    first, second = (textwrap.indent(x, "    ") for x in (first, second))
    return f"try:\n    import fast\n{first}except {error}:\n{second}"


def matched(left: str, right: str) -> list[tuple[int, int]]:
    """Which definition of *left*, by its number, is which of *right*."""
    one, two = (find_variants(x, "f", "R", side="") for x in (left, right))
    found = match_variants(one, two)
    return [(n, two.index(found[v])) for n, v in enumerate(one) if v in found]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (cls(PLAIN), ["definition"]),
        (cls(GETTER, SETTER, DELETER), ["definition", "setter", "deleter"]),
        (cls(SETTER.replace("@f", "@Base.f")), ["setter"]),
        (
            cls("@overload\n", PLAIN, "@typing.overload\n", PLAIN, PLAIN),
            ["overload"] * 2 + ["definition"],
        ),
        (cls(branch(PLAIN, PLAIN)), ["definition (under if A)", "definition (under else A)"]),
        (
            cls(guarded(PLAIN, PLAIN)),
            ["definition (under try)", "definition (under except ImportError)"],
        ),
        (cls(PLAIN, PLAIN), ["definition", "definition"]),
        (cls("@f.register(int)\n", PLAIN, PLAIN), ["register(int)", "definition"]),
    ],
)
def test_what_each_is(text: str, said: list[str]) -> None:
    assert [v.describe() for v in find_variants(text, "f", "R", side="")] == said


@pytest.mark.parametrize(
    ("left", "right", "pairs"),
    [
        (cls(GETTER, SETTER), cls(GETTER, SETTER, DELETER), [(0, 0), (1, 1)]),
        (cls(GETTER, DELETER), cls(GETTER, SETTER, DELETER), [(0, 0), (1, 2)]),
        (cls(SETTER), cls(GETTER, SETTER), [(0, 1)]),
        (cls(GETTER), cls(GETTER, SETTER), [(0, 0)]),
        (cls(PLAIN), cls(OTHER), [(0, 0)]),
        (cls(branch(PLAIN, OTHER)), cls(branch(PLAIN, OTHER)), [(0, 0), (1, 1)]),
        (cls(branch(PLAIN, OTHER)), cls(branch(PLAIN, OTHER, "B")), [(0, 0), (1, 1)]),
        (cls(branch(PLAIN, OTHER)), cls(OTHER), [(1, 0)]),
        (cls(branch(PLAIN, OTHER)), cls(PLAIN), [(0, 0)]),
        (cls(PLAIN), cls(branch(OTHER, PLAIN)), [(0, 1)]),
        (cls(guarded(PLAIN, OTHER)), cls(guarded(PLAIN, OTHER, "OSError")), [(0, 0), (1, 1)]),
        (cls(PLAIN), cls(PLAIN, PLAIN), [(0, 1)]),
        (cls(PLAIN, PLAIN), cls(PLAIN), [(1, 0)]),
        (cls(PLAIN, OTHER), cls(PLAIN, OTHER), [(0, 0), (1, 1)]),
    ],
)
def test_which_is_which(left: str, right: str, pairs: list[tuple[int, int]]) -> None:
    assert matched(left, right) == pairs
    assert sorted(matched(right, left)) == sorted((b, a) for a, b in pairs)


def test_overloads_go_by_their_signatures() -> None:
    def overload(kind: str) -> str:
        return f"@overload\ndef f(self, a: {kind}): ...\n"

    old, new = (
        [*map(overload, kinds), PLAIN] for kinds in (("int", "str"), ("str", "bytes", "int"))
    )
    assert matched(cls(*old), cls(*new)) == [(0, 2), (1, 0), (2, 3)]


def test_a_definition_that_a_later_one_takes_the_place_of() -> None:
    variants = find_variants(cls(PLAIN, PLAIN, GETTER, SETTER), "f", "R", side="")
    assert [v.where.number for v in repeated(variants)] == [0, 1]
    assert not repeated(find_variants(cls(branch(PLAIN, PLAIN)), "f", "R", side=""))


def test_the_partner_of_one_that_is_alone_is_the_last() -> None:
    text, other = cls(GETTER), find_variants(cls(GETTER, SETTER), "f", "R", side="")
    where = find_variants(cls(GETTER, SETTER), "f", "R", side="")[0].where
    assert find_partner(where, cls(GETTER, SETTER), other) == other[0].where
    alone = find_variants(text, "f", "R", side="")[0].where
    assert find_partner(alone, text, other) == other[-1].where
