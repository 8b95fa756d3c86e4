"""What of local code fits one version of its upstreams, and no longer fits another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from omni_codemods.checks.arguments import find_callee
from omni_codemods.checks.contract import check_contract
from omni_codemods.checks.imports import Where
from omni_codemods.checks.misfit import Misfit, Trust
from omni_codemods.findings.check_codes import (
    CALL_MISFIT,
    INIT_LAGS,
    OTHER_SIGNATURE,
    PATCH_MISFIT,
)
from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Finding
from omni_codemods.impact.end import End
from omni_codemods.impact.held import Counterpart, find_counterparts
from omni_codemods.sources.guards import Versions
from omni_codemods.sources.kin import Kin, KinFile
from omni_codemods.sources.modules import Sources
from omni_codemods.sources.subject import Subject, World, make_world, open_subject
from omni_codemods.text.dotted import last_part
from omni_codemods.text.parsing import kept_tree

# What a message says of places, which differ from version to version.
_OWN_WAYS = frozenset({OTHER_SIGNATURE.code, INIT_LAGS.code, PATCH_MISFIT.code})
_PLACE = re.compile(r" \([^()]*\)|\bline \d+")


@dataclass(frozen=True, slots=True)
class LocalText:
    """A local file: *module* is its dotted name (any unique one where it stands in no package)."""

    path: str
    module: str
    text: str
    package: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A misfit in the file *path*; columns are in characters."""

    path: str
    misfit: Misfit

    @property
    def key(self) -> tuple[str, str, int, int, str]:
        """What is the same at both ends where nothing changed."""
        one = self.misfit.finding
        return self.path, one.code, one.line, one.column, _PLACE.sub("", one.message)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one version of the upstreams says of the local files.

    *misfits* are all of them; *held* are the upstream functions that local ones may be copies of;
    *positions* are the parameters to which calls give their arguments
    by position, by path, line and column of the call. *unread* are upstream modules that could
    not be parsed: nothing of them is known. *left* are local files that are not Python.
    """

    misfits: tuple[Placed, ...]
    positions: dict[tuple[str, int, int], tuple[str, tuple[str, ...], tuple[str, ...]]]
    held: tuple[Counterpart, ...] = ()
    unread: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def told(self) -> tuple[Placed, ...]:
        """The misfits that say something without another reading beside them."""
        return tuple(one for one in self.misfits if one.misfit.trust is not Trust.UNSEEN)


def make_kin(files: Sequence[LocalText]) -> Kin:
    """Return what *files* do together: the same for every end."""
    return Kin([KinFile(one.module, one.text, one.package) for one in files])


def read_contract(
    files: Iterable[LocalText],
    sources: Sources,
    versions: Versions | None = None,
    kin: Kin | None = None,
    where: Where | None = None,
) -> Reading:
    """Return what *sources* (which hold the local files, too) say of *files*.

    *kin* is what :func:`make_kin` gives for them and for all beside them.
    """
    if kin is None:
        files = list(files)
        kin = make_kin(files)
    world = make_world(sources, kin, versions)
    found: list[Placed] = []
    positions: dict[tuple[str, int, int], tuple[str, tuple[str, ...], tuple[str, ...]]] = {}
    held: list[Counterpart] = []
    left: list[str] = []
    end = End(sources)
    for file in files:
        subject = _open(file, world)
        if subject is None:
            left.append(file.path)
            continue
        lines = file.text.split("\n")
        told = check_contract(subject, where)
        found += [Placed(file.path, _in_characters(one, lines)) for one in told]
        positions.update(_positions(file, subject))
        held += find_counterparts(subject, file.path, end)
    return Reading(tuple(found), positions, tuple(held), sources.unread(), tuple(left))


def merge_readings(parts: Sequence[Reading]) -> Reading:
    """Return the reading of all files together, from those of some of them each."""
    positions = {key: value for one in parts for key, value in one.positions.items()}
    return Reading(
        tuple(found for one in parts for found in one.misfits),
        positions,
        tuple(found for one in parts for found in one.held),
        tuple(sorted({name for one in parts for name in one.unread})),
        tuple(name for one in parts for name in one.left),
    )


def _open(file: LocalText, world: World) -> Subject | None:
    tree = kept_tree(file.text)
    if tree is None:
        return None
    try:
        return open_subject(file.text, tree, file.module, file.package, world)
    except SourceError:
        return None


def _in_characters(one: Misfit, lines: Sequence[str]) -> Misfit:
    found = one.finding
    line = lines[found.line - 1] if found.line <= len(lines) else ""
    column = len(line.encode()[: found.column].decode(errors="ignore"))
    return replace(one, finding=replace(found, column=column))


def _positions(
    file: LocalText, subject: Subject
) -> Iterator[tuple[tuple[str, int, int], tuple[str, tuple[str, ...], tuple[str, ...]]]]:

    for site in subject.sites:
        call = site.node
        if not isinstance(call, ast.Call) or not call.args or site.guard.typing:
            continue
        if any(isinstance(one, ast.Starred) for one in call.args):
            continue
        callee = find_callee(call, site.frame, subject)
        if callee is not None and callee.given is None and subject.holds(callee.path):
            given = callee.parameters.positional[: len(call.args)]
            key = file.path, call.lineno, call.col_offset
            yield key, (callee.path, given, callee.parameters.names)


def compare_readings(old: Reading, new: Reading) -> tuple[Placed, ...]:
    """Return what does not fit *new* and did fit *old*, in the order of files and lines.

    Nothing of what hangs on a module that one of the two could not parse.
    """
    before = {one.key for one in old.misfits}
    unread = {*old.unread, *new.unread}
    # What hangs on no upstream name is the same at both ends.
    found = [one for one in new.misfits if one.misfit.subject and one.key not in before]
    told = {(one.path, one.misfit.finding.line) for one in found}
    found += [one for one in _shifted(old, new) if (one.path, one.misfit.finding.line) not in told]
    # What did not fit in another way at the same place was for another version already, or is
    # another function on purpose.
    wrong = {
        (p.path, p.misfit.finding.code, p.misfit.finding.line)
        for p in old.misfits
        if p.misfit.trust is Trust.SURE or p.misfit.finding.code in _OWN_WAYS
    }
    kept = (
        one
        for one in found
        if (one.path, one.misfit.finding.code, one.misfit.finding.line) not in wrong
        and not any(one.misfit.subject.startswith(f"{module}.") for module in unread)
    )
    every = {one.key: one for one in kept}
    return tuple(sorted(every.values(), key=lambda p: (p.path, p.misfit.finding.line)))


def _shifted(old: Reading, new: Reading) -> Iterator[Placed]:
    """Calls that fit, and give an argument to another parameter than before."""
    for key, (path, given, names) in new.positions.items():
        if key not in old.positions:
            continue
        _, was, known = old.positions[key]
        for number, (before, now) in enumerate(zip(was, given, strict=False)):
            # Under a new name alone it is the same parameter.
            if before != now and (now in known or before in names):
                name = last_part(path)
                message = f"argument {number + 1} of {name} is {now} now (was {before})"
                place = Finding(
                    CALL_MISFIT.code, key[1], key[2], message, "Pass it by name.",
                )  # fmt: skip
                yield Placed(key[0], Misfit(place, path))
                break
