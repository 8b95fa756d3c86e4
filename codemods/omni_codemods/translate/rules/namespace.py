"""Namespaces: members go one by one, and only where the table knows that they exist.

The members that keep their names are symbols (:func:`omni_codemods.table.entries.expand`); what the
table does not know is reported here.
"""

from __future__ import annotations

from omni_codemods.findings.translate_codes import ASSIGNED_NAME, BARE_NAMESPACE, UNKNOWN_NAME
from omni_codemods.names.scopes import Guard
from omni_codemods.translate.facts import Reference
from omni_codemods.translate.work import Work


def report_unknown(work: Work, reference: Reference, path: str, root: str) -> None:
    """Report *path* if it lies in a namespace of the table; the caller found no entry for it."""
    namespace = work.index.namespace_of(path)
    if namespace is None or (not reference.chain and root != namespace.gpu):
        # A name imported from the namespace is reported once, at its import.
        return
    if reference.stored:
        work.leave(ASSIGNED_NAME, reference.offset, f"{reference.text} is assigned to, and stays")
    elif reference.guard is Guard.BOTH:
        work.leave_bilingual(reference.offset, path)
    elif work.is_kept(reference.spans[0]):
        return
    elif path == namespace.gpu:
        work.report(BARE_NAMESPACE, reference.offset, f"{path} itself is used as a value")
    else:
        work.report(
            UNKNOWN_NAME,
            reference.offset,
            f"the table does not know whether {namespace.npu} has {path[len(namespace.gpu) + 1 :]}",
        )


def report_unknown_import(work: Work, path: str, offset: int) -> None:
    """Report an import of *path*, for which the table has no entry, if it is in a namespace."""
    namespace = work.index.namespace_of(path)
    is_module = any(known.startswith(f"{path}.") for known in work.index.paths)
    if namespace is not None and path != namespace.gpu and not is_module:
        work.report(
            UNKNOWN_NAME,
            offset,
            f"the table does not know whether {namespace.npu} has {path[len(namespace.gpu) + 1 :]}",
        )
