"""The text of a new project file, from what a person named and what a survey finds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from omni_port import revisions
from omni_port.base import files
from omni_port.base.errors import UsageError
from omni_port.project.project import Project, find_project
from omni_port.sources.upstream import Upstream, parse_upstream
from omni_port.survey.draft import Draft
from omni_port.survey.neighbours import find_neighbours
from omni_port.survey.project_file import render_project_file, update_project_file
from omni_port.survey.search import index_project
from omni_port.survey.surveying import SurveyRequest, survey_project

# What the table's settings were stays; the rest is what a survey finds.
_KEPT = ("target", "dialect", "tables", "exclude", "gate", "check", "papers")


@dataclass(frozen=True, slots=True)
class InitRequest:
    """What ``init`` was asked in *folder*; *upstreams* are spelt as on the command line.

    *file* is what is to be written; one that is there is edited, and its comments stay.
    """

    folder: Path
    paths: tuple[Path, ...] = ()
    upstreams: tuple[str, ...] = ()
    siblings: str | None = None
    everything: bool = False
    mirrored: bool = False
    file: Path | None = None

    @property
    def root(self) -> Path:
        """The root of the repository that *folder* is in, else *folder*."""
        parents = (self.folder, *self.folder.parents)
        return next((p for p in parents if (p / ".git").exists()), self.folder)


@dataclass(frozen=True, slots=True)
class Made:
    """The text of the file, and the draft that it says."""

    text: str
    draft: Draft


def make_project_file(request: InitRequest) -> Made:
    """Look the project over and return its file; writes nothing. Raises OmniPortError."""
    project = find_project(request.root)
    kept = {} if project is None else _kept(project)
    exclude = () if project is None else project.settings.exclude
    upstreams = tuple(_from_root(parse_upstream(text), request) for text in request.upstreams)
    with revisions.session():
        if not upstreams:
            upstreams = tuple(find_neighbours(request.root, _sources(request, exclude)))
        if not upstreams:
            message = "no upstream is named, and no checkout beside this one is imported here"
            raise UsageError(message, hint="--upstream vllm-ascend=../vllm-ascend@v0.19.1rc1")
        survey = SurveyRequest(
            request.root,
            upstreams,
            request.paths,
            exclude,
            request.siblings,
            request.everything,
            request.mirrored,
        )
        draft = survey_project(survey)
    if request.file is not None and request.file.exists():
        text = files.decode(files.read_bytes(request.file), path=str(request.file)).text
        return Made(update_project_file(text, draft), draft)
    return Made(render_project_file(draft, kept), draft)


def _sources(request: InitRequest, exclude: tuple[str, ...]) -> Iterator[bytes]:
    yield from index_project(request.root, request.paths, exclude).data.values()


def _from_root(upstream: Upstream, request: InitRequest) -> Upstream:
    """Return the upstream with its paths relative to the root, not to the current folder."""

    def moved(path: str) -> str:
        if path.startswith("~") or Path(path).is_absolute():
            return path
        return os.path.relpath(request.folder / path, request.root)

    if upstream.repository is not None:
        return replace(upstream, repository=moved(upstream.repository))
    current = None if upstream.current is None else moved(upstream.current)
    return replace(upstream, current=current, target=moved(upstream.target))


def _kept(project: Project) -> dict[str, object]:
    """The settings of a project that stay, by key; tables relative to its file again."""
    found = msgspec.to_builtins(project.settings)
    found["tables"] = [os.path.relpath(table, project.root) for table in found["tables"]]
    return {key: found[key] for key in _KEPT if found.get(key)}
