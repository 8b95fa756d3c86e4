"""``rebase_method`` as callers see it: which function, which lines, which errors."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.errors import FenceError, MethodNotFound, NotACopy, SourceError
from omni_codemods.findings.model import EditKind, Evidence, Outcome, RebaseResult, Severity, Span
from omni_codemods.functions.fences import parse_fences
from omni_codemods.rebase.method import Labels, rebase_method

BASE = '''\
import time


class Runner:
    """Runs."""

    def first(self):
        return 1

    def run(self, rows):
        hidden = self.model(rows)
        self.count(hidden)
        return hidden

    def last(self):
        return 2
'''
LOCAL = BASE.replace("class Runner:", "class OurRunner(Runner):").replace(
    "        self.count(hidden)\n",
    "        # PATCH START: talker\n        self.talker(hidden)\n        # PATCH END: talker\n"
    "        self.count(hidden)\n",
)
TARGET = BASE.replace("self.model(rows)", "self.model(rows, self.mask)").replace(
    "        return hidden\n", "        self.done = time.time()\n        return hidden\n"
)


def rebase(
    local: str = LOCAL, base: str = BASE, target: str = TARGET, **options: str
) -> RebaseResult:
    """Rebase ``run``."""
    return rebase_method(local=local, base=base, target=target, method="run", **options)  # type: ignore[arg-type]


def lines(text: str, span: Span | None) -> str:
    assert span is not None
    return "".join(text.splitlines(keepends=True)[span.start - 1 : span.end])


def test_the_function_is_rebuilt_and_nothing_else() -> None:
    result = rebase()
    assert result.method == "OurRunner.run"
    assert result.text == LOCAL.replace("self.model(rows)", "self.model(rows, self.mask)").replace(
        "        return hidden\n", "        self.done = time.time()\n        return hidden\n"
    )
    assert result.conflicts == ()
    assert result.findings == ()
    assert not result.needs_person


def test_the_edit_says_where_it_stood_and_where_it_stands() -> None:
    (edit,) = rebase().edits
    assert edit.edit.kind is EditKind.BLOCK
    assert (edit.edit.change, edit.edit.label) == ("insertion", "talker")
    assert edit.edit.summary == "self.talker(hidden)"
    assert (edit.outcome, edit.evidence) == (Outcome.CARRIED, Evidence.EXACT)
    assert edit.overruled == ""
    assert "PATCH START" in lines(LOCAL, edit.edit.span)
    assert lines(rebase().text, edit.result) == lines(LOCAL, edit.edit.span)


def test_lines_count_in_the_file_with_its_new_imports() -> None:
    target = TARGET.replace("import time", "import time\nimport torch").replace(
        "self.done =", "self.device = torch.device('cpu')\n        self.done ="
    )
    local = LOCAL.replace("import time", "import time")
    result = rebase(local, target=target)
    assert result.imports_added == ("import torch",)
    (edit,) = result.edits
    assert lines(result.text, edit.result) == lines(local, edit.edit.span)


CLASH = (
    LOCAL.replace("self.count(hidden)", "self.count(hidden, 1)"),
    TARGET.replace("self.count(hidden)", "self.count(hidden, 2, 3)").replace(
        "self.count(hidden", "self.recount(hidden"
    ),
)


def conflicting(**options: str) -> RebaseResult:
    local = BASE.replace("return hidden", "return hidden * 2")
    target = BASE.replace("return hidden", "return hidden + 3")
    return rebase(local, BASE, target, **options)


def test_a_conflict_stands_on_its_line() -> None:
    result = conflicting()
    (conflict,) = result.conflicts
    text = result.text.splitlines()
    assert text[conflict.line - 1] == "<<<<<<< local"
    assert text[conflict.line : conflict.line + 7] == [
        "        return hidden * 2",
        "||||||| base",
        "        return hidden",
        "=======",
        "        return hidden + 3",
        ">>>>>>> target",
        "",
    ]
    assert conflict.local.strip() == "return hidden * 2"
    assert conflict.base.strip() == "return hidden"
    assert conflict.target.strip() == "return hidden + 3"
    assert conflict.reason
    assert result.needs_person
    assert [e.outcome for e in result.edits] == [Outcome.CONFLICT]


def test_labels_stand_behind_the_markers() -> None:
    result = rebase_method(
        local=BASE.replace("return hidden", "return hidden * 2"),
        base=BASE,
        target=BASE.replace("return hidden", "return hidden + 3"),
        method="run",
        labels=Labels("ours", "v1", "v2"),
    )
    marks = [x for x in result.text.splitlines() if x[:1] in "<|=>" and x[:1]]
    assert marks == ["<<<<<<< ours", "||||||| v1", "=======", ">>>>>>> v2"]


def test_the_sides_of_a_conflict_are_those_in_the_text() -> None:
    result = conflicting()
    (conflict,) = result.conflicts
    for side in (conflict.local, conflict.base, conflict.target):
        assert f"\n{side}" in result.text


def test_strict_policy_makes_overlaps_conflicts() -> None:
    local = BASE.replace("self.model(rows)", "self.model(rows, ours=1)")
    assert rebase(local).conflicts == ()
    assert "self.model(rows, self.mask, ours=1)" in rebase(local).text
    assert len(rebase(local, policy="strict").conflicts) == 1


def test_strict_policy_leaves_what_does_not_overlap() -> None:
    assert rebase(policy="strict").text == rebase().text
    local = LOCAL.replace("self.count(hidden)", "self.count(hidden, 1)")
    assert rebase(local, policy="strict").text == rebase(local).text


# -- which function -------------------------------------------------------------------------


def test_classes_choose_among_methods_of_one_name() -> None:
    def twice(text: str, first: str) -> str:
        other = text.replace("class ", "class Other", 1).replace(first, "self.other(rows)")
        return text + "\n\n" + other.partition("\n\n\n")[2]

    local, base, target = (twice(t, "self.model(rows)") for t in (LOCAL, BASE, TARGET))
    with pytest.raises(MethodNotFound) as caught:
        rebase(local, base, target)
    assert caught.value.side == "local"
    result = rebase(
        local, base, target, local_class="OurRunner", base_class="Runner", target_class="Runner"
    )
    assert result.text == rebase().text + local[len(LOCAL) :]


def test_the_target_s_method_may_have_another_name() -> None:
    target = TARGET.replace("def run(", "def execute(")
    result = rebase(target=target, target_method="execute")
    assert result.text == rebase().text
    with pytest.raises(MethodNotFound) as caught:
        rebase(target=target)
    assert caught.value.side == "target"
    assert "--target-method Runner.execute" in caught.value.hint


def test_a_plain_function_that_patches_a_method() -> None:
    local = textwrap.dedent(LOCAL[LOCAL.index("    def run") : LOCAL.index("    def last")])
    patched = f"import time\n\nfrom up import Runner\n\n\n{local}\nRunner.run = run\n"
    result = rebase(patched)
    assert result.method == "run"
    assert "\n    hidden = self.model(rows, self.mask)\n" in result.text
    assert result.text.endswith("\nRunner.run = run\n")


def test_a_plain_function_that_patches_a_module() -> None:
    base = "def run(rows):\n    return sorted(rows)\n"
    target = "def run(rows):\n    check(rows)\n    return sorted(rows)\n\n\ndef check(rows): ...\n"
    local = (
        "import up as engine\n\n\ndef run(rows):\n    # ---- Omni-new ----\n    rows.tag()\n"
        "    # ---- Omni-new ----\n    return sorted(rows)\n\n\nengine.run = run\n"
    )
    result = rebase_method(local=local, base=base, target=target, method="run", target_module="up")
    assert "    check(rows)\n" in result.text
    assert "    rows.tag()\n" in result.text
    assert result.text.endswith("\nengine.run = run\n")


def test_a_base_of_another_name() -> None:
    local = BASE.replace("def run(", "def run_twice(").replace("class Runner", "class Mine")
    result = rebase_method(
        local=local,
        base=BASE,
        target=TARGET,
        method="run_twice",
        local_class="Mine",
        base_class="Runner",
        base_method="run",
    )
    expected = TARGET.replace("def run(", "def run_twice(").replace("class Runner", "class Mine")
    start, end = expected.index("    def run_twice"), expected.index("    def last")
    assert expected[start:end] in result.text


def test_what_nobody_changed_keeps_the_layout_that_local_gave_it() -> None:
    def call(first: str, second: str) -> str:
        return BASE.replace("self.model(rows)", f"self.model({first}, {second})")

    base, target = call("size=max(1, 2)", "deep=1"), call("size=max(1, 2)", "deep=2")
    local = call("size=max(1,2)", "deep=1, ours=3")
    assert "self.model(size=max(1,2), deep=2, ours=3)" in rebase(local, base, target).text
    again = call("size=max( 1, 2 )", "deep=2")
    assert "self.model(size=max( 1, 2 ), deep=2, ours=3)" in rebase(local, base, again).text


@pytest.mark.parametrize("heading", ["# " + "-" * 30, "# ---- Omni-new ----", "# PATCH END: x"])
def test_a_heading_of_the_upstream_closes_no_block(heading: str) -> None:
    base = "def run(rows):\n    rows = mode\n    del rows.peer\n    mode = count\n"
    local = (
        "def run(rows):\n    # ---Omni-new---\n    mask = rows[:count]\n    rows = mask\n"
        "    del rows.peer\n    # ---- Omni-new ----\n"
    )
    target = (
        "def run(rows):\n    rows = mode\n    del rows.peer\n    first(rows)\n"
        f"    {heading}\n    second(rows)\n    mode = count\n"
    )
    result = rebase_method(local=local, base=base, target=target, method="run")
    assert not result.conflicts
    (block,) = (b for b in parse_fences(result.text).blocks if b.opening.text == "# ---Omni-new---")
    held = result.text.split("\n")[block.span.start : block.span.end - 1]
    assert [line.strip() for line in held] == [
        "mask = rows[:count]",
        "rows = mask",
        "del rows.peer",
    ]
    for line in ("first(rows)", heading, "second(rows)"):
        assert result.text.count(line) == 1 + (line == "# ---- Omni-new ----")


@pytest.mark.parametrize("around", [False, True])
@pytest.mark.parametrize(
    "call", ["call(\n        rows,\n        mask,\n", "call(\n        rows,\n"]
)
@pytest.mark.parametrize("new", ["", "        mode,\n"])
def test_each_block_is_reported_where_it_stands(around: bool, call: str, new: str) -> None:
    base = f"def run(rows):\n    first(rows)\n    {call}    )\n    last(rows)\n"
    opening, closing = ("    # PATCH START: x\n", "    # PATCH END: x\n") if around else ("", "")
    local = (
        f"def run(rows):\n    first(rows)\n{opening}    {call}"
        f"        a=1,  # Omni-new\n        b=2,  # Omni-new\n    )\n{closing}    last(rows)\n"
    )
    target = base.replace(call, call + new).replace("first(", "second(")
    result = rebase_method(local=local, base=base, target=target, method="run")
    assert not result.conflicts
    lines = result.text.splitlines()
    spans = [e.result for e in result.edits if e.result is not None]
    held = ["\n".join(lines[span.start - 1 : span.end]) for span in spans]
    assert len(held) == len(result.edits) == 2 + around
    assert "        a=1,  # Omni-new" in held
    assert "        b=2,  # Omni-new" in held
    assert not around or any(x.startswith(opening.rstrip()) for x in held)
    assert "unchanged" not in {e.reason for e in result.edits}


# -- bytes ----------------------------------------------------------------------------------


def test_crlf_stays() -> None:
    crlf = LOCAL.replace("\n", "\r\n")
    assert rebase(crlf).text == rebase().text.replace("\n", "\r\n")
    assert rebase(base=BASE.replace("\n", "\r\n")).text == rebase().text
    assert rebase(target=TARGET.replace("\n", "\r\n")).text == rebase().text


def test_a_missing_final_newline_stays_missing() -> None:
    def cut(text: str) -> str:
        return text[: text.index("\n    def last")].rstrip("\n")

    whole, result = rebase().text, rebase(*map(cut, (LOCAL, BASE, TARGET)))
    assert result.text == cut(whole)


def test_a_second_run_changes_nothing() -> None:
    assert rebase(rebase().text, TARGET, TARGET).text == rebase().text


@pytest.mark.parametrize(
    ("local", "base", "target", "expected"),
    [
        (LOCAL, BASE, BASE, LOCAL),
        (BASE, BASE, TARGET, TARGET),
        (TARGET, BASE, TARGET, TARGET),
        (LOCAL.replace("    ", "\t"), BASE, BASE, LOCAL.replace("    ", "\t")),
    ],
)
def test_where_two_are_the_same(local: str, base: str, target: str, expected: str) -> None:
    assert rebase(local, base, target).text == expected


ONE_LINE = "class R:\n    def run(self): pass\n"


def test_a_function_on_one_line_stays_on_it() -> None:
    assert rebase(ONE_LINE, ONE_LINE, ONE_LINE).text == ONE_LINE


def test_an_untouched_copy_on_one_line_takes_the_targets_line() -> None:
    target = ONE_LINE.replace("self)", "self, k)")
    assert rebase(ONE_LINE, ONE_LINE, target).text == target


# -- imports --------------------------------------------------------------------------------


def test_the_module_of_the_target_is_where_local_imports_its_class_from() -> None:
    target = f"LIMIT = 8\n{TARGET}".replace("self.mask", "LIMIT")
    local = LOCAL.replace("import time\n", "import time\n\nfrom up.runner import Runner\n")
    assert rebase(local, target=target).imports_added == ("from up.runner import LIMIT",)
    assert rebase(LOCAL, target=target, target_module="other.place").imports_added == (
        "from other.place import LIMIT",
    )
    (finding,) = rebase(LOCAL, target=target).findings
    assert (finding.code, finding.severity) == ("OP401", Severity.ERROR)
    assert rebase(LOCAL, target=target).needs_person


def test_an_import_that_lost_its_last_use_goes() -> None:
    local = rebase().text
    result = rebase(local, TARGET, BASE)
    assert result.imports_removed == ("import time",)
    assert not result.text.startswith("import time")


def test_a_finding_about_fences_has_its_line_in_the_result() -> None:
    local = LOCAL.replace("PATCH END: talker", "PATCH END: other")
    result = rebase(local)
    (finding,) = result.findings
    assert finding.code == "OP202"
    assert "PATCH END: other" in result.text.splitlines()[finding.line - 1]


# -- errors ---------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["local", "base", "target"])
def test_what_is_not_python_names_its_side_and_line(side: str) -> None:
    texts = {"local": LOCAL, "base": BASE, "target": TARGET}
    texts[side] = texts[side].replace("return hidden", "return (hidden")
    with pytest.raises(SourceError) as caught:
        rebase(**texts)
    assert caught.value.side == side
    assert caught.value.line is not None


@pytest.mark.parametrize("side", ["local", "target"])
@pytest.mark.parametrize("drift", ["", "        self.ours()\n"])
def test_tokens_that_are_not_python_are_an_error_where_they_would_come_into_the_result(
    side: str, drift: str
) -> None:
    texts = {"local": BASE.replace("        self.count", f"{drift}        self.count")}
    texts |= {"base": BASE, "target": TARGET}
    texts[side] = texts[side].replace("return hidden", "return = hidden")
    with pytest.raises(SourceError) as caught:
        rebase(**texts)
    assert caught.value.side == side
    assert caught.value.hint
    line = texts[side].splitlines()[(caught.value.line or 0) - 1]
    assert line[caught.value.column :] == "= hidden"


def test_other_functions_of_the_upstream_need_not_be_python() -> None:
    broken = TARGET.replace("return 2", "return = 2")
    assert rebase(target=broken, base=BASE.replace("return 2", "return = 2")).text == rebase().text
    with pytest.raises(SourceError) as caught:
        rebase(local=LOCAL.replace("return 2", "return = 2"))
    assert caught.value.side == "local"


@pytest.mark.parametrize("side", ["local", "base", "target"])
def test_a_missing_method_names_its_side(side: str) -> None:
    texts = {"local": LOCAL, "base": BASE, "target": TARGET}
    texts[side] = texts[side].replace("def run(", "def runs(")
    with pytest.raises(MethodNotFound) as caught:
        rebase(**texts)
    assert caught.value.side == side
    assert "runs" in caught.value.hint


def test_fences_that_do_not_pair() -> None:
    local = LOCAL.replace("        # PATCH END: talker\n", "")
    with pytest.raises(FenceError) as caught:
        rebase(local)
    assert caught.value.side == "local"
    assert caught.value.line is not None
    assert "PATCH START" in local.splitlines()[caught.value.line - 1]


def test_the_column_of_a_fence_is_that_of_the_file() -> None:
    with pytest.raises(FenceError) as caught:
        rebase(LOCAL.replace("        # PATCH END: talker\n", ""))
    assert caught.value.column == 8


def test_fences_elsewhere_do_not_matter() -> None:
    broken = "    def last(self):\n        # PATCH START: alone\n"
    local = LOCAL.replace("    def last(self):\n", broken)
    assert rebase(local).text == rebase().text.replace("    def last(self):\n", broken)


def test_what_is_no_copy() -> None:
    other = BASE.replace(
        "        hidden = self.model(rows)\n        self.count(hidden)\n        return hidden\n",
        "        with open(self.path) as file:\n            yield from file\n",
    )
    with pytest.raises(NotACopy) as caught:
        rebase(other)
    assert caught.value.side == "local"
    assert "--base" in caught.value.hint


@pytest.mark.parametrize("call", ["self.trace(stage=8)", "self.trace(\n        stage=8,\n    )"])
def test_the_order_of_the_account_does_not_hang_on_layout(call: str) -> None:
    def function(*body: str) -> str:
        return "\n    ".join(["def run(self, rows):", *body]) + "\n"

    result = rebase(
        function("mine(rows)", "del self.peer", f"self.batch = {call}"),
        function("self.batch = self.trace()", "del self.peer"),
        function("self.batch = self.trace(stage=8)", "del self.peer"),
    )
    assert [edit.edit.change for edit in result.edits] == ["insertion", "modification", "deletion"]


@pytest.mark.parametrize(
    "header", ["def run(self, rows, m=1):", "def run(\n    self,\n    rows,\n    m=1,\n):"]
)
def test_a_deletion_below_a_header_comes_after_a_change_of_it(header: str) -> None:
    base = "def run(self, rows):\n    old(rows)\n    kept(rows)\n"
    result = rebase(f"{header}\n    kept(rows)\n", base, f"{base}    new(rows)\n")
    assert [edit.edit.change for edit in result.edits] == ["modification", "deletion"]
    assert result.edits[1].edit.span == Span(header.count("\n") + 1, header.count("\n") + 1)
