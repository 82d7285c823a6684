"""An annotated corpus looked at as a whole: what it holds, and what a second reader should look at."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from innominate.core import Document, Span

_NAMES = frozenset({"PATIENT", "RELATIVE", "STAFF"})
_REPEATED = frozenset({*_NAMES, "HOSPITAL", "CITY", "ORGANISATION", "STREET"})  # once marked, marked everywhere
_SHORTEST = 4  # letters of a word that is looked for again
_LOOKS_LIKE = {
    "a date": re.compile(r"(?<![\w./-])\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d(?!\w)"),
    "a year": re.compile(r"\b(?:19[3-9]\d|20[0-2]\d)\b"),
    "an e-mail address": re.compile(r"\S+@\S+\.\w+"),
    "a number": re.compile(r"(?<![\d.,])\d{6,}(?![\d.,])"),
}


class Question(NamedTuple):
    """Something in a note that may be wrong: where, and what to ask. Never more of the text than the place says."""

    id: str
    start: int
    end: int
    asks: str


@dataclass
class Statistics:
    """Counts of a corpus."""

    notes: int = 0
    characters: int = 0
    empty: int = 0  # notes without a mark
    marks: Counter[str] = field(default_factory=Counter)
    fields: dict[str, Counter[str]] = field(default_factory=dict)  # by language, origin and the like

    def add(self, note: Document, by: Iterable[str]) -> None:
        """Count a note."""
        self.notes += 1
        self.characters += len(note.text)
        self.empty += not note.spans
        self.marks.update(span.label for span in note.spans)
        for name in by:
            if value := note.meta.get(name):
                self.fields.setdefault(name, Counter())[str(value)] += 1


def count_corpus(notes: Iterable[Document], by: Iterable[str] = ("lang", "origin")) -> Mapping[str, Statistics]:
    """Statistics of each language, and of all under an empty name."""
    found: dict[str, Statistics] = {"": Statistics()}
    names = tuple(by)
    for note in notes:
        for key in {"", str(note.meta.get("lang", ""))}:
            found.setdefault(key, Statistics()).add(note, names)
    return found


def check_note(note: Document, labels: Iterable[str]) -> Iterator[Question]:
    """What a second reader should look at in one note; many questions have a good answer."""
    known = frozenset(labels)
    text = note.text
    for span in note.spans:
        if span.label not in known:
            yield Question(note.id, span.start, span.end, f"the label {span.label} is not known")
        inside = span.of(text)
        if inside != inside.strip() or inside[-1] in ",;:":
            yield Question(note.id, span.start, span.end, f"a {span.label} ends in a blank or a comma")
    covered = sorted((span.start, span.end) for span in note.spans)
    for begin, end, word, label in _again(note):
        if not _touches(covered, begin, end):
            yield Question(note.id, begin, end, f"{len(word)} letters that are a {label} elsewhere in the note")
    for what, pattern in _LOOKS_LIKE.items():
        for match in pattern.finditer(text):
            if not _touches(covered, *match.span()):
                yield Question(note.id, *match.span(), f"looks like {what}")


def _again(note: Document) -> Iterator[tuple[int, int, str, str]]:
    words: dict[str, str] = {}
    for span in note.spans:
        if span.label in _REPEATED:
            words.update(dict.fromkeys(_words(span, note.text), span.label))
    for word, label in words.items():
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", note.text):
            yield match.start(), match.end(), word, label


def _words(span: Span, text: str) -> list[str]:
    whole = span.of(text)
    parts = re.split(r"[ ,]+", whole) if span.label in _NAMES else []
    return [word for word in {whole, *parts} if len(word) >= _SHORTEST and word[0].isupper()]


def _touches(covered: list[tuple[int, int]], begin: int, end: int) -> bool:
    return any(start < end and begin < stop for start, stop in covered)
