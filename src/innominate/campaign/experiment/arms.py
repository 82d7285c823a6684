"""Which condition each task was done under, and what the conditions are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from innominate.campaign.planning.config import Campaign, Condition
from innominate.campaign.records import Annotator
from innominate.campaign.store import Suggestion
from innominate.campaign.suggestions.spoil import Fate
from innominate.core import UsageError

CROSSED = "crossed over"  # the group of conditions that name no team and no group


@dataclass(frozen=True, slots=True)
class Arms:
    """Finds the condition and the log of suggestions of a person's task."""

    campaign: Campaign
    people: Mapping[str, Annotator]
    logs: Mapping[tuple[str, str], Suggestion]  # by sample and audience

    @classmethod
    def of(cls, campaign: Campaign, people: Mapping[str, Annotator], given: Iterable[Suggestion]) -> Arms:
        """Put suggestions where they can be found."""
        if not campaign.conditions:
            raise UsageError("this campaign has no [[conditions]], so there is no experiment to look at")
        return cls(campaign, people, {(one.sample, one.audience): one for one in given})

    def condition(self, annotator: str, sample: str) -> Condition | None:
        """The condition of the team, or else the one whose turn it was."""
        of_team = self.campaign.condition_of(self.people[annotator].team)
        log = self.logs.get((sample, annotator))
        if of_team or log is None or not isinstance(log.log, dict):
            return of_team
        crossing = (one for one in self.campaign.conditions if not one.teams and one.name == log.log.get("condition"))
        return next(crossing, None)

    def fates(self, annotator: str, sample: str) -> list[Fate]:
        """What became of each suggestion on this person's task."""
        log = self.logs.get((sample, annotator)) or self.logs.get((sample, f"team {self.people[annotator].team}"))
        records = log.log.get("fates", ()) if log is not None and isinstance(log.log, dict) else ()
        return [Fate.from_dict(record) for record in records]

    def groups(self) -> dict[str, list[Condition]]:
        """Conditions that are compared with one another, the control first: the fewest spoilt, then the fewest shown."""
        groups: dict[str, list[Condition]] = {}
        for condition in self.campaign.conditions:
            groups.setdefault(group_of(condition), []).append(condition)
        return {name: sorted(some, key=lambda one: (one.perturbation, one.retention)) for name, some in groups.items()}


def group_of(condition: Condition) -> str:
    """The group of a condition.

    >>> group_of(Condition("half", ("gnocchi",), "1")), group_of(Condition("half"))
    ('1', 'crossed over')
    """
    return condition.group or ("" if condition.teams else CROSSED)
