"""The list of mutations fits the engine as it is: a line that moved is noticed at once."""

from __future__ import annotations

import pytest

from mutations import MUTATIONS, ROOT, Mutation


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[m.breaks.replace(" ", "_") for m in MUTATIONS])
def test_the_line_stands_there_once(mutation: Mutation) -> None:
    path = ROOT / "codemods" / "omni_codemods" / f"{mutation.file}.py"
    assert path.read_text("utf-8").count(mutation.before) == 1
