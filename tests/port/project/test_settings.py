from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from omni_port.base.errors import ConfigurationError
from omni_port.cli.schema import load_schema
from omni_port.project.project import find_project
from omni_port.project.settings import TABLES, Settings

UPSTREAM = '[upstream.up]\ntarget = "v2"\n'
PORT = '[[port]]\nlocal = "a.py::A"\nupstream = "up:u.py::U"\n'
EVERY = f"""
target = "vllm-ascend==0.19.1rc1"
dialect = "npu"
tables = ["t/own.toml"]
exclude = ["third_party/"]

[upstream.up]
target = "v2"
current = "v1"
repository = "../up"

[siblings]
current = "r1"
target = "r2"
repository = "."

{PORT}sibling = "g.py::G"
sibling-upstream = "up:g.py::G"
upstream-target = "up:h.py::H"
methods = ["run"]
base = "v0"

[[gate.rule]]
name = "mine"
action = "note"
change = ["moved"]
impact = ["mechanical"]
upstream = ["up"]
port = ["A*"]
decision = "which one"

[[gate.override]]
rule = "mine"
reason = "because"
port = "A"

[check]
ignore = ["OP612"]

[papers]
templates = "templates"
folder = "papers"

[upgrade]
format = ["ruff", "format", "{{file}}"]
"""


def load(folder: Path, text: str) -> Settings:
    (folder / "omni-port.toml").write_text(text)
    project = find_project(folder)
    assert project is not None
    return project.settings


def test_every_key_of_every_table_is_read(tmp_path: Path) -> None:
    settings = load(tmp_path, EVERY)
    tables: dict[str, Any] = {
        "Top level": settings,
        "[upstream.NAME]": settings.upstream["up"],
        "[siblings]": settings.siblings,
        "[[port]]": settings.port[0],
        "[[gate.rule]]": settings.gate.rule[0],
        "[[gate.override]]": settings.gate.override[0],
        "[check]": settings.check,
        "[papers]": settings.papers,
        "[upgrade]": settings.upgrade,
    }
    assert tables.keys() == TABLES.keys()
    for table, value in tables.items():
        assert type(value) is TABLES[table]
        for field in msgspec.structs.fields(value):
            default = None if field.required else field.default
            assert getattr(value, field.name) != default, f"{table} {field.encode_name}"


def test_what_may_be_left_out(tmp_path: Path) -> None:
    settings = load(tmp_path, UPSTREAM + PORT)
    assert settings.upstream["up"].current is None
    (port,) = settings.port
    assert (port.sibling, port.sibling_upstream, port.methods, port.base) == (None,) * 4
    assert settings.siblings is None
    assert settings.gate.rule == ()
    assert load(tmp_path, "") == Settings()


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("targt = 1\n", "`targt`", "did you mean target"),
        (UPSTREAM + 'repositry = "x"\n', "$.upstream.up", "did you mean repository"),
        ('[upstream.port]\ntarget = "2"\nx = 1\n', "$.upstream.port", "known: target, current"),
        ('[siblings]\ncurrent = "r1"\ncurent = "r1"\n', "$.siblings", "did you mean current"),
        (UPSTREAM + PORT + "sibling_up = 1\n", "$.port[0]", "did you mean sibling"),
        (UPSTREAM + PORT + PORT + "sync = 1\n", "$.port[1]", "known: local, upstream, upstream-"),
        ("[gate]\nrules = []\n", "$.gate", "did you mean rule"),
        ('[[gate.rule]]\nname = "n"\nchanges = []\n', "$.gate.rule[0]", "did you mean change"),
        ('[[gate.override]]\nrule = "n"\nwhy = 1\n', "$.gate.override[0]", "known: rule, reason"),
        ("[check]\nignored = []\n", "$.check", "did you mean ignore"),
        ('[papers]\nfolders = "x"\n', "$.papers", "did you mean folder"),
    ],
)  # fmt: skip
def test_an_unknown_key_names_the_nearest_of_its_table(
    tmp_path: Path, text: str, says: str, hint: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, text)
    assert says in caught.value.message
    assert caught.value.hint.startswith(hint)
    assert caught.value.path == str(tmp_path / "omni-port.toml")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tables = 1\n", "Expected `array`, got `int` - at `$.tables`"),
        ("[upstream.up]\ntarget = 2\n", "Expected `str`, got `int` - at `$.upstream.up.target`"),
        ("[upstream.up]\n", "missing required field `target` - at `$.upstream.up`"),
        ('[upstream.up]\ntarget = ""\n', "length >= 1 - at `$.upstream.up.target`"),
        ("[siblings]\n", "missing required field `current` - at `$.siblings`"),
        ('[siblings]\ncurrent = ""\n', "length >= 1 - at `$.siblings.current`"),
        ('[[port]]\nlocal = "a.py::A"\n', "missing required field `upstream` - at `$.port[0]`"),
        (UPSTREAM + PORT + "methods = [1]\n", "at `$.port[0].methods[0]`"),
        (UPSTREAM + PORT + 'methods = "run"\n', "Expected `array | null`, got `str`"),
        ('[[gate.rule]]\nname = "n"\naction = "halt"\n', "Invalid enum value 'halt'"),
        ('[[gate.override]]\nrule = "n"\n', "missing required field `reason`"),
        ("port = 3\n", "at `$.port`"),
        ("upstream = []\n", "at `$.upstream`"),
    ],
)
def test_a_value_of_the_wrong_kind_says_where(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, text)
    assert says in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("text", ["", UPSTREAM + PORT, EVERY])
def test_the_schema_takes_what_is_right(text: str) -> None:
    jsonschema.validate(msgspec.toml.decode(text), load_schema("project"))


@pytest.mark.parametrize(
    "text",
    ["targt = 1\n", "[upstream.up]\n", "tables = 1\n", "[[port]]\n", "[check]\nx = 1\n"],
)
def test_the_schema_refuses_what_is_wrong(text: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(msgspec.toml.decode(text), load_schema("project"))


def test_every_key_and_table_is_described() -> None:
    for table in load_schema("project")["$defs"].values():
        assert table["description"]
        for key, schema in table["properties"].items():
            assert schema["description"], key


def test_of_several_upstreams_the_one_at_fault_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, UPSTREAM + "[upstream.other]\ntarget = 3\n")
    assert "at `$.upstream.other.target`" in caught.value.message


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("[siblings]\n", 'write current = "..." there'),
        ("exclude = 'x'\n", 'write it as a list, ["..."]'),
        ("target = 3\n", "write it as a string, in quotes"),
        ("upstream = 3\n", "write it as a table of its own, in brackets"),
    ],
)
def test_what_to_write_is_said(tmp_path: Path, text: str, hint: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, text)
    assert caught.value.hint == hint


def test_an_ignored_code_that_no_finding_has_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"'OP999' - at `\$\.check\.ignore\[1\]`"):
        load(tmp_path, '[check]\nignore = ["OP612", "OP999"]\n')


@pytest.mark.parametrize("path", ["../a.py", "/a.py", "b/../../a.py"])
@pytest.mark.parametrize("key", ["local", "sibling", "upstream"])
def test_a_place_outside_of_its_project_is_an_error(tmp_path: Path, path: str, key: str) -> None:
    places = {"local": "a.py::A", "sibling": "g.py::G", "upstream": "up:u.py::U"}
    places[key] = ("up:" if key == "upstream" else "") + f"{path}::A"
    text = "".join(f'{name} = "{place}"\n' for name, place in places.items())
    with pytest.raises(ConfigurationError, match=rf"does not stand in .*port\[0\]\.{key}"):
        load(tmp_path, f"{UPSTREAM}[[port]]\n{text}")


def test_a_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "omni-port.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match="decode byte 0xff") as caught:
        find_project(tmp_path)
    assert caught.value.hint == "save it as UTF-8"
