from __future__ import annotations

import json

import jsonschema
import pytest

from commandline import Command
from omni_port.cli.schema import SCHEMAS, load_schema


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_schema_is_printed_and_says_what_it_is(command: Command, name: str) -> None:
    ran = command("schema", name)
    assert ran.code == 0
    printed = json.loads(ran.text)
    assert printed == load_schema(name)
    jsonschema.Draft202012Validator.check_schema(printed)
    assert printed["$id"] == f"urn:omni-port:{name}:1"
    assert printed["title"]


def test_an_unknown_name_is_told_the_known_ones(command: Command) -> None:
    ran = command("schema", "nothing")
    assert ran.code == 2
    assert "translate" in ran.err
