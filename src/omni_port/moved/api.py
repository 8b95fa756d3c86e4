"""Now :mod:`omni_port.methods.translate_files`."""

from __future__ import annotations

from omni_port.methods.translate_files import (
    TranslateOptions,
    Translation,
    translate_bytes,
    translate_file,
    translate_paths,
)

__all__ = [
    "TranslateOptions",
    "Translation",
    "translate_bytes",
    "translate_file",
    "translate_paths",
]
