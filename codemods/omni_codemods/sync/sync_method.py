"""Sync, end to end: the GPU sibling's files and the NPU copy's file in, the synced file out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from omni_codemods.findings.errors import MethodNotFound, NotACopy
from omni_codemods.findings.model import (
    EditOutcome,
    Finding,
    Outcome,
    RebaseResult,
    Severity,
    Span,
)
from omni_codemods.functions.account import Item
from omni_codemods.functions.conflict_markers import hide_hunks, show_hunks
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.functions.indentation import indent_unit, with_unit
from omni_codemods.functions.tree import Tree
from omni_codemods.functions.variants import find_variants
from omni_codemods.rebuild.callers import check_callers
from omni_codemods.rebuild.dead_names import check_dead_names
from omni_codemods.rebuild.line_map import join_results, lines_back
from omni_codemods.rebuild.settle_imports import Needs, Rebuilt, settle_imports
from omni_codemods.rebuild.splice import conflicts, margin, outcomes, parse, spliced
from omni_codemods.replay.printing.lines import both_texts, print_lines
from omni_codemods.sync.class_ends import classes_at_ends, gained_bases, methods_from_sibling
from omni_codemods.sync.downstream import Downstream, Gained, find_downstream
from omni_codemods.sync.fenced import Around
from omni_codemods.sync.findings import (
    SELF_CALL,
    Review,
    check_calls,
    check_keywords,
    check_translation,
)
from omni_codemods.sync.gained_methods import (
    check_lost,
    find_gained,
    gained_methods,
    without_margin,
)
from omni_codemods.sync.placed import Placed, audit_sync, check_renamed
from omni_codemods.sync.sibling import Ends, Sibling, locate_ends, pair_ends, parse_upstreams, whole
from omni_codemods.sync.sync_trees import Synced, all_proposed, sync_trees
from omni_codemods.sync.taken import proposal_key
from omni_codemods.sync.taken_methods import take_methods
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.text.lexer import split_lines
from omni_codemods.text.outline import Located, relocate
from omni_codemods.text.parsing import NamesDeepCode, require_python


@NamesDeepCode(
    lambda given: {
        "local": given["local"],
        "gpu-base": given["sibling"].base,
        "gpu-target": given["sibling"].target,
    }
)
def sync_method(
    *,
    local: str,
    sibling: Sibling,
    method: str,
    local_class: str | None = None,
    upstream: str | Mapping[int, str] | None = None,
    inherited: frozenset[str] = frozenset(),
    policy: str = "replay",
) -> RebaseResult:
    """Replay on *method* of *local* what the sibling's method gained between two releases.

    *local* is the text of the NPU file, *upstream* that of the function that its method is a
    copy of, where it is known: what stands there too is not the copy's own; of a name that is
    defined more than once, by the number of the definition. *inherited* names
    methods that the NPU class has from bases in other files. Both versions of the sibling are
    translated by the table first. What is not surely the downstream's own change is an edit with
    the outcome ``proposed``, and not in the text; so are methods that the sibling's class gained.
    What a block holds goes with the sibling where it is the sibling's older code, word for word
    (outcome ``followed``); where *policy* is ``strict`` that is a conflict.

    Returns the whole local text and one edit for each change of the sibling; edits' spans are
    lines of the sibling's newer file as it is. Raises
    :class:`~omni_codemods.findings.errors.MethodNotFound` (*side* ``local``, ``gpu-base`` or
    ``gpu-target``), :class:`~omni_codemods.findings.errors.SourceError`, and
    :class:`~omni_codemods.findings.errors.NotACopy` where the sibling and the copy share nothing.
    """
    plain, hidden = hide_hunks(local)
    require_python(plain, "local")
    mine = find_variants(plain, method, local_class, side="local")
    if any(sibling.labels.target in h.hunk.rstrip().rpartition("\n")[2] for h in hidden):
        note = _unsynced("conflicts of an earlier sync stand in the text", Severity.WARNING)
        return RebaseResult(local, mine[-1].where.qualname, findings=(note,))
    ends = locate_ends(sibling, method)
    upstreams = upstream if isinstance(upstream, Mapping) else {-1: upstream}
    pairs = pair_ends(mine, ends)
    result: RebaseResult | None = None
    for where, each in reversed(pairs):
        text = local if result is None else result.text
        try:
            one = _sync_one(
                text, where, each, sibling, upstreams.get(where.number), inherited, policy
            )
        except NotACopy:
            if len(pairs) == 1:
                raise
            continue
        result = one if result is None else join_results(result, one)
    if result is None:
        raise _nothing_in_common()
    result = replace(result, strict=policy == "strict")
    return result if len(pairs) == 1 else _each_once(result)


def _each_once(result: RebaseResult) -> RebaseResult:
    """What is said of the whole class is said by every definition that was synced."""
    return replace(
        result,
        edits=tuple(dict.fromkeys(result.edits)),
        findings=tuple(dict.fromkeys(result.findings)),
    )


def _nothing_in_common() -> NotACopy:
    return NotACopy(
        "the NPU method and its GPU sibling have nothing in common",
        hint="check --gpu-base and --method",
        side="gpu-base",
    )


def _sync_one(
    local: str,
    found: Located,
    ends: Ends,
    sibling: Sibling,
    upstream: str | None,
    inherited: frozenset[str],
    policy: str,
) -> RebaseResult:
    """Sync one definition, which is *found* in an earlier text of the file."""
    plain, hidden = hide_hunks(local)
    where = relocate(plain, found, "local")
    inherited |= sibling.inherited | methods_from_sibling(plain, where, ends)

    classes = classes_at_ends(sibling, ends, plain, where, inherited)
    methods = () if classes is None else gained_methods(classes)
    gained_here = Gained(gained_bases(ends, plain, where), methods)

    def run(text: str, here: Located) -> tuple[Synced | None, Downstream]:
        own = find_downstream(
            ends.after, text, sibling.package, upstream, inherited, ends.before, gained_here
        )
        return _sync(here, ends, sibling, upstream, own, strict=policy == "strict"), own

    synced, downstream = run(plain, where)
    placed = _put_in(plain, where, ends, sibling, synced)
    if not placed.conflicts and placed.needs.text != plain:
        again = relocate(placed.needs.text, where)
        if not _is_still(run(placed.needs.text, again)[0], again):
            synced = all_proposed(synced)
            placed = _put_in(plain, where, ends, sibling, synced)
    shown = show_hunks(placed.needs.text, hidden)
    if shown is None:
        note = _unsynced("its changes meet a conflict that the text has already", Severity.WARNING)
        return RebaseResult(local, where.qualname, findings=(note,))
    text, moved = shown
    edits = tuple(_finish(placed.edits, ends, sibling, moved))
    # What the copy called before the sync it has from somewhere.
    known = inherited | frozenset(SELF_CALL.findall(where.text))
    review = Review(text, where.qualname, ends.after, ends.new.qualname, downstream.imported, known)
    below = placed.start - where.start
    findings = [replace(f, line=moved(f.line + below)) for f in placed.needs.findings]
    faults = [*audit_sync(placed, where, ends, findings), *check_renamed(placed, ends)]
    findings += check_calls(review, edits)
    findings += check_callers(text, where.qualname, where.text, placed.written)
    findings += check_translation(edits, ends.findings)
    findings += check_keywords(review, [e.edit.span for e in placed.edits])
    if synced is not None and synced.failed:
        why = "the sibling's changes could not be put in together; the report proposes each"
        findings.append(_unsynced(why, Severity.WARNING))
    classes = classes_at_ends(sibling, ends, text, where, inherited)
    gained = () if classes is None else find_gained(classes)
    if classes is not None and not sibling.taken.only:
        findings += check_lost(classes)
    result = RebaseResult(
        text,
        where.qualname,
        edits + gained,
        tuple(replace(c, line=moved(c.line)) for c in placed.conflicts),
        (*findings, *(replace(f, line=moved(f.line)) for f in faults)),
        tuple(i.render() for i in placed.needs.added),
        tuple(i.render() for i in placed.needs.removed),
    )
    return result if classes is None else take_methods(result, classes, sibling.taken)


def sync_after(
    result: RebaseResult,
    sibling: Sibling,
    method: str,
    local_class: str | None,
    upstream: str | Mapping[int, str],
    inherited: frozenset[str] = frozenset(),
    policy: str = "replay",
) -> RebaseResult:
    """Sync the result of a rebase; where the sibling has no such method, say so and go on."""
    try:
        synced = sync_method(
            local=result.text,
            sibling=sibling,
            method=method,
            local_class=local_class,
            upstream=upstream,
            inherited=inherited,
            policy=policy,
        )
    except (MethodNotFound, NotACopy) as error:
        note = _unsynced(f"{error.side}: {error.message}", Severity.NOTE, error.hint)
        return replace(result, findings=(*result.findings, note))
    return join_results(result, synced)


def _unsynced(why: str, severity: Severity, hint: str = "") -> Finding:
    hint = hint or "bring over what is wanted by hand"
    return Finding("OP502", 1, 0, f"nothing was synced: {why}", hint, severity)


def _sync(
    where: Located,
    ends: Ends,
    sibling: Sibling,
    upstream: str | None,
    downstream: Downstream,
    *,
    strict: bool,
) -> Synced | None:
    copy = parse(where, "local")
    fences = function_fences(copy)
    unit, name = indent_unit(copy), last_part(where.qualname)
    before, after = (
        with_unit(parse(found, side, name), unit)
        for found, side in ((ends.old, "gpu-base"), (ends.new, "gpu-target"))
    )
    if not _heads(before) & _heads(copy):
        raise _nothing_in_common()
    return sync_trees(
        before,
        after,
        copy,
        downstream=downstream,
        upstream=None if upstream is None else _heads(parse(whole(upstream), "target", name)),
        blocks=fences.blocks,
        around=Around(_rest(ends.before, ends.old), _rest(ends.after, ends.new)),
        upstreams=parse_upstreams(sibling, ends, name, unit),
        taken=sibling.taken,
        strict=strict,
    )


def _rest(text: str, found: Located) -> str:
    """The file *text* without the function that was *found* in it."""
    lines = split_lines(text)
    return "".join([*lines[: found.start - 1], *lines[found.end :]])


def _heads(tree: Tree) -> frozenset[str]:
    return frozenset(n.head for n in tree.root.walk() if n.is_code and n.key)


def _is_still(synced: Synced | None, where: Located) -> bool:
    """Whether a second sync leaves the function at *where* as it is."""
    if synced is None or synced.rendered is None:
        return True
    sides = set(both_texts(synced.rendered, margin(where.text)))
    return sides == {where.text.replace("\r\n", "\n").rstrip("\n") + "\n"}


def _put_in(
    plain: str, where: Located, ends: Ends, sibling: Sibling, synced: Synced | None
) -> Placed:
    if synced is None or synced.rendered is None:
        items = [] if synced is None else synced.items
        edits = outcomes(items, (), ends.new.start, where.start)
        size = where.end - where.start + 1
        return Placed(Needs(plain), where.start, size, where.text, edits)
    owners = {n: i for i in synced.items for n in range(i.start, i.end + 1) if _stands(i)}
    printed = print_lines(synced.rendered, sibling.labels, margin(where.text), owners)
    text = spliced(plain, where, printed)
    written = "".join(p.text for p in printed)
    rebuilt = Rebuilt(
        where.text,
        both_texts(synced.rendered, margin(where.text)),
        where.start,
        ends.old.text,
        ends.new.text,
        written,
        owner_of(where.qualname),
    )
    needs = settle_imports(text, rebuilt, ends.after, sibling.module)
    half = check_dead_names(rebuilt, plain, ends.after, side="sibling")
    needs = replace(needs, findings=needs.findings + half)
    start = where.start + needs.text.count("\n") - text.count("\n")
    return Placed(
        needs,
        start,
        len(printed),
        written,
        outcomes(synced.items, printed, ends.new.start, start),
        conflicts(printed, start, margin(where.text)),
    )


def _stands(item: Item) -> bool:
    """Whether something of *item* is in the text, or in a hunk of it."""
    return any(outcome is not Outcome.PROPOSED for outcome, _, _ in item.outcomes)


def _finish(
    edits: Sequence[EditOutcome],
    ends: Ends,
    sibling: Sibling,
    moved: Callable[[int], int],
) -> Iterator[EditOutcome]:
    """Give each edit its place in the files as they are, and what it proposes."""
    lines = split_lines(ends.after)
    original = relocate(sibling.target, ends.new, "gpu-target")
    there = lines_back(ends.new, original)
    for one in edits:
        span, result = one.edit.span, one.result
        code = without_margin("".join(lines[span.start - 1 : span.end]))
        # Of what the sibling deleted the summary is all the code that there is.
        has_code = one.edit.change != "deletion"
        key = proposal_key(code if has_code else one.edit.summary)
        yield replace(
            one,
            edit=replace(one.edit, span=Span(there(span.start), there(span.end))),
            result=None if result is None else Span(moved(result.start), moved(result.end)),
            proposed=code if has_code and one.outcome is Outcome.PROPOSED else "",
            key=key,
        )
