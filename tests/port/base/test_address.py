from __future__ import annotations

import pytest

from omni_port.base.address import Address, parse_address
from omni_port.base.errors import AddressError, ExitCode


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("a/b.py", Address("a/b.py")),
        ("a/b.py::Runner", Address("a/b.py", qualname="Runner")),
        ("a/b.py::Runner._run", Address("a/b.py", qualname="Runner._run")),
        ("../vllm@v0.18.0:vllm/x.py", Address("vllm/x.py", "../vllm", "v0.18.0")),
        ("../vllm@v0.18.0:vllm/x.py::R.m", Address("vllm/x.py", "../vllm", "v0.18.0", "R.m")),
        ("@HEAD~2:x.py", Address("x.py", ".", "HEAD~2")),
        (".@HEAD@{1}:x.py", Address("x.py", ".", "HEAD@{1}")),
        ("repo@main:odd:name.py", Address("odd:name.py", "repo", "main")),
        ("repo@main:a@b:c.py", Address("a@b:c.py", "repo", "main")),
        ("scope@1.0/repo@v1:x.py", Address("x.py", "scope@1.0/repo", "v1")),
        ("user@host/x.py", Address("user@host/x.py")),
        ("repo@v1:.", Address(".", "repo", "v1")),
        ("naïve/ß.py::Größe", Address("naïve/ß.py", qualname="Größe")),
    ],
)
def test_parse(text: str, address: Address) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text",
    ["a/b.py", "a/b.py::Runner._run", "../vllm@v0.18.0:vllm/x.py::R.m", ".@HEAD@{1}:x.py"],
)
def test_printing_gives_the_spelling_back(text: str) -> None:
    assert str(parse_address(text)) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "names no path"),
        ("::Runner", "names no path"),
        ("a:b.py", "colon only after REPO@REV"),
        ("a.py::", "is not a qualified name"),
        ("a.py::1x", "is not a qualified name"),
        ("a.py::A..b", "is not a qualified name"),
        ("a.py::A b", "is not a qualified name"),
        ("repo@-rf:x.py", "option to git"),
        ("repo@--upload-pack=x:x.py", "option to git"),
        ("repo@v1:", "names no path"),
    ],
)
def test_refused(text: str, says: str) -> None:
    with pytest.raises(AddressError, match=says) as caught:
        parse_address(text)
    assert caught.value.exit_code == ExitCode.USAGE
    assert caught.value.hint
