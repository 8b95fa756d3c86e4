"""What a revision names: the full SHA of one commit, or why it names none."""

from __future__ import annotations

import re

from omni_codemods.findings.suggest import find_close
from omni_port.base.errors import RevisionError
from omni_port.revisions.model import Named
from omni_port.revisions.opening import GitFailed, Repository

# HEAD@{2 days ago}, HEAD^{/mend it} and :/mend it may hold anything.
_FREE_TEXT = re.compile(r"\{[^}]*\}|^:/.*", re.DOTALL)
_SHORT_SHA = re.compile(r"[0-9a-f]{4,64}", re.IGNORECASE)


def resolve(repository: Repository, spelling: str) -> Named:
    """Return the commit that *spelling* names: a tag, a branch, a SHA, ``HEAD~2``...

    Annotated tags are peeled. Raises RevisionError.
    """
    known = repository.names.get(spelling)
    if known is not None:
        return known
    check_spelling(spelling)
    try:
        named = _resolve(repository, spelling)
    except GitFailed as error:
        raise _explain(repository, spelling, error) from error
    repository.names[spelling] = named
    return named


def check_spelling(spelling: str) -> None:
    """Raise RevisionError for what cannot be a revision whatever the repository."""
    if not spelling.strip():
        hint = "write the tag, the branch or the commit"
        raise RevisionError("a revision is empty", hint=hint)
    if spelling.startswith("-"):
        message = f"{spelling!r} is not a revision: it would be an option to git"
        raise RevisionError(message, hint="write the tag, the branch or the commit")
    if spelling != spelling.strip() or not spelling.isprintable():
        message = f"{spelling!r} is not a revision: it has spaces around it, or a line break"
        raise RevisionError(message, hint="take them away")
    plain = _FREE_TEXT.sub("", spelling)
    if ".." in plain or plain.startswith("^") or plain.endswith("^@"):
        message = f"{spelling!r} is a range, and names no single commit"
        raise RevisionError(message, hint="write one tag, branch or commit")


def _resolve(repository: Repository, spelling: str) -> Named:
    options = ("-c", "core.warnAmbiguousRefs=true")
    if spelling.startswith(":/"):  # what follows would be part of the text
        sha = repository.run("rev-parse", "--verify", spelling).strip()
        return Named(sha)
    peeled = f"{spelling}^{{commit}}"
    out, said = repository.run_extended("rev-parse", "--verify", peeled, options=options)
    return Named(out.strip(), _ambiguous(repository, spelling) if "ambiguous" in said else "")


def _ambiguous(repository: Repository, spelling: str) -> str:
    plain = re.split(r"[~^@]", spelling, maxsplit=1)[0]
    listed = repository.run("for-each-ref", "--format=%(refname)").splitlines()
    ends = (f"refs/tags/{plain}", f"refs/heads/{plain}", f"refs/remotes/{plain}")
    found = [name for name in ends if name in listed]
    if len(found) < 2:
        return f"{plain!r} is ambiguous"
    return f"{plain!r} names {' and '.join(found)}: {found[0]} counts"


def _explain(repository: Repository, spelling: str, error: GitFailed) -> RevisionError:
    where = repository.spelling
    if "ambiguous" in error.stderr and _SHORT_SHA.fullmatch(spelling):
        message = f"{spelling!r} is the beginning of several objects in {where!r}"
        return RevisionError(message, hint="write more of it")
    kind = _kind(repository, spelling)
    if kind in ("blob", "tree"):
        message = f"{spelling!r} names a {kind} in {where!r}, not a commit"
        return RevisionError(message, hint="write the tag, the branch or the commit")
    return _unknown(repository, spelling)


def _kind(repository: Repository, spelling: str) -> str:
    """Return the type of the object that *spelling* names, tags peeled; or nothing."""
    for name in (f"{spelling}^{{}}", spelling):
        try:
            return repository.run("cat-file", "-t", name).strip()
        except GitFailed:
            continue
    return ""


def _unknown(repository: Repository, spelling: str) -> RevisionError:
    where = repository.spelling
    listed = repository.run("for-each-ref", "--format=%(refname:short)").splitlines()
    ends = [name for name in listed if name.endswith(f"/{spelling}")]
    close = ends or find_close(spelling, listed)
    hints = ["close: " + ", ".join(close)] if close else []
    if is_shallow(repository):
        fetch = f"the clone is shallow: git -C {where} fetch --unshallow --tags may bring it"
    elif _SHORT_SHA.fullmatch(spelling):
        fetch = f"git -C {where} fetch may bring it"
    else:
        fetch = f"git -C {where} fetch --tags may bring it"
    return RevisionError(
        f"unknown revision {spelling!r} in {where!r}", hint="; ".join([*hints, fetch])
    )


def is_shallow(repository: Repository) -> bool:
    """Whether the history of the clone is cut off."""
    return repository.run("rev-parse", "--is-shallow-repository").strip() == "true"


def is_ancestor(repository: Repository, one: str, other: str) -> bool:
    """Whether the commit *one* is *other*, or lies in its history; both are full SHAs."""
    try:
        repository.run("merge-base", "--is-ancestor", one, other)
    except GitFailed as error:
        if error.status != 1:
            raise
        return False
    return True


def tags_at(repository: Repository, sha: str) -> list[str]:
    """Return the tags that point at the commit *sha*."""
    return repository.run("tag", "--points-at", sha).splitlines()
