"""Values in training notes are exchanged for others of their kind, so that a model learns contexts and not names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from innominate.core import Document, Edit, Span

NAMES = frozenset({"PATIENT", "RELATIVE", "STAFF"})
LISTED = frozenset(
    [
        "CITY",
        "STREET",
        "HOSPITAL",
        "ORGANISATION",
        "PROFESSION",
        "REGION",
        "COUNTRY",
        "PLACE",
        "NATIONALITY",
        "UNIT",
        "ROOM",
        "CIVIL_STATUS",
        "DRUG",
    ]
)
_SELDOM = {"KIN": 0.2}  # labels whose new value may not suit the sentence
NUMBERED = frozenset({"PHONE", "FAX", "ZIP", "HOUSE_NUMBER", "IP", "EMAIL", "URL", "USERNAME"})
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_DIGITS = re.compile(r"\d+")
_PARTICLES = frozenset(
    [
        "de",
        "del",
        "la",
        "los",
        "las",
        "da",
        "do",
        "dos",
        "di",
        "du",
        "des",
        "le",
        "van",
        "von",
        "der",
        "den",
        "zu",
        "af",
        "av",
        "el",
        "al",
        "bin",
        "ben",
        "y",
        "e",
        "i",
        "och",
        "et",
        "and",
    ]
)
_FOREIGN = 0.2  # share of people whose new name is from another country


@dataclass(frozen=True)
class Values:
    """What may be put in: lists by language, `first` and `last` names among them, and labels with their values."""

    lists: Mapping[str, Mapping[str, Sequence[str]]]
    firsts: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        firsts = (name.lower() for lists in self.lists.values() for name in lists.get("first", ()))
        object.__setattr__(self, "firsts", frozenset(firsts))

    def draw(self, lang: str, kind: str, rng: Random) -> str:
        """One value of a language; empty if it has none."""
        found = self.lists.get(lang, {}).get(kind, ())
        return rng.choice(found) if found else ""


def exchange_values(document: Document, values: Values, lang: str, rng: Random, share: float = 0.7) -> Document:
    """Give a share of the values of a note another one; equal names become equal names."""
    known: dict[str, str] = {}
    whole: dict[tuple[str, str], str] = {}
    home = rng.choice(tuple(values.lists)) if rng.random() < _FOREIGN else lang
    edits = []
    for span in document.spans:
        text = span.of(document.text)
        if span.label in NAMES:
            new = (
                _exchange_name(text, known, values, home, rng)
                if whole.setdefault((span.label, ""), _coin(share, rng))
                else text
            )
        elif span.label in LISTED or span.label in _SELDOM:
            chance = share * _SELDOM.get(span.label, 1.0)
            new = whole.setdefault(
                (span.label, text), _exchange_listed(text, span.label, values, lang, rng) if rng.random() < chance else text
            )
        elif span.label == "DATE":
            new = exchange_date(text, values, lang, rng) if rng.random() < share else text
        elif span.label in ("TIME", "AGE"):
            new = whole.setdefault((span.label, text), exchange_small_numbers(text, rng))
        elif span.label in NUMBERED or span.label.startswith("ID_"):
            new = whole.setdefault((span.label, text), exchange_signs(text, rng, letters=span.label.startswith("ID_")))
        else:
            new = text
        edits.append(Edit(span.start, span.end, new))
    return replace_spans(document, edits)


def replace_spans(document: Document, edits: Sequence[Edit]) -> Document:
    """The document with its spans' texts replaced, one edit a span."""
    parts: list[str] = []
    spans = []
    done = length = 0
    for span, edit in zip(document.spans, edits, strict=True):
        if span.start < done:
            continue
        parts += [document.text[done : span.start], edit.text]
        length += span.start - done
        if edit.text:
            spans.append(Span(length, length + len(edit.text), span.label))
        length += len(edit.text)
        done = span.end
    return Document(document.id, "".join([*parts, document.text[done:]]), tuple(spans), document.meta)


def _coin(share: float, rng: Random) -> str:
    return "yes" if rng.random() < share else ""


def _exchange_name(text: str, known: dict[str, str], values: Values, lang: str, rng: Random) -> str:
    def exchange(match: re.Match[str]) -> str:
        word = match[0]
        if word.lower() in _PARTICLES and word.islower():
            return word
        if len(word) == 1:
            return rng.choice("ABCDEFGHIJKLMNOPRSTUVWY") if word.isupper() else word
        if word.isupper() and len(word) < 4 and len(text) == len(word):  # initials
            return "".join(rng.choice("ABCDEFGHIJKLMNOPRSTUVWY") for _ in word)
        new = known.get(word.lower())
        if new is None:
            kind = "first" if word.lower() in values.firsts and rng.random() < 0.9 else "last"
            new = known[word.lower()] = values.draw(lang, kind, rng) or word
        return as_written(new, word)

    return _WORD.sub(exchange, text)


def _exchange_listed(text: str, label: str, values: Values, lang: str, rng: Random) -> str:
    return as_written(values.draw(lang, label, rng) or text, text)


def as_written(new: str, old: str) -> str:
    """A new value in the case of the old one.

    >>> as_written("Lausanne", "NYON"), as_written("Lausanne", "nyon"), as_written("Lausanne", "Nyon")
    ('LAUSANNE', 'lausanne', 'Lausanne')
    """
    if old.isupper() and len(old) > 1:
        return new.upper()
    return new.lower() if old.islower() else new


def exchange_signs(text: str, rng: Random, *, letters: bool) -> str:
    """Other digits, and other capitals in a number of letters and digits."""
    found = []
    for sign in text:
        if sign.isdecimal():
            found.append(str(rng.randrange(10)))
        elif letters and "A" <= sign <= "Z" and rng.random() < 0.5:
            found.append(rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ"))
        else:
            found.append(sign)
    return "".join(found)


def exchange_small_numbers(text: str, rng: Random) -> str:
    """Hours, minutes and ages: numbers that stay possible.

    >>> exchange_small_numbers("à 14h05", Random(1))
    'à 05h36'
    """

    def exchange(match: re.Match[str]) -> str:
        digits = match[0]
        if len(digits) > 2:
            return f"{rng.randrange(24):02d}{rng.randrange(60):02d}" if len(digits) == 4 else digits
        low, high = (0, 60) if digits.startswith("0") or (match.start() and text[match.start() - 1] in ":.hH") else (1, 24)
        if low and int(digits) > 23:
            low, high = 24, 97
        return f"{rng.randrange(low, high):0{len(digits)}d}"

    return _DIGITS.sub(exchange, text)


def exchange_date(text: str, values: Values, lang: str, rng: Random) -> str:
    """Another date in the same writing: days stay days, years years, months and weekdays become others."""

    def exchange_number(match: re.Match[str]) -> str:
        digits = match[0]
        if len(digits) == 4 and digits[:2] in ("19", "20"):
            return str(rng.randrange(1935, 2027))
        if len(digits) <= 2 and digits.isdecimal():
            number = (
                rng.randrange(1, 13)
                if int(digits) <= 12
                else rng.randrange(13, 29)
                if int(digits) <= 31
                else rng.randrange(32, 99)
            )
            return f"{number:0{len(digits)}d}" if digits.startswith("0") or number > 9 else str(number)
        return exchange_signs(digits, rng, letters=False)

    def exchange_word(match: re.Match[str]) -> str:
        for kind in ("months", "months_short", "days", "days_short"):
            names = values.lists.get(lang, {}).get(kind, ())
            if match[0].lower() in names:
                new = rng.choice(names)
                return as_written(new.capitalize() if match[0].istitle() else new, match[0])
        return match[0]

    return _WORD.sub(exchange_word, _DIGITS.sub(exchange_number, text))
