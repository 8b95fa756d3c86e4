"""Every code that a finding can carry, with what it means and what to do.

The documentation has one page for each, generated from here. Codes are stable: a number is never
given to another meaning. ``OP1xx`` is translation, ``OP2xx`` fences, ``OP3xx`` the check of a
rebuilt function against what went in, ``OP4xx`` its names, ``OP5xx`` what came from the GPU
sibling, ``OP6xx`` the checks of a finished port.
"""

from __future__ import annotations

from omni_codemods.findings import audit_codes, check_codes, translate_codes
from omni_codemods.findings.code import Code as Code

FENCE_WITHOUT_PARTNER = Code(
    "OP201",
    "a fence without a partner",
    "A block is opened and never closed, or closed and never opened, in the same function or class "
    "and at the same column. It touches no other block, but what it was to hold cannot be known: "
    "the function that it stands in is not rebuilt.",
    "class Runner:\n"
    "    def load(self):\n"
    "        # ---- Omni-new ----  (OP201)\n"
    "        self.talker = make_talker()\n"
    "        return self.model\n",
    "Put its partner at the same column of the same function or class, or remove the fence.",
)
LABELS_DIFFER = Code(
    "OP202",
    "the two ends of a block say different things",
    "The closing fence has a label of its own, and it is not that of the opening one. They were "
    "paired all the same, because they stand at one column of one function.",
    "# ### PATCH START: talker\ntalker = make_talker()\n# ### PATCH END: codec  (OP202)\n",
    "Give both ends the same label, or leave it out of the closing one. If they belong to two "
    "blocks, add the two fences that are missing.",
)
BLOCK_IN_BLOCK = Code(
    "OP203",
    "a block opens inside another",
    "Between the two fences of a block stands the opening fence of another one, of the same "
    "function. That may be meant; more often a closing fence was forgotten, and everything up to "
    "the next one is held for local code.",
    "def load(self):\n"
    "    # Omni-new start: talker\n"
    "    self.talker = make_talker()\n"
    "    self.model.eval()\n"
    "    # Omni-new start\n"
    "    self.codec = make_codec()  # OP203: in the block of the talker\n"
    "    # Omni-new end\n"
    "    # Omni-new end\n",
    "Close the outer block where its code ends.",
    "def load(self):\n"
    "    # Omni-new start: talker\n"
    "    self.talker = make_talker()\n"
    "    # Omni-new end: talker\n"
    "    self.model.eval()\n"
    "    # Omni-new start\n"
    "    self.codec = make_codec()\n"
    "    # Omni-new end\n",
)
DASHES_CLOSE_NOTHING = Code(
    "OP204",
    "a line of dashes that closes nothing",
    "A bare line of dashes closes a block where one is open, and is a heading elsewhere. This one "
    "is no heading, and the block before it was opened and closed by the same words: those may be "
    "two opening fences, with the upstream's code between them.",
    "def load(self):\n"
    "    # ---- Omni-new ----\n"
    "    self.talker = make_talker()\n"
    "    self.model.eval()\n"
    "    # ---- Omni-new ----\n"
    "    self.codec = make_codec()  # OP204: below\n"
    "    # ----------------------------------\n",
    "Give the first block its closing fence.",
    "def load(self):\n"
    "    # ---- Omni-new ----\n"
    "    self.talker = make_talker()\n"
    "    # ---- Omni-new ----\n"
    "    self.model.eval()\n"
    "    # ---- Omni-new ----\n"
    "    self.codec = make_codec()\n"
    "    # ----------------------------------\n",
)
UPSTREAM_IN_BLOCK = Code(
    "OP205",
    "a block that begins or ends with the upstream's own code",
    "The first or the last statements of a block stand word for word in the upstream function "
    "that the copy was made from. A block is kept as it is, so what the upstream does to them "
    "later passes it by, and where the upstream moves them they may run twice. Often a fence was "
    "forgotten, or stands too low or too high. A warning; an error where a rebase meets such a "
    "statement, at an end or inside of a block, that the upstream has in another place now, as "
    "under a new condition: then the block's own code runs there, too.",
    "def load(self):\n"
    "    # ---- Omni-new ----\n"
    "    self.talker = make_talker()\n"
    "    self.model.eval()  # OP205: the upstream's\n"
    "    # ---- Omni-new ----\n"
    "    return self.model\n",
    "Draw the fences around what is local, or add the one that is missing.",
    "def load(self):\n"
    "    # ---- Omni-new ----\n"
    "    self.talker = make_talker()\n"
    "    # ---- Omni-new ----\n"
    "    self.model.eval()\n"
    "    return self.model\n",
)
UNACCOUNTED_LINE = Code(
    "OP301",
    "a line of a block is not accounted for",
    "A line of a local block stands neither in the result nor in base, and no line of the account "
    "is about its block. The check that found it is made on every result; it means a mistake of "
    "the tool.",
    "# ---- Omni-new ----\nself.talker.feed(hidden)  # OP301\n# ---- Omni-new ----\n",
    "Put the line where it belongs by hand, and report the case: the method in local, base and "
    "target is all that is needed.",
)
UNBOUND_NAME = Code(
    "OP401",
    "a name of the rebuilt function is not bound",
    "The new function uses a name that the file neither defines nor imports, and the upstream file "
    "does not show where to import it from: it defines the name itself, and its module is not "
    "known, or it imports it in a way that cannot be repeated here.",
    "class Runner:\n    def load(self):\n        return self.pool.get(WORKSPACE_SIZE)  # OP401\n",
    "Import or define the name. Where the upstream module defines it, say which module that is.",
)
LOST_VARIABLE = Code(
    "OP402",
    "local code reads a variable that is gone",
    "Local code was carried over that reads a variable of the function, and the upstream's new "
    "function no longer binds it: the upstream renamed it, or took it out. Where the upstream now "
    "binds another name from the same expression, the finding proposes that name; it is never put "
    "in by itself.",
    "def run(self, batch):\n"
    "    states = self.model(batch)  # was: hidden = self.model(batch)\n"
    "    # ---- Omni-new ----\n"
    "    self.talker.feed(hidden)  # OP402\n"
    "    # ---- Omni-new ----\n"
    "    return states\n",
    "See what the upstream does instead, and adapt the local code.",
)
DEFINITIONS_DIFFER = Code(
    "OP403",
    "several definitions of one name, and not all have a partner",
    "A name is defined more than once: a property with its accessors, overloads, a function in "
    "each branch of an `if`, or the same name twice. Each definition is rebuilt on the one of the "
    "target that has its decorator and its branch. One of them has no partner: the target has it "
    "no longer, or has one more, or a later definition of the same name takes its place.",
    "class Runner:\n"
    "    @property\n"
    "    def scale(self):\n"
    "        return self._scale\n\n"
    "    @scale.setter\n"
    "    def scale(self, value):  # OP403: the target has no setter any more\n"
    "        self._scale = value\n",
    "Bring over or take out by hand what the class needs.",
)
RENAMED_ATTRIBUTE = Code(
    "OP404",
    "local code says an attribute that the upstream renamed",
    "Local code was carried over that says an attribute by a name which the upstream's file has "
    "nowhere any more, and a statement that the upstream has in both versions shows what it says "
    "instead. The new spelling is proposed and never put in: whether the two are the same object "
    "stands in no source.",
    "def run(self, config):\n"
    "    rank = int(config.role_rank)  # was: rank = int(config.server_rank)\n"
    "    # ---- Omni-new ----\n"
    "    self.topology = make(config.server_rank)  # OP404\n"
    "    # ---- Omni-new ----\n"
    "    return rank\n",
    "Write the new spelling where the local code means the same.",
    "def run(self, config):\n"
    "    rank = int(config.role_rank)\n"
    "    # ---- Omni-new ----\n"
    "    self.topology = make(config.role_rank)\n"
    "    # ---- Omni-new ----\n"
    "    return rank\n",
)
OLD_CALLER = Code(
    "OP405",
    "a call that no longer fits",
    "The rebuilt function has the target's signature, and a caller in the same file still calls "
    "it as it was before: an argument is missing, or too much, or now goes to another parameter. "
    "Or the rebuilt function calls a method of the file as the upstream has it now, and that one "
    "is still the old copy.",
    "class Runner:\n"
    "    def _ids(self, batch, num):  # the upstream added num\n"
    "        return batch.ids[:num]\n\n"
    "    def run(self, batch):\n"
    "        return self._ids(batch)  # OP405\n",
    "Rebase the other of the two as well, or adapt the call.",
)

LOCAL_NAME = Code(
    "OP406",
    "an upstream variable has another name here",
    "Local calls a variable of the upstream function by another name: the statement that binds it "
    "is the same but for the name, and the upstream's name is no variable in local. What the "
    "upstream wrote anew reads its own name, which nothing would bind; the result has local's.",
    "states = self.model(batch)  # OP406: the upstream says hidden\n"
    "self.count(states)  # new: self.count(hidden)\n",
    "Nothing, if the two are the same variable. Else rename one of them in local first.",
)

DEAD_NAME = Code(
    "OP421",
    "nothing reads a name that the function works out",
    "The new function binds a name, the upstream's or ours, and what read it is not there: a block "
    "of ours stands in place of the upstream's reader, or the local reader was not carried. The "
    "result runs, and half a feature is dead in it. The message shows the reader. A name that only "
    "goes into itself, or into another that nothing reads, counts as not read; an attribute of "
    "self is only reported where the whole file does not name it anywhere else.",
    "def sample(self, batch):\n"
    "    spec = self.drafter.propose(batch)  # OP421; there: return Output(tokens, spec)\n"
    "    # ---- Omni-new ----\n"
    "    return OmniOutput(tokens, audio)\n"
    "    # ---- Omni-new ----\n",
    "Pass the name on in what stands in place of its reader, or take out what works it out.",
)

MISSING_HELPER = Code(
    "OP501",
    "a synced line calls a method that is not there",
    "A line that came from the GPU sibling calls a method of its own class. The sibling defines "
    "it; the NPU class does not, nor does a base of it that can be seen.",
    "def execute_model(self, batch):\n    self._resolve_audio(batch)  # OP501, a synced line\n",
    "Check that a base class in another file has it; otherwise bring it over too. What calls a "
    "method that the sibling gained between the two releases is not in the text: the report "
    "proposes both, translated.",
)
NOT_SYNCED = Code(
    "OP502",
    "nothing was synced",
    "What the GPU sibling gained is not in the text: the sibling has no such method, it shares "
    "nothing with the NPU copy, or its changes could not be put in together.",
    "class OmniGPUModelRunner:  # OP502: no profile_run here\n    def load_model(self): ...\n",
    "The message says which. Where changes could not be put in, the report proposes each of them.",
)
OTHER_METHOD = Code(
    "OP503",
    "a synced line calls a method that is another one here",
    "A line that came from the GPU sibling calls a method of its own class that the NPU class "
    "overrides with another body. The call was translated, and not adapted.",
    "def execute_model(self, batch):\n    self._idle(batch)  # OP503, a synced line\n",
    "Compare arguments and results of the two methods.",
)
KEYWORDS_DIFFER = Code(
    "OP504",
    "a call has other keywords than in the sibling",
    "The sibling changed a call of the downstream's own code, and passes a keyword there that the "
    "NPU method does not pass, or the other way round.",
    "output = OmniOutput(tokens, pooler_output=hidden)  # OP504: multimodal_outputs= there\n",
    "Look at what the callee takes, and choose the argument for the NPU.",
)
LOST_METHOD = Code(
    "OP505",
    "the sibling lost a method",
    "The GPU sibling had this method in the older release and has it no longer. Nothing was "
    "removed here.",
    "class OmniNPUModelRunner:\n    def _merge_update(self): ...  # OP505\n",
    "See what the sibling does instead, and whether the NPU class still needs the method.",
)

CODES: dict[str, Code] = {
    value.code: value
    for value in (
        *vars(translate_codes).values(),
        *globals().values(),
        *vars(audit_codes).values(),
        *vars(check_codes).values(),
    )
    if isinstance(value, Code)
}
