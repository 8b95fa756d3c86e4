"""Every code that a finding can carry, with what it means and what to do.

The documentation has one page for each, generated from here. Codes are stable: a number is never
given to another meaning. ``OP1xx`` is translation, ``OP2xx`` fences, ``OP4xx`` names of a rebuilt
function, ``OP5xx`` what came from the GPU sibling.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """One code: *title* in a few words, *meaning* in sentences, *example* as Python, *remedy*."""

    code: str
    title: str
    meaning: str
    example: str
    remedy: str


NO_TWIN = Code(
    "OP101",
    "no NPU counterpart",
    "The table knows that this GPU name has nothing that stands for it on the NPU. It was left.",
    "import torch\n\ntry:\n    run()\nexcept torch.cuda.OutOfMemoryError:  # OP101\n    retry()\n",
    "Write the NPU code by hand; the message says what the table knows about it.",
)
UNKNOWN_NAME = Code(
    "OP102",
    "name unknown to the table",
    "The name belongs to a namespace that the table translates, but the table does not know "
    "whether the NPU has it. It was left: a name goes only where it is known to exist.",
    "import torch\n\ntorch.cuda.brand_new_function()  # OP102\n",
    "Look it up in the NPU's module. If it is there, add it to your own table "
    "(`--table FILE` with `extends`), and tell the project.",
)
OTHER_MEANING = Code(
    "OP103",
    "exists on the NPU, means something else",
    "A name of this spelling exists on the NPU, but gives another result. It was left.",
    "import torch\n\nif torch.cuda.get_device_capability() >= (8, 0):  # OP103\n    use_bf16()\n",
    "Decide what the code needs to know, and ask the NPU for that.",
)
BARE_NAMESPACE = Code(
    "OP104",
    "the namespace itself is used as a value",
    "The code hands on the whole module. What is read from it later cannot be seen here.",
    "import torch\n\nbackend = torch.cuda  # OP104\n",
    "Follow the value. If all that is read from it exists on the NPU, change it by hand.",
)
DYNAMIC_NAME = Code(
    "OP105",
    "a GPU name in a string",
    "A string spells a GPU name, as `getattr`, `patch` and import-by-name take it. Strings stay "
    "unless an entry of the table says otherwise.",
    'import torch\n\ncuda = getattr(torch, "cuda")  # OP105\n',
    "If the string names code that was translated, change it too.",
)
STAR_IMPORT = Code(
    "OP106",
    "a star import may bring GPU names",
    "`from module import *` binds names that cannot be seen here. Uses of them were left.",
    "from vllm.forward_context import *  # OP106\n\nset_forward_context(meta, config)\n",
    "Import the names that are used, then translate again.",
)
AMBIGUOUS_NAME = Code(
    "OP107",
    "a name with more than one meaning",
    "The name is bound more than once in this scope, and not always to the GPU name. "
    "It was left everywhere.",
    "from vllm.forward_context import set_forward_context\n\n"
    "set_forward_context = traced(set_forward_context)  # OP107\n",
    "Give the two meanings two names, or translate by hand.",
)
NAME_TAKEN = Code(
    "OP108",
    "the NPU name is taken",
    "Where the name would go, its new spelling is already bound to something else. It was left.",
    "from vllm.compilation.cuda_graph import CUDAGraphWrapper  # OP108\n\n"
    "class ACLGraphWrapper: ...\n",
    "Rename one of the two, or import the NPU name under another name.",
)
DROPPED_KEYWORD = Code(
    "OP109",
    "a keyword was dropped",
    "The NPU callee does not take this keyword; passing it raises TypeError. It was taken out of "
    "the call.",
    "with set_forward_context(meta, config, slot_mapping=slots):  # OP109\n    ...\n",
    "Check whether what the keyword did is needed on the NPU, and done there in another way.",
)
NEEDED_KEYWORD = Code(
    "OP110",
    "the NPU callee wants more keywords",
    "The NPU callee takes keywords that the GPU one does not have, and works properly only with "
    "them. Their values depend on the place, so none was made up.",
    "with set_forward_context(meta, config, num_tokens=n):  # OP110\n    ...\n",
    "Add them by hand; the NPU runner that this code mirrors shows the values.",
)
POSITIONAL = Code(
    "OP111",
    "positional arguments that mean something else",
    "From this position on, the NPU callee has other parameters. The name was translated, the "
    "arguments were left.",
    "set_forward_context(meta, config, 0, num_tokens)  # OP111\n",
    "Pass these arguments by keyword.",
)
UNPACKED_ARGUMENTS = Code(
    "OP112",
    "unpacked arguments cannot be checked",
    "`**options` may hold keywords that the NPU callee calls otherwise or does not take.",
    "with set_forward_context(meta, config, **options):  # OP112\n    ...\n",
    "Follow where the dictionary is filled, and rename its keys there.",
)
TENSOR_CUDA = Code(
    "OP113",
    "a GPU member of an object of unknown type",
    "`x.cuda()` and `x.is_cuda` are members of whatever `x` is, which cannot be seen here.",
    "hidden = hidden.cuda()  # OP113\n",
    "Write `.to(device)`, or ask the platform object.",
)
COMPARED_LITERAL = Code(
    "OP114",
    "a device name outside a device position",
    "The string is compared, returned or stored, not passed as a device. It was left, for it may "
    "be a profiler, a label or a key.",
    'if x.device.type == "cuda":  # OP114\n    ...\n',
    "If it is a device, change it, together with what depends on it.",
)
GUARDED = Code(
    "OP115",
    "code behind a test for the GPU",
    "The branch runs only where the test says GPU, so on an NPU it does not run, or the test must "
    "change with it. Both were left. The same holds for a device name that is given to a function "
    "of the GPU which stays.",
    'if x.device.type == "cuda":\n    torch.cuda.synchronize()  # OP115\n',
    "Decide whether the NPU needs this branch; then change test and branch together.",
)
EXPORTED_NAME = Code(
    "OP116",
    "an exported name changed",
    "The name stands in `__all__` and followed its import. Modules that import it from here must "
    "follow too.",
    "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n\n"
    '__all__ = ["CUDAGraphWrapper"]  # OP116\n',
    "Translate the importing modules as well, or keep the old name with `import ... as`.",
)
TYPE_COMMENT = Code(
    "OP117",
    "a GPU name in a type comment",
    "Comments stay; type checkers will not find the name any more.",
    "event = make()  # type: torch.cuda.Event  (OP117)\n",
    "Make it an annotation.",
)
FORMAT_STRING = Code(
    "OP118",
    "inside a format string",
    "Before Python 3.12 the places of names inside an f-string are not known exactly, and here "
    "they could not be found beyond doubt. It was left.",
    "print(f\"torch.cuda.Event: {torch.cuda.Event} {'torch.cuda.Event'}\")  # OP118\n",
    "Change it by hand, or run with Python 3.12 or later.",
)
UNUSED_KEEP = Code(
    "OP119",
    "a keep comment that keeps nothing",
    "Nothing on this line, or in this range, would have been translated.",
    "import os  # omni-port: keep  (OP119)\n",
    "Remove the comment.",
)
BROKEN_KEEP = Code(
    "OP120",
    "a keep range that does not close",
    "`# omni-port: keep start` and `# omni-port: keep end` must pair.",
    "# omni-port: keep start  (OP120)\nimport torch\n",
    "Add the missing half.",
)
REVIEW_CALL = Code(
    "OP121",
    "the NPU class has its own version of this method",
    "The call is right as it stands, but the NPU method differs in arguments or results.",
    "self._dummy_run(num_tokens, mode)  # OP121\n",
    "Compare with the NPU method's signature.",
)
MISSING_MEMBER = Code(
    "OP122",
    "the NPU class lacks this member",
    "The class was translated; this attribute of it does not exist on the NPU class in the "
    "release aimed at.",
    "CUDAGraphWrapper.clear_all_graphs()  # OP122\n",
    "Take the call out, or guard it with hasattr.",
)
HANDED_ON = Code(
    "OP123",
    "a callee is handed on",
    "The function was translated where it is used as a value. Calls through that value are not "
    "seen, so their keywords were not changed.",
    "from vllm.forward_context import set_forward_context\n\n"
    "enter = set_forward_context  # OP123\n"
    "enter(meta, config, cudagraph_runtime_mode=mode)\n",
    "Follow the value to its calls, and rename their keywords there.",
)
OTHER_HOOK = Code(
    "OP124",
    "the platform hook has other parameters",
    "With `--dialect platform` the name became a hook of the platform object, and this call does "
    "not pass exactly the keywords that the hook takes.",
    "with set_forward_context(meta, config, num_tokens=n):  # OP124\n    ...\n",
    "Call the NPU function here (`--dialect npu`), or adapt the call.",
)
LEFT_ON_PURPOSE = Code(
    "OP130",
    "left on purpose",
    "The name looks translatable, and the table says that it stays.",
    "from vllm.compilation.cuda_graph import CUDAGraphStat  # OP130\n",
    "Nothing to do.",
)
KEPT_BY_COMMENT = Code(
    "OP131",
    "left because a comment says so",
    "`# omni-port: keep` stands on the line, or around it.",
    "torch.cuda.synchronize()  # omni-port: keep  (OP131)\n",
    "Nothing to do.",
)
ASSIGNED_NAME = Code(
    "OP132",
    "an assignment to the GPU name",
    "The code replaces or deletes the GPU name itself, as redirecting wrappers do. It was left.",
    "torch.cuda.Event = torch.npu.Event  # OP132\n",
    "Nothing to do.",
)
BILINGUAL = Code(
    "OP133",
    "code that is not for the GPU alone",
    "The code around it names the NPU as well, so that it chooses at run time; or it stands in a "
    "class that is for one device on purpose, such as a platform's class for CUDA, ROCm or XPU. "
    "It was left.",
    'module = torch.npu if device.type == "npu" else torch.cuda  # OP133\n',
    "Nothing to do. A class that is a copy of such a class and is to become the NPU's needs a name "
    "that says so before it is translated.",
)
OTHER_CALLEE = Code(
    "OP134",
    "the same keyword of another callee",
    "The keyword is renamed for one callee only; here another one is called.",
    "self._dummy_run(n, cudagraph_runtime_mode=mode)  # OP134\n",
    "Nothing to do.",
)
OTHER_NAME = Code(
    "OP135",
    "the same name from elsewhere",
    "The spelling is that of a GPU name in the table; the import says that it is another thing.",
    "from vllm_omni.diffusion.forward_context import set_forward_context  # OP135\n",
    "Nothing to do.",
)
NOT_A_BASE = Code(
    "OP136",
    "translated as a base class only",
    "The table changes this class where another inherits from it; other uses mean the GPU class.",
    "def check(runner: GPUModelRunner): ...  # OP136\n",
    "Nothing to do.",
)
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

MISSING_HELPER = Code(
    "OP501",
    "a synced line calls a method that is not there",
    "A line that came from the GPU sibling calls a method of its own class. The sibling defines "
    "it; the NPU class does not, nor does a base of it that can be seen.",
    "def execute_model(self, batch):\n    self._resolve_audio(batch)  # OP501, a synced line\n",
    "Check that a base class in another file has it; otherwise bring it over too. Where the "
    "sibling gained it between the two releases, the report proposes it, translated.",
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
    value.code: value for value in tuple(globals().values()) if isinstance(value, Code)
}
