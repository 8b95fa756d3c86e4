"""Text from outside, made safe to be shown: file names, commit subjects, code.

A terminal obeys control characters, and so do readers of logs: a file name could clear the screen,
turn the text around, or pretend to be a message of ours.
"""

from __future__ import annotations

import os
import re

# Control characters, those that turn the direction of text, and halves of characters.
_CONTROL = "\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff"
_ANY = re.compile(f"[{_CONTROL}]")
# Colours, as this program writes them, and line ends may stay.
_BUT_COLOURS = re.compile(f"(\\x1b\\[(?:0|1|3[0-7]|9[0-7])m|[\\n\\t])|([{_CONTROL}])")


def safe_name(text: str) -> str:
    """Return *text* on one line, with every control character escaped as in Python."""
    return _ANY.sub(lambda found: _escaped(found[0]), text)


def safe_text(text: str) -> str:
    """Return *text* with its lines and colours, and every other control character escaped."""
    return _BUT_COLOURS.sub(lambda found: found[1] or _escaped(found[2]), text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def quoted_name(name: str) -> str:
    """Return a file name as git writes it in a patch: quoted, where it holds odd characters."""
    raw = os.fsencode(name)
    if not _ANY.search(name) and not {'"', "\\"} & set(name):
        return name
    known = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
    parts = (
        f"\\{known[byte]}" if byte in known else chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
        for byte in raw
    )
    return '"' + "".join(parts) + '"'
