from __future__ import annotations

import pytest

from omni_codemods.findings.errors import MethodNotFound, SourceError
from omni_codemods.provenance.provenance import (
    Candidate,
    MethodProvenance,
    find_fit,
    find_provenance,
    rank_versions,
)
from omni_codemods.text.outline import locate


def runner(body: str, name: str = "Runner", method: str = "run") -> str:
    lines = "".join(f"        {line}\n" for line in body.strip().split("\n"))
    return f"class {name}:\n    def {method}(self, batch):\n{lines}"


OLD = runner(
    """
ids = self.gather(batch)
mask = self.make_mask(ids, batch.length)
hidden = self.model(ids, mask)
return self.head(hidden)
"""
)
NEW = OLD.replace("make_mask(ids, batch.length)", "make_mask(ids, lengths=batch.lengths)")
NEWEST = NEW.replace(
    "        return", "        self.record(hidden, step=self.step)\n        return"
)
VERSIONS = [Candidate("1.0", OLD), Candidate("2.0", NEW), Candidate("3.0", NEWEST)]


def find_one(local: str, candidates: list[Candidate] | None = None) -> MethodProvenance:
    (found,) = find_provenance(local, VERSIONS if candidates is None else candidates)
    return found


@pytest.mark.parametrize(("text", "name"), [(OLD, "1.0"), (NEW, "2.0"), (NEWEST, "3.0")])
def test_an_exact_copy_has_no_drift(text: str, name: str) -> None:
    found = find_one(text)
    assert found.best.names == (name,)
    assert (found.best.drift, found.best.beside, found.best.copied) == (0, 0, 1.0)
    assert found.margin is not None
    assert found.margin > 0
    assert found.is_copy
    assert (found.qualname, found.line) == ("Runner.run", 2)


@pytest.mark.parametrize(("text", "name"), [(OLD, "1.0"), (NEW, "2.0"), (NEWEST, "3.0")])
def test_code_in_a_fence_does_not_count(text: str, name: str) -> None:
    fenced = text.replace(
        "        hidden =",
        "        # ---- Omni-new ----\n"
        "        self.talker.feed(ids, mask, step=self.step, record=self.record)\n"
        "        # ---- Omni-new ----\n"
        "        hidden =",
    )
    found = find_one(fenced)
    assert found.best.names == (name,)
    assert found.best.drift == 0


def test_a_marked_argument_does_not_count() -> None:
    marked = NEW.replace(
        "self.model(ids, mask)",
        "self.model(\n            ids,\n            mask,\n"
        "            voice=self.voice,  # Omni-new: voice\n        )",
    )
    found = find_one(marked)
    assert (found.best.names, found.best.drift) == (("2.0",), 0)


def test_the_same_code_without_fences_counts() -> None:
    found = find_one(
        NEW.replace("        hidden =", "        self.talker.feed(ids)\n        hidden =")
    )
    assert found.best.names == ("2.0",)
    assert found.best.drift == 8


def test_layout_and_comments_do_not_count() -> None:
    laid_out = NEW.replace(
        "(ids, mask)", "(\n            ids,  # why\n            mask,\n        )"
    )
    assert find_one(laid_out).best.drift == 0


def test_what_a_block_replaced_is_told_apart_and_breaks_ties() -> None:
    local = OLD.replace(
        "        return self.head(hidden)",
        "        # ---- Omni-new ----\n"
        "        return self.talker(hidden)\n"
        "        # ---- Omni-new ----",
    )
    found = find_one(
        local,
        [
            Candidate("1.0", OLD),
            Candidate(
                "1.1",
                NEWEST.replace(
                    "make_mask(ids, lengths=batch.lengths)", "make_mask(ids, batch.length)"
                ),
            ),
        ],
    )
    assert found.best.names == ("1.0",)
    assert found.best.drift == found.ranks[1].drift == 0
    assert (found.best.beside, found.ranks[1].beside) == (0, 12)


def test_candidates_with_the_same_code_are_told_together() -> None:
    found = find_one(NEW, [Candidate("2.0", NEW), Candidate("2.1", "import os\n\n\n" + NEW)])
    assert found.best.names == ("2.0", "2.1")
    assert found.best.same_code
    assert found.margin is None


def test_candidates_that_are_equally_near_say_that_they_differ() -> None:
    one, other = (OLD.replace("gather", name) for name in ("collect", "assemble"))
    found = find_one(OLD, [Candidate("a", one), Candidate("b", other)])
    assert found.best.names == ("a", "b")
    assert not found.best.same_code


def test_an_override_of_its_own_is_no_copy() -> None:
    found = find_one(runner("return super().run(batch)"))
    assert not found.is_copy
    assert found.best.copied == 0


def test_the_class_is_found_by_the_bases_of_the_local_one() -> None:
    local = NEW.replace("class Runner:", "class OmniRunner(Mixin, base.Runner):")
    other = runner("return self.idle(batch)", name="Other")
    found = find_one(local, [Candidate("2.0", other + "\n\n" + NEW)])
    assert (found.best.names, found.best.drift) == (("2.0",), 0)


def test_a_class_that_is_named_is_the_one_compared() -> None:
    text = NEW.replace("class Runner", "class Upstream") + "\n\n" + OLD
    (found,) = find_provenance(NEW, [Candidate("2.0", text, "Upstream")])
    assert found.best.drift == 0


def test_candidates_without_the_method_are_said() -> None:
    found = find_one(NEW, [Candidate("0.1", runner("pass", method="start")), *VERSIONS])
    assert found.lacking == ("0.1",)
    assert found.best.names == ("2.0",)


def test_methods_that_no_candidate_has_are_left_out() -> None:
    assert find_provenance(runner("pass", method="feed_talker"), VERSIONS) == ()


def test_only_the_methods_asked_for() -> None:
    both = NEW + "\n    def stop(self):\n        self.stopped = True\n"
    candidates = [Candidate("2.0", both)]
    names = [m.qualname for m in find_provenance(both, candidates, methods=["stop"])]
    assert names == ["Runner.stop"]
    assert len(find_provenance(both, candidates)) == 2


def test_what_cannot_be_found_is_an_error() -> None:
    with pytest.raises(MethodNotFound, match="no class Rnner"):
        find_provenance(NEW, VERSIONS, local_class="Rnner")
    with pytest.raises(MethodNotFound, match="no function"):
        find_provenance(NEW, VERSIONS, methods=["ran"])
    own = NEW + "\n    def feed(self):\n        pass\n"
    with pytest.raises(MethodNotFound, match="no candidate has a method feed"):
        find_provenance(own, VERSIONS, methods=["feed"])


def test_a_candidate_that_is_no_python_is_named() -> None:
    with pytest.raises(SourceError) as caught:
        find_provenance(NEW, [Candidate("9.9", "def (:\n")])
    assert caught.value.side == "9.9"


def test_a_fit_does_not_look_at_names() -> None:
    local, upstream = locate(NEW.replace("def run", "def walk"), "walk"), locate(NEW, "run")
    fit = find_fit(local, upstream)
    assert (fit.left, fit.copied, fit.is_copy) == (0, 1.0, True)
    assert find_fit(local, locate(OLD, "run")).left > 0


def test_versions_of_a_function_with_the_same_text_are_one_rank() -> None:
    versions = [
        ("1.0", locate(OLD, "run")),
        ("2.0", locate(NEW, "run")),
        ("2.1", locate(NEW, "run")),
    ]
    best, other = rank_versions(locate(NEW, "run"), versions)
    assert (best.names, best.drift, best.same_code) == (("2.0", "2.1"), 0, True)
    assert other.names == ("1.0",)
    assert rank_versions(locate(NEW, "run"), []) == ()
