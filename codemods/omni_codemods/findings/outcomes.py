"""What each outcome and each evidence of an edit means, and what a person does about it."""

from __future__ import annotations

from dataclasses import dataclass

from omni_codemods.findings.model import Evidence, Outcome


@dataclass(frozen=True, slots=True)
class Meaning:
    """A *title*, what it means, and what to do."""

    title: str
    meaning: str
    remedy: str


OUTCOMES: dict[Outcome, Meaning] = {
    Outcome.CARRIED: Meaning(
        "the edit is in the result",
        "Base and the edit were compared, and the edit stands in the target's function at the "
        "place that corresponds to its own.",
        "Nothing, where the evidence is exact. Read it where the evidence is guessed.",
    ),
    Outcome.MOVED: Meaning(
        "the edit is in the result, where its surroundings went",
        "The code that the edit stood in or beside is elsewhere in the target: in another branch, "
        "a new loop, another order. The edit went with it.",
        "Read the place once: what is true of the new surroundings must be true of the edit.",
    ),
    Outcome.FOLLOWED: Meaning(
        "a block of the NPU copy went where the GPU sibling went",
        "The block held the sibling's older code, word for word, and the sibling changed that code "
        "itself. The change is in the result, inside the fences; the report shows both texts.",
        "Read both texts. Put the old one back where the NPU needs it.",
    ),
    Outcome.ABSORBED: Meaning(
        "the target says already what the edit says",
        "The upstream has taken over what local had added, or deleted what local had deleted. It "
        "is in the result once, as the upstream wrote it.",
        "Nothing. A fence that is left around it may go.",
    ),
    Outcome.CONFLICT: Meaning(
        "both sides changed the same code",
        "Local and the upstream changed the same thing in two ways, and neither owns it. The "
        "result has both, and base, as a hunk that git and editors read.",
        "Take a side, or write what both need, and take the markers out.",
    ),
    Outcome.ORPHAN: Meaning(
        "there is no place for the edit",
        "What the edit stood beside and in is gone from the target. Its code is in the report and "
        "in no other place.",
        "Put it where its work is done now, or let it go.",
    ),
    Outcome.PROPOSED: Meaning(
        "a change of the GPU sibling that was not put in",
        "The sibling changed something that depends on what the NPU copy has not: a method, a base "
        "class, a variable. The code is in the report, translated.",
        "Take it over with what it needs, or leave it.",
    ),
}

EVIDENCE: dict[Evidence, Meaning] = {
    Evidence.EXACT: Meaning(
        "the place is sure",
        "The statements before and after the edit are in the target, beside each other, or the "
        "statement that it changes is there.",
        "Nothing.",
    ),
    Evidence.MOVED: Meaning(
        "the surroundings are elsewhere",
        "What the edit holds on to was found, in another order or under another statement.",
        "Read the place once.",
    ),
    Evidence.GUESSED: Meaning(
        "the place is a guess",
        "Upstream's new code stands where the edit belongs, or only one neighbour was found. The "
        "reason in the account says which.",
        "Read the place: before or after the new code may be right.",
    ),
}
