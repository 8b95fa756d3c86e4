"""The gate: rules over upstream changes, and what a person has to decide before a rebase."""

from __future__ import annotations

import enum
import importlib.resources
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import msgspec

from omni_codemods.findings.suggest import suggest
from omni_codemods.impact.kinds import KINDS
from omni_codemods.impact.model import Impact, UpstreamChange
from omni_port.base.errors import ConfigurationError, UsageError
from omni_port.identity import AGAIN, RULE, Disagreement
from omni_port.project.project import Project
from omni_port.project.settings import OverrideSettings, RuleSettings

COMMAND_LINE, PROJECT_FILE = "the command line", "the project file"


class Outcome(enum.Enum):
    """Whether the rebase may begin; *blocked*: not even what it is about is certain."""

    PASS = "pass"
    STOPPED = "stopped"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Override:
    """A person's word that *rule* does not stop this upgrade, for the ports like *port*."""

    rule: str
    reason: str
    port: str = "*"
    said_in: str = COMMAND_LINE


@dataclass(frozen=True, slots=True)
class Stop:
    """What one rule says of some changes, or of evidence about the revisions.

    *override* is what lets them pass all the same.
    """

    rule: RuleSettings
    changes: tuple[UpstreamChange, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    override: Override | None = None

    @property
    def ports(self) -> tuple[str, ...]:
        """The ports that are affected, each once."""
        found = [port for change in self.changes for port in change.ports]
        return tuple(dict.fromkeys([*found, *(d.port for d in self.disagreements if d.port)]))

    @property
    def paths(self) -> tuple[str, ...]:
        """The local files that are affected, each once."""
        return tuple(dict.fromkeys(path for change in self.changes for path in change.paths))


@dataclass(frozen=True, slots=True)
class Gate:
    """The outcome: what stops, what a person overrode, and what is only to be looked at."""

    stops: tuple[Stop, ...] = ()
    overridden: tuple[Stop, ...] = ()
    notes: tuple[Stop, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """Whether the rebase may begin."""
        if any(stop.disagreements for stop in self.stops):
            return Outcome.BLOCKED
        return Outcome.STOPPED if self.stops else Outcome.PASS


def load_rules(project: Project | None = None) -> tuple[RuleSettings, ...]:
    """Return the packaged rules, then those of *project*; the same name replaces.

    Raises ConfigurationError for a kind of change or an impact that is not known.
    """
    text = importlib.resources.files("omni_port.plan").joinpath("gate_rules.toml").read_bytes()
    packaged = msgspec.toml.decode(text, type=dict[str, tuple[RuleSettings, ...]])["rule"]
    own = () if project is None else project.settings.gate.rule
    for number, rule in enumerate(own):
        assert project is not None
        _require_known(rule, number, str(project.path))
    merged = {rule.name: rule for rule in (*packaged, *own)}
    return tuple(merged.values())


def _require_known(rule: RuleSettings, number: int, path: str) -> None:
    known = {"change": (*KINDS, RULE, AGAIN), "impact": tuple(impact.value for impact in Impact)}
    for key, names in known.items():
        for name in getattr(rule, key):
            if name not in names:
                message = f"no {key} is called {name!r} - at `$.gate.rule[{number}].{key}`"
                raise ConfigurationError(message, hint=suggest(name, names), path=path)


def read_overrides(
    project: Project, rules: Sequence[RuleSettings], given: Sequence[tuple[str, str]] = ()
) -> tuple[Override, ...]:
    """Return the overrides of *project*, and those *given* as rule and reason.

    Raises ConfigurationError or UsageError for one without a reason, or of a rule that is not
    there.
    """
    return (
        *(_of_project(one, n, rules, project) for n, one in enumerate(_said(project))),
        *(_given(rule, reason, rules) for rule, reason in given),
    )


def _said(project: Project) -> tuple[OverrideSettings, ...]:
    return project.settings.gate.override


def _of_project(
    one: OverrideSettings, number: int, rules: Sequence[RuleSettings], project: Project
) -> Override:
    wrong = _wrong(one.rule, one.reason, rules)
    if wrong is not None:
        message = f"{wrong[0]} - at `$.gate.override[{number}]`"
        raise ConfigurationError(message, hint=wrong[1], path=str(project.path))
    return Override(one.rule, one.reason, one.port, PROJECT_FILE)


def _given(rule: str, reason: str, rules: Sequence[RuleSettings]) -> Override:
    wrong = _wrong(rule, reason, rules)
    if wrong is not None:
        raise UsageError(f"--override: {wrong[0]}", hint=wrong[1])
    return Override(rule, reason)


def _wrong(rule: str, reason: str, rules: Sequence[RuleSettings]) -> tuple[str, str] | None:
    if not reason.strip():
        return f"{rule!r} is overridden without a reason", "the reason lands in the report"
    names = tuple(one.name for one in rules)
    if rule not in names:
        return f"no rule is called {rule!r}", suggest(rule, names)
    return None


def judge(
    rules: Iterable[RuleSettings],
    changes: Sequence[UpstreamChange],
    disagreements: Sequence[Disagreement] = (),
    overrides: Sequence[Override] = (),
    upstreams: Mapping[str, str] | None = None,
) -> Gate:
    """Hold *changes* and what evidence disagrees about against *rules*.

    *upstreams* are the names of the upstreams by root package, for rules that name one.
    """
    stops: list[Stop] = []
    notes: list[Stop] = []
    for rule in rules:
        found = [c for c in changes if _matches(rule, c, upstreams or {})]
        said = [d for d in disagreements if d.rule in rule.change and _any(rule.port, (d.port,))]
        parts = list(_parts(rule, found, said, overrides))
        (notes if rule.action == "note" else stops).extend(parts)
    return Gate(
        tuple(stop for stop in stops if stop.override is None),
        tuple(stop for stop in stops if stop.override is not None),
        tuple(notes),
    )


def _matches(rule: RuleSettings, change: UpstreamChange, upstreams: Mapping[str, str]) -> bool:
    return (
        (not rule.change or change.kind in rule.change)
        and (not rule.impact or change.impact.value in rule.impact)
        and _any(rule.upstream, tuple(_names(change.subject, upstreams)))
        and _any(rule.port, change.ports)
    )


def _any(patterns: Sequence[str], names: Sequence[str]) -> bool:
    """Whether one of *names* is like one of *patterns*; without patterns everything is."""
    return not patterns or any(fnmatchcase(n, p) for n in names for p in patterns)


def _names(subject: str, upstreams: Mapping[str, str]) -> Iterator[str]:
    """A dotted name from each of its parts on, and the upstream that it is in."""
    parts = subject.split(".")
    yield from (".".join(parts[start:]) for start in range(len(parts)))
    if parts[0] in upstreams:
        yield upstreams[parts[0]]


def _parts(
    rule: RuleSettings,
    changes: Sequence[UpstreamChange],
    disagreements: Sequence[Disagreement],
    overrides: Sequence[Override],
) -> Iterator[Stop]:
    """One stop for all that nothing overrides, and one for each override."""
    mine = [one for one in overrides if one.rule == rule.name]
    held: dict[Override | None, tuple[list[UpstreamChange], list[Disagreement]]] = {}
    for change in changes:
        held.setdefault(_override(mine, change.ports), ([], []))[0].append(change)
    for one in disagreements:
        held.setdefault(_override(mine, (one.port,)), ([], []))[1].append(one)
    for override, (found, said) in held.items():
        yield Stop(rule, tuple(found), tuple(said), override)


def _override(overrides: Sequence[Override], ports: Sequence[str]) -> Override | None:
    """The override that answers for all of *ports*."""
    for one in overrides:
        if all(fnmatchcase(port, one.port) for port in ports):
            return one
    return None
