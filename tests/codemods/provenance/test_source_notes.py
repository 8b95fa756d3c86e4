from __future__ import annotations

import pytest

from omni_codemods.findings.errors import SourceError
from omni_codemods.provenance.source_notes import SourceNote, find_source_notes


def note(text: str) -> SourceNote:
    (found,) = find_source_notes(text)
    return found


def test_a_comment_above_a_method() -> None:
    found = note(
        "class Runner:\n"
        "    # Upstream source: vllm-ascend commit 80d8c194f,\n"
        "    # NPUModelRunner._dummy_run.\n"
        "    # Patch reason: upstream does v9.9.9 things.\n"
        "    @no_grad\n"
        "    def _dummy_run(self):\n"
        "        pass\n"
    )
    assert found == SourceNote(
        2, "Runner._dummy_run", "vllm-ascend", "", "NPUModelRunner._dummy_run", ("80d8c194f",)
    )


def test_a_commit_before_its_tag() -> None:
    found = note("# Upstream source: vLLM v0.26.0 commit 568afb3a1, GPUModelRunner.run\nx = 1\n")
    assert found.project == "vLLM"
    assert found.revisions == ("568afb3a1", "v0.26.0")
    assert found.symbol == "GPUModelRunner.run"
    assert found.scope == ""


def test_an_upstream_that_names_a_file_and_a_commit_below() -> None:
    found = note(
        "class Runner:\n"
        "    # Upstream: vLLM v0.26.0, vllm/worker/runner.py\n"
        "    # Commit: 568afb3a13806beb53bb2e6bd518269357b237c0\n"
        "    # Reason: Commit v9.9.9 is not meant.\n"
        "    def run(self):\n"
        "        pass\n"
    )
    assert (found.line, found.scope) == (2, "Runner.run")
    assert found.path == "vllm/worker/runner.py"
    assert found.revisions == ("568afb3a13806beb53bb2e6bd518269357b237c0", "v0.26.0")


@pytest.mark.parametrize(
    "text",
    [
        "# Upstream: fixed in v0.26.0\nx = 1\n",
        "# see the upstream: vllm/worker/runner.py v0.26.0\nx = 1\n",
        "upstream: str = 'vllm/worker/runner.py'\n",
    ],
)
def test_a_word_on_upstream_is_no_note(text: str) -> None:
    assert find_source_notes(text) == ()


def test_a_docstring_with_a_path() -> None:
    found = note('"""Ours.\n\nUpstream source: ``pkg/platform.py`` at commit ``80d8c194f``.\n"""\n')
    assert (found.line, found.path, found.revisions) == (3, "pkg/platform.py", ("80d8c194f",))
    assert (found.project, found.symbol) == ("", "")


def test_copied_from_in_a_docstring_of_a_function() -> None:
    found = note(
        'def f():\n    """Copied from pkg/a.py at v1.2.0rc1: see there."""\n    return 1\n'
    )
    assert (found.scope, found.path, found.revisions) == ("f", "pkg/a.py", ("v1.2.0rc1",))


@pytest.mark.parametrize(
    "text",
    [
        "# Adapted from pkg/a.py\nx = 1\n",
        "# copied from the manual\nx = 1\n",
        "x = 'copied from pkg/a.py'\n",
        "# The upstream source is pkg/a.py\nx = 1\n",
    ],
)
def test_what_names_no_source_is_no_note(text: str) -> None:
    assert find_source_notes(text) == ()


def test_notes_of_two_runs_of_comments_stay_apart() -> None:
    text = (
        "# Upstream source: a/b.py\ndef f():\n    pass\n\n"
        "# Upstream source: c/d.py\ndef g():\n    # nothing\n    pass\n"
    )
    assert [(n.scope, n.path) for n in find_source_notes(text)] == [
        ("f", "a/b.py"),
        ("g", "c/d.py"),
    ]


def test_text_that_is_not_python() -> None:
    with pytest.raises(SourceError):
        find_source_notes("def (")
