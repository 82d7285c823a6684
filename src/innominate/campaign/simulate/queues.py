"""Where simulated annotators get their chunks: from the store as real ones do, or in a fixed order as in another tool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from innominate.campaign.planning.assign import shuffle_numbers
from innominate.campaign.planning.config import Campaign
from innominate.campaign.records import Annotator, Answer, Sample
from innominate.campaign.store import Store, Suggestion
from innominate.core import Span

Task = tuple[Sample, tuple[Span, ...]]


class Queue(Protocol):
    """Gives tasks, and takes answers."""

    def next(self, annotator: Annotator, now: float) -> Task | None:
        """The next chunk of a person with its suggestions; None if there is none."""

    def put(self, answer: Answer) -> bool:
        """Take an answer, and say whether it was kept."""


class StoreQueue:
    """Leases and answers go through the store, with everything that it promises."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def next(self, annotator: Annotator, now: float) -> Task | None:
        """Lease the next chunk."""
        task = self._store.lease(annotator.id, now)
        return (task.sample, task.suggested) if task else None

    def put(self, answer: Answer) -> bool:
        """Save an answer; one that comes after its lease may have lost its place."""
        return self._store.answer(answer, answer.at).kept


class FixedQueue:
    """Everybody goes through their order from its beginning, as sessions of Prodigy do; answers are only collected.

    People with the same order see the same chunks, and others see others. With `most`, no chunk is begun after so many
    different ones have been.
    """

    def __init__(
        self,
        campaign: Campaign,
        people: Iterable[Annotator],
        samples: Sequence[Sample],
        suggestions: Iterable[Suggestion] = (),
        *,
        most: int = 0,
    ) -> None:
        self.answers: list[Answer] = []
        self._campaign, self._samples, self._most = campaign, samples, most
        self._suggested: Mapping[tuple[str, str], tuple[Span, ...]] = {
            (one.sample, one.audience): one.spans for one in suggestions
        }
        keys = sorted({campaign.order_key(person) for person in people})
        self._orders = {
            key: shuffle_numbers(range(place, len(samples), len(keys)), campaign.seed, key) for place, key in enumerate(keys)
        }
        self._places: dict[str, int] = {}
        self._begun: set[int] = set()

    def next(self, annotator: Annotator, now: float) -> Task | None:
        """The next chunk of the order."""
        order = self._orders[self._campaign.order_key(annotator)]
        place = self._places.get(annotator.id, 0)
        if place == len(order):
            return None
        number = order[place]
        if self._most and number not in self._begun and len(self._begun) == self._most:
            return None
        self._begun.add(number)
        self._places[annotator.id] = place + 1
        sample = self._samples[number]
        own = self._suggested.get((sample.id, annotator.id))
        return sample, own if own is not None else self._suggested.get((sample.id, f"team {annotator.team}"), ())

    def put(self, answer: Answer) -> bool:
        """Collect an answer."""
        self.answers.append(answer)
        return True
