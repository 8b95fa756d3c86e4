from __future__ import annotations

from checked import check, codes


def test_what_would_be_translated_is_left_over() -> None:
    text = (
        "import torch\n\n\ndef grab():\n    return torch.cuda.CUDAGraph()  # torch.cuda.CUDAGraph\n"
    )
    (found,) = check(text)
    assert (found.code, found.line, found.column) == ("OP603", 5, 11)
    assert "torch.npu.NPUGraph" in found.message


def test_what_cannot_be_decided_keeps_its_code() -> None:
    text = "import torch\n\n\ndef run():\n    raise torch.cuda.OutOfMemoryError\n"
    assert codes(check(text)) == [("OP101", 5)]


def test_assignments_comments_strings_and_kept_lines_are_left() -> None:
    text = (
        "import torch\n\n\n"
        "def wrap():\n"
        '    """Calls torch.cuda.synchronize()."""\n'
        "    torch.cuda.synchronize = torch.npu.synchronize\n"
        "    # torch.cuda.synchronize is slow\n"
        "    torch.cuda.empty_cache()  # omni-port: keep\n"
    )
    assert check(text) == []
