"""The symbol table of a text, in whatever syntax."""

from __future__ import annotations

import symtable

from omni_codemods.text.newer.older import older_text
from omni_codemods.text.newer.read import parse
from omni_codemods.text.newer.stand_ins import NewerModule


def symbol_table(text: str, name: str) -> tuple[symtable.SymbolTable, bool]:
    """The scopes and names of *text*, and whether its line numbers are those of *text*.

    Raises what :func:`symtable.symtable` raises.
    """
    try:
        return symtable.symtable(text, name, "exec"), True
    except SyntaxError:
        tree = parse(text)
        if not isinstance(tree, NewerModule):
            raise
    return symtable.symtable(older_text(tree), name, "exec"), False
