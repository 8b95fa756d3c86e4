"""Imports under ``if TYPE_CHECKING``."""

from __future__ import annotations

import pytest

from omni_codemods.names.imports import Import
from omni_codemods.names.type_checking import add_guarded_imports, only_annotates, postpones

T, U = Import("t", "T"), Import("u.v", "U", "W")
BLOCK = "if TYPE_CHECKING:\n    from t import T\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # no block: one below the imports, with the import of its name
        (
            "import os\n\nX = 1\n",
            f"import os\nfrom typing import TYPE_CHECKING\n\n{BLOCK}\nX = 1\n",
        ),
        ('"""Doc."""\n', f'"""Doc."""\nfrom typing import TYPE_CHECKING\n\n{BLOCK}'),
        (
            "from typing import TYPE_CHECKING\nx = 1\n",
            f"from typing import TYPE_CHECKING\n\n{BLOCK}x = 1\n",
        ),
        ("import os", f"import os\nfrom typing import TYPE_CHECKING\n\n{BLOCK}"),
        # a block: at its end
        (
            "import typing\nif typing.TYPE_CHECKING:\n  import a\n\nx = 1\n",
            "import typing\nif typing.TYPE_CHECKING:\n  import a\n  from t import T\n\nx = 1\n",
        ),
        (
            "if TYPE_CHECKING:\n    import a\nelse:\n    a = None\n",
            "if TYPE_CHECKING:\n    import a\n    from t import T\nelse:\n    a = None\n",
        ),
        (
            "if TYPE_CHECKING:\n    import a",
            "if TYPE_CHECKING:\n    import a\n    from t import T\n",
        ),
    ],
)
def test_add(before: str, after: str) -> None:
    assert add_guarded_imports(before, [T]) == after
    crlf = before.replace("\n", "\r\n")
    if "\n" in before:
        assert add_guarded_imports(crlf, [T]) == after.replace("\n", "\r\n")


def test_several() -> None:
    text = add_guarded_imports("if TYPE_CHECKING:\n    import a\n", [T, U])
    assert text.endswith("    import a\n    from t import T\n    from u.v import U as W\n")


def test_a_block_on_one_line_is_left() -> None:
    text = add_guarded_imports("import os\nif TYPE_CHECKING: import a\n", [T])
    assert text.startswith(f"import os\nfrom typing import TYPE_CHECKING\n\n{BLOCK}")


def test_nothing_to_add() -> None:
    assert add_guarded_imports("import os\n", []) == "import os\n"


@pytest.mark.parametrize(
    ("body", "plain", "postponed"),
    [
        ("x: T = 1", True, True),
        ("x: 'T' = 1", True, True),
        ("self.x: list[T] = []", True, True),
        ("x = T", False, False),
        ("x: T = T()", False, False),
        ("f(T)", False, False),
        ("y = self.T", True, True),
    ],
)
def test_only_annotates(body: str, plain: bool, postponed: bool) -> None:
    text = f"    def run(self):\n        {body}\n"
    assert only_annotates("T", text, postponed=False) is plain
    assert only_annotates("T", text, postponed=True) is postponed


def test_annotations_of_a_signature_are_evaluated_unless_postponed() -> None:
    for text in ("def run(self, a: T): ...", "def run(self) -> list[T]: ..."):
        assert not only_annotates("T", text, postponed=False)
        assert only_annotates("T", text, postponed=True)
    assert only_annotates("T", "def run(self, a: 'T'): ...", postponed=False)
    assert not only_annotates("T", "def run(self, a=T): ...", postponed=True)
    assert not only_annotates("T", "@T\ndef run(self): ...", postponed=True)


def test_postpones() -> None:
    assert postpones('"""Doc."""\nfrom __future__ import division, annotations\n')
    assert not postpones("from __future__ import division\n")
    assert not postpones("from a import annotations\n")
