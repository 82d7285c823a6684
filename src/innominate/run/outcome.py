"""What became of the inputs: a document that may be written, or the reason why there is none."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from typing import TypeVar

from innominate.conceal.people.real_names import RealNames
from innominate.core import Document, InnominateError, ProcessingError, Rejected, Span, resolve
from innominate.run.columns import label_of
from innominate.run.concealing import Concealing, Done, MarkedNote, select_spans
from innominate.run.limits import NoteClock, TimeLimitError
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings
from innominate.run.units import Item, Looks, Unit

T = TypeVar("T")
AHEAD = 200_000  # characters that are looked at together
_PATIENCE = 10  # times the limit of a note, for loading
_NOT_TOGETHER = (
    "the patient's notes could not be searched together for what each of them marks; try a higher --time-limit, or "
    "--no-propagate to conceal each note by what is marked in it alone"
)


class NotTogetherError(InnominateError):
    """The notes of a patient could not be looked through together for what each of them marks."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A note that is withheld: its id, the step that failed and a reason without any of its text."""

    id: str
    step: str
    reason: str
    source: str = ""
    line: int | None = None
    number: int | None = None  # which note of the run it is


Outcome = Done | Quarantined
Timed = tuple[MarkedNote, NoteClock]  # a note, and the time that is left for it


@dataclass(frozen=True, slots=True)
class Task:
    """What to do with each document. A value, so that it can be sent to a worker process."""

    action: str  # "deidentify", "conceal", "table" or "detect"
    settings: Settings
    vault: bool = False  # whether originals are wanted for the vault
    originals: bool = False  # whether originals are wanted beside what became of them
    alone: bool = False  # whether this process does nothing else
    only_mark: bool = False
    real: RealNames | None = field(default=None, repr=False)  # full names in the run, which no surrogate may be

    def marking(self) -> Task:
        """The same up to the moment where the identifiers are marked."""
        return replace(self, only_mark=True)

    def look_ahead(self, units: Sequence[Unit]) -> Sequence[Unit]:
        """The units, each with what is found in the notes of all of them together, which is quicker.

        Where that fails or takes longer than one note may, each is looked at in its turn: the one that does it is withheld.
        """
        if self.action not in ("detect", "deidentify"):
            return units
        self._warm_up()
        items = (item for unit in units for item in unit.items)
        looks = iter([look for group in _by_size(items) for look in self._looks_at(group)])
        return [replace(unit, looks=tuple(islice(looks, len(unit)))) for unit in units]

    def _looks_at(self, group: Sequence[Item]) -> list[Looks | None]:
        """What is seen in each of a group of items; None where nobody could look."""
        documents = [item for item in group if isinstance(item, Document)]
        if len(documents) < 2:
            return [None] * len(group)
        found = self._guarded("", self._clock(), lambda: Pipeline(self.settings).look_ahead(documents))
        answers = iter(() if isinstance(found, Quarantined) else found)
        return [next(answers, None) if isinstance(item, Document) else None for item in group]

    def __call__(self, item: Item) -> Outcome:
        """Work on one document by itself."""
        return self.work(Unit((item,)))[0]

    def work(self, unit: Unit) -> list[Outcome]:
        """Work on a unit; whatever happens, the answer for each item is a document or a quarantine entry."""
        self._warm_up()
        if self.action == "detect":
            return [self._detected(item, looks) for item, looks in unit.items_with_looks()]
        clocks = [self._clock() for _ in unit.items]
        marked = [
            self._marked(item, looks, clock) for (item, looks), clock in zip(unit.items_with_looks(), clocks, strict=True)
        ]
        if self.only_mark:
            return [Done(one.document) if isinstance(one, MarkedNote) else one for one in marked]
        timed = list(zip(marked, clocks, strict=True))
        ready = self._ready([(one, clock) for one, clock in timed if isinstance(one, MarkedNote)], unit.known)
        return [self._concealed(one, clock, ready, unit) if isinstance(one, MarkedNote) else one for one, clock in timed]

    def _warm_up(self) -> None:
        _warm_up(self.action, self.settings, self.alone)

    def _detected(self, item: Item, looks: Looks | None) -> Outcome:
        if isinstance(item, Rejected):
            return _not_read(item)
        return self._guarded(item.id, self._clock(), lambda: _found(Pipeline(self.settings).detect(item, looks)))

    def _marked(self, item: Item, looks: Looks | None, clock: NoteClock) -> MarkedNote | Quarantined:
        if isinstance(item, Rejected):
            return _not_read(item)
        pipeline = Pipeline(self.settings)
        ways: dict[str, Callable[[], MarkedNote]] = {
            "deidentify": lambda: pipeline.mark(item, looks),
            "conceal": lambda: pipeline.carried(item),
            "table": lambda: pipeline.row(item),
        }

        def work() -> MarkedNote:
            marked = ways[self.action]()
            if not self.only_mark:
                return marked
            document = select_spans(self.settings, marked.document)
            return replace(marked, document=document.with_spans(resolve(document.spans)))

        return self._guarded(item.id, clock, work)

    def _ready(self, notes: Sequence[Timed], known: Document | None) -> Concealing | None:
        """Make the notes ready together, without those that cannot be made ready at all; None if that fails."""
        found = self._together(notes, known)
        if found is None and len(notes) > 1:
            sound = [one for one in notes if self._together([one], known)]
            found = self._together(sound, known) if len(sound) < len(notes) else None
        return found

    def _together(self, notes: Sequence[Timed], known: Document | None) -> Concealing | None:
        """They have the time that is left to all of them; if that is enough, each pays its part."""
        marked = [one for one, _ in notes]
        shared = NoteClock(sum(clock.left for _, clock in notes)) if notes else self._clock()
        found = self._guarded("", shared, lambda: Concealing.of(self.settings, marked, known, self.real))
        if not isinstance(found, Concealing):
            return None
        for _, clock in notes:
            clock.left -= (shared.seconds - shared.left) / len(notes)
        return found

    def _clock(self) -> NoteClock:
        """The time that a note has."""
        return NoteClock(self.settings.time_limit)

    def _concealed(self, marked: MarkedNote, clock: NoteClock, ready: Concealing | None, unit: Unit) -> Outcome:
        def work() -> Done:
            if ready is not None and marked.document.id in ready.notes:
                return ready.conceal(marked, vault=self.vault, original=self.originals)
            alone = Concealing.of(
                self.settings, [marked], unit.known, self.real
            )  # if this note is the one that fails, it says why
            if self.settings.propagate and len(unit) > 1:
                # what the patient's other notes mark may stand unmarked in this one, and nobody has looked
                raise ProcessingError("find again", NotTogetherError(_NOT_TOGETHER))
            return alone.conceal(marked, vault=self.vault, original=self.originals)

        return self._guarded(marked.document.id, clock, work)

    def _guarded(self, id: str, clock: NoteClock, work: Callable[[], T]) -> T | Quarantined:
        try:
            return clock.run(work)
        except ProcessingError as error:
            return Quarantined(id, error.step, error.reason)
        except TimeLimitError as error:
            return Quarantined(id, self.action, str(error))
        except Exception as error:
            return Quarantined(id, self.action, type(error).__name__)


def _by_size(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Items in groups of about as many characters; a last small one may be empty."""
    group: list[Item] = []
    size = 0
    for item in items:
        group.append(item)
        size += len(item.text) if isinstance(item, Document) else 0
        if size >= AHEAD:
            yield group
            group, size = [], 0
    yield group


def _found(document: Document) -> Done:
    return Done(document, lang=str(document.meta["lang"]))


def _not_read(item: Rejected) -> Quarantined:
    return Quarantined(item.id, "read", item.reason, item.source, item.line)


@cache
def _warm_up(action: str, settings: Settings, alone: bool) -> None:
    """Load models and lists before the clock of the first note runs; once per process, if the language is known."""
    if settings.lang == "auto":
        return

    def work() -> None:
        pipeline = Pipeline(settings)
        name = Document("", "Dr Eva Holm", (Span(3, 11, label_of("person", settings.lang)),), {"lang": settings.lang})
        if action in ("detect", "deidentify"):
            pipeline.detect(name)
        if action != "detect":
            pipeline.conceal(name)

    with suppress(Exception):  # whatever is wrong, the first note will say
        NoteClock(settings.time_limit * _PATIENCE).run(work)
    if alone:
        gc.collect()
        gc.freeze()  # lists and models stay to the end: looking for garbage among them would take a tenth of the time
