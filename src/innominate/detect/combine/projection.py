"""Our labels as those of another standard: other names, and where standards cut differently, other borders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

from innominate.core import Span
from innominate.labels import mapping
from innominate.languages import language_codes
from innominate.surrogates.names import listed, mix, particles

OWN = "innominate"
NAMES = frozenset({"PATIENT", "RELATIVE", "STAFF"})
_NAME_PART = re.compile(r"[^\s,]+")
_DIGITS = re.compile(r"\d+")
_CANTON = re.compile(r"[A-Z]{2}\Z")
_PRIMARY_CARE = re.compile(r"(?:centro de salud|consultorio|ambulatorio|c\.? ?s\.?\b|cap\b|uap\b)", re.IGNORECASE)
_BETWEEN_STREET_AND_NUMBER = re.compile(r"[ ,]{1,3}(?:n[º°o]?\.? ?)?\Z")

Parts = Iterable[Span]


def project(spans: Iterable[Span], text: str, target: str) -> list[Span]:
    """Spans with our labels in the words of another taxonomy; a label without a counterpart becomes empty.

    >>> [(span.start, span.end, span.label) for span in project([Span(0, 8, "PATIENT")], "Eva Berg", "swedish")]
    [(0, 3, 'First_Name'), (4, 8, 'Last_Name')]
    """
    names = mapping(OWN, target)
    cut = _CUTS.get(target, _whole)
    return [
        replace(part, label=part.label if part.label not in names.pairs else names[part.label] or "")
        for span in spans
        for part in cut(span, text)
    ]


def _whole(span: Span, text: str) -> Parts:
    return [span]


def _cut_chuv(span: Span, text: str) -> Parts:
    """Each name alone; a canton by its two letters."""
    if span.label in NAMES:
        return name_parts(span, text)
    canton = span.label == "REGION" and _CANTON.match(span.of(text))
    return [replace(span, label="CODE_CANTON")] if canton else [span]


def _cut_swedish(span: Span, text: str) -> Parts:
    """First and last names, whole dates and parts of dates, ages without their unit."""
    if span.label in NAMES:
        return _first_and_last(span, text)
    if span.label == "DATE":
        return [replace(span, label="Full_Date" if is_whole_date(span.of(text)) else "Date_Part")]
    number = _DIGITS.search(span.of(text)) if span.label == "AGE" else None
    return [replace(span, start=span.start + number.start(), end=span.start + number.end())] if number else [span]


def _cut_meddocan(span: Span, text: str) -> Parts:
    """Primary care apart from hospitals."""
    care = span.label == "HOSPITAL" and _PRIMARY_CARE.match(span.of(text))
    return [replace(span, label="CENTRO_SALUD")] if care else [span]


def name_parts(span: Span, text: str) -> list[Span]:
    """The names of a person, each particle with the name after it.

    >>> [part.of("Ana de la Cruz, Eva") for part in name_parts(Span(0, 19, "PATIENT"), "Ana de la Cruz, Eva")]
    ['Ana', 'de la Cruz', 'Eva']
    """
    found: list[Span] = []
    begin = -1
    for match in _NAME_PART.finditer(text, span.start, span.end):
        begin = match.start() if begin < 0 else begin
        if match[0].lower() not in particles() or match.end() == span.end:
            found.append(replace(span, start=begin, end=match.end()))
            begin = -1
    return found or [span]


def _first_and_last(span: Span, text: str) -> list[Span]:
    parts = name_parts(span, text)
    if "," in text[span.start : span.end]:  # Berg, Eva
        comma = text.index(",", span.start, span.end)
        return [replace(part, label="Last_Name" if part.start < comma else "First_Name") for part in parts]
    if len(parts) == 1:
        given = parts[0].of(text).casefold().removesuffix(".") in _first_names()
        return [replace(parts[0], label="First_Name" if given else "Last_Name")]
    return [
        replace(part, label="Last_Name" if number == len(parts) - 1 else "First_Name") for number, part in enumerate(parts)
    ]


def is_whole_date(text: str) -> bool:
    """Whether a date has a day, a month and a year.

    >>> is_whole_date("3 mars 2020"), is_whole_date("2020-03-01"), is_whole_date("200301"), is_whole_date("mars 2020")
    (True, True, True, False)
    """
    numbers = _DIGITS.findall(text)
    if len(numbers) == 1:
        return len(numbers[0]) in (6, 8)
    return len(numbers) >= 3 or (len(numbers) == 2 and any(map(str.isalpha, text)) and any(len(each) == 4 for each in numbers))


def join_neighbours(spans: list[Span], text: str, target: str) -> list[Span]:
    """Street and house number as one, where they stand side by side and the taxonomy has them so."""
    label = _STREETS.get(target)
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last.label == span.label == label and _BETWEEN_STREET_AND_NUMBER.fullmatch(text, last.end, span.start):
            joined[-1] = replace(last, end=span.end, score=min(last.score, span.score))
        else:
            joined.append(span)
    return joined


@cache
def _first_names() -> frozenset[str]:
    def all_names() -> Iterator[str]:
        for lang in language_codes():
            for origin in mix(lang).values:
                for gender in "mf":
                    yield from listed(origin, gender).values

    return frozenset(name.casefold() for name in all_names())


_CUTS: dict[str, Callable[[Span, str], Parts]] = {
    "chuv": _cut_chuv,
    "swedish": _cut_swedish,
    "meddocan": _cut_meddocan,
}
_STREETS = {"i2b2": "STREET", "meddocan": "CALLE"}
