"""Unpack the released sources that the measurements run on, with pip, outside every repository.

    python benchmarks/fetch_corpus.py [--corpus FOLDER]

Gives FOLDER/omni-<version>/vllm_omni, FOLDER/ascend-<version>/vllm_ascend and
FOLDER/vllm-<version>/vllm, Python files alone.
What is there already is left alone. None of that code belongs to this project.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Release:
    """A wheel, where it is unpacked, and the pip options that find it on any machine."""

    distribution: str
    version: str
    folder: str
    package: str
    options: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}"

    @classmethod
    def of_vllm(cls, version: str) -> Release:
        """Return the release *version* of vLLM."""
        return cls("vllm", version, f"vllm-{version}", "vllm", _LARGE)


_ANY = (("--python-version", "3.12"),)
_LINUX = tuple(
    ("--python-version", "3.11", "--platform", platform)
    for platform in ("manylinux_2_24_aarch64", "manylinux_2_34_aarch64")
)
_LARGE = tuple(
    ("--python-version", "3.12", "--platform", platform)
    for platform in ("manylinux_2_28_aarch64", "manylinux_2_31_aarch64")
)
OMNI = ("0.12.0rc1", "0.14.0", "0.16.0", "0.18.0", "0.20.0", "0.24.0", "0.26.0", "0.30.0")
ASCEND = (
    "0.12.0rc1",
    "0.14.0rc1",
    "0.15.0rc1",
    "0.17.0rc1",
    "0.18.0",
    "0.19.1rc1",
    "0.25.1rc1",
    "0.26.0rc1",
)
VLLM = ("0.19.1", "0.24.0", "0.26.0")
RELEASES = (
    *(Release("vllm-omni", v, f"omni-{v}", "vllm_omni", _ANY) for v in OMNI),
    *(Release("vllm-ascend", v, f"ascend-{v}", "vllm_ascend", _LINUX) for v in ASCEND),
    *map(Release.of_vllm, VLLM),
)


def default_corpus() -> Path:
    """Return ``$OMNI_CORPUS``, or a folder in the user's cache."""
    given = os.environ.get("OMNI_CORPUS")
    return Path(given) if given else Path.home() / ".cache" / "omni-port" / "corpus"


def iter_missing(corpus: Path) -> Iterator[Release]:
    """Fetch what is not in *corpus* yet, and yield what cannot be had."""
    yield from (one for one in RELEASES if not unpack_release(one, corpus))


def unpack_release(release: Release, corpus: Path) -> bool:
    """Fetch *release* where *corpus* does not have it yet; return whether it is there."""
    into = corpus / release.folder
    return into.exists() or any(_unpack(release, options, into) for options in release.options)


def _unpack(release: Release, options: tuple[str, ...], into: Path) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary=:all:", "--dest", folder, *options]
        command.append(f"{release.distribution}=={release.version}")
        done = subprocess.run(command, capture_output=True, check=False)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            return False
        with zipfile.ZipFile(wheels[0]) as wheel:
            names = [n for n in wheel.namelist() if n.startswith(f"{release.package}/")]
            wheel.extractall(into, [name for name in names if name.endswith(".py")])
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--corpus", type=Path, default=default_corpus())
    corpus = parser.parse_args().corpus
    missing = list(iter_missing(corpus))
    print(corpus)
    for release in missing:
        print(f"could not be had: {release}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
