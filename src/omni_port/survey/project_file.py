"""A draft of the project file as TOML, each part with a comment that says how it was found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from omni_port.base.errors import ConfigurationError
from omni_port.survey.draft import Draft, PortDraft, SiblingsDraft, UpstreamDraft

_WIDTH = 100


def render_project_file(draft: Draft, kept: Mapping[str, object] | None = None) -> str:
    """Return the text of a new ``omni-port.toml``. *kept* are settings that stood elsewhere."""
    settings = {key: value for key, value in (kept or {}).items() if value}
    parts = ["# The ports of this project, and what they follow: written by `omni-port init`."]
    parts += [tomlkit.dumps(_filled(settings)).rstrip("\n")] if settings else []
    return "\n".join([*parts, *(line for part in _parts(draft) for line in ("", *part))]) + "\n"


def update_project_file(text: str, draft: Draft) -> str:
    """Return the project file *text* with what *draft* found.

    A person's comments, order, and keys that no survey finds stay as they are. Of an upstream, the
    siblings or a port that is there, the keys found are set, where they say something else; what
    is not there is added at the end. Raises ConfigurationError for what is not TOML.
    """
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise ConfigurationError(f"not TOML: {error}", hint="mend it first") from error
    new: list[Sequence[str]] = []
    for heading, lines in zip(_headings(draft), _parts(draft), strict=True):
        known, found = (_find(one, *heading) for one in (document, tomlkit.parse("\n".join(lines))))
        if known is None:
            new += [] if _is_written(text, lines) else [lines]
        elif found is not None:
            known.update({key: value for key, value in found.items() if known.get(key) != value})
    added = "".join(f"\n{line}" for part in new for line in ("", *part))
    return tomlkit.dumps(document).rstrip("\n") + added + "\n"


def _parts(draft: Draft) -> Iterator[Sequence[str]]:
    """Yield the lines of each table."""
    for upstream in draft.upstreams:
        yield tuple(_upstream(upstream))
    if draft.siblings is not None:
        yield tuple(_siblings(draft.siblings))
    for port in draft.ports:
        lines = tuple(_port(port))
        yield lines if port.sure else tuple(_commented(lines))


def _headings(draft: Draft) -> Iterator[tuple[str, str]]:
    """Yield for each of the parts its table, and the name or local place that tells it apart."""
    for upstream in draft.upstreams:
        yield "upstream", upstream.name
    if draft.siblings is not None:
        yield "siblings", ""
    for port in draft.ports:
        yield "port", port.local


def _find(document: TOMLDocument, table: str, name: str) -> Table | None:
    found = document.get(table)
    if table == "port":
        return next((one for one in found or () if one.get("local") == name), None)
    return found.get(name) if found is not None and name else found


def _is_written(text: str, lines: Sequence[str]) -> bool:
    """Whether a proposal that is commented out is in *text* already, taken in or not."""
    keys = [line for line in lines if line.startswith("#local")]
    return bool(keys) and all(key in text for key in keys)


def _filled(value: object) -> dict[str, Any]:
    """Return *value* without what is empty, at any depth."""
    assert isinstance(value, Mapping)
    found = {key: _inside(inner) for key, inner in value.items()}
    return {key: inner for key, inner in found.items() if inner not in (None, "", [], {}, ())}


def _inside(value: object) -> object:
    if isinstance(value, Mapping):
        return _filled(value)
    return [_inside(one) for one in value] if isinstance(value, (list, tuple)) else value


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
