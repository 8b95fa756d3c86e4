"""Which vLLM the tree of a port of it (vllm-ascend, vllm-gaudi) says that it is made for."""

from __future__ import annotations

import re
from collections.abc import Callable

from omni_port.identity.claims import Claim

Read = Callable[[str], "str | None"]

# A lone tag, and a lone commit, that its CI builds with.
_FILES = (
    ".github/vllm-release-tag.commit",
    ".github/vllm-main-verified.commit",
    "VLLM_STABLE_COMMIT",
)
_DOCKERFILE = "Dockerfile"
_ARGUMENT = re.compile(
    r"^\s*(?:ARG|ENV)\s+VLLM_(?:TAG|COMMIT)\s*=\s*[\"']?(?P<value>[\w.+/-]+)", re.MULTILINE
)


def read_locks(read: Read) -> tuple[Claim, ...]:
    """Return what the tree that *read* reads claims: its lock files, else its Dockerfile."""
    found = [Claim((text.split()[0],), path) for path in _FILES if (text := _text(read, path))]
    return tuple(found or parse_dockerfile(_text(read, _DOCKERFILE)))


def parse_dockerfile(text: str) -> tuple[Claim, ...]:
    """Return the ``VLLM_TAG`` and ``VLLM_COMMIT`` that a Dockerfile sets."""
    return tuple(
        Claim(
            (found["value"],), f"{_DOCKERFILE}:{text.count(chr(10), 0, found.start('value')) + 1}"
        )
        for found in _ARGUMENT.finditer(text)
    )


def _text(read: Read, path: str) -> str:
    return (read(path) or "").strip()
