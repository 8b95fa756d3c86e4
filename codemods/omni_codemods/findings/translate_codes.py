"""The codes of translation, ``OP1xx``: those from ``OP130`` on are notes on what was left."""

from __future__ import annotations

from omni_codemods.findings.code import Code

NO_TWIN = Code(
    "OP101",
    "no NPU counterpart",
    "The table knows that this GPU name has nothing that stands for it on the NPU. It was left.",
    "import torch\n\ntry:\n    run()\nexcept torch.cuda.OutOfMemoryError:  # OP101\n    retry()\n",
    "Write the NPU code by hand; the message says what the table knows about it. "
    "`omni-port table explain NAME` says it too, with the source.",
    "import torch\n\ntry:\n    run()\nexcept torch.OutOfMemoryError:\n    retry()\n",
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
    "import torch\n\nif torch.npu.is_bf16_supported():\n    use_bf16()\n",
)
BARE_NAMESPACE = Code(
    "OP104",
    "the namespace itself is used as a value",
    "The code hands on the whole module. What is read from it later cannot be seen here.",
    "import torch\n\nbackend = torch.cuda  # OP104\n",
    "Follow the value. If all that is read from it exists on the NPU, change it by hand.",
    "import torch\n\nbackend = torch.npu\n",
)
DYNAMIC_NAME = Code(
    "OP105",
    "a GPU name in a string",
    "A string spells a GPU name, as `getattr`, `patch` and import-by-name take it. Strings stay "
    "unless an entry of the table says otherwise.",
    'import torch\n\ncuda = getattr(torch, "cuda")  # OP105\n',
    "If the string names code that was translated, change it too.",
    'import torch\n\ncuda = getattr(torch, "npu")\n',
)
STAR_IMPORT = Code(
    "OP106",
    "a star import may bring GPU names",
    "`from module import *` binds names that cannot be seen here. Uses of them were left.",
    "from vllm.forward_context import *  # OP106\n\nset_forward_context(meta, config)\n",
    "Import the names that are used, then translate again.",
    "from vllm_ascend.ascend_forward_context import set_ascend_forward_context\n\n"
    "set_ascend_forward_context(meta, config)\n",
)
AMBIGUOUS_NAME = Code(
    "OP107",
    "a name with more than one meaning",
    "The name is bound more than once in this scope, and not always to the GPU name. "
    "It was left everywhere.",
    "from vllm.forward_context import set_forward_context\n\n"
    "set_forward_context = traced(set_forward_context)  # OP107\n",
    "Give the two meanings two names, or translate by hand.",
    "from vllm_ascend.ascend_forward_context import set_ascend_forward_context\n\n"
    "set_traced_context = traced(set_ascend_forward_context)\n",
)
NAME_TAKEN = Code(
    "OP108",
    "the NPU name is taken",
    "Where the name would go, its new spelling is already bound: to something else, or by an "
    "import that may not have run. It was left.",
    "from vllm.compilation.cuda_graph import CUDAGraphWrapper  # OP108\n\n"
    "class ACLGraphWrapper: ...\n",
    "Rename one of the two, or import the NPU name under another name.",
    "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper as GraphWrapper\n\n"
    "class ACLGraphWrapper: ...\n",
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
    "with set_ascend_forward_context(\n"
    "    meta, config, num_tokens=n, num_actual_tokens=n, model_instance=self.model\n):\n"
    "    ...\n",
)
POSITIONAL = Code(
    "OP111",
    "positional arguments that mean something else",
    "From this position on, the NPU callee has other parameters. The name was translated, the "
    "arguments were left.",
    "set_forward_context(meta, config, 0, num_tokens)  # OP111\n",
    "Pass these arguments by keyword.",
    "set_ascend_forward_context(meta, config, num_tokens=num_tokens)\n",
)
UNPACKED_ARGUMENTS = Code(
    "OP112",
    "unpacked arguments cannot be checked",
    "`**options` may hold keywords that the NPU callee calls otherwise or does not take.",
    "with set_forward_context(meta, config, **options):  # OP112\n    ...\n",
    "Follow where the dictionary is filled, and rename its keys there.",
    "with set_ascend_forward_context(meta, config, aclgraph_runtime_mode=mode):\n    ...\n",
)
TENSOR_CUDA = Code(
    "OP113",
    "a GPU member of an object of unknown type",
    "`x.cuda()` and `x.is_cuda` are members of whatever `x` is, which cannot be seen here.",
    "hidden = hidden.cuda()  # OP113\n",
    "Write `.to(device)`, or ask the platform object.",
    "hidden = hidden.to(self.device)\n",
)
COMPARED_LITERAL = Code(
    "OP114",
    "a device name outside a device position",
    "The string is compared, returned or stored, not passed as a device. It was left, for it may "
    "be a profiler, a label or a key.",
    'if x.device.type == "cuda":  # OP114\n    ...\n',
    "If it is a device, change it, together with what depends on it.",
    'if x.device.type == "npu":\n    ...\n',
)
GUARDED = Code(
    "OP115",
    "code behind a test for the GPU",
    "The branch runs only where the test says GPU, so on an NPU it does not run, or the test must "
    "change with it. Both were left. The same holds for a device name that is given to a function "
    "of the GPU which stays.",
    'if x.device.type == "cuda":\n    torch.cuda.synchronize()  # OP115\n',
    "Decide whether the NPU needs this branch; then change test and branch together.",
    'if x.device.type == "npu":\n    torch.npu.synchronize()\n',
)
EXPORTED_NAME = Code(
    "OP116",
    "an exported name changed",
    "The name stands in `__all__` and followed its import. Modules that import it from here must "
    "follow too.",
    "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n\n"
    '__all__ = ["CUDAGraphWrapper"]  # OP116\n',
    "Translate the importing modules as well, or keep the old name with `import ... as`.",
    "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper as CUDAGraphWrapper\n\n"
    '__all__ = ["CUDAGraphWrapper"]\n',
)
TYPE_COMMENT = Code(
    "OP117",
    "a GPU name in a type comment",
    "Comments stay; type checkers will not find the name any more.",
    "event = make()  # type: torch.cuda.Event  (OP117)\n",
    "Make it an annotation.",
    "event: torch.npu.Event = make()\n",
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
    "import os\n",
)
BROKEN_KEEP = Code(
    "OP120",
    "a keep range that does not close",
    "`# omni-port: keep start` and `# omni-port: keep end` must pair.",
    "# omni-port: keep start  (OP120)\nimport torch\n",
    "Add the missing half.",
    "# omni-port: keep start\nimport torch\n\nevent = torch.cuda.Event()\n# omni-port: keep end\n",
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
    'if hasattr(ACLGraphWrapper, "clear_all_graphs"):\n    ACLGraphWrapper.clear_all_graphs()\n',
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
    "from vllm_ascend.ascend_forward_context import set_ascend_forward_context\n\n"
    "enter = set_ascend_forward_context\nenter(meta, config, aclgraph_runtime_mode=mode)\n",
)
OTHER_HOOK = Code(
    "OP124",
    "the platform hook has other parameters",
    "With `--dialect platform` the name became a hook of the platform object, and this call does "
    "not pass exactly the keywords that the hook takes.",
    "with set_forward_context(meta, config, num_tokens=n):  # OP124\n    ...\n",
    "Call the NPU function here (`--dialect npu`), or adapt the call.",
)
CONDITIONAL = Code(
    "OP125",
    "a conditional translation was held back",
    "The table translates this where its condition holds, which the entry's note says; "
    "`--only safe` makes no such change.",
    "from vllm.v1.sample.sampler import Sampler  # OP125 with --only safe\n",
    "Decide whether it holds here (`omni-port table explain ID`), and change it by hand or run "
    "without the option.",
    "from vllm_ascend.sample.sampler import AscendSampler\n",
)
SHARED_CODE = Code(
    "OP126",
    "code that both devices run",
    "The module defines a model or the base of all platforms, which GPU and NPU share. A name that "
    "only the NPU's own runner or worker exchanges was left in it.",
    "from torch import nn\n"
    "from vllm.v1.sample.sampler import Sampler  # OP126\n\n\n"
    "class Model(nn.Module): ...\n",
    "Leave it; if this is a copy for the NPU alone, change it by hand.",
    "from torch import nn\n"
    "from vllm_ascend.sample.sampler import AscendSampler\n\n\n"
    "class NPUModel(nn.Module): ...\n",
)
CUDA_PACKAGE = Code(
    "OP127",
    "a package for CUDA alone",
    "The module imports a package that exists for CUDA alone, so that it cannot even be imported "
    "on an NPU. It is said once for the module; what else could be translated was.",
    "import torch\nimport flashinfer  # OP127\n\ntorch.cuda.synchronize()\n",
    "Find what stands for the package on the NPU, or keep this module out of the port.",
    "import torch\n\ntry:\n    import flashinfer\nexcept ImportError:\n    flashinfer = None\n",
)
CALL_MISFIT = Code(
    "OP128",
    "the NPU callee takes other arguments",
    "The name was translated, and the NPU callee of the release aimed at does not take this call: "
    "a keyword that it does not know, an argument missing, or one too many. They were left.",
    "from vllm.v1.sample.sampler import Sampler\n\n"
    "sampler = Sampler(use_fp64_gumbel=True)  # OP128\n",
    "The hint says what the NPU callee takes. Leave out what it does not take, or do it elsewhere.",
    "from vllm_ascend.sample.sampler import AscendSampler\n\nsampler = AscendSampler()\n",
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
