"""Processes of git: in an environment of their own, so that nothing but git's own code runs.

A checkout is data, and so is its configuration. What in it would name a program to run while we
read is switched off: the user's own configuration is the user's, and stays.
"""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

# A hook or a rebase sets GIT_DIR and the like; they would redirect what a path names.
_KEPT = (
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_COUNT",  # with the next two, how a container allows a safe.directory
    "GIT_CONFIG_KEY_",
    "GIT_CONFIG_VALUE_",
    "GIT_EXEC_PATH",
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_PYTHON_",
)
_READ_ONLY = {
    "GIT_OPTIONAL_LOCKS": "0",  # status would refresh the index
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone would fetch what it lacks
    "GIT_ALLOW_PROTOCOL": "none",  # the same for a git that does not know the one above
    "GIT_NO_REPLACE_OBJECTS": "1",  # a replaced blob has other bytes than the one named
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_TERMINAL_PROMPT": "0",
}
# What git says is read, and so it has to be in English.
_PLAIN = {"LC_ALL": "C", "LANGUAGE": "C"}
_FILTER = r"^filter\..*\.(clean|smudge|process|required)$"
_THEIRS = ("local", "worktree")
_SUBMODULE = "160000 "
_DEEPEST = 5


def make_environment(*, writes: bool = False) -> dict[str, str]:
    """Return what git finds in its environment; this process's own is left as it is."""
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    return {**own, **_PLAIN, **({} if writes else _READ_ONLY)}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process of git ended, and what it printed."""

    status: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        """What it printed on stdout; names that are no text have their bytes escaped."""
        return self.stdout.decode("utf-8", "surrogateescape")


@dataclass(slots=True)
class Git:
    """Git in the folder *cwd*; :meth:`close` it."""

    cwd: str
    _batch: subprocess.Popen[bytes] | None = None
    _filters: list[str] | None = field(default=None)

    def run(self, *arguments: str, writes: bool = False) -> Ended:
        """Run git and return how it ended; raises OSError where there is none."""
        # Of what reads, status alone looks at the files of the work tree through filters.
        options = self._without_filters() if "status" in arguments[:1] else ()
        return _run(self.cwd, *options, *arguments, writes=writes)

    def _without_filters(self) -> list[str]:
        """Return options that switch off the filters of the checkout's own configuration.

        Git runs them on files whose time is new. Where the user's configuration has a filter of
        the name (``lfs``), that is what runs.
        """
        if self._filters is None:
            found = [*_iter_filters(self.cwd)]
            users = {key: value for theirs, key, value in found if not theirs}
            # An empty process is no program, and with one git looks at nothing else.
            self._filters = [
                word
                for key in sorted({key for theirs, key, _ in found if theirs})
                for word in ("-c", f"{key}={users.get(key, '')}")
            ]
        return self._filters

    def read_object(self, name: str) -> bytes | None:
        """Return the bytes of the object *name* (no line break), ``None`` where it is not there."""
        if self._batch is None or self._batch.poll() is not None:
            self._batch = subprocess.Popen(
                [_executable(), "cat-file", "--batch"],
                cwd=self.cwd,
                env=make_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        stdin, stdout = self._batch.stdin, self._batch.stdout
        assert stdin is not None
        assert stdout is not None
        return _ask(stdin, stdout, name)

    def close(self) -> None:
        """End the process that objects are read from."""
        batch, self._batch = self._batch, None
        if batch is None:
            return
        for stream in (batch.stdin, batch.stdout):
            if stream is not None:
                stream.close()
        batch.wait()


def _run(cwd: str, *arguments: str, writes: bool = False) -> Ended:
    done = subprocess.run(
        [_executable(), "-c", "core.fsmonitor=false", *arguments],
        cwd=cwd,
        env=make_environment(writes=writes),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def _iter_filters(cwd: str, depth: int = 0) -> Iterator[tuple[bool, str, str]]:
    """Yield whether it is the checkout's own, key and value of the filters that git would use.

    Git asks submodules for their state too, and these have a configuration of their own.
    """
    listed = _run(cwd, "config", "--null", "--show-scope", "--get-regexp", _FILTER).text.split("\0")
    for scope, entry in zip(listed[::2], listed[1::2], strict=False):
        key, _, value = entry.partition("\n")
        yield scope in _THEIRS, key, value
    staged = _run(cwd, "ls-files", "--stage", "-z").text.split("\0") if depth < _DEEPEST else ()
    for line in staged:
        folder = Path(cwd, line.partition("\t")[2])
        if line.startswith(_SUBMODULE) and (folder / ".git").exists():
            yield from _iter_filters(str(folder), depth + 1)


def _ask(stdin: IO[bytes], stdout: IO[bytes], name: str) -> bytes | None:
    try:
        stdin.write(os.fsencode(name) + b"\n")
        stdin.flush()
    except BrokenPipeError:
        return None
    header = stdout.readline().rsplit(b" ", 2)
    if len(header) != 3 or not header[2].strip().isdigit():
        return None
    data = stdout.read(int(header[2]))
    stdout.read(1)
    return data


@functools.lru_cache(maxsize=1)
def _executable() -> str:
    return os.environ.get("GIT_PYTHON_GIT_EXECUTABLE") or "git"
