"""Which upstream function a local one is a copy of, whatever its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from omni_codemods.findings.errors import SourceError
from omni_codemods.provenance.provenance import Fit, find_fit
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import Located

# Shorter functions look alike by chance.
FEW_TOKENS = 40
# What a copy has at least of the original's token sequences; below, nothing is compared closely.
_SAME_NAME = 0.2
_OTHER_NAME = 0.5
_CLOSELY = 3
# How much more a function further away must be like local than a nearer one.
_FURTHER = 0.1

_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#[^\n]*")
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Original:
    """An upstream function; *owner* is the caller's word for the file that it stands in."""

    owner: str
    located: Located

    @property
    def name(self) -> str:
        """The last part of its qualified name."""
        return last_part(self.located.qualname)


@dataclass(frozen=True, slots=True)
class Copy:
    """A local function, the upstream function that it is a copy of, and how well it fits."""

    local: Located
    original: Original
    fit: Fit


@dataclass(slots=True)
class Pool:
    """Upstream functions that local ones may be copies of; earlier ones win where both fit."""

    originals: Sequence[Original]
    _features: dict[str, frozenset[tuple[str, ...]]] = field(default_factory=dict)

    def find(self, local: Located, *, renamed: bool = False) -> Copy | None:
        """Return what *local* is a copy of, ``None`` where it is of nothing.

        It is a function of the same name; with *renamed*, or else the likeliest of another name.
        """
        name = last_part(local.qualname)
        same = [o for o in self.originals if o.name == name]
        found = self._best(local, self._close(local, same, _SAME_NAME))
        if found is None and renamed:
            others = [o for o in self.originals if o.name != name]
            found = self._best(local, self._close(local, others, _OTHER_NAME))
        return found

    def _close(self, local: Located, originals: Iterable[Original], least: float) -> list[Original]:
        """Those worth comparing closely, in the order of the pool."""
        mine = self._sequences(local)
        if len(mine) < FEW_TOKENS:
            return []
        scored = [(self._held(mine, one), -at, one) for at, one in enumerate(originals)]
        scored = sorted(scored, key=lambda entry: entry[:2], reverse=True)[:_CLOSELY]
        return [one for share, at, one in sorted(scored, key=lambda e: -e[1]) if share >= least]

    def _held(self, mine: frozenset[tuple[str, ...]], original: Original) -> float:
        """The share of the original's token sequences that are among *mine*."""
        theirs = self._sequences(original.located)
        return len(mine & theirs) / len(theirs) if len(theirs) >= FEW_TOKENS else 0.0

    def _sequences(self, where: Located) -> frozenset[tuple[str, ...]]:
        if where.text not in self._features:
            self._features[where.text] = _sequences(where.text)
        return self._features[where.text]

    def _best(self, local: Located, originals: Iterable[Original]) -> Copy | None:
        best: Copy | None = None
        for original in originals:
            try:
                fit = find_fit(local, original.located)
            except SourceError:
                continue
            # More of its own than the original has code: that is another function.
            if not fit.is_copy or fit.left > len(_tokens(original.located.text)):
                continue
            if best is None or fit.copied > best.fit.copied + _FURTHER:
                best = Copy(local, original, fit)
        return best


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_COMMENT.sub("", text))


def _sequences(text: str) -> frozenset[tuple[str, ...]]:
    """The runs of three tokens of *text*; layout and comments do not count."""
    tokens = _tokens(text)
    return frozenset(zip(tokens, tokens[1:], tokens[2:], strict=False))


def nearest(
    local: Located, versions: Sequence[tuple[str, Located]], most: int
) -> list[tuple[str, Located]]:
    """Return those of *versions* whose code is among the *most* likest local, in their order.

    Versions with the same text count as one.
    """
    mine = _sequences(local.text)
    scores = {where.text: _alike(mine, _sequences(where.text)) for _, where in versions}
    chosen = sorted(scores, key=lambda text: -scores[text])[:most]
    return [(name, where) for name, where in versions if where.text in chosen]


def _alike(a: frozenset[tuple[str, ...]], b: frozenset[tuple[str, ...]]) -> float:
    return len(a & b) / len(a | b) if a or b else 1.0
