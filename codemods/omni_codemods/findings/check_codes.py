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
ATTRIBUTE_GONE = Code(
    "OP615",
    "an attribute that is not there",
    "The module, the class, or the object whose class is known, does not have this attribute in "
    "the tree that was given: reading it raises AttributeError. Members of enums, fields of "
    "configurations and environment variables are among them.",
    "from vllm import envs\n\nif envs.OLD_SWITCH:  # OP615\n    pass\n",
    "See what upstream reads instead; where the name is asked for with `hasattr` or `getattr` "
    "it is left.",
)
STATE_GONE = Code(
    "OP616",
    "state that no class sets",
    "The code reads an attribute of its own object that neither its class, nor a base, nor a "
    "local class below it defines or sets, in the trees that were given.",
    "class Runner(NPUModelRunner):\n    def run(self):\n"
    "        if self.pcp_size > 1:  # OP616: nothing sets it any more\n            ...\n",
    "See what the upstream keeps it in now, or set it.",
)
OTHER_KIND = Code(
    "OP617",
    "an override of another kind",
    "The upstream has a method where this is a property, or the other way round; or one of the "
    "two is static, a class method or a coroutine, and the other is not. Who uses it the "
    "upstream's way fails.",
    "class Runner(NPUModelRunner):\n    @property\n    def buffers(self):  # OP617: a method there"
    "\n        ...\n",
    "Make it what the upstream has, or give it another name.",
)
INIT_LAGS = Code(
    "OP618",
    "an `__init__` that lags behind its base",
    "The base's `__init__` takes a parameter that this one neither takes nor hands on, though it "
    "otherwise takes what the base takes. Who passes it fails, and it stays at its default.",
    "from vllm.pool import BlockPool\n\n\nclass Pool(BlockPool):\n"
    "    def __init__(self, size):  # OP618: the base takes events, too\n"
    "        super().__init__(size)\n\n\npool = BlockPool(4, events=[])\n",
    "Take the parameter and hand it on.",
    "from vllm.pool import BlockPool\n\n\nclass Pool(BlockPool):\n"
    "    def __init__(self, size, events=None):\n"
    "        super().__init__(size, events=events)\n",
)
PATCH_MISFIT = Code(
    "OP619",
    "a patch that does not fit",
    "The code assigns to an attribute of an upstream module or class. Either there is nothing of "
    "that name to replace, and nothing here uses the new one, so that the patch has no effect; "
    "or what is assigned does not take what the replaced function takes.",
    "from vllm.pool import BlockPool\n\n\n"
    "def take(self, n):  # BlockPool.take(self, n, hint=None)\n    return n\n\n\n"
    "BlockPool.take = take  # OP619\n",
    "Compare with the upstream at the place that the message names.",
)
DEFINED_TWICE = Code(
    "OP620",
    "a definition that another one hides",
    "A class or a module defines a name, and defines it again before anything used the first "
    "one. Only the last counts; often a rebase brought in upstream's version beside our own.",
    "class Runner:\n    def run(self):\n        return 1\n\n    def run(self, step):  # OP620\n"
    "        return step\n",
    "Keep one of them.",
    "class Runner:\n    def run(self, step):\n        return step\n",
)
ALWAYS_TRUE = Code(
    "OP621",
    "a test that is always true",
    "The test is a tuple that is not empty: it is always true. A comma was left in parentheses.",
    "if (\n    ready,\n):  # OP621\n    start()\n",
    "Take the comma out, or compare what was meant.",
    "if ready:\n    start()\n",
)
LIFE_ENDED = Code(
    "OP622",
    "an attribute that is gone when it is read",
    "It is set on an object that is current only inside of a `with`, and read from the current "
    "object after that `with` is left: there is none then, or another one without it.",
    "from vllm.context import get_context, set_context\n\n\ndef run(step, model):\n"
    "    with set_context(step):\n        get_context().hidden = 1\n        model(step)\n"
    "    return get_context().hidden  # OP622\n",
    "Read it inside, into a local name, or keep it on an object that lives longer.",
    "from vllm.context import get_context, set_context\n\n\ndef run(step, model):\n"
    "    with set_context(step):\n        get_context().hidden = 1\n        model(step)\n"
    "        return get_context().hidden\n",
)
FIELD_ORDER = Code(
    "OP623",
    "a field without default after one with a default",
    "The class is a dataclass (or a named tuple); a field without a default stands behind one "
    "that has a default, its own or a base's. The class statement raises TypeError.",
    "from dataclasses import dataclass\n\nfrom vllm.plans import BasePlan\n\n\n@dataclass\n"
    "class Plan(BasePlan):  # the last field of BasePlan has a default\n    size: int  # OP623\n",
    "Give it a default, or make the class `kw_only`.",
)
READ_BEFORE_IMPORT = Code(
    "OP624",
    "a name that a later import makes local",
    "A function reads a name, and imports the same name further down: the import makes it a name "
    "of the function, and reading it before raises UnboundLocalError.",
    "import logging\n\n\ndef run():\n    logging.info('start')  # OP624\n    import logging\n",
    "Move the import up, or take it out.",
    "import logging\n\n\ndef run():\n    logging.info('start')\n",
)
