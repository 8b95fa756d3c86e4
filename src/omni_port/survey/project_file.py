"""A draft of the project file as TOML, each part with a comment that says how it was found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from omni_port.survey.draft import Draft, PortDraft, SiblingsDraft, UpstreamDraft

_WIDTH = 100


def render_project_file(draft: Draft, kept: Mapping[str, object] | None = None) -> str:
    """Return the text of ``omni-port.toml``. *kept* are settings that stood there before."""
    parts = ["# The ports of this project, and what they follow: written by `omni-port init`."]
    parts += _settings(kept or {})
    for upstream in draft.upstreams:
        parts += ["", *_upstream(upstream)]
    if draft.siblings is not None:
        parts += ["", *_siblings(draft.siblings)]
    for port in draft.ports:
        lines = list(_port(port))
        parts += ["", *(lines if port.sure else _commented(lines))]
    return "\n".join(parts) + "\n"


def _settings(settings: Mapping[str, object], table: str = "") -> Iterator[str]:
    """Yield keys, then the tables below *table*; what is empty is left out."""
    given = {key: value for key, value in settings.items() if value not in (None, "", [], {}, ())}
    nested = {key: value for key, value in given.items() if _tables(value)}
    yield from (f"{key} = {_value(value)}" for key, value in given.items() if key not in nested)
    for key, value in nested.items():
        name = f"{table}{key}"
        for one in value if isinstance(value, (list, tuple)) else (value,):
            lines = list(_settings(one, f"{name}."))
            head = f"[[{name}]]" if isinstance(value, (list, tuple)) else f"[{name}]"
            yield from ["", head, *lines] if lines and lines[0] else lines


def _tables(value: object) -> bool:
    listed = isinstance(value, (list, tuple)) and isinstance(value[0], Mapping)
    return listed or isinstance(value, Mapping)


def _upstream(upstream: UpstreamDraft) -> Iterator[str]:
    yield f"[upstream.{_key(upstream.name)}]"
    if upstream.repository is not None:
        yield _pair("repository", upstream.repository)
    if upstream.current is None:
        yield f"# Not found: {upstream.how}. Without it, each method's own base is looked for."
        yield '#current = "..."'
    else:
        yield from _told("current", upstream.current, upstream.how, "current" in upstream.guessed)
    yield from _told("target", upstream.target, upstream.target_how, "target" in upstream.guessed)


def _siblings(siblings: SiblingsDraft) -> Iterator[str]:
    yield "# The GPU siblings, in this project: `current` is what the copies are in step with."
    if siblings.current is None:
        yield f"# Not found: {siblings.how}. With a revision the siblings are synced too."
        yield "#[siblings]"
        yield '#repository = "."'
        yield '#current = "..."'
        return
    yield "[siblings]"
    yield _pair("repository", ".")
    yield from _told("current", siblings.current, siblings.how, siblings.guessed)


def _told(key: str, value: str, how: str, guessed: bool) -> Iterator[str]:
    """Yield the key, with how it was found beside it, or above where that is too long."""
    comment = f"# guessed: {how}" if guessed else f"# {how}" if how else ""
    line = _pair(key, value)
    if len(line) + len(comment) + 2 > _WIDTH:
        yield comment
        yield line
    else:
        yield f"{line}  {comment}".rstrip()


def _port(port: PortDraft) -> Iterator[str]:
    yield "[[port]]"
    yield from (f"# {line}" for line in port.why)
    yield _pair("local", port.local)
    yield _pair("upstream", port.upstream)
    if port.methods is not None:
        yield from _list("methods", port.methods)
    if port.base is not None:
        yield from _told("base", port.base, port.base_how, guessed=False)
    if port.sibling is not None:
        yield from _told("sibling", port.sibling, port.sibling_how, guessed=False)
    if port.sibling_upstream is not None:
        yield _pair("sibling-upstream", port.sibling_upstream)


def _commented(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines as comments; those that are to be taken in have no space after the mark."""
    yield from (line if line.startswith("#") else f"#{line}" for line in lines)


def _list(key: str, values: Sequence[str]) -> Iterator[str]:
    line = f"{key} = {_value(values)}"
    if len(line) <= _WIDTH:
        yield line
        return
    yield f"{key} = ["
    yield from (f"    {_value(value)}," for value in values)
    yield "]"


def _pair(key: str, value: str) -> str:
    return f"{key} = {_value(value)}"


def _key(name: str) -> str:
    return name if name.replace("-", "").replace("_", "").isalnum() else _value(name)


def _value(value: object) -> str:
    """Return a string, or a list of strings, as TOML; a JSON string is one of TOML too."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    assert isinstance(value, (list, tuple))
    return "[" + ", ".join(_value(one) for one in value) + "]"
