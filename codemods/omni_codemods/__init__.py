"""The library behind omni-port: text in, text and facts out.

>>> from omni_codemods.translate import translate
>>> print(translate("import torch\\ntorch.cuda.synchronize()\\n").text)
import torch
torch.npu.synchronize()
<BLANKLINE>

:func:`omni_codemods.translate.translate` carries GPU code to NPU code by a table,
:func:`omni_codemods.rebase.rebase_method` rebuilds one function of a downstream copy on a new
upstream version. Both return frozen values (:mod:`.findings.model`) and raise
:class:`~omni_codemods.findings.errors.OmniCodemodsError`.

The rooms, from the ground up: findings, text, names, functions, sources, table, replay, translate,
rebuild, provenance, sync, drift, checks, impact, rebase; commands and testing for LibCST's users.
Each says in its docstring what lives there. docs/internals/architecture.md shows them together.
"""

from __future__ import annotations

# Modules that have moved are found under their old names as well.
__path__ = [*__path__, f"{__path__[0]}/moved"]
