"""Text before it means anything: tokens, their canonical spelling, lines and offsets.

``lexer`` reads tokens, ``canonical`` what of them is code and not layout, ``outline`` where the
functions of a file stand, ``skim`` files without the bodies of their functions, ``walks`` goes
over statements, ``offsets`` between positions of ``ast`` and of text.
"""

from __future__ import annotations
