"""Markdown from templates: what may stand where in it, and where templates come from."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from omni_port.base.errors import ConfigurationError
from omni_port.base.shown import safe_name
from omni_port.report.rebase_text import render_place, render_span

_PLAIN = (str, bytes, int, float, list, tuple, dict, set, frozenset)


class TemplateEnvironment(ImmutableSandboxedEnvironment):
    """Templates come from a checkout, and a checkout is data: they read values, and call nothing.

    Jinja's own sandbox lets a template call the methods of what it is given, and a path among
    that writes files. Here only plain values and Jinja's own objects have methods.
    """

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template may read *attr* of *obj*, which is *value*."""
        if not super().is_safe_attribute(obj, attr, value):
            return False
        is_own = type(obj).__module__.startswith("jinja2.")
        return is_own or isinstance(obj, _PLAIN) or not callable(value)


def make_environment(folder: Path | None = None) -> jinja2.Environment:
    """Return the environment of the packaged templates; one of *folder* goes before them."""
    packaged = jinja2.PackageLoader("omni_port.report")
    loaders: list[jinja2.BaseLoader] = [packaged]
    if folder is not None:
        loaders.insert(0, jinja2.FileSystemLoader(folder))
    # Markdown, not HTML: what must be escaped differs by place, so the filters below do it.
    environment = TemplateEnvironment(
        loader=jinja2.ChoiceLoader(loaders),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        span=render_span, place=render_place, code=code, cell=cell, fence=fence
    )
    return environment


def render_template(
    environment: jinja2.Environment, name: str, folder: Path | None, context: Mapping[str, Any]
) -> str:
    """Return the template *name* of *folder* (or the packaged one) with *context*.

    Raises ConfigurationError, naming the file and the line, for whatever goes wrong in it.
    """
    try:
        text = environment.get_template(f"{name}.j2").render(**context)
    except Exception as error:
        raise _unusable(error, folder, name) from error
    if not text.strip():
        raise _unusable(ValueError("nothing is left of it"), folder, name)
    return text


def require_template(environment: jinja2.Environment, name: str, folder: Path) -> None:
    """Raise ConfigurationError where the template *name* cannot be read as one."""
    try:
        environment.get_template(f"{name}.j2")
    except Exception as error:
        raise _unusable(error, folder, name) from error


def _unusable(error: Exception, folder: Path | None, name: str) -> ConfigurationError:
    where = getattr(error, "name", None)
    file = where if isinstance(where, str) and where.endswith(".j2") else f"{name}.j2"
    line = getattr(error, "lineno", None)
    for frame in traceback.extract_tb(error.__traceback__) if line is None else ():
        if frame.filename.endswith(".j2"):  # jinja lets its frames name the template
            file, line = Path(frame.filename).name, frame.lineno
    said = str(error) or type(error).__name__
    hint = "mend the template, or take it away to use the packaged one"
    path = str(file if folder is None else folder / file)
    message = f"the template cannot be rendered: {said}"
    return ConfigurationError(message, hint=hint, path=path, line=line)


def code(text: str) -> str:
    """Return *text* as inline code, whatever backticks are in it; for cells too."""
    line = safe_name(" ".join(text.split())).replace("|", "\\|")
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}" if line else ""


def cell(text: str) -> str:
    """Return *text* for a table's cell: one line, no bar, no markup of its own."""
    line = safe_name(" ".join(text.split()))
    for mark in ("\\", "|", "<", "*", "_"):
        line = line.replace(mark, "\\" + mark)
    return line


def fence(text: str, language: str) -> str:
    """Return *text* as a code fence longer than any run of backticks in it."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{ticks}{language}\n{text}{end}{ticks}"


def _longest_run(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return longest
