"""Each rule finds what its example shows, and says nothing of the right result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import omni_codemods.audit.rules as rules
from omni_codemods.audit.model import REBASE, SYNC, Job, Rule
from omni_codemods.audit.rules import RULES
from omni_codemods.audit.run import Part, audit
from omni_codemods.findings.codes import CODES
from omni_codemods.findings.model import (
    Edit,
    EditKind,
    EditOutcome,
    Evidence,
    Finding,
    Outcome,
    Severity,
    Span,
)

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
BASE = "def f(self, n):\n    a = self.a(n)\n    b = self.b(a)\n    return b\n"


def edit(
    first: int,
    last: int,
    outcome: Outcome = Outcome.CARRIED,
    change: str = "insertion",
    reason: str = "",
    overruled: str = "",
) -> EditOutcome:
    made = Edit(EditKind.DRIFT, change, Span(first, last), "")
    return EditOutcome(made, outcome, Evidence.EXACT, reason, None, overruled)


def run(
    base: str,
    local: str,
    target: str,
    result: str,
    *edits: EditOutcome,
    job: Job = REBASE,
    told: tuple[Finding, ...] = (),
    origin: str = "",
) -> list[str]:
    frame, edited = (local, target) if job is SYNC else (target, local)
    one, two, three, four = (Part(text, 1) for text in (base, frame, edited, result))
    found = audit(one, two, three, four, edits, module=result, origin=origin, told=told, job=job)
    assert all(one.severity is Severity.ERROR for one in found)
    return [one.code for one in found]


@each_rule
def test_the_example_is_found(rule: Rule) -> None:
    shown = rule.example
    assert rule.code.code in run(shown.base, shown.local, shown.target, shown.wrong)


@each_rule
def test_the_right_result_is_not(rule: Rule) -> None:
    shown = rule.example
    assert rule.code.code not in run(shown.base, shown.local, shown.target, shown.right)


@each_rule
def test_every_rule_has_a_page(rule: Rule) -> None:
    assert CODES[rule.code.code] is rule.code


def test_every_module_with_a_rule_is_listed() -> None:
    folder = Path(str(rules.__file__)).parent
    having = {path.stem for path in folder.glob("*.py") if "\nRULE = Rule(" in path.read_text()}
    assert {rule.name for rule in RULES} == having


# -- what is accounted for --------------------------------------------------------------------


def mine(text: str) -> str:
    return BASE.replace("    b = ", f"    {text}\n    b = ")


@pytest.mark.parametrize("outcome", [Outcome.ABSORBED, Outcome.ORPHAN, Outcome.CONFLICT])
def test_a_local_line_that_the_account_names_may_be_gone(outcome: Outcome) -> None:
    assert run(BASE, mine("self.mine(a)"), BASE, BASE, edit(3, 3, outcome)) == []
    assert run(BASE, mine("self.mine(a)"), mine("x = 1"), mine("x = 1"), edit(2, 2, outcome)) == [
        "OP311"
    ]


def test_a_part_of_an_edit_may_be_absorbed() -> None:
    local = mine("self.mine(a)\n    self.more(a)")
    target, result = mine("self.same(a)"), mine("self.mine(a)\n    self.same(a)")
    part = edit(3, 4, reason="between the same; line 4: the upstream has much the same")
    assert run(BASE, local, target, result, part) == []
    assert run(BASE, local, target, result, edit(3, 4)) == ["OP311"]


def test_a_line_that_the_upstream_took_out_may_be_gone() -> None:
    target = BASE.replace("    a = self.a(n)\n", "    a = n\n")
    local = BASE.replace("    return", "    self.mine()\n    return")
    result = target.replace("    return", "    self.mine()\n    return")
    assert run(BASE, local, target, result, edit(4, 4)) == []


def test_a_line_that_local_took_out_may_be_gone_where_the_account_says_so() -> None:
    local = BASE.replace("    a = self.a(n)\n", "")
    target = BASE.replace("    return", "    self.new()\n    return")
    result = local.replace("    return", "    self.new()\n    return")
    assert run(BASE, local, target, result, edit(1, 1, change="deletion")) == []
    assert run(BASE, local, target, result) == ["OP310"]


def test_an_overruled_change_is_shown() -> None:
    target = BASE.replace("self.b(a)", "self.b(a, 1)")
    local = BASE.replace("self.b(a)", "self.mine(a)")
    shown = "@@ -1 +1 @@\n-    b = self.b(a)\n+    b = self.b(a, 1)\n"
    change = edit(3, 3, change="replacement", overruled=shown)
    result = local.replace("self.a(n)", "self.a(n, 2)")
    target = target.replace("self.a(n)", "self.a(n, 2)")
    assert run(BASE, local, target, result, change) == []
    assert "OP310" in run(BASE, local, target, result, edit(3, 3, change="insertion"))


def test_a_merged_statement_holds_both() -> None:
    base = BASE.replace("self.b(a)", "self.b(a, x=1)")
    local, target = (base.replace("x=1", more) for more in ("x=1, mine=2", "x=3"))
    merged = base.replace("x=1", "x=3, mine=2")
    assert run(base, local, target, merged, edit(3, 3, change="modification")) == []
    without = base.replace("x=1", "x=1, mine=2") + "\n"
    assert run(base, local, target, without, edit(3, 3)) == ["OP310"]


def test_layout_is_no_loss() -> None:
    local = BASE.replace("self.b(a)", "self.b(\n        a,  # why\n    )")
    target = BASE.replace("self.a(n)", "(self.a(n))").replace("return b", "return 'b'")
    result = local.replace("return b", 'return "b"')
    assert run(BASE, local, target, result) == []


def test_a_sync_need_not_name_what_it_does_not_carry() -> None:
    target = BASE.replace("    return", "    self.gpu_only()\n    return")
    local = BASE.replace("self.a(n)", "self.a(n, 1)")
    assert run(BASE, local, target, local + "\n", job=SYNC) == []
    assert run(BASE, local, target, local + "\n", edit(4, 4), job=SYNC) == ["OP311"]


def test_a_line_in_a_conflict_is_before_a_person() -> None:
    hunk = (
        "<<<<<<< local\n    b = self.mine(a)\n||||||| base\n    b = self.b(a)\n=======\n"
        "    b = self.theirs(a)\n>>>>>>> target\n"
    )
    local, target = (BASE.replace("self.b(", f"self.{who}(") for who in ("mine", "theirs"))
    result = BASE.replace("    b = self.b(a)\n", hunk)
    assert run(BASE, local, target, result, edit(3, 3, Outcome.CONFLICT, "modification")) == []


# -- twice ------------------------------------------------------------------------------------


CALL = "self.dummy()"
WAYS = {
    "one after the other": (f"    {CALL}\n    self.x = 1\n    {CALL}\n", True),
    "a guarded one": (f"    {CALL}\n    if n:\n        {CALL}\n", True),
    "in a loop": (f"    {CALL}\n    for _ in n:\n        {CALL}\n", True),
    "at the end of a try": (f"    try:\n        {CALL}\n    finally:\n        {CALL}\n", True),
    "in a handler": (f"    try:\n        {CALL}\n    except E:\n        {CALL}\n", False),
    "two arms": (f"    if n:\n        {CALL}\n    else:\n        {CALL}\n", False),
    "two cases": (
        f"    match n:\n        case 1:\n            {CALL}\n        case _:\n            {CALL}\n",
        False,
    ),
    "after a return": (f"    if n:\n        {CALL}\n        return n\n    {CALL}\n", False),
    "after a raise": (f"    if n:\n        {CALL}\n        raise E\n    {CALL}\n", False),
    "a turn that ends": (
        f"    for n in n:\n        if n:\n            {CALL}\n            break\n        {CALL}\n",
        False,
    ),
    "a loop left early": (
        f"    while n:\n        if n:\n            {CALL}\n            break\n    {CALL}\n",
        True,
    ),
    "an inner function": (f"    def g():\n        {CALL}\n    {CALL}\n", False),
}


@pytest.mark.parametrize("name", WAYS)
def test_what_is_met_twice_on_one_way(name: str) -> None:
    text, twice = WAYS[name]
    once = f"def f(self, n):\n    {CALL}\n    return n\n"
    result = f"def f(self, n):\n{text}    return n\n"
    found = run("def f(self, n):\n    return n\n", once, once + "\n", result)
    assert ("OP312" in found) is twice


def test_a_header_within_itself() -> None:
    once = "def f(self, n):\n    if n:\n        self.x()\n    return n\n"
    result = "def f(self, n):\n    if n:\n        if n:\n            self.x()\n    return n\n"
    other = once.replace("    return", "    else:\n        if n:\n            self.y()\n    return")
    assert run(once, once, once, result) == ["OP312"]
    assert run(once, result, once, result + "\n") == []
    assert "OP312" in run(once, once, once, other)  # it can never run
    assert run(once, other, once, other + "\n") == []
    flipped = result.replace("        if n:", "        if not n:")
    assert run(once, once, once, flipped) == ["OP312"]
    assert run(once, flipped, once, flipped + "\n") == []
    loop = "def f(self, n):\n    for a in n:\n        self.x()\n    return n\n"
    again = loop.replace("        self", "        for a in n:\n            self")
    assert run(loop, loop, loop, again) == ["OP312"]
    retry = "    else:\n        for a in n:\n            a()\n    return"
    behind = loop.replace("    return", retry)
    assert "OP312" not in run(loop, loop, loop, behind)  # a second try


def test_a_call_that_another_statement_makes_too() -> None:
    base = "def f(self, n):\n    return n\n"
    alone = f"def f(self, n):\n    {CALL}\n    return n\n"
    inside = f"def f(self, n):\n    x = n and {CALL}\n    self.go(x)\n    return n\n"
    both = alone.replace("    return", "    x = n and self.dummy()\n    self.go(x)\n    return")
    assert run(base, inside, alone, both) == ["OP312"]
    assert run(base, both, alone, both + "\n") == []
    later = both.replace("n and self", "lambda: self")
    assert run(base, later.replace(f"    {CALL}\n", "", 1), alone, later) == []
    other = both.replace("n and self", "n and self.me")
    assert run(base, other.replace(f"    {CALL}\n", "", 1), alone, other) == []


@pytest.mark.parametrize("row", ["self.x = 1", "del self.x[n]", "self.x += 1", "self.x()"])
def test_what_both_brought_stands_once(row: str) -> None:
    base = "def f(self, n):\n    a = n\n    return a\n"
    mine = base.replace("    a = n\n", f"    {row}\n    a = n\n")
    theirs = base.replace("    return", f"    {row}\n    return")
    both = mine.replace("    return", f"    {row}\n    return")
    assert run(base, mine, theirs, both) == ["OP312"]


def test_what_one_side_says_twice_may_run_twice() -> None:
    local = f"def f(self, n):\n    {CALL}\n    {CALL}\n    return n\n"
    base = f"def f(self, n):\n    {CALL}\n    return n\n"
    assert run(base, local, base, local + "\n", edit(3, 3)) == []


# -- place ------------------------------------------------------------------------------------


GUARD = """\
def f(self, n):
    if self.on:
        self.a(n)
    else:
        self.b(n)
    return n
"""


@pytest.mark.parametrize(
    ("result", "left"),
    [
        (GUARD.replace("        self.a(n)\n", "        self.a(n)\n        self.new()\n"), False),
        (GUARD.replace("        self.b(n)\n", "        self.b(n)\n        self.new()\n"), True),
        (GUARD.replace("    return", "    self.new()\n    return"), True),
    ],
)
def test_new_code_stays_under_its_header(result: str, left: bool) -> None:
    target = GUARD.replace("        self.a(n)\n", "        self.a(n)\n        self.new()\n")
    local = GUARD.replace("    return", "    self.mine()\n    return")
    result = result.replace("    return", "    self.mine()\n    return")
    assert ("OP318" in run(GUARD, local, target, result, edit(6, 6))) is left


def test_an_arm_is_not_lost() -> None:
    local, target = (GUARD.replace("    return", f"    self.{x}()\n    return") for x in "xy")
    both = GUARD.replace("    return", "    self.y()\n    self.x()\n    return")
    assert run(GUARD, local, target, both, edit(6, 6)) == []
    assert run(GUARD, local, target, both.replace("    else:\n", ""), edit(6, 6)) == ["OP318"]


def test_what_local_guards_stays_guarded() -> None:
    local = BASE.replace("    b = self.b(a)\n", "    with self.mine():\n        b = self.b(a)\n")
    wrong = BASE.replace("    a = self.a(n)\n", "    with self.mine():\n        a = self.a(n)\n")
    assert run(BASE, local, BASE + "\n", wrong, edit(3, 4, change="wrap")) == ["OP318"]
    guessed = edit(3, 4, change="wrap")
    guessed = replace(guessed, evidence=Evidence.GUESSED)
    assert run(BASE, local, BASE + "\n", wrong, guessed) == []


# -- names ------------------------------------------------------------------------------------


BOUND = {
    "a loop's earlier turn": "    for i in n:\n        if i:\n            use(v)\n        v = i\n",
    "one arm": "    if n:\n        v = 1\n    use(v)\n",
    "a handler": "    try:\n        v = n()\n    except E:\n        use(v)\n",
    "a walrus": "    if (v := n) and v:\n        use(v)\n",
    "a comprehension": "    use([v for v in n])\n    v = 1\n",
    "a lambda": "    g = lambda: v\n    v = 1\n    g()\n",
    "an inner function": "    def g():\n        return v\n    v = 1\n    g()\n",
    "with as": "    with n as v:\n        use(v)\n",
    "a pattern": "    match n:\n        case [v, *_]:\n            use(v)\n",
    "except as": "    try:\n        n()\n    except E as v:\n        use(v)\n",
    "an import": "    import v\n    use(v)\n",
    "after a loop": "    while True:\n        v = 1\n        break\n    use(v)\n",
    "for else": "    for v in n:\n        break\n    else:\n        return n\n    use(v)\n",
    "a choice": "    v = 1\n    use(v if n else v)\n",
}
EARLY = {
    "above": "    use(v)\n    v = 1\n",
    "the other arm": "    if n:\n        v = 1\n    else:\n        use(v)\n",
    "an arm that leaves": "    if n:\n        v = 1\n        return v\n    use(v)\n",
    "deleted": "    v = 1\n    del v\n    use(v)\n",
    "added to": "    v += 1\n",
    "in a choice": "    use(v if n else 1)\n    v = 1\n",
}


@pytest.mark.parametrize("name", BOUND)
def test_what_some_way_binds_is_bound(name: str) -> None:
    start = "def f(self, n):\n    use = E = n\n"
    assert run(start, start, start, start + BOUND[name])[:1] != ["OP317"]
    assert "OP317" not in run(start, start, start, start + BOUND[name])


@pytest.mark.parametrize("name", EARLY)
def test_what_no_way_binds_is_not(name: str) -> None:
    start = "def f(self, n):\n    use = E = n\n"
    assert "OP317" in run(start, start, start, start + EARLY[name])
    already = start + EARLY[name]
    assert "OP317" not in run(start, already, start, already + "    return n\n", edit(1, 9))


def test_a_name_of_the_module_must_be_known() -> None:
    result = BASE.replace("return b", "return wrap(b)")
    origin = f"from x import (\n    wrap,\n)\n{result}"
    assert run(BASE, BASE, result, result + "\n", origin=origin) == ["OP317"]
    assert run(BASE, BASE, result, result + "\n", origin=result) == []
    told = (Finding("OP401", 1, 0, "wrap is not bound"),)
    assert run(BASE, BASE, result, result + "\n", told=told, origin=origin) == []


# -- arguments and tuples ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "merged",
    ["self.b(a, x=1, y=2, x=3)", "self.b(a, 1)(n, y=2, y=2)"],
)
def test_a_keyword_twice(merged: str) -> None:
    result = BASE.replace("self.b(a)", merged)
    local, target = (BASE.replace("self.b(a)", f"self.b(a, {k}=1)") for k in "xy")
    assert "OP315" in run(BASE, local, target, result)


def test_a_parameter_twice() -> None:
    local, target = (BASE.replace("n):", f"n, {name}=1):") for name in "xy")
    assert "OP315" in run(BASE, local, target, BASE.replace("n):", "n, x=1, y=1, x=2):"))


@pytest.mark.parametrize("text", ["assert (a and b,)", "x = a,", "return (a or b,)"])
def test_tuples_of_one(text: str) -> None:
    bare = text.replace(",", "")
    local, target = mine(bare), mine(f"{bare}\n    c = 1")
    assert "OP313" in run(BASE, local, target, mine(f"{text}\n    c = 1"))
    assert "OP313" not in run(BASE, mine(text), target, mine(f"{text}\n    c = 1"))


def test_what_is_no_python_is_not_judged() -> None:
    assert run(BASE, BASE, BASE + "    ???\n", BASE + "\n") == []


# -- a name of the module that became a variable ----------------------------------------------

IMPORTS = "import os\n\n\n"
CAPTURED = {
    "under an if": ("if n:\n    import os\n", True),
    "in a try": ("try:\n    import os\nexcept E:\n    pass\n", True),
    "in a loop": ("for _ in n:\n    import os\n", True),
    "in a case": ("match n:\n    case 1:\n        import os\n", True),
    "of a part": ("if n:\n    import os.path\n", True),
    "of another as it": ("import another as os\n", True),
    "from another": ("from another import os\n", True),
    "no import": ("os = self.os(n)\n", True),
    "of the same": ("import os\n", False),
    "in both arms": ("if n:\n    import os\nelse:\n    import os\n", False),
    "in the arm that stays": ("if n:\n    import os\nelse:\n    return n\n", False),
}


@pytest.mark.parametrize("how", CAPTURED)
@pytest.mark.parametrize("mine", [True, False])
def test_a_name_of_the_module_that_became_a_variable(how: str, mine: bool) -> None:
    code, wrong = CAPTURED[how]
    binding = "".join(f"    {line}\n" for line in code.splitlines()) + "    self.x(os, n)\n"
    base = "def f(self, n):\n    a = self.a(n)\n    return a\n"
    binds = base.replace("    a = ", binding + "    a = ")
    reads = base.replace("    return a", "    os.go(a)\n    return a")
    both = binds.replace("    return a", "    os.go(a)\n    return a")
    local, target = (binds, reads) if mine else (reads, binds)
    one, two, three = (Part(text, 1) for text in (base, target, local))
    module, result = IMPORTS + both, Part(both, 4)
    found = audit(one, two, three, result, (), module=module, origin=IMPORTS)
    assert [one.code for one in found] == (["OP317"] if wrong else [])
    if wrong:
        assert module.split("\n")[found[0].line - 1] == "    os.go(a)"
    # What a version did itself is none of the result's making.
    mine_too = Part(both + "\n", 1)
    assert audit(one, Part(both, 1), mine_too, result, (), module=module, origin=IMPORTS) == ()


def test_what_stands_more_often_than_the_sides_make_it_is_named() -> None:
    def under(test: str, first: str, second: str = "") -> str:
        more = f"    else:\n        {second}\n" if second else ""
        return f"def f(self, n):\n    if {test}:\n        {first}\n{more}    return n\n"

    put, twice = "self.put(n)", "self.new(n)\n        self.put(n)"
    once, wrapped = under("n", put), under("self.b", "self.new(n)", put)
    assert run(once, wrapped, once, under("self.b", twice, put)) == ["OP312"]
    both = under("self.b", put, put)  # one side says it in both arms
    assert run(once, both, once, both + "\n") == []
