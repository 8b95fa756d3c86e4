"""What a name means in a module: imports, scopes, and what a piece of code reads and binds.

``imports`` reads and edits the imports of a file, ``import_text`` lays them out as the file does.
"""

from __future__ import annotations
