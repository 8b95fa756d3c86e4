from __future__ import annotations

from omni_codemods.provenance.best_match import Original, Pool, nearest
from omni_codemods.text.outline import Located, iter_functions

LINES = [
    "ids = self.gather(batch.requests, pin_memory=True)",
    "self.positions.copy_(batch.positions, non_blocking=True)",
    "with self.forward_context(batch.metadata, num_tokens=len(ids)):",
    "    hidden = self.model(ids, self.positions)",
    "logits = self.model.compute_logits(hidden[batch.last])",
    "return self.sampler(logits, batch.sampling_metadata)",
]
OTHER = [
    "for name, size in self.config.sizes.items():",
    "    buffer = allocate(size, device=self.device, dtype=self.dtype)",
    "    self.buffers[name] = buffer.fill_(self.config.padding)",
    "self.ready = all(b.is_contiguous() for b in self.buffers.values())",
    "return Report(self.buffers, ready=self.ready, device=self.device)",
]


def function(name: str, lines: list[str]) -> Located:
    (found,) = iter_functions(f"def {name}(self, batch):\n" + "".join(f"    {x}\n" for x in lines))
    return found


RUN, ALLOCATE = function("run", LINES), function("allocate", OTHER)
POOL = Pool([Original("up", RUN), Original("up", ALLOCATE)])


def test_a_copy_by_its_name() -> None:
    found = POOL.find(function("run", [*LINES[:4], "self.talk(hidden)", *LINES[4:]]))
    assert found is not None
    assert (found.original.name, found.fit.copied) == ("run", 1.0)
    assert found.fit.drift > 0


def test_a_function_of_its_own_is_none() -> None:
    assert POOL.find(function("run", OTHER)) is None
    assert POOL.find(function("run", ["return super().run(batch)"])) is None


def test_another_name_only_where_that_is_asked() -> None:
    mine = function("run_twice", LINES)
    assert POOL.find(mine) is None
    found = POOL.find(mine, renamed=True)
    assert found is not None
    assert found.original.name == "run"


def test_the_same_name_wins_over_a_likelier_other() -> None:
    pool = Pool(
        [Original("up", function("other", LINES)), Original("up", function("run", LINES[1:]))]
    )
    found = pool.find(function("run", LINES), renamed=True)
    assert found is not None
    assert found.original.name == "run"


def test_what_is_mostly_new_is_no_copy_of_the_little_that_it_holds() -> None:
    mine = function(
        "allocate", [*OTHER, *(f"self.step_{n}(batch, {n}, size={n})" for n in range(20))]
    )
    assert POOL.find(mine) is None


def test_short_functions_look_alike_by_chance() -> None:
    short = function("size", ["return len(self.batch)"])
    assert Pool([Original("up", short)]).find(short) is None


def test_a_nearer_class_wins_unless_the_other_is_much_likelier() -> None:
    near, far = function("run", [*LINES, "self.done()"]), function("run", LINES)
    found = Pool([Original("near", near), Original("far", far)]).find(RUN)
    assert found is not None
    assert found.original.owner == "near"
    unlike = function("run", [*LINES[:2], *OTHER])
    found = Pool([Original("near", unlike), Original("far", far)]).find(RUN)
    assert found is not None
    assert found.original.owner == "far"


def test_layout_and_comments_do_not_count() -> None:
    text = "def run(self, batch):\n    # a note\n" + "".join(
        f"    {x.replace('(', '(  ')}  # why\n" for x in LINES
    )
    (mine,) = iter_functions(text)
    found = POOL.find(mine)
    assert found is not None
    assert found.fit.left == 0


def test_the_nearest_versions_keep_their_order() -> None:
    versions = [(f"v{n}", function("run", LINES + OTHER[3 : 3 + n])) for n in range(3)]
    assert [name for name, _ in nearest(RUN, versions, 2)] == ["v0", "v1"]
    assert [name for name, _ in nearest(RUN, [*versions, ("same", RUN)], 1)] == ["v0", "same"]
    assert nearest(RUN, [], 3) == []
