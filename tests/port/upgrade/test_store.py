from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from omni_port.base.errors import InputError
from omni_port.base.temporary import Temporary
from omni_port.base.writing import Changed, Write, make_folder
from omni_port.upgrade.phases import Phase, Record, Status
from omni_port.upgrade.store import FileState, State, Store, digest

OLD, NEW = {"a.py": b"a = 1\n", "b/c.py": b"c = 1\n"}, {"a.py": b"a = 2\n", "b/c.py": b"c = 2\n"}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    for path, data in OLD.items():
        make_folder((tmp_path / path).parent)
        (tmp_path / path).write_bytes(data)
    store = Store(tmp_path)
    store.stage(OLD, NEW, {})
    return store


def state() -> State:
    kept = tuple(FileState(path, digest(OLD[path]), digest(NEW[path])) for path in OLD)
    record = Record(Phase.REBASE, Status.PASS, ("said",), "", "go on")
    return State(1, "key", "2026-01-01T00:00:00Z", (record,), stop="said", files=kept)


def texts(store: Store) -> dict[str, bytes]:
    return {path: (store.root / path).read_bytes() for path in OLD}


def test_there_and_back(store: Store) -> None:
    store.save(state())
    assert store.load() == state()
    assert (store.root / ".omni-port" / ".gitignore").read_text() == "*\n"


def test_without_a_record(tmp_path: Path) -> None:
    assert Store(tmp_path).load() is None
    assert Store(tmp_path).old_copies is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "says"), [("{", "not a record"), ('{"version": 2, "key": "", "started": ""}', "2")]
)
def test_a_record_that_cannot_be_read(store: Store, text: str, says: str) -> None:
    (store.folder / "state.json").write_text(text)
    with pytest.raises(InputError) as caught:
        store.load()
    assert says in caught.value.message
    assert caught.value.hint


def test_apply_writes_all_and_says_so(store: Store) -> None:
    done = store.apply(state(), list(OLD))
    assert texts(store) == NEW
    assert done.written
    assert not done.applying
    assert store.load() == done


def test_apply_goes_on_where_a_killed_run_stopped(store: Store) -> None:
    (store.root / "a.py").write_bytes(NEW["a.py"])
    store.apply(state(), list(OLD))
    assert texts(store) == NEW


def test_a_killed_run_leaves_the_word_that_it_was_applying(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_writes: Sequence[Write]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("omni_port.upgrade.store.write_together", killed)
    with pytest.raises(KeyboardInterrupt):
        store.apply(state(), list(OLD))
    monkeypatch.undo()
    kept = store.load()
    assert kept is not None
    assert kept.applying == tuple(OLD)
    assert not kept.written
    assert texts(store) == OLD
    store.apply(kept, kept.applying)
    assert texts(store) == NEW


def test_a_file_that_somebody_changed_is_left_and_out_of_the_record(store: Store) -> None:
    (store.root / "b/c.py").write_bytes(b"c = 3\n")
    with pytest.raises(Changed) as caught:
        store.apply(state(), list(OLD))
    assert "b/c.py" in caught.value.path
    assert texts(store) == {**NEW, "b/c.py": b"c = 3\n"}
    kept = store.load()
    assert kept is not None
    assert [one.path for one in kept.files] == ["a.py"]
    assert kept.written
    assert not kept.applying


def test_a_file_that_is_saved_between_reading_and_writing_is_left(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = Temporary.fill

    def saved_meanwhile(self: Temporary, data: bytes) -> None:
        if data == NEW["b/c.py"]:
            (store.root / "b/c.py").write_bytes(b"c = 3\n")
        fill(self, data)

    monkeypatch.setattr(Temporary, "fill", saved_meanwhile)
    with pytest.raises(Changed):
        store.apply(state(), list(OLD))
    assert texts(store) == {**NEW, "b/c.py": b"c = 3\n"}


def test_what_an_earlier_upgrade_kept_is_put_aside(store: Store) -> None:
    for number in (1, 2):
        store.save(state())
        store.put_aside()
        assert store.load() is None
        aside = store.folder.with_name(f"upgrade-{number}")
        assert (aside / "state.json").exists()
        assert (aside / "before" / "a.py").read_bytes() == OLD["a.py"]
        store.stage(OLD, NEW, {})
    assert texts(store) == OLD


def test_the_record_of_a_stopped_upgrade_is_written_over(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(state())
    store.put_aside()
    assert store.load() == state()


def test_only_the_named_files_are_written(store: Store) -> None:
    (store.root / "b/c.py").write_bytes(b"c = 3\n")
    store.apply(state(), ["a.py"])
    assert texts(store) == {"a.py": NEW["a.py"], "b/c.py": b"c = 3\n"}
