from __future__ import annotations

from pathlib import Path

import pytest

from omni_codemods import translate
from omni_codemods.table.table import packaged
from omni_port.base.errors import ConfigurationError, InputError
from omni_port.sources.tables import DIALECTS, load_merged, load_selected


def test_the_dialects_are_those_of_the_library() -> None:
    assert set(DIALECTS) == set(translate.DIALECTS)


def test_without_files_it_is_the_packaged_one() -> None:
    assert load_merged([]) is packaged()
    assert load_selected([], None).target == f"vllm-ascend=={packaged().newest}"


def test_files_are_merged_in_turn(tmp_path: Path) -> None:
    for name, npu in (("one", "a.B"), ("two", "a.C")):
        text = (
            f'name = "{name}"\nextends = true\n[[symbol]]\nid = "x"\ngpu = "g.G"\nnpu = "{npu}"\n'
        )
        (tmp_path / name).write_text(text)
    merged = load_merged([tmp_path / "one", tmp_path / "two"])
    entries = {entry.id: entry.npu for entry in merged.entries}
    assert entries["x"] == "a.C"
    assert len(entries) == len(packaged().entries) + 1


def test_a_table_that_extends_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "t").write_text('name = "t"\nextends = "nothing"\n')
    with pytest.raises(ConfigurationError, match="nothing") as caught:
        load_merged([tmp_path / "t"])
    assert caught.value.path == str(tmp_path / "t")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_merged([tmp_path / "gone"])
