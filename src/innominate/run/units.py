"""What is worked on together: the notes of one patient that stand side by side, else one note."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from innominate.conceal.people.digests import Digests
from innominate.core import Document, Rejected, Span
from innominate.text.view import View

Item = Document | Rejected
MOST_NOTES, MOST_CHARACTERS = 200, 4_000_000  # of one patient in memory; a patient with more is cut into several units


@dataclass(frozen=True, slots=True)
class Looks:
    """A note as detectors see it, and what they found there."""

    lang: str
    views: Sequence[tuple[View, Document, Sequence[Span]]]


@dataclass(frozen=True, slots=True)
class Unit:
    """Notes of one patient, and what is known of those that lie elsewhere in the source."""

    items: tuple[Item, ...]
    known: Document | None = field(default=None, repr=False)
    looks: tuple[Looks | None, ...] = field(default=(), repr=False)  # what was seen ahead in each item

    def __len__(self) -> int:
        return len(self.items)

    def items_with_looks(self) -> Iterator[tuple[Item, Looks | None]]:
        """Each item, with what was seen in it ahead."""
        return zip_longest(self.items, self.looks)

    @property
    def characters(self) -> int:
        """How much text there is."""
        return sum(len(item.text) for item in self.items if isinstance(item, Document))


def single(items: Iterable[Item]) -> Iterator[Unit]:
    """Every item by itself."""
    return (Unit((item,)) for item in items)


def of_patients(items: Iterable[Item], patient_of: Callable[[Document], str], apart: Digests | None = None) -> Iterator[Unit]:
    """Notes of a patient that follow each other together. One of a patient in `apart` comes with the digest of them all.

    >>> notes = [Document(id, "", meta={"patient": id[0]}) for id in ("a1", "a2", "b1", "a3")]
    >>> [[note.id for note in unit.items] for unit in of_patients(notes, lambda note: note.meta["patient"])]
    [['a1', 'a2'], ['b1'], ['a3']]
    """
    group: list[Item] = []
    size, owner = 0, ""
    for item in items:
        patient = patient_of(item) if isinstance(item, Document) else ""
        length = len(item.text) if isinstance(item, Document) else 0
        digest = apart.of(patient) if apart and patient else None
        full = len(group) >= MOST_NOTES or size + length > MOST_CHARACTERS
        if group and (patient != owner or not patient or digest or full):
            yield Unit(tuple(group))
            group, size = [], 0
        if digest:
            yield Unit((item,), digest)
            continue
        group.append(item)
        size, owner = size + length, patient
    if group:
        yield Unit(tuple(group))


def after(units: Iterable[Unit], done: int) -> Iterator[tuple[Unit, int]]:
    """The units of a resumed run, each with how many of its items are done: a patient's notes are always seen together."""
    for unit in units:
        if done < len(unit):
            yield unit, done
            done = 0
        else:
            done -= len(unit)
