"""The kinds of change, by which rules of a gate select."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: *meaning* in a sentence, and *why* local code alone cannot make up for it.

    *why* is empty where it can, or where a rebase does.
    """

    name: str
    meaning: str
    why: str = ""


_ALL = (
    Kind("copied-signature", "The signature of a copied function changed."),
    Kind("copied-result", "A copied function returns another number of values."),
    Kind("copied-decorators", "A copied function has other decorators."),
    Kind("copied-async", "A copied function became `async`, or is no longer."),
    Kind("copied-names", "A copied function is the same but for names, changed throughout."),
    Kind("copied-body", "The statements of a copied function changed."),
    Kind("copied-moved", "A copied function stands in another class or module."),
    Kind("copied-renamed", "A copied function has another name."),
    Kind(
        "copied-gone",
        "A copied function is gone, and nothing like it is there.",
        "There is no skeleton to replay the blocks on: the old copy would stay as it is, and call "
        "what the new upstream no longer keeps up.",
    ),
    Kind(
        "copied-kind",
        "A copied function is something else now, or there only under a condition.",
        "A class or a value is no skeleton to replay the blocks on.",
    ),
    Kind(
        "module-unread",
        "The upstream file of a port is not Python to the Python that runs omni-port.",
        "Nothing is known of what changed, and no copy can be made anew.",
    ),
    Kind(
        "class-gone",
        "An upstream class that a local class inherits from, or copies, is gone.",
        "The local class has no base left, and every copied method loses its skeleton.",
    ),
    Kind(
        "class-kind",
        "An upstream class that a local class inherits from, or copies, is no class any more.",
        "What is a function or a value now has no methods to inherit, to override or to copy.",
    ),
    Kind("class-moved", "An upstream class stands in another module, or has another name."),
    Kind(
        "base-removed",
        "An upstream class no longer inherits from a class that it had.",
        "What came from that base, its state and the order in which methods run, comes from "
        "elsewhere now or not at all; no edit of a copied method shows that.",
    ),
    Kind("base-added", "An upstream class inherits from a class that it had not."),
    Kind("base-indirect", "An upstream class inherits from a class through another one now."),
    Kind(
        "abstract-added",
        "A base has an abstract method that nothing implements.",
        "The local class cannot be made any more, and what the method must do is the upstream's "
        "idea, not in any copy.",
    ),
    Kind(
        "seam-gone",
        "An upstream method that local code overrides is gone.",
        "Nothing calls the override any more: it would stay in the file, and its feature would be "
        "off without an error.",
    ),
    Kind(
        "seam-kind",
        "What local code overrides or replaces is something else now: a property, a value.",
        "Whoever uses it no longer calls it, so what stands in its place is called no more, or is "
        "given where a value is wanted.",
    ),
    Kind(
        "patch-gone",
        "An upstream name that local code assigns to is gone or elsewhere.",
        "The assignment goes through, and nothing uses what is assigned: the feature is off "
        "without an error.",
    ),
    Kind("seam-renamed", "An upstream method that local code overrides has another name."),
    Kind("seam-uncalled", "The upstream's own code no longer calls a method that local overrides."),
    Kind("seam-signature", "The signature of an overridden method changed."),
    Kind("seam-result", "An overridden method returns another number of values upstream."),
    Kind("seam-async", "An overridden method became `async` upstream, or is no longer."),
    Kind("call-gone", "Code of ours calls a method that no class has any more: the call fails."),
    Kind("call-kind", "What our code calls is no method any more, but a property or a value."),
    Kind("call-misfit", "A call of ours no longer fits what it calls."),
    Kind("call-signature", "The signature of what our code calls changed; the calls still fit."),
    Kind("call-result", "What our code calls returns another number of values."),
    Kind("call-async", "What our code calls became `async`, or is no longer."),
    Kind("call-copied", "The signature of what only copied code calls changed: the rebase has it."),
    Kind("state-gone", "Code of ours reads an attribute that nothing sets any more."),
    Kind("state-made", "An attribute that our code uses is made in another way."),
    Kind("state-kind", "An attribute that our code uses is a property or a method now."),
    Kind("import-moved", "An imported name stands in another module."),
    Kind(
        "import-gone",
        "An imported name is gone: the file does not import, or a guard turns the feature off.",
    ),
    Kind("import-kind", "An imported name is something else now, or there under a condition."),
    Kind(
        "import-alias",
        "An imported name is another name of something now, or comes from another module.",
    ),
    Kind("import-copied", "An imported name that only copied code uses is gone or elsewhere."),
    Kind("file-grew", "An upstream file that a local file mirrors has new functions."),
    Kind("layout", "The fields of a class that our code uses changed."),
    Kind("constant", "The value of an imported constant changed."),
    Kind(
        "pair-broken",
        "A target upstream imports what the other target upstream does not have.",
        "The two targets do not run together, whatever the local code says.",
    ),
)
KINDS = {kind.name: kind for kind in _ALL}
