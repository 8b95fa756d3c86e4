"""The codes of the product's check on itself, ``OP310`` to ``OP318``."""

from __future__ import annotations

from omni_codemods.findings.code import Code

_REPORT = " If nothing in the report explains it, it is a mistake of the tool: report the method."

FRAME_LINE_LOST = Code(
    "OP310",
    "code of the upstream is not accounted for",
    "A line of the target stands neither in the result nor in the account: no local edit took it "
    "out, no block overruled it, no conflict shows it. In a sync it is a line of the NPU copy.",
    "def run(self, batch):\n    hidden = self.model(batch)  # OP310: the target scales it here\n"
    "    return hidden\n",
    "Compare the place with the target, and put in what is missing." + _REPORT,
)
EDITED_LINE_LOST = Code(
    "OP311",
    "local code is not accounted for",
    "A line of the local method stands neither in the result nor in the account: the upstream did "
    "not take it out, and no edit says that it was absorbed or is to be decided. In a sync it is "
    "a line of the GPU sibling.",
    "def run(self, batch):\n    hidden = self.model(batch)  # OP311: local traced it here\n"
    "    return hidden\n",
    "Put the line where it belongs, or make sure that it is not needed." + _REPORT,
)
RUNS_TWICE = Code(
    "OP312",
    "code now runs twice",
    "A statement with an effect stands more often on one way through the function than in any "
    "version that went in, or more often in all than the changes of both sides make it. Most often "
    "both sides brought it, at different places.",
    "def run(self, batch):\n    self.update(batch)  # the target's\n"
    "    if self.talker:\n        self.update(batch)  # OP312, a block's\n",
    "Keep the one that is right, unless it is to run twice." + _REPORT,
    "def run(self, batch):\n    self.update(batch)\n",
)
NEW_TUPLE = Code(
    "OP313",
    "a tuple of one that nobody wrote",
    "A merged statement has a tuple of one element that no version had. As a condition it is "
    "always true.",
    "def run(self, batch):\n    if (self.ready and batch,):  # OP313\n        self.send(batch)\n",
    "Take the comma out." + _REPORT,
    "def run(self, batch):\n    if (self.ready and batch):\n        self.send(batch)\n",
)
EMPTY_ARM = Code(
    "OP314",
    "an arm with nothing in it",
    "A branch, loop or handler holds nothing but `pass`, and in no version that went in.",
    "def run(self, batch):\n    if self.fast:\n        self.send(batch)\n    else:\n"
    "        pass  # OP314\n",
    "Compare the arm with both sides, and put in what belongs there or take it out." + _REPORT,
    "def run(self, batch):\n    if self.fast:\n        self.send(batch)\n",
)
BAD_CALL = Code(
    "OP315",
    "arguments that do not go together",
    "A merged call or signature gives a keyword twice, or a positional argument stands at an "
    "earlier place than where it came from, because the one before it is passed by keyword now.",
    "def run(self, q, k):\n    return attend(q, k, self.kind, heads=self.heads)  # OP315\n",
    "Write the call as the callee's signature has it." + _REPORT,
    "def run(self, q, k):\n    return attend(q, k, heads=self.heads, kind=self.kind)\n",
)
FENCES_DIFFER = Code(
    "OP316",
    "fences are lost",
    "The blocks of the result are not those of the local method less the absorbed ones: a fence "
    "has lost its partner, or a block is gone without a word.",
    "def run(self, batch):\n    # ---- Omni-new ----  (OP316)\n    self.talker.feed(batch)\n"
    "    return self.model(batch)\n",
    "Put the fence back where local has it." + _REPORT,
)
READ_UNBOUND = Code(
    "OP317",
    "a variable is read before it is bound",
    "The result reads a variable where no way from the start of the function has bound it, and no "
    "version that went in does so; or a name that neither the function nor its module binds; or "
    "one of the module that an import or assignment of the other side has made a variable.",
    "def run(self, batch):\n    self.talker.feed(hidden)  # OP317\n"
    "    hidden = self.model(batch)\n    return hidden\n",
    "Move the code below what binds the variable." + _REPORT,
    "def run(self, batch):\n    hidden = self.model(batch)\n    self.talker.feed(hidden)\n"
    "    return hidden\n",
)
LEFT_ITS_BRANCH = Code(
    "OP318",
    "code that has left its branch",
    "A line stood under a condition, loop or guard in the version that it comes from. The header "
    "is in the result, and the line is not under it.",
    "def run(self, batch):\n    if self.ready:\n        self.open(batch)\n"
    "    self.send(batch)  # OP318: the target sends where it is ready\n",
    "Compare the place with the version that the message names." + _REPORT,
    "def run(self, batch):\n    if self.ready:\n        self.open(batch)\n"
    "        self.send(batch)\n",
)
