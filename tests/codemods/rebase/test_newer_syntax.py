"""A method in the syntax of 3.14 is rebuilt under every Python, its imports settled."""

from __future__ import annotations

import textwrap

from omni_codemods.rebase.method import rebase_method

_METHOD = """
class Runner[T]:
    type Rows = list[T]

    def run[S](self, rows: S) -> None:
        x = first(rows{gained})
        {block}try:
            y = second(x)
        except ValueError, TypeError:
            y = {value}
        print(f"{{x["a"]}}")
        return y
"""
_BLOCK = """\
# -------- Omni-new --------
        x = add(x, f"{x["c"]}")
        # -------- Omni-new --------
        """


def _file(imports: str, *, block: str = "", gained: str = "", value: str = "None") -> str:
    return imports + textwrap.dedent(_METHOD.format(block=block, gained=gained, value=value))


def test_newer_syntax() -> None:
    base = _file("from up import first, second, third\n")
    new = {"gained": ", third", "value": 't"{x["b"]}"'}
    target = _file("from up import first, second, third\n", **new)
    local = _file("from up import first, second\nfrom mine import add\n", block=_BLOCK)
    result = rebase_method(local=local, base=base, target=target, method="run")
    assert not result.conflicts
    imports = "from up import first, second, third\nfrom mine import add\n"
    assert result.text == _file(imports, block=_BLOCK, **new)
