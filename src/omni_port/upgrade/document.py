"""What became of the methods of a file, as JSON: what the state keeps and the reports read."""

from __future__ import annotations

from omni_port.report.document import Json, error_json
from omni_port.report.rebase_document import rebase_json
from omni_port.upgrade.port_files import Carried, CarriedFile


def methods_json(file: CarriedFile) -> list[Json]:
    """Return one entry a method, in the order of the file."""
    return [_method(one) for one in file.methods]


def _method(one: Carried) -> Json:
    job = one.job
    return {
        "name": job.name,
        "port": job.port.name,
        "upstream": str(job.port.upstream),
        "method": job.method,
        "is_copy": job.is_copy,
        "account": None if one.account is None else rebase_json(one.account),
        "error": None if one.error is None else error_json(one.error),
    }
