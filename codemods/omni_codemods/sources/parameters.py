"""The parameters of a function, and which calls fit them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.text.dotted import last_part

Function = ast.FunctionDef | ast.AsyncFunctionDef

# Decorators that leave the arguments as they are.
_TRANSPARENT = frozenset(
    {
        "abstractmethod",
        "cache",
        "classmethod",
        "contextmanager",
        "final",
        "inference_mode",
        "lru_cache",
        "no_grad",
        "override",
        "staticmethod",
    }
)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Names by kind, ``self`` left out where it is bound.

    *positional* can be given by position, of which the first *only* cannot be given by name;
    *required* have no default; *rest* and *open* say that there is ``*args`` and ``**kwargs``.
    """

    positional: tuple[str, ...]
    keyword: tuple[str, ...]
    required: frozenset[str]
    only: int
    rest: bool
    open: bool

    @property
    def names(self) -> tuple[str, ...]:
        """All names in order."""
        return (*self.positional, *self.keyword)

    def misfits(self, call: ast.Call) -> Iterator[str]:
        """Yield what is wrong with *call*, as the end of a sentence that starts with the callee."""
        unpacked = any(isinstance(argument, ast.Starred) for argument in call.args)
        given = [keyword.arg for keyword in call.keywords]
        byname = (*self.positional[self.only :], *self.keyword)
        for name in given:
            if name is not None and name not in byname and not self.open:
                yield f"does not take {name}="
        if not unpacked:
            twice = set(self.positional[self.only : len(call.args)])
            for name in given:
                if name in twice:
                    yield f"gets {name}= by name and by position"
        if not unpacked and not self.rest and len(call.args) > len(self.positional):
            yield f"takes {len(self.positional)} positional arguments, and gets {len(call.args)}"
        if unpacked or None in given:
            return
        filled = {*self.positional[: len(call.args)], *given}
        missing = [name for name in self.names if name in self.required and name not in filled]
        if missing:
            yield f"also wants {', '.join(missing)}"


def read_parameters(function: Function | ast.Lambda, *, bound: bool) -> Parameters:
    """Return the parameters of *function*; *bound* leaves the first one out."""
    arguments = function.args
    ordered = [*arguments.posonlyargs, *arguments.args]
    defaults = len(arguments.defaults)
    required = [a.arg for a in ordered[: len(ordered) - defaults]]
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    required += [a.arg for a, default in pairs if default is None]
    skipped = 1 if bound and ordered else 0
    names = tuple(a.arg for a in ordered)
    return Parameters(
        names[skipped:],
        tuple(a.arg for a in arguments.kwonlyargs),
        frozenset(required) - set(names[:skipped]),
        max(0, len(arguments.posonlyargs) - skipped),
        arguments.vararg is not None,
        arguments.kwarg is not None,
    )


def render_parameters(parameters: Parameters) -> str:
    """Return *parameters* as Python writes them, a default as ``...``: ``a, b=..., /, *, c``."""
    parts = [_with_default(name, parameters) for name in parameters.positional]
    if parameters.only:
        parts.insert(parameters.only, "/")
    if parameters.rest:
        parts.append("*args")
    elif parameters.keyword:
        parts.append("*")
    parts += [_with_default(name, parameters) for name in parameters.keyword]
    if parameters.open:
        parts.append("**kwargs")
    return ", ".join(parts)


def parse_parameters(text: str) -> Parameters:
    """Read what :func:`render_parameters` wrote."""
    function = ast.parse(f"def f({text}): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    return read_parameters(function, bound=False)


def _with_default(name: str, parameters: Parameters) -> str:
    return name if name in parameters.required else f"{name}=..."


def is_plain(function: Function, *, generator: bool = True) -> bool:
    """Whether decorators leave the function's arguments as they are.

    Without *generator*, they must leave what it returns, too.
    """
    names = {_name(decorator) for decorator in function.decorator_list}
    allowed = _TRANSPARENT if generator else _TRANSPARENT - {"contextmanager"}
    return names <= allowed


def _name(decorator: ast.expr) -> str:
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    return last_part(ast.unparse(decorator))
