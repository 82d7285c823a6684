"""The plans of many notes, made step by step: one step for all of them, then the next.

The code and the lists that a kind of identifier needs stay in the caches of the processor while all identifiers of the kind
are replaced. Note after note, every name would find them gone; that takes longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from innominate.conceal.pseudo.note import Note
from innominate.conceal.treated import KEEP, Plan
from innominate.core import Edit, Span

T = TypeVar("T")
U = TypeVar("U")


def plans_of(notes: Iterable[Callable[[], Note]]) -> list[Plan | Exception]:
    """The plan of each note, or what went wrong with it; the others go on."""
    prepared = through(list(notes), lambda note_of: note_of())
    looked = through(prepared, Note.look)
    moved = through(looked, Note.move_dates)
    return through(_replaced(moved), _plan)


def through(items: Sequence[T | Exception], step: Callable[[T], U]) -> list[U | Exception]:
    """Do a step with every item; one that failed already, or that fails now, becomes its exception.

    >>> through([2, KeyError("x"), 0], lambda number: 4 // number)
    [2, KeyError('x'), ZeroDivisionError('integer division or modulo by zero')]
    """
    done: list[U | Exception] = []
    for item in items:
        try:
            done.append(item if isinstance(item, Exception) else step(item))
        except Exception as error:  # told to whoever asked for this note
            done.append(error)
    return done


def _replaced(notes: Sequence[Note | Exception]) -> list[Note | Exception]:
    """Replace everything but dates, kind by kind. The order of kinds is fixed: a note must not depend on those beside it."""
    done = list(notes)
    by_kind: dict[str, list[tuple[int, int]]] = {}
    for number, note in enumerate(notes):
        if isinstance(note, Note):
            for i, kind in enumerate(note.kinds):
                by_kind.setdefault(kind, []).append((number, i))
    by_kind.pop("date", None)
    for kind in sorted(by_kind):
        for number, i in by_kind[kind]:
            note = done[number]
            try:
                if isinstance(note, Note):
                    note.replace(i)
            except Exception as error:  # told to whoever asked for this note
                done[number] = error
    return done


def _plan(note: Note) -> Plan:
    edits: list[Edit] = []
    strategies: list[tuple[Span, str]] = []
    for span, (text, strategy) in zip(note.spans, note.found, strict=True):
        strategies.append((span, strategy))
        if strategy != KEEP and text is not None:
            edits.append(Edit(span.start, span.end, text))
    return Plan(tuple(edits), tuple(strategies), dates=note.moved)
