"""What to look for before parsing: a file without it has nothing to translate."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from omni_codemods.table.table import Table
from omni_codemods.text.dotted import last_part
from omni_codemods.translate.index import TableIndex, build_index


@dataclass(frozen=True, slots=True, eq=False)
class Needles:
    """*words* are looked for as whole words; a path counts only with its module's last name.

    *pairs* maps that module name to the names looked for in files that hold it.
    """

    pairs: dict[str, tuple[str, ...]]
    words: tuple[str, ...]

    def find_words(self, text: str) -> tuple[str, ...]:
        """The words that occur in *text*, whole; empty if there is nothing to look into."""
        found = [word for word in self.words if word in text]
        for tail, names in self.pairs.items():
            if tail in text:
                found.extend(name for name in names if name in text)
        return tuple(word for word in dict.fromkeys(found) if _stands_alone(word, text))


@functools.lru_cache(maxsize=16)
def build_needles(table: Table, dialect: str) -> Needles:
    """The needles of *table*."""
    index = build_index(table, dialect)
    spaces = tuple(namespace.gpu for namespace in index.namespaces)
    pairs: dict[str, list[str]] = {}
    for path in index.paths:
        module, _, name = path.rpartition(".")
        if not path.startswith(tuple(f"{space}." for space in spaces)):
            pairs.setdefault(last_part(module), []).append(name)
    return Needles(
        {tail: tuple(dict.fromkeys(names)) for tail, names in pairs.items()},
        tuple(dict.fromkeys(_single_words(index, spaces))),
    )


def _single_words(index: TableIndex, spaces: tuple[str, ...]) -> list[str]:
    words = [last_part(space) for space in spaces]
    words += [entry.gpu for entry in index.literals]
    # PyTorch takes the name of a backend in capitals as well.
    words += [f"{q}{entry.gpu.upper()}{q}" for entry in index.backends for q in "\"'"]
    pairs = [f"{d.gpu}:{b.gpu}" for d in index.devices for b in index.backends]
    words += [pair.upper() for pair in pairs]
    words += [*index.environment, *index.members, *index.methods]
    words += index.dotted
    for key, callee in index.callees.items():
        if key.startswith("*."):
            words += callee.keywords
    return words


def _stands_alone(word: str, text: str) -> bool:
    return _whole_word(word).search(text) is not None


@functools.lru_cache(maxsize=512)
def _whole_word(word: str) -> re.Pattern[str]:
    # The literal comes first so that the engine can search for it directly.
    return re.compile(rf"{re.escape(word)}(?!\w)(?<!\w{re.escape(word)})")
