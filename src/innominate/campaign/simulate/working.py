"""A simulated campaign: everybody works at once, each at their own pace, on one clock.

Chunks come from the store as for real annotators, or in a fixed order as in another tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from math import exp
from random import Random

from innominate.campaign.planning.config import Campaign
from innominate.campaign.planning.notes import CampaignNote
from innominate.campaign.records import Annotator, Answer, Sample
from innominate.campaign.simulate.marking import Chunk, Crowd, Habits, SimulatedMarks, mark_chunk
from innominate.campaign.store import Store, Suggestion
from innominate.campaign.store.leases import shuffle_numbers
from innominate.campaign.suggestions.audiences import Similar
from innominate.core import Span, resolve

QueuedTask = tuple[Sample, tuple[Span, ...]]  # a chunk with its suggestions
Truth = Mapping[str, tuple[Span, ...]]  # by sample
_BREAK = (600.0, 7200.0)  # seconds; longer than what still counts as a task
_FIRST_HOUR = 3600.0  # in which everybody begins


class StoreQueue:
    """Leases and answers go through the store, with everything that it promises."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def next(self, annotator: Annotator, now: float) -> QueuedTask | None:
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

    def next(self, annotator: Annotator, now: float) -> QueuedTask | None:
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


Queue = StoreQueue | FixedQueue  # where simulated annotators get their chunks


@dataclass(frozen=True, slots=True)
class SimulatedTask:
    """One simulated task, and what nobody sees: how long it really took, and how long such tasks take on average."""

    answer: Answer
    seconds: float
    expected: float
    kept: bool


def true_spans(notes: Iterable[CampaignNote]) -> dict[str, tuple[Span, ...]]:
    """The identifiers of every chunk, from the spans that the notes carry; overlapping ones are resolved.

    >>> from innominate.campaign.planning.config import Campaign
    >>> from innominate.campaign.planning.notes import prepare_note
    >>> from innominate.core import annotated
    >>> true_spans([prepare_note(annotated("vu le [3.5.1950](DATE)", id="n1"), Campaign("c", "chuv"))])["n1#1"][0].end
    14
    """
    return {
        sample.id: tuple(
            Span(one.start, one.end, one.label) for one in resolve(note.from_original(sample, note.document.spans))
        )
        for note in notes
        for sample in note.samples
    }


def simulate_work(
    queue: Queue,
    people: Sequence[Annotator],
    truth: Truth,
    crowd: Crowd,
    *,
    similar: Similar,
    seed: int = 0,
    start: float = 0.0,
    most: int = 0,
) -> list[SimulatedTask]:
    """Let everybody work until nothing is left, or until so many tasks are done (`most`), or each has done theirs."""
    workers = [_Worker(person, crowd, similar, Random(f"{seed}/annotator/{person.id}")) for person in people]
    clock = [(start + one.rng.uniform(0, _FIRST_HOUR), place) for place, one in enumerate(workers)]
    heapify(clock)
    done: list[SimulatedTask] = []
    while clock and (not most or len(done) < most):
        now, place = heappop(clock)
        worker = workers[place]
        if worker.pending:
            done.append(replace(worker.pending, kept=queue.put(worker.pending.answer)))
            worker.pending = None
        task = None if worker.finished else queue.next(worker.person, now)
        if task is not None:
            sample, suggested = task
            chunk = Chunk(sample.id, sample.text, truth.get(sample.id, ()), suggested)
            heappush(clock, (worker.begin(chunk, now), place))
    return done


class _Worker:
    """One person: what they do next, and their own chance."""

    def __init__(self, person: Annotator, crowd: Crowd, similar: Similar, rng: Random) -> None:
        self.person, self.rng = person, rng
        self.pending: SimulatedTask | None = None
        self._crowd, self._similar = crowd, similar
        self._habits = crowd.of(person.id)
        self._count = 0

    @property
    def finished(self) -> bool:
        return bool(self._habits.tasks) and self._count >= self._habits.tasks

    def begin(self, chunk: Chunk, now: float) -> float:
        """Take up a chunk, and say when the answer will be given."""
        self._count += 1
        ignored = self.rng.random() < self._habits.ignores
        marked = mark_chunk(chunk, self._habits, self._crowd, similar=self._similar, rng=self.rng)
        expected = expect_seconds(chunk, marked, self._habits)
        spread = self._habits.spread  # log-normal, as times of people are, and around the mean, which it keeps
        seconds = expected * exp(self.rng.gauss(0.0, spread) - spread**2 / 2)
        pause = self.rng.uniform(*_BREAK) if self.rng.random() < self._habits.breaks else 0.0
        at = round(now + pause + seconds, 3)
        answer = Answer(
            f"{self.person.id}/{self._count}",
            chunk.id,
            self.person.id,
            () if ignored else marked.spans,
            "ignore" if ignored else "accept",
            at,
            suggested=chunk.suggested,
        )
        self.pending = SimulatedTask(answer, seconds, expected, kept=True)
        return at


def expect_seconds(chunk: Chunk, marked: SimulatedMarks, habits: Habits) -> float:
    """The mean for this chunk and what was done to it.

    >>> expect_seconds(Chunk("n", "x" * 100, ()), SimulatedMarks((), 0), Habits(task_seconds=2, character_seconds=0.01))
    3.0
    """
    return (
        habits.task_seconds
        + habits.character_seconds * len(chunk.text)
        + habits.mark_seconds * marked.actions
        + habits.check_seconds * len(chunk.suggested)
    )
