"""Unpack the released sources that the measurements run on, with pip, outside every repository.

    python benchmarks/fetch_corpus.py [--facts] [--corpus FOLDER]

Gives FOLDER/omni-<version>/vllm_omni, FOLDER/ascend-<version>/vllm_ascend and
FOLDER/vllm-<version>/vllm, Python files alone.
With --facts what the facts of the table are made from besides: the releases between, torch and
torch-npu, into the folder "facts" beside FOLDER. What is there already is left alone.
None of that code belongs to this project.
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
_TORCH = tuple(
    ("--python-version", "3.11", "--platform", f"manylinux_2_28_{machine}")
    for machine in ("aarch64", "x86_64")
)
# vllm has no wheel of these for one machine, or none built for the C library of another.
_OTHER = (
    *_LARGE,
    ("--python-version", "3.12", "--platform", "manylinux2014_aarch64"),
    ("--python-version", "3.12", "--platform", "manylinux_2_24_aarch64"),
    ("--python-version", "3.12", "--platform", "manylinux_2_35_x86_64"),
)
_OLD_ASCEND = ("0.11.0rc1", "0.11.0", "0.13.0", "0.16.0rc1", "0.18.0rc1")
_NEW_ASCEND = ("0.20.2rc1", "0.21.0rc1", "0.22.1rc1", "0.23.0", "0.24.0rc1")
_SOURCE_ASCEND = ("0.27.1rc1", "0.28.0rc1", "0.29.0rc1", "0.30.0rc1", "0.30.0rc2")
_MORE_VLLM = (
    *("0.11.0", "0.12.0", "0.13.0", "0.14.0", "0.15.0", "0.16.0", "0.17.0", "0.18.0", "0.20.0"),
    *("0.20.2", "0.21.0", "0.22.0", "0.22.1", "0.23.0", "0.25.1", "0.27.1", "0.28.0", "0.29.0"),
    *("0.30.0", "0.32.0"),
)
FACTS = (
    *(
        Release("vllm-ascend", v, f"ascend-{v}", "vllm_ascend", _LINUX)
        for v in (*_OLD_ASCEND, *_NEW_ASCEND, *_SOURCE_ASCEND)
    ),
    *(Release("vllm", v, f"vllm-{v}", "vllm", _OTHER) for v in _MORE_VLLM),
    *(
        Release("vllm-omni", v, f"omni-{v}", "vllm_omni", _ANY)
        for v in ("0.11.0rc1", "0.22.0", "0.28.0", "0.32.0rc1")
    ),
    *(Release("torch", v, f"torch-{v}", "torch", _TORCH) for v in ("2.9.0", "2.14.0")),
    *(Release("torch-npu", v, f"torch_npu-{v}", "torch_npu", _TORCH) for v in ("2.9.0", "2.14.0")),
)


def default_corpus() -> Path:
    """Return ``$OMNI_CORPUS``, or a folder in the user's cache."""
    given = os.environ.get("OMNI_CORPUS")
    return Path(given) if given else Path.home() / ".cache" / "omni-port" / "corpus"


def iter_missing(corpus: Path, releases: tuple[Release, ...] = RELEASES) -> Iterator[Release]:
    """Fetch what of *releases* is not in *corpus* yet, and yield what cannot be had."""
    yield from (one for one in releases if not unpack_release(one, corpus))


def unpack_release(release: Release, corpus: Path) -> bool:
    """Fetch *release* where *corpus* does not have it yet; return whether it is there."""
    into = corpus / release.folder
    if into.exists() or any(_unpack(release, options, into) for options in release.options):
        return True
    return release in FACTS and _unpack_source(release, into)


def _unpack_source(release: Release, into: Path) -> bool:
    """Take the package from the source archive, where no wheel fits.

    pip unpacks it before it asks how it is built, and building it needs what is not here: the
    archive stays unpacked in its folder for temporary files, which is all that is wanted.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-clean"]
        command += ["--no-build-isolation", "--dest", folder]
        command.append(f"{release.distribution}=={release.version}")
        environment = {**os.environ, "TMPDIR": folder}
        subprocess.run(command, capture_output=True, check=False, env=environment)
        found = next(iter(Path(folder).rglob(f"{release.package}/__init__.py")), None)
        if found is None:
            return False
        for path in found.parent.rglob("*.py"):
            copy = into / path.relative_to(found.parent.parent)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    return True


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
    parser.add_argument("--facts", action="store_true", help="and what the facts are made from")
    given = parser.parse_args()
    corpus = given.corpus
    missing = list(iter_missing(corpus))
    if given.facts:
        missing += iter_missing(corpus.with_name("facts"), FACTS)
    print(corpus)
    for release in missing:
        print(f"could not be had: {release}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
