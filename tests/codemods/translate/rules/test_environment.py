"""Environment variables, where the environment is read or written."""

from __future__ import annotations

import pytest

from omni_codemods.testing import check_noop, check_rewrite


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
