"""From a checkout and the names of its upstreams to a draft of the project file. Writes nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from omni_codemods.provenance.best_match import Pool
from omni_codemods.text.dotted import first_part, owner_of
from omni_port import revisions
from omni_port.base.progress import step
from omni_port.base.words import count
from omni_port.sources.history import Ranking
from omni_port.sources.upstream import Tree, Upstream, open_upstream
from omni_port.survey.copies import Copies, Found, Sign, find_copies, function_names, methods_in
from omni_port.survey.draft import Draft, PortDraft, SiblingsDraft, UpstreamDraft
from omni_port.survey.grouping import Group, group_copies
from omni_port.survey.origins import Origin, Origins, own_base
from omni_port.survey.search import (
    Candidate,
    Index,
    find_candidates,
    index_project,
    other_candidates,
)
from omni_port.survey.siblings import Sibling, find_sibling
from omni_port.survey.step import find_step

# With so many functions of a sibling its upstream is told.
_TELLING = 3
_LOOKS = 3
# So many new functions of a mirrored file are named.
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class SurveyRequest:
    """The project in *root*, and its upstreams; *paths* (default: all) are where to look.

    *siblings* is the revision that the copies are in step with, where a person says so. With
    *everything*, files without fences and notes are looked at as well; with *mirrored*, all that
    is in a file which mirrors an upstream's.
    """

    root: Path
    upstreams: tuple[Upstream, ...]
    paths: tuple[Path, ...] = ()
    exclude: tuple[str, ...] = ()
    siblings: str | None = None
    everything: bool = False
    mirrored: bool = False


def survey_project(request: SurveyRequest) -> Draft:
    """Look the project over and return what its project file may say; raises OmniPortError."""
    with revisions.session():
        return _Survey(request).draft()


@dataclass(slots=True)
class _Survey:
    request: SurveyRequest
    index: Index = field(init=False)
    origins: dict[str, Origins] = field(init=False)
    candidates: list[Candidate] = field(default_factory=list)
    _siblings: dict[tuple[str, str], Sibling | None] = field(default_factory=dict)
    _rankings: dict[tuple[str, str, str], Ranking | None] = field(default_factory=dict)
    _lineage: dict[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        request = self.request
        self.index = index_project(request.root, request.paths, request.exclude)
        self.origins = {u.name: Origins(u, request.root) for u in request.upstreams}

    def draft(self) -> Draft:
        """Look again where the last look was at another revision than that of the copies."""
        known: dict[str, Origin] = {}
        with self._opened({}) as trees:
            for tree in trees:
                origin = self.origins[tree.upstream.name].pinned(list(tree.packages))
                known |= {} if origin is None else {tree.upstream.name: origin}
            packages = [name for tree in trees for name in tree.packages]
            self.candidates = find_candidates(self.index, packages)
            if self.request.mirrored:
                self.candidates += other_candidates(self.index, self.candidates)
        found, looks = known, 0
        while True:
            used, looks = found, looks + 1
            with self._opened(used) as trees:
                copies, step = self._look(trees)
                found = {**self._tell(trees, copies, step), **known}
                settled = all(_looked(used, u) == _looked(found, u) for u in self.request.upstreams)
                if settled or looks == _LOOKS:
                    return self._draft(trees, copies, found, step)

    @contextlib.contextmanager
    def _opened(self, known: dict[str, Origin]) -> Iterator[list[Tree]]:
        with contextlib.ExitStack() as stack:
            trees = []
            for upstream in self.request.upstreams:
                one = open_upstream(upstream, self.request.root, _looked(known, upstream))
                trees.append(stack.enter_context(one))
            yield trees

    def _look(self, trees: Sequence[Tree]) -> tuple[Copies, SiblingsDraft | None]:
        self._siblings.clear()
        everything = self.request.everything or not any(c.marked for c in self.candidates)
        step("looking for copies of the upstreams' code")
        copies = find_copies(
            self.index,
            self.candidates,
            trees,
            everything=everything,
            mirrored=self.request.mirrored,
        )
        pairs = {(f.path, owner_of(f.local)) for f in copies.found if "." in f.local}
        for path, cls in sorted(pairs):
            self._siblings[path, cls] = find_sibling(self.index, copies, path, cls)
        mirrored = [path for (path, _), sibling in self._siblings.items() if sibling]
        if not mirrored:
            return copies, None
        given = self.request.siblings
        if given is not None:
            return copies, SiblingsDraft(given, "as given", guessed=False)
        return copies, find_step(self.index, mirrored)

    def _tell(
        self, trees: Sequence[Tree], copies: Copies, step: SiblingsDraft | None
    ) -> dict[str, Origin]:
        """Say for each upstream which revision the copies were made from."""
        out = {}
        for tree in trees:
            name = tree.upstream.name
            origins = self.origins[name]
            mine = [one for one in copies.found if one.upstream == name]
            rankings = [(len(one.copy.local.text), self._rank(one)) for one in mine]
            told = [(size, ranking) for size, ranking in rankings if ranking is not None]
            told += self._beside(tree, step)
            notes = [note for about, note in copies.notes if about == name]
            out[name] = origins.noted(notes) or _doubted(
                origins.nearest(told), origins.lacking(notes)
            )
        return out

    def _rank(self, one: Found) -> Ranking | None:
        key = (one.path, one.local, f"{one.upstream}:{one.file}::{one.original}")
        if key not in self._rankings:
            step(f"looking for what {one.path}::{one.local} was copied from")
            self._rankings[key] = self.origins[one.upstream].ranking(one)
        return self._rankings[key]

    def _beside(self, tree: Tree, step: SiblingsDraft | None) -> Iterator[tuple[int, Ranking]]:
        """Yield what the siblings, as they were at *step*, tell of the upstream *tree*."""
        if step is None or step.current is None:
            return
        versions = self.origins[tree.upstream.name].versions
        for sibling in filter(None, self._siblings.values()):
            place = tree.place(sibling.view.path) if sibling.view else None
            text = self._text_at(step.current, sibling.path)
            if sibling.view is None or place is None or text is None:
                continue
            pool = Pool(methods_in(sibling.view, sibling.cls))
            mine = sorted(
                (m.located for m in methods_in(replace(sibling.view, text=text), sibling.qualname)),
                key=lambda where: -len(where.text),
            )
            for local in mine[: 2 * _TELLING]:
                copy = pool.find(local)
                ranking = copy and versions(place).rank_tags(local, copy.original.located.qualname)
                if ranking:
                    yield len(local.text), ranking

    def _text_at(self, revision: str, path: str) -> str | None:
        with revisions.open_tree(str(self.request.root), revision) as tree:
            data = tree.read(path)
        return None if data is None else data.decode("utf-8", errors="replace")

    def _draft(
        self,
        trees: Sequence[Tree],
        copies: Copies,
        known: dict[str, Origin],
        step: SiblingsDraft | None,
    ) -> Draft:
        by_name = {tree.upstream.name: tree for tree in trees}
        groups = group_copies(copies.found, lambda one: self._base(one, by_name, known))
        followed = {t for s in self._siblings.values() if (t := self._upstream_of(s, trees))}
        self._lineage = {(group.path, group.cls): group.upstream for group in groups if group.cls}
        ports = [self._port(group, trees) for group in groups]
        used = {group.upstream for group in groups} | followed
        remarks = [remark for one in self.origins.values() for remark in one.remarks]
        for name, origins in self.origins.items():
            lacking = origins.lacking([note for about, note in copies.notes if about == name])
            remarks += [lacking] if lacking else []
        unused = [name for name in by_name if name not in used]
        remarks += [f"no copy of anything in {name} was found" for name in unused]
        remarks += self._grown(copies, by_name) if self.request.mirrored else ()
        skipped = sum(not c.marked and bool(c.classes) for c in self.candidates)
        if skipped and not self.request.everything and any(c.marked for c in self.candidates):
            what = f"{count(skipped, 'file')} with classes of an upstream"
            remarks.append(f"{what}, and without fences or notes: --all looks at them too")
        return Draft(
            tuple(_upstream(tree, known[tree.upstream.name], groups) for tree in trees),
            step,
            tuple(ports),
            tuple(copies.unported),
            tuple(remarks),
        )

    def _base(
        self, one: Found, trees: dict[str, Tree], known: dict[str, Origin]
    ) -> tuple[str, str] | None:
        tree, origin = trees[one.upstream], known[one.upstream]
        noted = None if one.note is None else self.origins[one.upstream].named(one.note)
        if noted is not None:
            with revisions.open_tree(self._place(tree.upstream), noted) as there:
                return (noted, "named in its note") if there.revision != tree.revision else None
        return own_base(self._rank(one), origin.current or "", tree)

    def _grown(self, copies: Copies, trees: dict[str, Tree]) -> Iterator[str]:
        """What the targets of mirrored files have besides, a line for each file."""
        mirrors = {(f.path, f.upstream, f.file) for f in copies.found if f.sign is Sign.MIRRORS}
        for path, name, file in sorted(mirrors):
            upstream = trees[name].upstream
            with open_upstream(upstream, self.request.root, upstream.target) as target:
                texts = [tree.read_place(file) for tree in (trees[name], target)]
            before, after = (function_names(text) if text else () for text in texts)
            if new := [one for one in after if one not in before]:
                shown = ", ".join(new[:_SHOWN])
                more = f" and {len(new) - _SHOWN} more" if len(new) > _SHOWN else ""
                yield f"{path} mirrors {name}:{file}, whose target has also {shown}{more}"

    def _place(self, upstream: Upstream) -> str:
        return str(self.request.root / Path(upstream.repository or ".").expanduser())

    def _port(self, group: Group, trees: Sequence[Tree]) -> PortDraft:
        cls = group.cls or owner_of(group.found[0].local)
        sibling = self._siblings.get((group.path, cls))
        draft = group.draft(sibling)
        if draft.sibling is not None and sibling is not None and sibling.view is not None:
            name = self._upstream_of(sibling, trees)
            tree = next((t for t in trees if t.upstream.name == name), None)
            place = tree.place(sibling.view.path) if tree else None
            if place is not None:
                draft = replace(draft, sibling_upstream=f"{name}:{place}::{sibling.cls}")
        why = self._doubt(group, cls)
        return replace(draft, sure=False, why=(*draft.why, why)) if why else draft

    def _doubt(self, group: Group, cls: str) -> str:
        """Why a group may be no port; nothing where a fence, a note or a patch says that it is."""
        if any(f.fenced or f.note or f.sign is Sign.PATCHES for f in group.found):
            return ""
        if all(f.sign is Sign.ALIKE for f in group.found):
            return "it only resembles that: take it in if it is a copy"
        mirrored = {(s.path, s.qualname) for s in self._siblings.values() if s}
        if (group.path, cls) in mirrored:
            return "it is a sibling: take it in if it is to be rebased as well"
        lineage = self._lineage.get((group.path, cls), group.upstream)
        if cls and group.upstream != lineage:
            return f"{cls} is a copy from {lineage}: take this in if it is to be rebased as well"
        return ""

    def _upstream_of(self, sibling: Sibling | None, trees: Sequence[Tree]) -> str | None:
        if sibling is None or sibling.view is None:
            return None
        package = first_part(sibling.view.name)
        return next((t.upstream.name for t in trees if package in t.packages), None)


def _looked(origins: dict[str, Origin], upstream: Upstream) -> str:
    """The revision of an upstream to look at: that of the copies as far as it is known."""
    origin = origins.get(upstream.name)
    return (origin and origin.current) or upstream.current or upstream.target


def _doubted(origin: Origin, lacking: str) -> Origin:
    """The origin, a guess where notes name a revision that is not there."""
    if not lacking:
        return origin
    return replace(origin, how=f"{origin.how}; {lacking.partition(':')[0]}", guessed=True)


def _upstream(tree: Tree, origin: Origin, groups: Sequence[Group]) -> UpstreamDraft:
    upstream = tree.upstream
    mine = [group for group in groups if group.upstream == upstream.name]
    apart = sum(group.base is not None for group in mine)
    if apart:
        other = f"{apart} of its {count(len(mine), 'port')} surely of another revision"
        origin = replace(origin, how=f"{origin.how}; {other}")
    guessed = {"target"} if upstream.how else set()
    if origin.guessed:
        guessed.add("current")
    return UpstreamDraft(
        upstream.name,
        upstream.target,
        origin.current,
        upstream.repository,
        origin.how,
        upstream.how,
        frozenset(guessed),
    )
