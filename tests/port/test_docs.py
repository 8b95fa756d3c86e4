from __future__ import annotations

import doctest
import importlib.util
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import jsonschema
import msgspec
import pytest

from commandline import Command
from omni_codemods.findings.codes import CODES
from omni_codemods.impact.kinds import KINDS as CHANGES
from omni_codemods.table.entries import KINDS
from omni_port.base.errors import ExitCode
from omni_port.cli.main import cli
from omni_port.cli.schema import SCHEMAS, load_schema
from omni_port.plan.gate import load_rules
from omni_port.project.settings import TABLES, RuleSettings, Settings

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [
    path
    for path in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
    if "_build" not in path.parts and "generated" not in path.parts and "findings" not in path.parts
]


def load_generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def iter_commands(command: click.Command, path: str = "") -> Iterator[tuple[str, click.Command]]:
    yield path.strip(), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from iter_commands(child, f"{path} {name}")


COMMANDS = dict(iter_commands(cli))
OPTIONS = sorted(
    {
        (path, max(parameter.opts, key=len))
        for path, command in COMMANDS.items()
        for parameter in command.params
        if isinstance(parameter, click.Option)
    }
)


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    return dict(load_generate().iter_pages())


@pytest.fixture(scope="module")
def prose() -> str:
    return "\n".join(page.read_text("utf-8") for page in PAGES)


def test_the_reference_covers_every_command() -> None:
    page = (DOCS / "reference" / "cli.md").read_text("utf-8")
    assert ".. click:: omni_port.cli.main:cli" in page
    assert ":nested: full" in page


@pytest.mark.parametrize("path", [path for path in COMMANDS if path])
def test_every_command_is_shown_in_use(prose: str, path: str) -> None:
    assert f"omni-port {path} " in prose


@pytest.mark.parametrize(("path", "option"), OPTIONS)
def test_every_option_has_its_place_and_its_help(prose: str, path: str, option: str) -> None:
    assert option in prose
    (parameter,) = (p for p in COMMANDS[path].params if option in p.opts)
    assert isinstance(parameter, click.Option)
    assert parameter.help


@pytest.mark.parametrize("code", ExitCode)
def test_every_exit_code(generated: dict[str, str], code: ExitCode) -> None:
    assert f"| {int(code)} | {code.meaning} |" in generated["generated/exit-codes.md"]


@pytest.mark.parametrize("code", CODES)
def test_every_finding_code_has_a_page(generated: dict[str, str], code: str) -> None:
    page = generated[f"findings/{code}.md"]
    assert page.startswith(f"# {code}: {CODES[code].title}\n")
    assert CODES[code].remedy in page
    assert f"({code}.md)" in generated["findings/index.md"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_entry(generated: dict[str, str], kind: type) -> None:
    assert f"## {kind.__dict__['kind']}\n" in generated["generated/kinds.md"]


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.name)
def test_every_rule_of_the_gate(generated: dict[str, str], rule: RuleSettings) -> None:
    page = generated["generated/gate-rules.md"]
    assert f"| `{rule.name}` | {rule.action} |" in page
    assert rule.decision in page


@pytest.mark.parametrize("kind", CHANGES)
def test_every_kind_of_change(generated: dict[str, str], kind: str) -> None:
    assert f"| `{kind}` | {CHANGES[kind].meaning} |" in generated["generated/gate-rules.md"]


@pytest.mark.parametrize(
    ("heading", "key"),
    [
        (heading, field.encode_name)
        for heading, kind in TABLES.items()
        for field in msgspec.structs.fields(kind)
    ],
)
def test_every_setting(generated: dict[str, str], heading: str, key: str) -> None:
    page = generated["generated/settings.md"].replace("\\[", "[")
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    assert f"| `{key}` | " in section
    assert "generated/settings.md" in (DOCS / "reference" / "configuration.md").read_text("utf-8")


def test_the_examples_of_project_files_hold() -> None:
    pages = [DOCS / "reference" / "configuration.md", DOCS / "guide" / "project.md"]
    found = [
        text
        for page in pages
        for text in re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    ]
    assert len(found) >= 3
    for text in found:
        section = msgspec.toml.decode(
            text.replace("[tool.omni-port.", "[").replace("[tool.omni-port]\n", "")
        )
        msgspec.convert(section, Settings)
        jsonschema.validate(section, load_schema("project"))


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_one_and_is_published(generated: dict[str, str], name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(load_schema(name))
    assert json.loads(generated[f"generated/{name}.json"]) == load_schema(name)
    page = "configuration.md" if name == "project" else "report-json.md"
    assert f"generated/{name}.json" in (DOCS / "reference" / page).read_text("utf-8")


def test_the_examples_of_the_library_run() -> None:
    failed, tried = doctest.testfile(str(DOCS / "reference" / "api.md"), module_relative=False)
    assert tried >= 10
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        if target.startswith("http") or "findings/" in target:
            continue
        assert (page.parent / target).exists(), f"{page}: {target}"


def iter_shown(page: Path) -> Iterator[str]:
    """Yield the command lines of a page that run on the bundled world, without redirections."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    for block in blocks:
        for line in re.findall(r"^\$ (.*)$", block.replace("\\\n", " "), re.MULTILINE):
            if "omni-port" in line and "fixtures/" in line:
                yield line


SHOWN = [(page, line) for page in PAGES for line in iter_shown(page)]


@pytest.mark.parametrize(("page", "line"), SHOWN, ids=lambda value: str(value)[:60])
def test_commands_that_are_shown_run(command: Command, page: Path, line: str) -> None:
    words = shlex.split(line)[1:]
    words = [word.replace("fixtures/", f"{ROOT}/fixtures/") for word in words]
    ran = command(*words)
    assert ran.code in (ExitCode.DONE, ExitCode.PERSON), ran.err
    assert ran.out


def test_the_diff_of_the_readme_is_what_comes_out(command: Command) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    (shown,) = re.findall(r"```diff\n(.*?)```", readme, re.DOTALL)
    (line,) = (line for page, line in SHOWN if page.name == "README.md" and "rebase" in line)
    words = [word.replace("fixtures/", f"{ROOT}/fixtures/") for word in shlex.split(line)[1:]]
    ran = command(*words, "--diff")
    assert ran.code == ExitCode.DONE
    header, _, body = shown.partition("\n")
    assert header.startswith("@@ -22,")
    assert body in ran.text


# What the trees of vllm-ascend say that they are made for, in their lock files.
MADE_FOR = {
    "v0.19.1rc1": "v0.19.1",
    "v0.25.1rc1": "v0.25.1",
    "v0.26.0rc1": "v0.26.0",
    "origin/releases/v0.26.0rc": "v0.26.0",
}


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted((DOCS / "guide").glob("*.md"))])
def test_targets_that_are_shown_together_are_made_for_each_other(page: Path) -> None:
    for line in page.read_text("utf-8").splitlines():
        ends = dict(re.findall(r"--upstream (?:[\w-]+)=\.\./(vllm(?:-ascend)?)@(\S+)", line))
        if len(ends) == 2:
            assert MADE_FOR[ends["vllm-ascend"]] == ends["vllm"], line
