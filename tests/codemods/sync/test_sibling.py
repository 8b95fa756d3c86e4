"""The sibling's two versions, translated, and the method found in each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omni_codemods.findings.errors import MethodNotFound, SourceError
from omni_codemods.sync.sibling import Sibling, locate_ends, parse_upstreams, whole

HEAD = "from vllm.compilation.cuda_graph import CUDAGraphStat, CUDAGraphWrapper\n\n\n"
TEXT = HEAD + "class GPU:\n    def run(self):\n        return CUDAGraphWrapper(self)\n"
SIBLING = Sibling(TEXT, TEXT.replace("class GPU", "class New"), cls="GPU", target_cls="New")
ENDS = locate_ends(SIBLING, "run")


def test_both_ends_are_translated_and_found_in_their_own_classes() -> None:
    ends = locate_ends(SIBLING, "run")
    assert (ends.old.qualname, ends.new.qualname) == ("GPU.run", "New.run")
    for text in (ends.before, ends.after):
        assert "ACLGraphWrapper(self)" in text
        assert "CUDAGraphStat" in text
    assert ends.after.split("\n")[ends.new.start - 1] == "    def run(self):"


def test_errors_name_their_end() -> None:
    with pytest.raises(MethodNotFound) as missing:
        locate_ends(replace(SIBLING, target_cls=None), "run")
    assert missing.value.side == "gpu-target"
    with pytest.raises(SourceError) as broken:
        locate_ends(replace(SIBLING, base="def ("), "run")
    assert broken.value.side == "gpu-base"


def test_without_an_upstream_there_is_none() -> None:
    assert parse_upstreams(SIBLING, ENDS, "run", "    ") is None
    assert parse_upstreams(replace(SIBLING, upstream_base=TEXT), ENDS, "run", "    ") is None


def test_the_upstream_in_the_name_and_the_indentation_of_the_copy() -> None:
    text = "class Up:\n  def run(self):\n    if a:\n      b()\n"
    known = replace(
        SIBLING,
        upstream_base=text,
        upstream_target=text.replace("class Up", "class Up2"),
        upstream_class="Up",
        upstream_target_class="Up2",
    )
    found = parse_upstreams(known, ENDS, "walk", "    ")
    assert found is not None
    for tree in (found.base, found.target):
        assert tree.text == "def walk(self):\n    if a:\n        b()\n"


def test_an_upstream_class_without_the_method_says_nothing_of_it() -> None:
    text = "class Up:\n    def other(self):\n        pass\n"
    known = replace(SIBLING, upstream_base=text, upstream_target=text, upstream_class="Up")
    found = parse_upstreams(known, ENDS, "run", "    ")
    assert found is not None
    assert found.base.text == "def run():\n    pass\n"
    with pytest.raises(MethodNotFound) as missing:
        parse_upstreams(replace(known, upstream_class="Down"), ENDS, "run", "    ")
    assert missing.value.side == "gpu-upstream-base"


def test_a_function_that_is_a_file_of_its_own() -> None:
    found = whole("def run():\n    pass\n")
    assert (found.start, found.text) == (1, "def run():\n    pass\n")
