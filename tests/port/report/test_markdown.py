"""A template comes from a checkout: it reads values, and runs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.errors import ConfigurationError
from omni_port.report.markdown import make_environment, render_template


def rendered(folder: Path, text: str, **context: object) -> str:
    (folder / "paper.j2").write_text(text)
    return render_template(make_environment(folder), "paper", folder, context)


@pytest.mark.parametrize(
    "text",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ cycler.__init__.__globals__ }}",
        "{{ lipsum.__globals__['os'].system('touch ran') }}",
        "{{ self.__init__.__globals__ }}",
        "{{ path.write_text('ran') }}",
        "{{ (path / 'x').unlink() }}",
        "{{ path.__class__('ran').write_text('x') }}",
        "{{ ''|attr('__class__') }}",
        "{% for x in [path]|map(attribute='touch') %}{{ x() }}{% endfor %}",
        "{{ '%s'.__getattribute__('format') }}",
        "{{ '{0.__class__.__init__.__globals__}'.format(path) }}",
        "{% do some.append(1) %}",
        "{{ some.append(1) }}",
        "{{ known.update(a=1) }}",
        "{% include '../../secret' %}",
        "{% import '/etc/passwd' as x %}",
        "{{ range(999999999) | list }}",
    ],
)
def test_nothing_runs(tmp_path: Path, text: str) -> None:
    some, known = [0], {"b": 0}
    folder = tmp_path / "templates"
    folder.mkdir()
    (tmp_path / "secret").write_text("secret")
    with pytest.raises(ConfigurationError, match="cannot be rendered"):
        rendered(folder, text, path=tmp_path / "ran", some=some, known=known)
    assert not (tmp_path / "ran").exists()
    assert (some, known) == ([0], {"b": 0})


def test_values_are_read(tmp_path: Path) -> None:
    text = (
        "{{ path.name }} {{ names | join(',') }} {{ 'a b'.split() | length }} {{ known.get('b') }}"
    )
    assert (
        rendered(tmp_path, text, path=Path("x/y"), names=["a", "b"], known={"b": 3}) == "y a,b 2 3"
    )
