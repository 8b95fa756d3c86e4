"""What is published as JSON: values, made from results, and the schemas that they are.

A document is a tree of msgspec structs, so that schema and code cannot part: ``schema.load_schema``
gives the JSON Schema of one by its name. One module a document: its structs, and ``make_*`` from
the result that it tells of. Keys are never taken away or given another type
(``tests/port/documents/keys.json`` has them all).
"""

from __future__ import annotations
