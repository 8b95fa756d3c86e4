"""The pages that are made from code: exit codes, findings, kinds of entry, schemas."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import msgspec.inspect

from omni_codemods.findings.codes import CODES, Code
from omni_codemods.findings.outcomes import EVIDENCE, OUTCOMES
from omni_codemods.impact.kinds import KINDS as CHANGES
from omni_codemods.table.entries import KINDS, Entry
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import SCHEMAS, load_schema
from omni_port.plan.gate import load_rules
from omni_port.project.settings import TABLES

# What a keep comment on the line takes out of the report.
KEEPABLE = frozenset(f"OP{number}" for number in (101, 102, 103, 104, 105, 113, 114, 115))


def iter_pages() -> Iterator[tuple[str, str]]:
    """Yield path below ``reference/`` and text of each page."""
    yield "generated/exit-codes.md", render_exit_codes()
    yield "generated/kinds.md", render_kinds()
    yield "generated/outcomes.md", render_outcomes()
    yield "generated/gate-rules.md", render_gate_rules()
    yield "generated/settings.md", render_settings()
    for name in SCHEMAS:
        yield f"generated/{name}.json", json.dumps(load_schema(name), indent=2) + "\n"
    yield "findings/index.md", render_findings_index()
    for code in CODES.values():
        yield f"findings/{code.code}.md", render_code(code)


def write_pages(reference: Path) -> None:
    """Write every page that differs from what is there, and take away those of codes that went."""
    pages = dict(iter_pages())
    for folder in ("generated", "findings"):
        for path in (reference / folder).glob("*.*"):
            if f"{folder}/{path.name}" not in pages:
                path.unlink()
    for name, text in pages.items():
        path = reference / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # A page written again without need would be built again.
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def render_exit_codes() -> str:
    """Return the table of exit codes."""
    rows = [f"| {int(code)} | {code.meaning} |" for code in ExitCode]
    return "\n".join(["| code | meaning |", "|---:|---|", *rows, ""])


def render_outcomes() -> str:
    """Return the tables of outcomes and evidence, as ``omni-port explain`` says them."""
    return "\n".join(
        line
        for name, table in (("outcome", OUTCOMES), ("evidence", EVIDENCE))
        for line in (
            f"| {name} | means | what to do |",
            "|---|---|---|",
            *(f"| `{k.value}` | {m.title}. {m.meaning} | {m.remedy} |" for k, m in table.items()),
            "",
        )
    )


def render_kinds() -> str:
    """Return a section for each kind of entry, with the fields that it has beside the common."""
    common = {field.encode_name for field in msgspec.structs.fields(Entry)}
    return "\n".join(part for kind in KINDS for part in _kind(kind, common))


def _kind(kind: type[Entry], common: set[str]) -> Iterator[str]:
    fields = [f.encode_name for f in msgspec.structs.fields(kind)]
    own = [f"`{name}`" for name in fields if name not in common]
    yield f"## {kind.kind}\n"
    yield f"{_docstring(kind)}\n"
    if own:
        yield f"Fields of its own: {', '.join(own)}.\n"


def render_settings() -> str:
    """Return a section for each table of the configuration, with its keys."""
    return "\n".join(part for heading, kind in TABLES.items() for part in _table(heading, kind))


def _table(heading: str, kind: type[msgspec.Struct]) -> Iterator[str]:
    yield f"## {heading.replace('[', chr(92) + '[') if heading.startswith('[') else heading}\n"
    text = re.sub(r"\*([\w-]+)\*", r"`\1`", inspect.cleandoc(kind.__doc__ or "").replace("``", "`"))
    yield f"{text}\n"
    yield "| key | meaning | |\n|---|---|---|"
    info = msgspec.inspect.type_info(kind)
    for field in info.fields:  # type: ignore[attr-defined]
        said = field.type.extra_json_schema["description"].replace("|", "\\|")
        yield f"| `{field.encode_name}` | {said} | {'required' if field.required else ''} |"
    yield ""


def _docstring(kind: type[Entry]) -> str:
    text = inspect.cleandoc(kind.__doc__ or "").replace("``", "`")
    return text.replace("*.", "\\*.")


def render_gate_rules() -> str:
    """Return the packaged rules of the gate, and the kinds of change that rules select by."""
    cells = (
        (f"`{r.name}`", r.action, _codes(r.change), _codes(r.impact) or "any", r.decision)
        for r in load_rules()
    )
    rules = [f"| {' | '.join(row)} |" for row in cells]
    kinds = [f"| `{kind.name}` | {kind.meaning} | {kind.why} |" for kind in CHANGES.values()]
    return "\n".join(
        [
            "| rule | action | change | impact | what a person decides |",
            "|---|---|---|---|---|",
            *rules,
            "",
            "## Kinds of change",
            "",
            "| kind | meaning | why local code alone cannot make up for it |",
            "|---|---|---|",
            *kinds,
            "",
        ]
    )


def _codes(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def render_findings_index() -> str:
    """Return the list of all codes."""
    rows = [f"| [{code.code}]({code.code}.md) | {code.title} |" for code in CODES.values()]
    tree = ["```{toctree}", ":hidden:", "", *CODES, "```"]
    head = [
        "# Findings",
        "",
        "Every finding has a stable code: a number is never given to another meaning.",
        "",
        "| code | title |",
        "|---|---|",
    ]
    return "\n".join([*head, *rows, "", *tree, ""])


def render_code(code: Code) -> str:
    """Return the page of one code."""
    parts = [f"# {code.code}: {code.title}", code.meaning]
    if code.example:
        parts.append(f"```python\n{code.example.rstrip()}\n```")
    parts.append(f"**What to do.** {code.remedy}")
    if code.mended:
        parts.append(f"```python\n{code.mended.rstrip()}\n```")
    if code.code in KEEPABLE:
        parts.append(
            "If the line is right as it is, end it with `# omni-port: keep`: then it stays, and is "
            "reported no more."
        )
    return "\n\n".join([*parts, ""])
