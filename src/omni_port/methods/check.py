"""The checks of files against the trees of their upstreams."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from omni_codemods.checks.misfit import Misfit
from omni_codemods.checks.run import CheckOptions, Gpu, check_text
from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.model import Finding, Severity, TranslateResult
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.impact.breaks import LocalText, make_kin
from omni_codemods.sources.guards import Versions
from omni_codemods.sources.modules import Read, Sources
from omni_codemods.table.table import Table
from omni_codemods.text.dotted import first_part
from omni_port import revisions
from omni_port.base import files
from omni_port.base.address import Address
from omni_port.base.errors import InputError, InternalError, OmniPortError, from_library
from omni_port.base.progress import step
from omni_port.methods.readings import Question, load_findings, read_all, save_findings
from omni_port.methods.translate_files import Translation
from omni_port.sources.file_at import Located, find_module, read_address
from omni_port.sources.packages import iter_modules, open_package
from omni_port.sources.upstream import find_version


@dataclass(frozen=True, slots=True)
class Upstream:
    """The tree of one upstream package; *revision* is the full SHA, ``None`` for a folder."""

    package: str
    address: Address
    read: Read
    revision: str | None = None
    _texts: dict[str, bytes] = field(default_factory=dict, compare=False)

    @property
    def texts(self) -> Mapping[str, bytes]:
        """All modules by their dotted names, read when first asked for."""
        if not self._texts:
            self._texts.update(iter_modules(self.address, self.package))
        return self._texts

    def content_id(self) -> str:
        """Return what tells the tree from any other."""
        if self.revision is not None:
            return f"{self.package} {self.revision}:{self.address.path}"
        digest = hashlib.blake2b(digest_size=20)
        for name, data in self.texts.items():
            digest.update(name.encode() + b"\0" + data + b"\0")
        return f"{self.package} {digest.hexdigest()}"

    @property
    def version(self) -> str:
        """The version that the address spells, empty where it spells none."""
        return find_version(self.address.revision or self.address.path)


@contextlib.contextmanager
def open_upstreams(addresses: Mapping[str, Address]) -> Iterator[tuple[Upstream, ...]]:
    """Open the trees of *addresses*, by package; raises InputError or RevisionError."""
    with contextlib.ExitStack() as stack:
        yield tuple(
            Upstream(
                package,
                address,
                stack.enter_context(open_package(address, package)),
                _revision(address),
            )
            for package, address in addresses.items()
        )


def _revision(address: Address) -> str | None:
    if address.repository is None or address.revision is None:
        return None
    with revisions.open_tree(address.repository, address.revision) as tree:
        return tree.revision


@dataclass(frozen=True, slots=True)
class Beside:
    """Files that others are compared with: one file, or a folder that has one for each."""

    address: Address

    @property
    def is_file(self) -> bool:
        """Whether it is one file."""
        return self.address.path.endswith(".py")

    def find(self, *inside: Path) -> Located | None:
        """Return the one file, or the first of *inside* that the folder has."""
        if self.is_file:
            return read_address(self.address)
        root, revision = self.address.repository, self.address.revision
        for path in inside:
            place = (Path(self.address.path) / path).as_posix()
            with contextlib.suppress(InputError):
                return read_address(Address(place, root, revision))
        return None


@dataclass(slots=True)
class Checker:
    """Checks files; what it has parsed of the trees serves for the next file.

    *old*, *gpu* and *npu* (whether it is NPU code) may be set anew for each file. Codes in
    *ignored* are not reported. *alone* are the files for which the folder of the old copies has
    none.
    """

    upstreams: tuple[Upstream, ...] = ()
    table: Table | None = None
    old: Beside | None = None
    gpu: Beside | None = None
    ignored: frozenset[str] = frozenset()
    npu: bool = True
    alone: list[str] = field(default_factory=list, init=False)
    _sources: dict[str, Sources] = field(default_factory=dict, init=False)
    _known: dict[str, tuple[Misfit, ...]] = field(default_factory=dict, init=False)
    _found: dict[str, tuple[Finding, ...]] = field(default_factory=dict, init=False)
    _key: str = field(default="", init=False)

    def read(self, paths: Sequence[Path], texts: Mapping[Path, str] | None = None) -> None:
        """Read what the contract says of all *paths* at once, from the cache where it is there.

        Together they know more than each for itself: what one of them patches is patched for all.
        *texts* are read instead of what the files say. A file that cannot be read is left to
        :meth:`check_file`.
        """
        roots: dict[str, Path] = {}
        local: list[LocalText] = []
        whole = hashlib.blake2b(digest_size=16)  # with the conflicts that are left
        for number, path in enumerate(paths):
            module = find_module(str(path.absolute()), lambda p: Path(p).is_file())
            root = _root(path, module) if module is not None else path.absolute().parent
            if module and roots.setdefault(first_part(module), root) != root:
                return  # two packages of one name: each file for itself
            with contextlib.suppress(OmniPortError):
                source = files.decode(files.read_bytes(path), path=str(path))
                text = blank_hunks((texts or {}).get(path, source.text))
                is_package = path.name == "__init__.py" and module is not None
                name = module or f"__local{number}__"
                local.append(LocalText(str(path), name, text, is_package))
                whole.update((texts or {}).get(path, source.text).encode(errors="replace"))
        own = {_path_of(one): one.text for one in local}
        readers: dict[str, Read] = {one.package: one.read for one in self.upstreams}
        for package, root in roots.items():
            readers[package] = functools.partial(_read_over, own, root)
        for file in local:
            readers.setdefault(first_part(file.module), own.get)
        sources = functools.cache(lambda: Sources(readers, self._search))
        contents = [one.content_id() for one in self.upstreams]
        contents += [_beside_id(root / package) for package, root in roots.items()]
        versions = {one.package: one.version for one in self.upstreams if one.version}
        kin = functools.cache(lambda: make_kin(local))
        question = Question(local, sources, versions, contents, kin, self._where)
        if self.old is None and self.gpu is None:
            self._key = f"{question.key()}-{hashlib.sha256(repr(self.table).encode()).hexdigest()}"
            self._key += whole.hexdigest()
            self._found = load_findings(self._key)
            if self._found:
                return
        found = read_all([question])[0]
        every: dict[str, list[Misfit]] = {
            one.path: [] for one in local if one.path not in found.left
        }
        for placed in found.misfits:
            every[placed.path].append(placed.misfit)
        self._known = {p: tuple(misfits) for p, misfits in every.items() if p not in found.left}

    def keep(self) -> None:
        """Keep what was found of the files of :meth:`read` for a later run."""
        if self._key and self._known:
            save_findings(self._key, self._found)

    def _search(self, wanted: str) -> Iterator[tuple[str, str]]:
        word = wanted.encode()
        for upstream in self.upstreams:
            for module, data in upstream.texts.items():
                if word in data:
                    yield module, data.decode(errors="replace")

    def check_file(
        self, path: Path, inside: Path | None = None, *, text: str | None = None
    ) -> Translation:
        """Return the findings of *path* as those of a translation that changes nothing.

        *inside* is its path below the folder that was named, for the files beside it; *text*
        is checked instead of what the file says. Never raises: what goes wrong is the *error* of
        what is returned.
        """
        try:
            return self._check(path, inside or Path(path.name), text)
        except OmniPortError as error:
            return Translation(str(path), error=error)
        except Exception:
            bug = InternalError(traceback.format_exc(), path=str(path))
            return Translation(str(path), error=bug)

    def _check(self, path: Path, inside: Path, text: str | None) -> Translation:
        step(f"checking {path}")
        source = files.decode(files.read_bytes(path), path=str(path))
        if text is not None:
            source = replace(source, text=text)
        if not self._known and str(path) in self._found:
            return self._made(path, source, self._found[str(path)])
        old = self.old.find(inside) if self.old is not None else None
        if self.old is not None and old is None:
            self.alone.append(str(path))
        gpu = self.gpu.find(inside, _gpu_name(inside)) if self.gpu is not None else None
        module = find_module(str(path.absolute()), lambda p: Path(p).is_file())
        versions = {one.package: one.version for one in self.upstreams if one.version}
        options = CheckOptions(
            self._sources_of(path, module),
            self._where,
            self.table,
            self.npu,
            versions=Versions(versions),
            misfits=self._known.get(str(path)),
        )
        is_package = path.name == "__init__.py"
        try:
            found = check_text(
                source.text,
                options,
                module=module,
                package=is_package,
                old=old.source.text if old else None,
                gpu=Gpu(gpu.source.text, gpu.module) if gpu else None,
            )
        except OmniCodemodsError as error:
            beside = {"old": old, "gpu": gpu}.get(error.side)
            where = str(beside.address if beside else path)
            raise from_library(error, path=where) from error
        if str(path) in self._known and text is None:
            self._found[str(path)] = found
        return self._made(path, source, found)

    def _made(self, path: Path, source: files.Source, found: Sequence[Finding]) -> Translation:
        kept = tuple(one for one in found if one.code not in self.ignored)
        return Translation(str(path), source, TranslateResult(source.text, findings=kept))

    def _sources_of(self, path: Path, module: str | None) -> Sources:
        """The upstreams and, where the file stands in a package, that one: its own classes."""
        root = "" if module is None else str(_root(path, module))
        if root not in self._sources:
            readers = {upstream.package: upstream.read for upstream in self.upstreams}
            if module is not None:
                readers[first_part(module)] = functools.partial(_read, Path(root))
            self._sources[root] = Sources(readers, self._search)
        return self._sources[root]

    def _where(self, name: str) -> tuple[str, ...]:
        wanted = re.compile(
            rb"^(?:(?:async[ \t]+)?def|class)[ \t]+%s\b|^%s[ \t]*[:=]" % ((name.encode(),) * 2),
            re.MULTILINE,
        )
        return tuple(
            module
            for upstream in self.upstreams
            for module, data in upstream.texts.items()
            if name.encode() in data and wanted.search(data)
        )


def _gpu_name(path: Path) -> Path:
    """What the GPU sibling of an NPU file is called."""
    return path.with_name(path.name.replace("npu", "gpu"))


def _root(path: Path, module: str) -> Path:
    """The folder that the package of *path* stands in."""
    parts = len(module.split(".")) + (path.name == "__init__.py")
    return path.absolute().parents[parts - 1]


def _read(root: Path, path: str) -> str | None:
    try:
        return (root / path).read_text("utf-8", errors="replace")
    except OSError:
        return None


def _path_of(file: LocalText) -> str:
    stem = file.module.replace(".", "/")
    return f"{stem}/__init__.py" if file.package else f"{stem}.py"


def _read_over(own: Mapping[str, str], root: Path, path: str) -> str | None:
    return own[path] if path in own else _read(root, path)


def _beside_id(package: Path) -> str:
    """What tells the files of a local package from what they were: sizes and times."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(package.rglob("*.py")):
        with contextlib.suppress(OSError):
            stat = path.stat()
            digest.update(f"{path}{stat.st_size}{stat.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def count_severities(checked: Sequence[Translation]) -> Counter[Severity]:
    """Return how many findings there are of each severity."""
    return Counter(f.severity for one in checked if one.result for f in one.result.findings)
