"""Environment variables, where the environment is read or written."""

from __future__ import annotations

import pytest

from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("os.environ['CUDA_VISIBLE_DEVICES']", "os.environ['ASCEND_RT_VISIBLE_DEVICES']"),
        ("os.environ.get('CUDA_VISIBLE_DEVICES')", "os.environ.get('ASCEND_RT_VISIBLE_DEVICES')"),
        ("os.getenv('PYTORCH_CUDA_ALLOC_CONF')", "os.getenv('PYTORCH_NPU_ALLOC_CONF')"),
        ("'CUDA_VISIBLE_DEVICES' in os.environ", "'ASCEND_RT_VISIBLE_DEVICES' in os.environ"),
    ],
)
def test_environment(before: str, after: str) -> None:
    check_rewrite(f"import os\nx = {before}\n", f"import os\nx = {after}\n", dedent=False)


def test_environment_by_name() -> None:
    check_rewrite(
        "from os import environ\nenviron['CUDA_VISIBLE_DEVICES'] = '0'\n",
        "from os import environ\nenviron['ASCEND_RT_VISIBLE_DEVICES'] = '0'\n",
        dedent=False,
    )


@pytest.mark.parametrize(
    "text",
    [
        "import os\nprint('CUDA_VISIBLE_DEVICES')\n",
        "environ = {}\nenviron['CUDA_VISIBLE_DEVICES'] = 1\n",
        "name = 'CUDA_VISIBLE_DEVICES'\n",
        "import os\nx = os.getenv('ASCEND_RT_VISIBLE_DEVICES') or os.getenv('CUDA_VISIBLE_DEVICES')\n",  # noqa: E501
    ],
)
def test_environment_left(text: str) -> None:
    check_noop(text, dedent=False)


HEAD = "import os\nx = os.environ['CUDA_VISIBLE_DEVICES']\n"


@pytest.mark.parametrize(
    "line",
    [
        "os.environ.update({'CUDA_VISIBLE_DEVICES': '0'})",
        "run(env={**os.environ, 'CUDA_VISIBLE_DEVICES': '0'})",
        "monkeypatch.setenv('CUDA_VISIBLE_DEVICES', '0')",
    ],
)
def test_what_stays_beside_what_went_needs_a_person(line: str) -> None:
    mixed = translate(f"{HEAD}{line}\n")
    assert [(f.code, f.line) for f in mixed.findings] == [("OP105", 3)]
    alone = translate(f"import os\n{line}\n")
    assert alone.findings == ()
    assert [f.code for f in alone.kept] == ["OP130"]


def test_behind_a_test_for_the_gpu() -> None:
    text = (
        "import os\nif current_platform.is_cuda():\n    os.environ['CUDA_VISIBLE_DEVICES'] = '0'\n"
    )
    result = translate(text)
    assert result.text == text
    assert "OP115" in [f.code for f in result.findings]


def test_inside_a_format_string() -> None:
    """Changed where Python says where it stands (3.12), reported before that."""
    result = translate("import os\nx = f\"{os.environ['CUDA_VISIBLE_DEVICES']}\"\n")
    assert bool(result.changes) != ([f.code for f in result.findings] == ["OP118"])
