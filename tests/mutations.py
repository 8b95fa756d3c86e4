"""Breaks the rebase engine on purpose, one line at a time, and sees whether the tests notice.

    python tests/mutations.py            all
    python tests/mutations.py align 3    those whose file or number is named

Each mutation is applied to a temporary copy. What no test notices is printed as a survivor, and
the exit code is 1. A line that no longer stands in its file is an error: mend the list.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
COPIED = ("codemods", "src", "tests", "fixtures", "pyproject.toml")
# The engine's own tests and the golden cases; growth is about time, not about results.
TESTS = ("tests/codemods", "tests/golden/test_fixtures.py")
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider")
IGNORED = (
    "tests/codemods/translate",
    "tests/codemods/commands",
    "tests/codemods/functions/test_align_growth.py",
)


@dataclass(frozen=True, slots=True)
class Mutation:
    """In *file*, *before* (which stands there once) becomes *after*: *breaks* says what goes."""

    file: str
    before: str
    after: str
    breaks: str


MUTATIONS = (
    Mutation(
        "functions/align",
        "if (shifted := _find_shifted(left, right)) is not None:",
        "if False and (shifted := _find_shifted(left, right)) is not None:",
        "a new first arm takes the condition of the old one",
    ),
    Mutation(
        "replay/printing/arms",
        'line.text = indent + ("if" if first else "elif") + text[len(word) :]',
        "line.text = indent + word + text[len(word) :]",
        "two arms of one compound say if",
    ),
    Mutation(
        "rebuild/dead_names",
        "while more := {n for n, fed in self.feeds.items() if fed & alive} - alive:",
        "while more := set(self.feeds) - alive:",
        "a name that only goes into itself counts as read",
    ),
    Mutation(
        "rebuild/dead_names",
        "dead -= old.dead | new.dead",
        "dead -= old.dead",
        "what the upstream itself never reads is called dead",
    ),
    Mutation(
        "rebuild/dead_names",
        "if fed and not (kept and fed != {name}):",
        "if fed:",
        "what goes into a call is not read",
    ),
    Mutation(
        "rebase/function",
        "found = needs.findings + check_dead_names(rebuilt, local, request.target)",
        "found = needs.findings",
        "half a feature is dead in silence",
    ),
    Mutation(
        "functions/verbatim",
        "n for n in self._said[node.code] if low < self._right[n] < high and self._is_loose(n)",
        "n for n in self._said[node.code] if False",
        "a look-alike in the first arm wins over the same code in another",
    ),
    Mutation(
        "functions/verbatim",
        "if low < self._right[n] < high and self._is_loose(n)",
        "if self._is_loose(n)",
        "the same code far away wins over what stands in its place",
    ),
    Mutation(
        "functions/verbatim",
        "return partner is None or not same_code(partner, node)",
        "return True",
        "code that has its partner is taken from it",
    ),
    Mutation(
        "functions/verbatim",
        "if partner.parent is home and _is_bare_jump(node):",
        "if False:",
        "the last return is taken for an early one",
    ),
    Mutation(
        "functions/align",
        "pairs = same if known or whole else []",
        "pairs = same if known else []",
        "a short statement under a new guard is not found",
    ),
    Mutation(
        "replay/already_upstream",
        "says = bool(code) or id(item) in self._wraps",
        "says = bool(code)",
        "a fenced guard that the upstream has is kept",
    ),
    Mutation(
        "replay/wraps",
        'return theirs[: len(mine)] == mine and more <= {"elif", "else"}',
        "return theirs == mine",
        "a guard is not absorbed where the upstream's has an else as well",
    ),
    Mutation(
        "replay/insertions",
        "if pieces and (found := find_exit(new)) is not None:",
        "if not pieces and (found := find_exit(new)) is not None:",
        "an early exit before a block is not named",
    ),
    Mutation(
        "replay/doubled",
        'if node in beside and "(" in node.key:',
        'if node in set() and "(" in node.key:',
        "a call of a block that upstream brought in runs twice in silence",
    ),
    Mutation(
        "replay/doubled",
        "if not _are_alternatives(skeleton, gap.parent):",
        "if True:",
        "code in the other arm is said to run twice",
    ),
    Mutation(
        "replay/modifications",
        "alike = node not in known and likeness(pair.ancestor, node) >= THRESHOLD",
        "alike = False",
        "a version beside base code misses an upstream change in silence",
    ),
    Mutation(
        "findings/model",
        "or (self.strict and any(e.asks for e in self.edits))",
        "",
        "the strict policy decides about overruled changes by itself",
    ),
    Mutation(
        "functions/likeness",
        "left, right = set(as_words(a.key)), set(as_words(b.key))",
        "left, right = set(a.key), set(b.key)",
        "an attribute is a variable of its name",
    ),
    Mutation(
        "functions/align",
        "known |= _match_wrapped(outside, child, alignment, near=known, deep=True)",
        "_match_wrapped(outside, child, alignment, near=known, deep=True)",
        "little code in a new wrap is not found beside code deeper in it",
    ),
    Mutation(
        "replay/printing/suite",
        "between = bool(self._stack) and node.parent is self._stack[-1].compound",
        "between = False",
        "a fence before a local clause stands in the suite before it",
    ),
    Mutation(
        "replay/printing/tree",
        "if start is not None and end is not None:",
        "if False:",
        "all blocks in a merged statement but one stand nowhere",
    ),
    Mutation(
        "replay/printing/lines",
        "return min(blocks, key=lambda i: i.end - i.start) if blocks",
        "return blocks[-1] if blocks",
        "a line belongs to the block around its own",
    ),
    Mutation(
        "functions/account",
        "key=lambda i: (not i.fenced, i.end - i.start)",
        "key=lambda i: not i.fenced",
        "a block inside a block stands nowhere",
    ),
    Mutation(
        "replay/facts",
        "for item in (account.owner(n), *account.inside(n)))",
        "for item in (account.owner(n),))",
        "a second block in a statement that is put in has no outcome",
    ),
    Mutation(
        "text/canonical",
        'if self.before == "with" and self.loose == ["(", ")"]:',
        "if False:",
        "a tuple that is entered is two things that are",
    ),
    Mutation(
        "text/canonical",
        'return self.before in _BEFORE_VALUES and self.after in (None, "=")',
        "return False",
        "a formatter that puts values into parentheses changes them",
    ),
    Mutation(
        "functions/sequences",
        "while at > free and same_code(nodes[at - 1], nodes[at]):",
        "while False:",
        "of equal neighbours another one is paired on each side",
    ),
    Mutation(
        "functions/align",
        "if n.is_code)\n\n\ndef _gap_of(",
        ")\n\n\ndef _gap_of(",
        "comments weigh in a wrap",
    ),
    Mutation(
        "functions/align",
        "best = max([b, *free], key=lambda n: _neighbours(a, n, alignment))",
        "best = b",
        "a statement that stands twice stays where it was found first",
    ),
    Mutation(
        "functions/align",
        "while waiting := [x for",
        "if waiting := [x for",
        "a wrap inside of a wrap is not looked for",
    ),
    Mutation(
        "replay/runs",
        "for b, t in deleted.unchanged if not self._is_absorbed(t)]",
        "for b, t in deleted.unchanged]",
        "what both sides wrapped is deleted inside of it",
    ),
    Mutation(
        "replay/prepared",
        "return [n for n in new if not facts.may_hold_kept(n)]",
        "return list(new)",
        "short code that the upstream moved is overruled as new",
    ),
    Mutation(
        "replay/prepared",
        "if self._wraps.is_emptied(piece):",
        "if False:",
        "a local wrap around removed code stays as an empty one",
    ),
    Mutation(
        "replay/already_upstream",
        "loose = [p for p in pieces if p.is_code and p not in wrapped]",
        "loose = [p for p in pieces if p.is_code]",
        "an upstream line outside stands for one in a local wrap",
    ),
    Mutation(
        "sync/ownership",
        "return {e for e in self._own_pieces(run) if e.node not in self._lacking} | taken",
        "return {*self._own_pieces(run)} | taken",
        "what the NPU class cannot run is put into the text",
    ),
    Mutation(
        "sync/ownership",
        "for u in values if not u.binds & needed}",
        "for u in values if False}",
        "a value that nothing reads comes along",
    ),
    Mutation(
        "text/skim",
        "if start < done or before is None or is_inside(start):",
        "if start < done or before is None:",
        "a function in a string is one",
    ),
    Mutation(
        "functions/align", "MOVED_SIZE = 8", "MOVED_SIZE = 1", "short code is taken for moved code"
    ),
    Mutation(
        "functions/align",
        "WRAPPED_SIZE = 5",
        "WRAPPED_SIZE = 500",
        "nothing is followed into a wrap",
    ),
    Mutation(
        "functions/align",
        "    _find_moves(left.root, right.root, alignment)\n",
        "",
        "moved code is not found",
    ),
    Mutation(
        "functions/sequences",
        "if like >= THRESHOLD else 0.0",
        "if like > 0.0 else 0.0",
        "unlike statements are paired",
    ),
    Mutation(
        "functions/sequences",
        "return (size + 1) * score",
        "return score",
        "a large statement weighs no more than a small one",
    ),
    Mutation(
        "functions/align",
        "best_l[a].count(max(best_l[a])) == 1",
        "best_l[a]",
        "of two equal places one is guessed",
    ),
    Mutation(
        "functions/likeness",
        "score = 0.4 + 0.6 * score",
        "score = 1.0 * score",
        "what a statement assigns to does not count",
    ),
    Mutation(
        "functions/diff",
        "if run.start < run.end or run.inserted:",
        "if run.inserted:",
        "what local deleted comes back",
    ),
    Mutation(
        "functions/diff",
        "[left[i].node.size + 1 for i, _ in found]",
        "[1 for i, _ in found]",
        "of two that changed places the larger one moves",
    ),
    Mutation(
        "replay/within_gap",
        '_TERMINATORS = frozenset({"return", "raise", "break", "continue"})',
        "_TERMINATORS = frozenset[str]()",
        "code lands behind a return",
    ),
    Mutation(
        "replay/within_gap",
        "if inserted.binds & theirs.reads and not inserted.reads & theirs.binds:",
        "if False:",
        "what reads a name comes before what binds it",
    ),
    Mutation(
        "replay/within_gap",
        "if node.index < place and inserted.reads & theirs.binds:",
        "if False:",
        "the reason of a place is not told",
    ),
    Mutation(
        "replay/placement",
        "exact = before.distance == after.distance == 0",
        "exact = True",
        "a guess is called exact",
    ),
    Mutation(
        "replay/placement",
        "lost = before.distance > 0 and after.distance > 0",
        "lost = False",
        "an edit whose neighbours are both gone is no orphan",
    ),
    Mutation(
        "replay/placement",
        "evidence, reason, lost=lost)",
        "Evidence.EXACT, reason, lost=lost)",
        "moved code is called exact",
    ),
    Mutation(
        "replay/insertions",
        "if gap.orphaned or (gap.lost and self._reads_lost(facts.names_of_all(pieces))):",
        "if False:",
        "orphans are put down anywhere, without a word",
    ),
    Mutation(
        "replay/insertions",
        "if item.fenced and item.start < first:",
        "if False:",
        "what closes a block goes with the code behind it",
    ),
    Mutation(
        "replay/already_upstream",
        "ABSORBED_LIKENESS = 0.75",
        "ABSORBED_LIKENESS = 0.4",
        "unlike code counts as said",
    ),
    Mutation(
        "replay/already_upstream",
        "said = whole and all(self._says_the_same(p) for p in code)",
        "said = whole and any(self._says_the_same(p) for p in code)",
        "half a block is dropped with the other half",
    ),
    Mutation(
        "replay/already_upstream",
        "return twin is not None and twin.code == piece.node.code",
        "return twin is not None",
        "a block gives way to code that is merely like it",
    ),
    Mutation(
        "replay/already_upstream",
        "            self._plan.gone.add(twin)\n            why",
        "            why",
        "a line that block and upstream share runs twice",
    ),
    Mutation(
        "replay/already_upstream",
        "follows is True and not piece.node.is_code and not piece.item.fenced",
        "False",
        "the comment of an absorbed statement stays behind",
    ),
    Mutation(
        "replay/runs",
        "self._plan.gone.update(t for _, t in standing)",
        "pass",
        "what local deleted stays",
    ),
    Mutation(
        "replay/runs",
        '            item.overrule(before.get(skeleton, ""), skeleton.text())\n',
        "",
        "an overruled upstream change is not told",
    ),
    Mutation(
        "replay/runs",
        "        elif deleter is not None and (deleted.changed or scattered):\n",
        "        elif False:\n",
        "drift wins over an upstream change",
    ),
    Mutation(
        "replay/deletions",
        "same = skeleton.code == old.code or not old.is_code",
        "same = True",
        "an upstream change of deleted code counts as none",
    ),
    Mutation(
        "replay/modifications",
        "elif same_head(skeleton, ancestor):",
        "elif False:",
        "a statement that only local changed is merged",
    ),
    Mutation(
        "replay/modifications",
        "refused = skeleton in options.unmerged or owned or options.strict",
        "refused = skeleton in options.unmerged or owned",
        "the strict policy merges",
    ),
    Mutation(
        "replay/merge/brackets",
        "if mine.is_fenced == same_code:",
        "if False:",
        "a changed argument that upstream deleted is dropped, or what a block holds",
    ),
    Mutation(
        "replay/merge/brackets",
        "late = [s for s in slots[first:] if _is_positional(s)]",
        "late: list[Slot] = []",
        "a positional argument comes behind a keyword",
    ),
    Mutation(
        "replay/merge/brackets",
        "if self._is_addition(j) and j not in absorbed:",
        "if self._is_addition(j):",
        "what both added is a conflict, or comes twice",
    ),
    Mutation(
        "replay/merge/brackets",
        "if not said.issuperset(held):",
        "if False:",
        "a block of arguments is absorbed in part",
    ),
    Mutation(
        "replay/merge/brackets",
        "if found != run or [ordered[k].at for k in found] != held:",
        "if False:",
        "a block of arguments comes apart",
    ),
    Mutation(
        "replay/merge/brackets",
        "if len(forms) > 1 and forms & {Form.EXPRESSION, Form.TUPLE}:",
        "if False:",
        "an operand in parentheses is a list of one",
    ),
    Mutation(
        "replay/merge/brackets",
        "if self._skeleton.form is Form.INDEX or self._names_one(not mine):",
        "if False:",
        "a positional argument goes where one stood that has a name now",
    ),
    Mutation(
        "replay/merge/brackets",
        'self._merge.moved.append(f"{text} is number',
        'str(f"{text} is number',
        "nothing is said of what stands at another position",
    ),
    Mutation(
        "replay/merge/bracket_layout",
        "if skeleton.form is Form.EXPRESSION:",
        "if False:",
        "a comma behind an operand in parentheses makes it a tuple",
    ),
    Mutation(
        "replay/merge/bracket_layout",
        "if count == 1 and skeleton.form is Form.TUPLE:",
        "if False:",
        "a tuple of one loses its comma",
    ),
    Mutation(
        "replay/merge/statement",
        "if alone and part.trailing_comma:",
        "if False:",
        "a tuple of one is what stands in it",
    ),
    Mutation(
        "replay/merge/statement",
        "return text if keeps_fences(edited, text, merge.absorbed) else None",
        "return text",
        "a fence inside a statement is lost",
    ),
    Mutation(
        "replay/merge/statement",
        "if not operators.are_safe():",
        "if False:",
        "operators of two sorts are put side by side",
    ),
    Mutation(
        "functions/alone",
        "if first and first == second:",
        "if False:",
        "a method of one call is no copy of itself",
    ),
    Mutation(
        "functions/alone",
        "return small and a.word == b.word and a.word in _SAY_LITTLE",
        "return False",
        "the one statement of a method is deleted and inserted",
    ),
    Mutation(
        "rebuild/attempts",
        "return 1.0 if is_small(self._base) else shared(self._base, self._by_local)",
        "return shared(self._base, self._by_local)",
        "a small method is refused as no copy",
    ),
    Mutation(
        "replay/prepared",
        "if self.deleter is not None and self.deleter.fenced and is_stub(self.run):",
        "if False:",
        "a block in a stub overrules what upstream fills it with",
    ),
    Mutation(
        "rebase/respelling",
        "free = root not in others.taken and",
        "free =",
        "a local variable of the target is taken for an import",
    ),
    Mutation(
        "rebase/respelling",
        "return {path: texts.pop() for path, texts in out.items() if len(texts) == 1}",
        "return {path: min(texts) for path, texts in out.items()}",
        "what local spells in two ways gets one of them",
    ),
    Mutation(
        "rebase/local_names",
        "return {a: b for a, b in names.items() if a in bound}",
        "return names",
        "a variable that is bound otherwise is taken for upstream's",
    ),
    Mutation(
        "rebase/local_names",
        "if (token.line, column) not in keywords:",
        "if True:",
        "a keyword of the variable's name is renamed",
    ),
    Mutation(
        "rebase/local_names",
        'token.text in names and previous != "."',
        "token.text in names",
        "an attribute of the variable's name is renamed",
    ),
    Mutation(
        "replay/merge/statement",
        "stick = not gap and _is_word(text[-1:])",
        "stick = False and _is_word(text[-1:])",
        "two words stick together where a keyword came before a value",
    ),
    Mutation(
        "replay/merge/statement",
        "merged = merge_parts(old, mine, new, merge) if len(set(around)) == 1 else None",
        "merged = merge_parts(old, mine, new, merge)",
        "parentheses that one side has are taken for others",
    ),
    Mutation(
        "replay/merge/brackets",
        "bare = len({value_parentheses(e) is None for e in sides}) > 1",
        "bare = False",
        "parentheses around one side's argument are taken for others",
    ),
    Mutation(
        "replay/clashes",
        "return moved and len(places) > 1 and any(p.is_code for p in pieces)",
        "return len(places) > 1 and any(p.is_code for p in pieces)",
        "straight code for two branches that upstream left alone is a conflict",
    ),
    Mutation(
        "replay/clashes",
        "around = None if deletion or len(groups) == 1 else _around(groups, facts)",
        "around = None",
        "a conflict about code that upstream took apart shows a part of it",
    ),
    Mutation(
        "replay/clashes",
        "groups = _neighbours(changed if deletion else [*changed, *unchanged])",
        "groups = _neighbours([*changed, *unchanged])",
        "what local deleted and upstream left alone is asked about",
    ),
    Mutation(
        "rebuild/attempts",
        "_carry_all(account.items)",
        "pass",
        "an edit meets an upstream change where there is none",
    ),
    Mutation(
        "functions/bracket_fences",
        "if i and cut:",
        "if False:",
        "a closing banner belongs to the argument after it",
    ),
    Mutation(
        "replay/modifications",
        "if other in self._absorbed:",
        "if False:",
        "a block of arguments that upstream has is carried beside others",
    ),
    Mutation(
        "rebuild/still_python",
        "elif isinstance(keyword.value, ast.Dict):",
        "elif False:",
        "a keyword and a dict behind it give one name twice",
    ),
    Mutation(
        "replay/merge/brackets",
        "commented = mine if mine.comments != ancestor.comments else theirs",
        "commented = theirs",
        "local's comments at arguments are lost",
    ),
    Mutation(
        "replay/merge/statement",
        "return tails[1] if t == b or (l != b and find_marker(l)) else tails[2]",
        "return tails[2]",
        "a comment that local put behind a statement is lost",
    ),
    Mutation(
        "rebuild/attempts",
        "if not torn and parses(rendered, margin):",
        "if not torn:",
        "what is no Python is printed",
    ),
    Mutation(
        "rebuild/attempts",
        "learnt = self._solidify(torn) or self._unmerge(rendered)",
        "learnt = self._unmerge(rendered)",
        "blocks come apart, or the whole function is a conflict",
    ),
    Mutation(
        "rebuild/torn_blocks",
        "mended = refence(rendered, block.span, local)",
        "mended = False",
        "a block that the upstream wraps in part is kept in one piece",
    ),
    Mutation(
        "replay/printing/refence",
        "if _is_whole(inside, span, edited):",
        "if True:",
        "a block's code stands between its fences in another order, or in part",
    ),
    Mutation(
        "replay/printing/refence",
        "if any(_is_foreign(x, span) or reads_as_fence(x) for x in inside):",
        "if False:",
        "other local code comes to stand in a block",
    ),
    Mutation(
        "functions/sequences",
        "size = min(a.size, b.size)",
        "size = (a.size + b.size) / 2",
        "more code that is less alike is preferred",
    ),
    Mutation(
        "replay/already_upstream",
        "loose = [p for p in loose if self._facts.versions.skeleton_of(p.node) is None]",
        "loose = [p for p in loose if p.node not in self._facts.to_edited.left]",
        "what both moved to the same place stands there twice",
    ),
    Mutation(
        "replay/deletions",
        "return [pair for node in ancestor.children for pair in _left_of(node, facts)]",
        "return []",
        "what stood in a compound that local deleted comes back where the upstream freed it",
    ),
    Mutation(
        "functions/sequences",
        "if any(n.fence for n in some) != any(n.fence for n in others):",
        "if False:",
        "a fence is taken for a comment of base",
    ),
    Mutation(
        "functions/fences",
        "elif fence.dialect != DASHES:",
        "else:",
        "a heading of dashes is a broken fence",
    ),
)


def main(wanted: list[str]) -> int:
    """Run the mutations named by *wanted*, all without one; return the exit code."""
    survivors = 0
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for part in COPIED:
            copy_part(ROOT / part, copy / part)
        if not passes(copy):
            print("the tests fail before anything is broken")
            return 2
        for number, mutation in enumerate(MUTATIONS, 1):
            if wanted and not {mutation.file, str(number)} & set(wanted):
                continue
            noticed = is_noticed(copy, mutation)
            survivors += not noticed
            print(f"{number:3} {'noticed ' if noticed else 'SURVIVED'} {mutation.file:12} ", end="")
            print(mutation.breaks, flush=True)
    print(f"{survivors} of {len(MUTATIONS)} survived")
    return 1 if survivors else 0


def copy_part(source: Path, copy: Path) -> None:
    """Copy a file, or a directory without what Python leaves behind."""
    if source.is_file():
        shutil.copy(source, copy)
    else:
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))


def is_noticed(copy: Path, mutation: Mutation) -> bool:
    """Whether the tests fail with *mutation*; the copy is as before afterwards."""
    path = copy / "codemods" / "omni_codemods" / f"{mutation.file}.py"
    text = path.read_text("utf-8")
    if text.count(mutation.before) != 1:
        raise SystemExit(f"{mutation.file}.py does not have this once: {mutation.before.strip()}")
    path.write_text(text.replace(mutation.before, mutation.after), "utf-8")
    try:
        return not passes(copy)
    finally:
        path.write_text(text, "utf-8")


def passes(copy: Path) -> bool:
    """Whether the tests pass in *copy*, on the package that is there."""
    places = os.pathsep.join(str(copy / part) for part in ("codemods", "src"))
    ignored = [f"--ignore={part}" for part in IGNORED]
    command = [sys.executable, "-B", "-m", "pytest", *TESTS, *OPTIONS, *ignored]
    ran = subprocess.run(
        command,
        cwd=copy,
        env={**os.environ, "PYTHONPATH": places},
        stdout=subprocess.DEVNULL,
        timeout=600,
        check=False,
    )
    if ran.returncode > 1:
        raise SystemExit(f"pytest ended with {ran.returncode}")
    return ran.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
