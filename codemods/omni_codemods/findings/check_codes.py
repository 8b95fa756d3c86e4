"""The codes of ``check``, ``OP6xx``: what is wrong with a finished port."""

from __future__ import annotations

from omni_codemods.findings.code import Code

NOT_PYTHON = Code(
    "OP601",
    "the file is not Python",
    "The file does not parse. Nothing else of it is checked.",
    "def load(self:  # OP601\n    return self.model\n",
    "Mend the place that the message names, or run omni-port under a Python that knows the syntax.",
    "def load(self):\n    return self.model\n",
)
CONFLICT_LEFT = Code(
    "OP602",
    "a conflict is left",
    "A conflict hunk of a rebase or of git stands in the file. The other checks read its target "
    "side.",
    "<<<<<<< local  (OP602)\nstate = 1\n||||||| base\nstate = 0\n=======\nstate = 2\n"
    ">>>>>>> target\n",
    "Decide it, and take the markers out.",
    "state = 2\n",
)
GPU_NAME = Code(
    "OP603",
    "a GPU name is left",
    "The translation would still change this. In a file of NPU code nothing is left to translate.",
    "import torch\n\ntorch.cuda.synchronize()  # OP603\n",
    "Run `omni-port translate` on the file, or, if the name is right, end its line with "
    "`# omni-port: keep`.",
    "import torch\n\ntorch.npu.synchronize()\n",
)
BLOCK_GONE = Code(
    "OP604",
    "a block of the old copy is not here",
    "The old copy had a fenced block in this function, and lines of it stand nowhere in the new "
    "file. It is an error where no line of the block is left, and a warning where some are.",
    "class Runner:\n    def run(self):  # OP604: the old copy fed the talker here\n"
    "        return self.model()\n",
    "Put it back, or make sure that the upstream does now what the block did.",
    "class Runner:\n    def run(self):\n        # ---- Omni-new ----\n        self.talker.feed()\n"
    "        # ---- Omni-new ----\n        return self.model()\n",
)
BLOCK_TWICE = Code(
    "OP605",
    "the same block twice",
    "Two blocks of one function hold the same code, and both of them run.",
    "def run(self):\n    # ---- Omni-new ----\n    self.talker.feed(self.step)\n"
    "    # ---- Omni-new ----\n    self.model()\n    # ---- Omni-new ----  (OP605)\n"
    "    self.talker.feed(self.step)\n    # ---- Omni-new ----\n",
    "Keep the one that stands where it belongs.",
)
STATEMENT_TWICE = Code(
    "OP606",
    "the same statement twice in a row",
    "Two statements next to each other are the same, and each of them has an effect. Often one "
    "is a block's and the other the upstream's.",
    "def run(self, batch):\n    self.update(batch)\n    self.update(batch)  # OP606\n",
    "Keep one, unless it is to run twice.",
    "def run(self, batch):\n    self.update(batch)\n",
)
IMPORT_GONE = Code(
    "OP607",
    "an import that the tree does not have",
    "The module, or the name in it, is not in the tree that was given for its package: importing "
    "the file fails. Where the import is for type checkers, stands under an `if`, or its failure "
    "is caught, it is a warning.",
    "from vllm_ascend.ops.fused_moe import AscendFusedMoE  # OP607\n",
    "Import it from where it is now; the message names the modules that define it, if there are "
    "any.",
)
OTHER_SIGNATURE = Code(
    "OP608",
    "an override with another signature",
    "The method overrides one of the upstream, and does not take the arguments that one takes: "
    "a parameter is missing, or a new one without default stands in no fence. Where the upstream "
    "passes it, the call fails.",
    "class Runner(NPUModelRunner):\n    def _dummy_run(self, num_tokens):  # OP608\n        ...\n",
    "Rebase the method, or take the parameter.",
)
CALL_MISFIT = Code(
    "OP609",
    "a call that does not fit",
    "The callee, as the tree has it, does not take this argument, or wants one that is not given. "
    "The call raises TypeError.",
    "class Runner(NPUModelRunner):\n    def warm_up(self):\n"
    "        self._dummy_run(1, skip_state=True)  # OP609\n",
    "Compare with the signature at the place that the message names.",
)
NOTHING_BINDS = Code(
    "OP610",
    "a name that nothing binds",
    "A function uses a name that the file neither defines nor imports. Using it raises NameError.",
    "def run(self):\n    return WORKSPACE_SIZE  # OP610\n",
    "Import or define it.",
)
OTHER_ARITY = Code(
    "OP611",
    "another number of values",
    "The callee, as the tree has it, always returns so many values, and the code takes another "
    "number of them apart. It raises ValueError.",
    "class Runner(NPUModelRunner):\n    def run(self, batch):\n"
    "        logits, tokens = self._prepare_inputs(batch)  # OP611\n",
    "Compare with what the method returns at the place that the message names.",
)
MEMBER_GONE = Code(
    "OP612",
    "a method that no class has",
    "The code calls a method of its own object that neither the class nor any base of it has, in "
    "the trees that were given.",
    "class Runner(NPUModelRunner):\n    def run(self):\n"
    "        return self._model_forward()  # OP612\n",
    "See what the upstream does instead.",
)
SIBLING_KEYWORD = Code(
    "OP613",
    "a call has other keywords than in the GPU sibling",
    "The GPU sibling's method of the same name calls the same code of the downstream, with "
    "another set of keywords. Often the sibling moved on, and the port was forgotten.",
    "from vllm_omni.outputs import Output\n\n\nclass Runner:\n    def sample(self, r, p):\n"
    "        return Output(req_ids=r, pooler_output=p)  # OP613: multimodal_outputs= there\n",
    "Look at what the callee takes, and follow the sibling where the NPU has no reason not to.",
)
UNSET_STATE = Code(
    "OP614",
    "state that nothing sets",
    "The class has an `__init__` of its own that calls no other `__init__`. A method that it "
    "inherits reads an attribute that only the `__init__` of a base sets: it raises "
    "AttributeError. Often the upstream's `__init__` grew, and its copy did not.",
    "class Runner(NPUModelRunner):\n    def __init__(self, config):  # OP614\n"
    "        self.mine = config\n",
    "Rebase `__init__`, or call that of the base.",
    "class Runner(NPUModelRunner):\n    def __init__(self, config):\n"
    "        super().__init__(config)\n        self.mine = config\n",
)
