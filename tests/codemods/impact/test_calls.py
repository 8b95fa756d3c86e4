from __future__ import annotations

import pytest

from omni_codemods.impact.model import Impact
from upgrades import compare, kinds, only, port

OLD = """\
class Runner:
    def run(self, batch):
        ids, mask = self.prepare(batch, True)
        hidden = self.model(ids, mask=mask)
        logits = self.head(hidden[batch.last])
        return self.sampler(logits, batch.sampling)

    def prepare(self, batch, pad, limit=0):
        return batch.ids, pad

class Pool:
    def __init__(self, size):
        self.size = size

def gather(batch, device):
    return batch.ids
"""
OWN = """\
from up.runner import Pool, Runner, gather

class Mine(Runner):
    def warm_up(self, batch):
        ids, mask = self.prepare(batch, True)
        return gather(batch, device=None), Pool(4)
"""
COPY = "from up.runner import Runner\n\n" + OLD.partition("\n    def prepare")[0].replace(
    "class Runner:", "class Mine(Runner):"
)


def new(old: str, text: str) -> str:
    assert old in OLD
    return OLD.replace(old, text)


def test_nothing() -> None:
    assert compare(OWN, OLD, OLD).changes == ()


@pytest.mark.parametrize(
    ("old", "text", "impact", "message"),
    [
        ("pad, limit=0", "pad, limit=0, mask=None", Impact.MECHANICAL, "also takes mask=None"),
        ("pad, limit=0", "pad, limit=1", Impact.BEHAVIORAL, "the default of limit is 1 (was 0)"),
        ("pad, limit=0", "pad", Impact.MECHANICAL, "no longer takes limit"),
        ("pad, limit=0", "padded, limit=0", Impact.BEHAVIORAL, "no longer takes pad"),
    ],
)
def test_calls_that_still_fit(old: str, text: str, impact: Impact, message: str) -> None:
    change = only(compare(OWN, OLD, new(old, text)), "call-signature")
    assert (change.impact, change.message) == (impact, message)
    assert change.subject == "up.runner.Runner.prepare"
    (consumer,) = change.consumers
    assert (consumer.method, consumer.lines) == ("Mine.warm_up", (5,))


@pytest.mark.parametrize(
    ("old", "text", "message"),
    [
        ("pad, limit=0", "pad, mask, limit=0", "also wants mask"),
        ("pad, limit=0", "*, limit=0", "takes 1 positional arguments, and gets 2"),
        ("pad, limit=0", "limit=0, pad=0", "argument 2 is limit now (was pad)"),
        ("batch, device", "batch", "does not take device="),
        ("self, size)", "self, size, device)", "also wants device"),
    ],
)
def test_calls_that_no_longer_fit(old: str, text: str, message: str) -> None:
    change = only(compare(OWN, OLD, new(old, text)), "call-misfit")
    assert change.impact is Impact.BEHAVIORAL
    assert change.message == message


@pytest.mark.parametrize("text", ["pad: bool, limit: int = 0", "pad, limit=0"])
def test_annotations_ask_nothing_of_callers(text: str) -> None:
    assert compare(OWN, OLD, new("pad, limit=0", text)).changes == ()


def test_a_call_that_fits_the_target_already() -> None:
    local = OWN.replace("(batch, True)", "(batch, True, mask=None)")
    change = only(compare(local, OLD, new("pad, limit=0", "pad, mask, limit=0")), "call-signature")
    assert change.impact is Impact.MECHANICAL
    assert change.details[-1] == "our calls fit the target already"


def test_a_default_that_the_call_does_not_rest_on() -> None:
    local = OWN.replace("(batch, True)", "(batch, True, limit=3)")
    change = only(compare(local, OLD, new("limit=0", "limit=1")), "call-signature")
    assert change.impact is Impact.MECHANICAL


def test_a_call_with_unpacked_arguments_may_behave_otherwise() -> None:
    local = OWN.replace("(batch, True)", "(*batch)")
    change = only(compare(local, OLD, new("pad, limit=0", "limit=0, pad=0")), "call-signature")
    assert change.impact is Impact.BEHAVIORAL


def test_another_number_of_values() -> None:
    text = new("return batch.ids, pad\n", "return batch.ids, pad, limit\n")
    change = only(compare(OWN, OLD, text), "call-result")
    assert change.message == "returns 3 values (was 2)"
    assert change.consumers[0].lines == (5,)


def test_a_call_that_becomes_async() -> None:
    found = compare(OWN, OLD, new("def gather", "async def gather"))
    assert only(found, "call-async").message == "is async now"


def test_a_method_that_is_gone() -> None:
    rest = OLD[OLD.index("    def prepare") : OLD.index("class Pool")]
    change = only(compare(OWN, OLD, new(rest, "")), "call-gone")
    assert change.impact is Impact.ARCHITECTURAL
    assert change.new is None
    assert change.consumers[0].lines == (5,)


def test_a_method_that_has_another_name() -> None:
    long = new("return batch.ids, pad\n", "self.pool.take(limit)\n        return batch.ids, pad\n")
    change = only(compare(OWN, long, long.replace("def prepare", "def gather_ids")), "call-gone")
    assert change.impact is Impact.BEHAVIORAL
    assert change.message.startswith("perhaps up.runner.Runner.gather_ids now")


def test_what_copied_code_calls_comes_with_the_rebase() -> None:
    change = only(compare(COPY, OLD, new("pad, limit=0", "pad, mask, limit=0")), "call-copied")
    assert change.impact is Impact.MECHANICAL
    assert change.message == "also wants mask"
    gone = OLD[OLD.index("    def prepare") : OLD.index("class Pool")]
    assert compare(COPY, OLD, new(gone, "")).changes == ()


def test_a_block_in_a_copy_calls_for_us() -> None:
    block = (
        "        # ---- Omni-new ----\n        self.prepare(batch, False)\n"
        "        # ---- Omni-new ----\n        logits ="
    )
    local = COPY.replace("        logits =", block)
    change = only(compare(local, OLD, new("pad, limit=0", "pad, mask, limit=0")), "call-misfit")
    assert change.consumers[0].lines == (8,)


def test_own_methods_are_no_business_of_the_upstream() -> None:
    local = OWN + "\n    def prepare(self, batch, pad):\n        return 1, 2\n"
    found = compare(local, OLD, new("pad, limit=0", "pad, mask, limit=0"))
    assert kinds(found) == ["seam-signature"]


def test_super_calls() -> None:
    local = (
        "from up.runner import Runner\n\nclass Mine(Runner):\n"
        "    def prepare(self, batch, pad, limit=0):\n"
        "        return super().prepare(batch, pad)\n"
    )
    found = compare(local, OLD, new("pad, limit=0", "pad, mask, limit=0"))
    assert kinds(found) == ["call-misfit", "seam-signature"]


def test_a_block_in_a_patched_function() -> None:
    body = OLD[OLD.index("    def run") : OLD.index("\n    def prepare")].replace("\n    ", "\n")[
        4:
    ]
    block = "    # ### PATCH START: x\n    self.prepare(batch, False)\n    # ### PATCH END: x\n"
    local = body.replace("    logits =", f"{block}    logits =") + "\n\nRunner.run = run\n"
    one = port("from up.runner import Runner\n\n\n" + local, "run", "up.runner.Runner.run")
    found = compare(one, OLD, new("pad, limit=0", "pad, mask, limit=0"))
    change = only(found, "call-misfit")
    assert [(c.method, c.lines) for c in change.consumers] == [("run", (8,))]


def test_a_parameter_that_the_call_does_not_reach_may_shift() -> None:
    found = compare(OWN, OLD, new("pad, limit=0", "pad, mask=None, limit=0"))
    assert only(found, "call-signature").impact is Impact.MECHANICAL


def test_of_several_calls_those_that_take_the_result_apart_are_named() -> None:
    again = "        both = self.prepare(batch, True)\n        return both\n"
    local = OWN + "\n    def again(self, batch):\n" + again
    text = new("return batch.ids, pad\n", "return batch.ids, pad, limit\n")
    change = only(compare(local, OLD, text), "call-result")
    assert [(c.method, c.lines) for c in change.consumers] == [("Mine.warm_up", (5,))]
    whole = OWN.replace("ids, mask = self", "both = self")
    change = only(compare(whole, OLD, text), "call-result")
    assert [(c.method, c.lines) for c in change.consumers] == [("Mine.warm_up", (5,))]


def test_another_number_of_values_in_copied_code() -> None:
    text = new("return batch.ids, pad\n", "return batch.ids, pad, limit\n")
    change = only(compare(COPY, OLD, text), "call-copied")
    assert (change.message, change.details) == ("returns 3 values (was 2)", ())
    both = text.replace("pad, limit=0", "pad, limit=0, mask=None")
    change = only(compare(COPY, OLD, both), "call-copied")
    assert change.details == ("also takes mask=None",)
