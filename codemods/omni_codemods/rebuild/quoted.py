"""Names in annotations that are written as strings."""

from __future__ import annotations

import ast
import keyword
import re

from omni_codemods.text.parsing import find_tree, parse
from omni_codemods.text.skim import without_bodies
from omni_codemods.text.walks import iter_annotations, walk

_QUOTED = re.compile(r"(?::|->|\[|,|\|)\s*[\"']\w")
# A line that begins as an annotated name does (or as an entry of a dictionary) and may quote.
_ANNOTATED = re.compile(
    r"""\n[ \t]*([A-Za-z_]\w*)(?:\.\w+)*[ \t]*:[^\n]*?(?:["']|[\[(,|\\][ \t]*(?=\n))"""
)


def quoted_names(source: str) -> set[str]:
    """Return the names in annotations of *source* that are written as strings."""
    out: set[str] = set()
    if not _QUOTED.search(source):
        return out
    header = without_bodies(source)
    alone = source.count("def ") == 1 and "class " not in source
    if alone and _annotated(source) == _annotated(header):
        source = header  # nothing in the body is annotated
    for note in iter_annotations(parse(source)):
        for part in walk(note):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                inner = find_tree(part.value.strip())
                if inner is None:
                    continue
                out |= {n.id for n in walk(inner) if isinstance(n, ast.Name)}
    return out


def _annotated(text: str) -> int:
    return sum(not keyword.iskeyword(name) for name in _ANNOTATED.findall(text))
