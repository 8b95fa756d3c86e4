from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.address import Address, parse_address
from omni_port.base.errors import ConfigurationError, InputError, UsageError
from omni_port.sources.file_at import Located, read_address
from omni_port.sources.sibling import EXACT, INFERRED, GpuRequest, make_sibling, read_gpu

TEXT = "class GPU:\n    def run(self):\n        return 1\n"


def write(folder: Path, name: str, text: str = TEXT) -> Address:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return parse_address(f"{path}::GPU")


def local(folder: Path) -> Located:
    return read_address(write(folder, "local.py"))


def test_one_of_a_pair_is_not_enough(tmp_path: Path) -> None:
    address = write(tmp_path, "gpu.py")
    with pytest.raises(UsageError, match="need each other"):
        GpuRequest(address, address, upstream_base=address)


def test_the_package_comes_from_where_the_sibling_stands(tmp_path: Path) -> None:
    (tmp_path / "omni" / "worker").mkdir(parents=True)
    for folder in ("omni", "omni/worker"):
        (tmp_path / folder / "__init__.py").write_text("")
    target = write(tmp_path, "omni/worker/gpu.py")
    gpu = read_gpu(GpuRequest(write(tmp_path, "old.py"), target))
    sibling = make_sibling(gpu, "run", local(tmp_path))
    assert (sibling.package, sibling.module) == ("omni", "omni.worker.gpu")
    assert (sibling.cls, sibling.upstream_base) == ("GPU", None)
    assert gpu.judged == INFERRED


def test_outside_every_package_there_is_none(tmp_path: Path) -> None:
    gpu = read_gpu(GpuRequest(write(tmp_path, "old.py"), write(tmp_path, "new.py")))
    sibling = make_sibling(gpu, "run", local(tmp_path))
    assert (sibling.package, sibling.module) == (None, None)


def test_the_siblings_upstream(tmp_path: Path) -> None:
    old, new, before = (write(tmp_path, f"{name}.py") for name in ("old", "new", "up_old"))
    after = parse_address(f"{write(tmp_path, 'up_new.py').path}::Renamed")
    gpu = read_gpu(GpuRequest(old, new, before, after))
    assert list(gpu.sides) == ["gpu-base", "gpu-target", "gpu-upstream-base", "gpu-upstream-target"]
    assert gpu.judged == EXACT
    sibling = make_sibling(gpu, "run", local(tmp_path))
    assert (sibling.upstream_class, sibling.upstream_target_class) == ("GPU", "Renamed")


def test_what_the_sibling_did(tmp_path: Path) -> None:
    after = write(tmp_path, "new.py", TEXT.replace("return 1", "return 2"))
    gpu = read_gpu(GpuRequest(write(tmp_path, "old.py"), after))
    assert "-        return 1\n+        return 2\n" in gpu.diff("run")
    assert gpu.diff("walk") == ""


def test_errors(tmp_path: Path) -> None:
    there = write(tmp_path, "old.py")
    with pytest.raises(InputError):
        read_gpu(GpuRequest(there, parse_address(f"{tmp_path}/missing.py")))
    gpu = read_gpu(GpuRequest(there, there, table_target="vllm==nonsense"))
    with pytest.raises(ConfigurationError):
        make_sibling(gpu, "run", local(tmp_path))
