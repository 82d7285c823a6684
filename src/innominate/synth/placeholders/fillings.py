"""What is written for placeholders: one value for the same words in a note, drawn from a generator of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from innominate.core import Document, Edit, Span, apply_edits, resolve
from innominate.surrogates import contacts
from innominate.surrogates.contacts import draw_phone
from innominate.surrogates.dates import draw_style, format_date, holiday, range_around
from innominate.surrogates.ids import draw_id
from innominate.surrogates.names import Name, draw_name
from innominate.surrogates.places import Place, draw_place
from innominate.synth.lexicon import lexicon
from innominate.synth.placeholders.forms import BLANK_WORDS, LANG, Moments, Placeholder, groups, placeholders
from innominate.text.accents import strip_accents

_WOMAN = re.compile(r"\b(?:she|her|hers|female|woman|lady|mrs|ms|miss)\b", re.IGNORECASE)
_MAN = re.compile(r"\b(?:he|his|him|male|man|gentleman|mr)\b", re.IGNORECASE)


# Tables by what is drawn: a person, a place, an entry of a word list, a day in a form of the note's style.
_OF_PERSON: Mapping[str, Callable[[Name], str]] = {
    "first": lambda name: name.first[0],
    "first_f": lambda name: name.first[0],
    "first_m": lambda name: name.first[0],
    "last": lambda name: name.lasts,
    "full": lambda name: f"{name.first[0]} {name.lasts}",
    "initials": lambda name: name.firsts[0] + name.lasts[0],
    "initial": lambda name: f"{name.firsts[0]}.",
    "patient": lambda name: f"{name.first[0]} {name.lasts}",
    "patient_first": lambda name: name.first[0],
    "patient_last": lambda name: name.lasts,
}
_OF_PLACE: Mapping[str, Callable[[Place], str]] = {
    "street": lambda place: f"{place.number} {place.street}",
    "city": lambda place: place.city,
    "state": lambda place: place.state,
    "zip": lambda place: place.zip,
    "state_zip": lambda place: f"{place.state} {place.zip}",
    "university": lambda place: f"University of {place.city}",
}
_LISTED = {"department": "department", "room": "room", "hospital": "hospital", "organisation": "org"}
_STAY = ("born", "admitted", "discharged", "in_hospital")
_DAY = {"date": "num", "month_day": "dm", "month_year": "mynum", "month": "m", "year": "y", "weekday": "wd"}
SOURCE = "surrogate"


@dataclass(frozen=True, slots=True)
class Filling:
    """The values of one note; the seed and the scope, a patient or else the note, decide all of them."""

    seed: str
    scope: str
    gender: str
    moments: Moments

    @classmethod
    def of(cls, text: str, found: list[Placeholder], seed: str, scope: str) -> Filling:
        """Prepare the values of a note."""
        rng = Random(f"{seed}/{scope}/note")
        moments = Moments.of([one.words for one in found], draw_style(LANG, rng), rng)
        return cls(seed, scope, gender_in(text), moments)

    def value(self, one: Placeholder, number: int) -> str:
        """The value of a placeholder; blanks without words differ from one to the next, except for the patient's names."""
        fill = one.fill
        rng = self._rng(fill, one.words if one.words != BLANK_WORDS else f"{BLANK_WORDS}{number}")
        if fill in _OF_PERSON:
            return strip_accents(_OF_PERSON[fill](self._person(one, rng)))  # English notes write no accents
        if fill in _OF_PLACE:
            return _OF_PLACE[fill](draw_place(LANG, rng))
        if fill in _LISTED:
            return lexicon(LANG).draw(_LISTED[fill], rng)
        if fill in _STAY:
            return self.moments.of_stay(fill, rng)
        if fill in _DAY:
            return self.moments.draw_date(_DAY[fill], rng)
        if fill.startswith("id_"):
            return draw_id(LANG, fill.removeprefix("id_"), rng, birth=self.moments.around.replace(year=1950))
        return _OTHERS[fill](self, one, rng)

    def _rng(self, *what: str) -> Random:
        return Random("/".join((self.seed, self.scope, *what)))  # a string, because its hash does not depend on the process

    def _person(self, one: Placeholder, rng: Random) -> Name:
        """Somebody, or the person behind `Known lastname 123`: the same for all parts of the name with that number."""
        if not one.fill.startswith("patient"):
            return draw_name(LANG, rng, gender={"first_f": "f", "first_m": "m"}.get(one.fill, ""))
        number = "".join(filter(str.isdigit, one.words))
        return draw_name(LANG, self._rng("patient", number), gender=self.gender)


def gender_in(text: str) -> str:
    """The gender that most words of a note speak of, if they do.

    >>> gender_in("She is a 60 year old woman, seen with her husband, who is well. He left."), gender_in("Seen.")
    ('f', '')
    """
    women, men = len(_WOMAN.findall(text)), len(_MAN.findall(text))
    return "" if women == men else "f" if women > men else "m"


def _number(low: int, high: int, rng: Random) -> str:
    return str(low + int(rng.random() * (high - low + 1)))


def _numeric(filling: Filling, one: Placeholder, rng: Random) -> str:
    """Numbers that are a date, moved; or other digits for digits."""
    moved = filling.moments.numeric(one.words)
    return moved or "".join(_number(0, 9, rng) if character.isdigit() else character for character in one.words)


def _age(filling: Filling, one: Placeholder, rng: Random) -> str:
    """MIMIC-III takes out ages over 89 only, MIMIC-IV any."""
    return _number(20, 88, rng) if one.words == BLANK_WORDS else _number(90, 101, rng)


def _range(filling: Filling, one: Placeholder, rng: Random) -> str:
    first, last = range_around(filling.moments.near(rng), rng)
    return format_date(first, filling.moments.style["rangenum"], LANG, last)


_OTHERS: Mapping[str, Callable[[Filling, Placeholder, Random], str]] = {
    "numeric": _numeric,
    "age": _age,
    "date_range": _range,
    "user": lambda note, one, rng: contacts.username(draw_name(LANG, rng), rng),
    "email": lambda note, one, rng: contacts.email(draw_name(LANG, rng), LANG, rng),
    "url": lambda note, one, rng: contacts.url(LANG, rng),
    "ip": lambda note, one, rng: contacts.ip(rng),
    "phone": lambda note, one, rng: draw_phone(LANG, rng),
    "pager": lambda note, one, rng: _number(10_000, 99_999, rng),
    "ward_number": lambda note, one, rng: _number(2, 12, rng),
    "apartment": lambda note, one, rng: f"Apt {_number(1, 60, rng)}",
    "po_box": lambda note, one, rng: f"PO Box {_number(100, 9999, rng)}",
    "country": lambda note, one, rng: draw_place(LANG, rng, abroad=True).country,
    "profession": lambda note, one, rng: lexicon(LANG).draw(f"profession_{note.gender or 'f'}", rng),
    "year_short": lambda note, one, rng: note.moments.draw_date("y", rng)[2:],
    "holiday": lambda note, one, rng: holiday(note.moments.near(rng), LANG, rng),
    "season": lambda note, one, rng: ("spring", "summer", "fall", "winter")[int(rng.random() * 4)],
}
FILLS = frozenset({*_OF_PERSON, *_OF_PLACE, *_LISTED, *_STAY, *_DAY, *_OTHERS})


def fill_placeholders(document: Document, seed: int | str = 0) -> Document:
    """Write a surrogate for every placeholder; the same words are the same value throughout the note, and the patient's.

    >>> text = "[**Known lastname 7**] came. Mrs. [**Known lastname 7**] left [**2151-7-16**]."
    >>> note = fill_placeholders(Document("n1", text), seed=3)
    >>> [span.label for span in note.spans], note.spans[0].of(note.text) == note.spans[1].of(note.text), "[**" in note.text
    (['PATIENT', 'PATIENT', 'DATE'], True, False)
    """
    found = placeholders(document.text)
    if not found:
        return document
    filling = Filling.of(document.text, found, str(seed), str(document.meta.get("patient") or document.id))
    edits = [Edit(one.start, one.end, filling.value(one, number)) for number, one in enumerate(found)]
    text, offsets = apply_edits(document.text, edits)
    made = [_span(group, offsets.to_target(group[0].start, group[-1].end)) for group in groups(document.text, found)]
    places = {(one.start, one.end) for one in found}
    carried = [span for span in document.spans if (span.start, span.end) not in places]
    return Document(document.id, text, resolve([*made, *offsets.spans_to_target(carried)]), document.meta)


def _span(group: list[Placeholder], place: tuple[int, int]) -> Span:
    return Span(*place, group[0].label, source=SOURCE)
