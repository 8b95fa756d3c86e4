"""One run of ``omni-port translate``: each translation to its destination, then the account."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import click

from omni_port.base import files
from omni_port.base.discovery import find_python_files
from omni_port.base.errors import ExitCode, InputError, OmniPortError
from omni_port.base.progress import steps
from omni_port.base.temporary import sweep
from omni_port.cli.boundary import show_error
from omni_port.cli.console import Console
from omni_port.cli.destination import Destination, print_diff, print_text
from omni_port.methods import translate_files
from omni_port.methods.tally import Tally
from omni_port.methods.translate_files import Translation
from omni_port.report.tally import render_closing, render_statistics
from omni_port.report.text import render_findings

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Job:
    """A file to translate, and where it goes below ``--output-dir``."""

    path: str
    goes_to: Path | None = None


def find_jobs(paths: Sequence[str], output_dir: Path | None, exclude: Sequence[str]) -> list[Job]:
    """Return the files that *paths* stand for; raises UsageError where two would go to one."""
    jobs: dict[Path, Job] = {}
    for given in map(Path, paths):
        for path in find_python_files([given], exclude=exclude):
            inside = path.relative_to(given) if given.is_dir() else Path(path.name)
            goes_to = output_dir / inside if output_dir else None
            jobs.setdefault(Path(os.path.realpath(path)), Job(str(path), goes_to))
    _check_distinct(list(jobs.values()))
    return list(jobs.values())


def _check_distinct(jobs: Sequence[Job]) -> None:
    taken: dict[Path, str] = {}
    for job in jobs:
        if job.goes_to is not None and taken.setdefault(job.goes_to, job.path) != job.path:
            raise click.UsageError(
                f"{taken[job.goes_to]} and {job.path} would both go to {job.goes_to}"
            )


def read_stdin(name: str | None, options: translate_files.TranslateOptions) -> Translation:
    """Translate stdin; what goes wrong is the translation's error."""
    path = name or "<stdin>"
    try:
        return translate_files.translate_bytes(_read_stdin(path), options, path=path)
    except OmniPortError as error:
        return Translation(path, error=error)


def _read_stdin(path: str) -> bytes:
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        message = f"stdin cannot be read: {error.strerror or error}"
        raise InputError(message, hint="name a file, or redirect one to it", path=path) from error


@dataclass(frozen=True, slots=True)
class Run:
    """What every file of one run needs to know, and the counts."""

    console: Console
    destination: Destination
    options: translate_files.TranslateOptions
    form: str
    statistics: bool
    tally: Tally = field(default_factory=Tally)
    collected: list[Translation] = field(default_factory=list)

    def execute(self, jobs: Sequence[Job], translations: Iterator[Translation]) -> ExitCode:
        """Deliver each translation in order, print the account, return the exit code."""
        if self.destination.writes:
            for folder in {(job.goes_to or Path(job.path)).parent for job in jobs}:
                sweep(folder)
        pairs = zip(jobs, translations, strict=True)
        for job, translation in steps("translating files", pairs, len(jobs)):
            self._report(self._deliver(job, translation))
        self._print_document()
        if self.statistics:
            self.console.say(render_statistics(self.tally))
        self.console.say(render_closing(self.tally))
        return self.tally.exit_code(check=self.destination.check)

    def _deliver(self, job: Job, translation: Translation) -> Translation:
        if translation.source is None:
            return translation
        try:
            self._send(job, translation, translation.source)
        except OmniPortError as error:
            return Translation(translation.path, translation.source, error=error)
        return translation

    def _send(self, job: Job, translation: Translation, source: files.Source) -> None:
        destination = self.destination
        path = translation.path
        if destination.writes:
            if translation.changed or not destination.in_place:
                notes = destination.write(path, translation.after, source, goes_to=job.goes_to)
                self.console.say_all(notes)
        elif self.form in ("json", "sarif"):
            return
        elif destination.diff:
            print_diff(translation.before, translation.after, source, path)
        elif destination.stdout and self.form == "text":
            print_text(translation.after, source, path)

    def _report(self, translation: Translation) -> None:
        self.tally.add(translation)
        if translation.error is not None:
            show_error(translation.error)
        elif self.destination.check and translation.changed and not self.destination.diff:
            self.console.say(f"{translation.path}: would change")
        if self.form == "github":
            self._print_annotations(translation)
        elif self.form == "text":
            self.console.say(render_findings(translation, kept=self.console.verbose))
        else:
            self.collected.append(translation)

    def _print_annotations(self, translation: Translation) -> None:
        from omni_port.report.github import render_github

        annotations = render_github(translation)
        if annotations:
            click.echo(annotations)

    def _print_document(self) -> None:
        if self.form == "sarif":
            from omni_port.report.sarif import render_sarif

            click.echo(render_sarif(self.collected))
        elif self.form == "json":
            from omni_port.documents.common import render_document
            from omni_port.documents.translate import make_translate_document

            target = self.options.table.target if self.options.table else ""
            click.echo(
                render_document(
                    make_translate_document(
                        self.collected,
                        self.tally,
                        target=target,
                        dialect=self.options.dialect,
                        diff=self.destination.diff,
                    )
                )
            )
