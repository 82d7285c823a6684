"""What a campaign is asked to be: one frozen value that is read from TOML and kept in the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from innominate.campaign.records import Annotator
from innominate.core import UsageError
from innominate.core.plugins import available
from innominate.labels import names
from innominate.text.view import PREPROCESSING

SHUFFLES = ("annotator", "team", "group")


@dataclass(frozen=True, slots=True)
class Condition:
    """One arm of an experiment: which teams get which kind of suggestions. Teams of one group are compared."""

    name: str
    teams: tuple[str, ...] = ()
    group: str = ""
    retention: float = 0.0  # chance that a suggestion is kept; 0: no suggestions, the control
    perturbation: float = 0.0  # chance that a kept suggestion is spoilt

    def __post_init__(self) -> None:
        for what, value in (("retention", self.retention), ("perturbation", self.perturbation)):
            if not 0 <= value <= 1:
                raise UsageError(f"condition {self.name!r}: {what} is a probability, not {value}")


@dataclass(frozen=True, slots=True)
class Campaign:
    """The choices behind a campaign.

    >>> Campaign("contest", "chuv", annotators_per_chunk=3).most_characters
    1000
    """

    name: str
    taxonomy: str
    seed: int = 0
    goal: int = 0  # tasks per annotator; 0: no goal
    annotators_per_chunk: int = 2  # 0: everybody may do every chunk
    lease_minutes: float = 30.0
    apart: int = 5  # tasks between two chunks of one document
    shuffle: str = "annotator"  # who has an order of their own: each annotator, team, or group of an experiment
    finish_started: bool = True  # rather a chunk that others have begun than a new one
    cleaners: tuple[str, ...] = PREPROCESSING
    target_characters: int = 0  # lines are joined up to this size; 0: every line is a chunk
    most_characters: int = 1000  # a longer line is cut
    unit_key: str = "unit"  # where the meta data of a note says which ward or unit it is from
    conditions: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        _one_of("taxonomy", self.taxonomy, tuple(names()))
        _one_of("shuffle", self.shuffle, SHUFFLES)
        for cleaner in self.cleaners:
            _one_of("cleaner", cleaner, tuple(available("cleaners")))
        if not self.name.strip():
            raise UsageError("a campaign needs a name")
        if min(self.annotators_per_chunk, self.goal, self.apart, self.target_characters) < 0:
            raise UsageError("annotators_per_chunk, goal, apart and target_characters cannot be negative")
        if self.lease_minutes <= 0 or self.most_characters < max(20, self.target_characters):
            raise UsageError("lease_minutes is above 0, and most_characters at least 20 and at least target_characters")
        teams = [team for condition in self.conditions for team in condition.teams]
        if len(set(teams)) < len(teams):
            raise UsageError("a team is in two conditions; each team has one")

    def condition_of(self, team: str) -> Condition | None:
        """The condition that a team works under, if there is an experiment."""
        return next((condition for condition in self.conditions if team in condition.teams), None)

    def order_key(self, annotator: Annotator) -> str:
        """People with the same key see the chunks in the same order.

        >>> Campaign("c", "chuv", shuffle="team").order_key(Annotator("eva", "gnocchi"))
        'team gnocchi'
        """
        if self.shuffle == "annotator":
            return f"annotator {annotator.id}"
        condition = self.condition_of(annotator.team)
        if self.shuffle == "group" and condition and condition.group:
            return f"group {condition.group}"
        return f"team {annotator.team}"

    def as_json(self) -> dict[str, Any]:
        """The choices as plain values, for the store."""
        return asdict(self)


def campaign_from(values: Mapping[str, Any]) -> Campaign:
    """Make a campaign of plain values; an unknown key is an error, because it is probably a misspelt one."""
    known = {entry.name for entry in fields(Campaign)}
    unknown = sorted(values.keys() - known)
    if unknown:
        raise UsageError(f"unknown setting {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    given: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    try:
        if "conditions" in given:
            given["conditions"] = tuple(_condition(entry) for entry in given["conditions"])
        return Campaign(**given)
    except TypeError:  # its message names Python's arguments, not the lines of the file
        raise UsageError("a campaign needs at least a name and a taxonomy, and values of the right kind") from None


def _condition(entry: Any) -> Condition:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in dict(entry).items()}
    known = {field.name for field in fields(Condition)}
    if values.keys() - known or "name" not in values:
        raise UsageError(f"a condition has a name and may have {', '.join(sorted(known - {'name'}))}")
    return Condition(**{**values, "group": str(values.get("group", ""))})


def _one_of(what: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"{what} {value!r} is not known; choose one of: {', '.join(choices)}")
