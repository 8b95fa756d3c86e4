"""With which revision of its own project a copy is in step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from omni_port.base.errors import RevisionError
from omni_port.revisions import checkout_of
from omni_port.sources.history import Versions
from omni_port.survey.draft import SiblingsDraft
from omni_port.survey.search import Index


def find_step(index: Index, paths: Iterable[str]) -> SiblingsDraft:
    """Return the revision of the project at which the copies in *paths* were nearest to now.

    What stood beside them then is what they are in step with: a guess, and the best there is. Of
    equal tags it is the first: since then the copies did not change.
    """
    checkout = checkout_of(index.root)
    if checkout is None or checkout.head is None:
        how = "this project is in no git repository with a commit"
        return SiblingsDraft(None, how, guessed=True)
    texts = {path: index.text(path) for path in paths}
    versions = [Versions(path, repository=str(index.root), until="HEAD") for path in texts]
    differences = _differences(versions, texts)
    if differences:
        best = min(differences, key=lambda name: differences[name])
        how = f"the tag at which the copies are nearest to now: {_lines(differences[best])}"
        return SiblingsDraft(best, how, guessed=True)
    commits = [sha for one in versions for _, sha, _ in one.commits(None, "HEAD")[-1:]]
    if commits:
        return SiblingsDraft(commits[-1][:12], "the last commit that changed a copy", guessed=True)
    return SiblingsDraft(None, "git has no earlier version of the copies", guessed=True)


def _differences(versions: Iterable[Versions], texts: Mapping[str, str]) -> dict[str, int]:
    """By the tags that have the most of the files: how many lines differ from now."""
    found: dict[str, list[int]] = {}
    for one in versions:
        try:
            for name, _, text in one.tags():
                found.setdefault(name, []).append(_difference(text, texts[one.path]))
        except RevisionError:
            continue
    most = max(map(len, found.values()), default=0)
    return {name: sum(counts) for name, counts in found.items() if len(counts) == most}


def _lines(count: int) -> str:
    if count == 0:
        return "they are the same"
    return "1 line differs" if count == 1 else f"{count} lines differ"


def _difference(one: str, other: str) -> int:
    before, after = Counter(one.splitlines()), Counter(other.splitlines())
    return sum((before - after).values()) + sum((after - before).values())
