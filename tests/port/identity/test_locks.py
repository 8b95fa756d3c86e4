from __future__ import annotations

import pytest

from omni_port.identity.claims import Claim
from omni_port.identity.locks import parse_dockerfile, read_locks

RELEASE, MAIN = ".github/vllm-release-tag.commit", ".github/vllm-main-verified.commit"
DOCKERFILE = """\
FROM ascend
ARG VLLM_REPO=https://example.org/vllm.git
ARG VLLM_TAG=v0.26.0
RUN git clone --branch $VLLM_TAG
ENV VLLM_COMMIT="80d8c194f"
"""


def test_lock_files_count_before_the_dockerfile() -> None:
    tree = {RELEASE: "v0.26.0\n", MAIN: " 0123456789abcdef  # why\n", "Dockerfile": DOCKERFILE}
    assert read_locks(tree.get) == (
        Claim(("v0.26.0",), RELEASE),
        Claim(("0123456789abcdef",), MAIN),
    )
    del tree[RELEASE]
    assert read_locks(tree.get) == (Claim(("0123456789abcdef",), MAIN),)
    tree[MAIN] = " \n"
    assert [claim.place for claim in read_locks(tree.get)] == ["Dockerfile:3", "Dockerfile:5"]


def test_a_tree_without_locks() -> None:
    assert read_locks(lambda path: None) == ()


def test_what_a_dockerfile_sets() -> None:
    assert parse_dockerfile(DOCKERFILE) == (
        Claim(("v0.26.0",), "Dockerfile:3"),
        Claim(("80d8c194f",), "Dockerfile:5"),
    )


@pytest.mark.parametrize(
    "text",
    ["ARG VLLM_TAG", "ARG VLLM_TAG=", "ARG VLLM_TAG=$OTHER", "# ARG VLLM_TAG=v1", "VLLM_TAG=v1"],
)
def test_what_sets_nothing(text: str) -> None:
    assert parse_dockerfile(text + "\n") == ()
