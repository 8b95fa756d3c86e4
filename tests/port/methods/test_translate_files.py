from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.errors import InputError
from omni_port.methods.translate_files import (
    TranslateOptions,
    translate_bytes,
    translate_file,
    translate_paths,
)
from omni_port.sources.tables import load_selected

GPU = b"import torch\r\n\r\ntorch.cuda.synchronize()"


def test_bytes() -> None:
    translation = translate_bytes(GPU)
    assert translation.changed
    assert translation.encoded() == GPU.replace(b"cuda", b"npu")


def test_bytes_with_nothing_to_translate() -> None:
    translation = translate_bytes(b"x = 1\r\n")
    assert not translation.changed
    assert translation.encoded() == b"x = 1\r\n"


@pytest.mark.parametrize("data", [b"import torch\ntorch.cuda.x(\n", b"\xff"])
def test_bytes_that_cannot_be_processed(data: bytes) -> None:
    with pytest.raises(InputError) as caught:
        translate_bytes(data, path="x.py")
    assert caught.value.path == "x.py"


def test_a_file_is_not_written_and_never_raises(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(GPU)
    assert translate_file(path).changed
    assert path.read_bytes() == GPU
    gone = translate_file(tmp_path / "gone.py")
    assert isinstance(gone.error, InputError)
    assert gone.encoded() == b""


def test_options_reach_the_workers(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number:02}.py" for number in range(50)]
    for path in paths:
        path.write_bytes(GPU)
    options = TranslateOptions(load_selected([], "0.19.1rc1"), "accelerator")
    translations = list(translate_paths(paths, options, jobs=2))
    assert [translation.path for translation in translations] == [str(path) for path in paths]
    assert {t.encoded() for t in translations} == {GPU.replace(b"cuda", b"accelerator")}


def test_leaving_early_stops_the_workers(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number:02}.py" for number in range(50)]
    for path in paths:
        path.write_bytes(GPU)
    translations = translate_paths(paths, jobs=2)
    assert next(translations).changed
    close = getattr(translations, "close", None)
    assert close is not None
    close()
    assert list(translations) == []
