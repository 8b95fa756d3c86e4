"""How alike two nodes are, and which of many are worth the question."""

from __future__ import annotations

from collections.abc import Sequence

from omni_codemods.functions.tree import Kind, Node
from omni_codemods.text.canonical import as_words
from omni_codemods.text.lexer import CLOSERS, OPENERS

# Below this likeness two statements are different statements.
THRESHOLD = 0.5
# What a like body counts for under another keyword (`if` become `while`), and another name.
OTHER_KEYWORD = 0.75
OTHER_NAME = 0.55


def likeness(a: Node, b: Node) -> float:
    """How alike two nodes are: 1 is the same code, below :data:`THRESHOLD` is other code."""
    if a.kind is not b.kind:
        return 0.0
    if a.kind is Kind.COMMENT:
        return _comment_likeness(a, b)
    if a.code == b.code:
        return 1.0
    if a.kind is Kind.STATEMENT:
        return _statement_likeness(a, b)
    if a.kind is Kind.CLAUSE:
        return _clause_likeness(a, b)
    return _compound_likeness(a, b)


# What more nodes than this have in common does not tell them apart.
COMMON = 60


class Shortlist:
    """Of many nodes, those that may be more alike to one than all others are.

    All of a few. Of many those that share with it what few others have: what they all say is no
    reason to compare two, and to compare each with each takes the square of the time.
    """

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._having: dict[object, list[int]] = {}
        for i, node in enumerate(nodes) if len(nodes) > COMMON else ():
            for feature in node.features:
                self._having.setdefault(feature, []).append(i)

    def of(self, node: Node) -> Sequence[Node]:
        """Return them in their order."""
        if not self._having:
            return self._nodes
        lists = (self._having.get(feature, ()) for feature in node.features)
        found = {i for those in lists if len(those) <= COMMON for i in those}
        return [self._nodes[i] for i in sorted(found)]


def dice(a: frozenset[object], b: frozenset[object]) -> float:
    """How much two sets of features have in common, 0 to 1."""
    total = len(a) + len(b)
    return 2 * len(a & b) / total if total else 1.0


def _comment_likeness(a: Node, b: Node) -> float:
    if a.head == b.head:
        return 1.0
    if a.fence or b.fence:
        return 0.0
    words_a, words_b = set(a.head.split()), set(b.head.split())
    return 2 * len(words_a & words_b) / (len(words_a) + len(words_b))


_OPENING_WORDS = frozenset(
    [
        "return",
        "raise",
        "assert",
        "import",
        "from",
        "del",
        "global",
        "nonlocal",
        "pass",
        "break",
        "continue",
        "if",
        "for",
        "while",
        "with",
        "try",
        "def",
        "class",
        "match",
        "case",
        "async",
        "elif",
        "else",
        "except",
        "finally",
    ]
)


def _statement_likeness(a: Node, b: Node) -> float:
    if a.word != b.word and (a.word in _OPENING_WORDS or b.word in _OPENING_WORDS):
        return 0.0
    score = dice(a.features, b.features)
    bound = _bound(a)
    if bound and bound == _bound(b):
        score = 0.4 + 0.6 * score
    return score


def _bound(node: Node) -> tuple[str, ...]:
    """What the statement assigns to, as tokens; nothing where it is no assignment."""
    depth = 0
    for i, text in enumerate(node.key):
        if depth == 0 and text in ("=", ":"):
            return node.key[:i]
        depth += (text in OPENERS) - (text in CLOSERS)
    return ()


def _clause_likeness(a: Node, b: Node) -> float:
    if a.word != b.word and {a.word, b.word} != {"if", "elif"}:
        return 0.0
    if a.word in ("else", "finally", "try", "@"):
        return 0.6 + 0.4 * _body_likeness(a, b)
    head = 1.0 if a.head == b.head else head_likeness(a, b)
    return 0.4 * head + 0.6 * _body_likeness(a, b)


def head_likeness(a: Node, b: Node) -> float:
    """How alike the own tokens of two nodes are, by which tokens there are."""
    left, right = set(as_words(a.key)), set(as_words(b.key))
    return 2 * len(left & right) / (len(left) + len(right))


def _body_likeness(a: Node, b: Node) -> float:
    return dice(a.features, b.features)


def main_clause(node: Node) -> Node:
    """The clause that names a compound: the first, past its decorators."""
    clauses = [c for c in node.children if c.kind is Kind.CLAUSE]
    return clauses[1] if clauses[0].word == "@" and len(clauses) > 1 else clauses[0]


def _compound_likeness(a: Node, b: Node) -> float:
    left, right = main_clause(a), main_clause(b)
    if left.word not in ("def", "class") and _most(a, b) < THRESHOLD:
        return 0.0  # too unequal in size to be worth counting
    if left.word != right.word:
        named = {left.word, right.word} & {"def", "class", "try", "match", "case"}
        nested = _holds(a, right.head) or _holds(b, left.head)
        return 0.0 if named or nested else OTHER_KEYWORD * dice(a.features, b.features)
    body = dice(a.features, b.features)
    if left.word in ("def", "class"):
        return 0.6 + 0.4 * body if defined_name(a) == defined_name(b) else OTHER_NAME * body
    head = 1.0 if left.head == right.head else head_likeness(left, right)
    return 0.4 * head + 0.6 * body


def _most(a: Node, b: Node) -> float:
    """The most that two compounds can be alike, going by their sizes alone."""
    return 0.4 + 0.6 * 2 * min(a.size, b.size) / (a.size + b.size)


def _holds(node: Node, head: str) -> bool:
    """Whether a compound with this header stands inside *node*: then it is wrapped, not changed."""
    return any(n.kind is Kind.CLAUSE and n.head == head for n in node.walk())


def defined_name(node: Node) -> str:
    """The name of a nested function or class, empty for anything else."""
    if node.kind is not Kind.COMPOUND:
        return ""
    key = main_clause(node).key
    at = next((i for i, word in enumerate(key[:2]) if word in ("def", "class")), -1)
    return key[at + 1] if at >= 0 else ""
