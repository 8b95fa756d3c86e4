"""The text of one import statement, and how names come and go in it: text in, text out.

libcst does the work (:mod:`omni_codemods.names.import_nodes`), and is loaded only here.
"""

from __future__ import annotations


def with_new_item(text: str, spelling: str, newline: str) -> str:
    """The statement *text* with one item more, where it sorts if the list is sorted."""
    import libcst as cst

    from omni_codemods.names import import_nodes

    name, _, asname = spelling.partition(" as ")
    return import_nodes.edit_import(
        text,
        lambda node: import_nodes.with_new_item(
            cst.ensure_type(node, cst.ImportFrom), name, asname, newline
        ),
    )


def without_item(text: str, index: int) -> str:
    """The statement *text* without the item at *index*; it must keep another one."""
    import libcst as cst

    from omni_codemods.names import import_nodes

    def edit(node: import_nodes.AnyImport) -> import_nodes.AnyImport:
        if isinstance(node, cst.Import):
            return import_nodes.without_item(node, index)[0]
        return import_nodes.without_item(node, index)[0]

    return import_nodes.edit_import(text, edit)
