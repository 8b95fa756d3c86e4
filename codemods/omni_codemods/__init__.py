"""The library behind omni-port: text in, text and facts out.

>>> from omni_codemods.translate import translate
>>> print(translate("import torch\\ntorch.cuda.synchronize()\\n").text)
import torch
torch.npu.synchronize()
<BLANKLINE>

:func:`omni_codemods.translate.translate` carries GPU code to NPU code by a table,
:func:`omni_codemods.rebase.method.rebase_method` rebuilds one function of a downstream copy on a new
upstream version. Both return frozen values (:mod:`omni_codemods.findings.model`) and raise
:class:`~omni_codemods.findings.errors.OmniCodemodsError`.
"""

from __future__ import annotations
