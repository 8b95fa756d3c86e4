"""Every transformer does what its examples say, leaves alone what it should, and composes."""

from __future__ import annotations

import libcst as cst
import pytest
from libcst.codemod import CodemodContext, VisitorBasedCodemodCommand

from omni_codemods.commands.translate_names import TranslateNamesCommand
from omni_codemods.testing.codemods import RewriteTest, check_examples, check_noop, check_rewrite
from omni_codemods.translate.transformers.keywords import (
    DropKeyword,
    NamePositional,
    RenameKeyword,
    RequireKeyword,
)
from omni_codemods.translate.transformers.literals import (
    RenameVariable,
    ReplaceArgument,
    ReplaceDottedPath,
    ReplacePairs,
)
from omni_codemods.translate.transformers.rewrite import Rewrite
from omni_codemods.translate.transformers.symbols import (
    ByEntries,
    MoveReExport,
    MoveSymbol,
    ReplaceBaseClass,
    ReplaceNamespace,
)

ALL: list[type[Rewrite] | type[ByEntries]] = [
    RenameKeyword,
    DropKeyword,
    NamePositional,
    RequireKeyword,
    ReplaceArgument,
    ReplacePairs,
    RenameVariable,
    ReplaceDottedPath,
    MoveSymbol,
    MoveReExport,
    ReplaceBaseClass,
    ReplaceNamespace,
    TranslateNamesCommand,
]


@pytest.mark.parametrize("codemod", ALL)
def test_examples(codemod: type[Rewrite] | type[ByEntries]) -> None:
    check_examples(codemod)


@pytest.mark.parametrize(
    "text",
    [
        "def order(count): ...\norder(count=1)\n",
        "from other import order\norder(count=1)\n",
        "from shop import order\nx.order(count=1)\n",
        "from shop import order\nclass A(order, count=1): ...\n",
        "from shop import order\norder(1, number=2)\n",
        "if x:\n    from shop import order\nelse:\n    from mine import order\norder(count=1)\n",
    ],
)
def test_keyword_of_another_callee(text: str) -> None:
    check_noop(RenameKeyword, text, "shop.order", "count", "number")
    check_noop(DropKeyword, text, "shop.order", "count")


def test_keyword_that_is_there_already() -> None:
    text = "from shop import order\norder(count=1, **{}, number=2)\n"
    warnings = check_noop(RenameKeyword, text, "shop.order", "count", "number")
    assert warnings == ["2:0: number is passed already; count stays"]


def test_method_of_any_object() -> None:
    check_rewrite(RenameKeyword, "a.b.run(x=1)\n", "a.b.run(y=1)\n", "*.run", "x", "y")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(x=1)", "f()"),
        ("f( x=1 )", "f(  )"),
        ("f(a, x=1,)", "f(a,)"),
        ("f(x=1, a=2)", "f(a=2)"),
        ("f(a, x=1, b=2)", "f(a, b=2)"),
        ("f(\n    a,\n    x=1\n)", "f(\n    a,\n)"),
        ("f(\n    # about x\n    x=1,  # one\n    b=2,\n)", "f(\n    # about x\n    b=2,\n)"),
        ("f(a,\n  x=1,\n  b=2)", "f(a,\n  b=2)"),
        ("f(x=(1, f(x=2)), **k)", "f(**k)"),
    ],
)
def test_dropped(before: str, after: str) -> None:
    head = "from m import f\n"
    check_rewrite(DropKeyword, f"{head}{before}\n", f"{head}{after}\n", "m.f", "x")


def test_nothing_is_known_of_npus() -> None:
    text = "import torch\nif torch.cuda.is_available():\n    x = torch.cuda.Stream('cuda')\n"
    after = text.replace("torch.cuda", "torch.xpu")
    check_rewrite(ReplaceNamespace, text, after, "torch.cuda", "torch.xpu")


class Shout(VisitorBasedCodemodCommand):
    """A stranger's own transformer."""

    def leave_SimpleString(
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.SimpleString:
        return updated_node.with_changes(value=updated_node.value.upper())


def test_in_a_row_with_a_strangers_own() -> None:
    context = CodemodContext()
    module = cst.parse_module("import torch\nimport m\nm.f(a=torch.cuda.Stream(), b='x')\n")
    for codemod in (
        RenameKeyword(context, callee="m.f", old="a", new="c"),
        Shout(context),
        MoveSymbol(context, old="m.f", new="n.g"),
        TranslateNamesCommand(context),
        DropKeyword(context, callee="n.g", old="d"),
    ):
        module = codemod.transform_module(module)
    assert module.code == ("import torch\nfrom n import g\ng(c=torch.npu.Stream(), b='X')\n")


class TestRename(RewriteTest):
    """LibCST's own way of testing."""

    TRANSFORM = RenameKeyword

    def test_renamed(self) -> None:
        self.assertRewrite(
            "import m\nm.f(a=1)", "import m\nm.f(b=1)", callee="m.f", old="a", new="b"
        )
