"""What a simulated annotator is like."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from innominate.campaign.files import read_toml_file
from innominate.core import UsageError


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances of errors, and seconds. Chances are per identifier unless said otherwise."""

    misses: float = 0.05  # an identifier goes unmarked; a hard one more often
    confuses: float = 0.03  # it gets a similar label
    slips: float = 0.03  # one of its limits is a word off
    invents: float = 0.01  # per task: something is marked that is nothing
    trusts: float = 0.2  # a wrong suggestion is left as it is
    leans: float = 0.05  # more is missed where other things are suggested
    ignores: float = 0.005  # per task
    task_seconds: float = 2.5
    character_seconds: float = 0.03
    mark_seconds: float = 2.0  # to mark something, or to change or remove a suggestion
    check_seconds: float = 0.3  # to look at a suggestion
    spread: float = 0.35  # of the logarithm of the seconds
    breaks: float = 0.01  # per task, before it; 10 minutes to 2 hours
    tasks: int = 0  # stops after so many; 0: never

    def __post_init__(self) -> None:
        for name in ("misses", "confuses", "slips", "trusts", "leans", "ignores", "breaks"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name} is a chance between 0 and 1, not {getattr(self, name)}")
        if min(self.task_seconds, self.character_seconds, self.mark_seconds, self.check_seconds, self.spread, self.tasks) < 0:
            raise UsageError("seconds, spread and tasks cannot be negative")


@dataclass(frozen=True, slots=True)
class Crowd:
    """The habits of everybody, and what makes identifiers hard for all of them."""

    everybody: Habits
    people: Mapping[str, Habits]
    hard: float = 0.05  # share of identifiers that are hard to see
    harder: float = 6.0  # how many times as often they are missed

    def of(self, annotator: str) -> Habits:
        """One person's habits.

        >>> Crowd(Habits(misses=0.1), {}).of("eva").misses
        0.1
        """
        return self.people.get(annotator, self.everybody)


def read_crowd(path: Path | None = None) -> Crowd:
    """Read habits from TOML: `hard`, `harder`, [everybody], and [people.ID] with what differs; the defaults without a file."""
    if path is None:
        return Crowd(Habits(), {})
    return crowd_from(read_toml_file(path, "the habits"), str(path))


def read_thesis() -> dict[str, Any]:
    """The contest of Loftsson 2022 as a simulation: people, teams, conditions and habits."""
    content = files("innominate.campaign.simulate") / "data" / "thesis.toml"
    return tomllib.loads(content.read_text(encoding="utf-8"))


def crowd_from(content: Mapping[str, Any], where: str) -> Crowd:
    """Make habits of plain values; an unknown key is an error."""
    everybody = dict(content.get("everybody", {}))
    people = {str(id): _habits({**everybody, **own}, where) for id, own in content.get("people", {}).items()}
    difficulty = {name: float(content[name]) for name in ("hard", "harder") if name in content}
    return Crowd(_habits(everybody, where), people, **difficulty)


def _habits(values: Mapping[str, Any], where: str) -> Habits:
    known = {field.name for field in fields(Habits)}
    unknown = sorted(values.keys() - known)
    if unknown:
        raise UsageError(f"{where}: unknown habit {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    return Habits(**values)
