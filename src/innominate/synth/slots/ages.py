"""Ages of the patient and of relatives, on the day of the note or at another date."""

from __future__ import annotations

from datetime import date
from random import Random

from innominate.surrogates.numbers import words
from innominate.synth.language import Language
from innominate.synth.note import Note, Piece
from innominate.synth.ops import Op
from innominate.synth.person import years_between
from innominate.synth.slot import Slot


def compile_age(slot: Slot, language: Language) -> Op:
    """An age; babies get months, weeks or days instead of years."""
    is_kin, anchor, form = slot.kind == "age" and slot.attr == "age", slot.at or "visit", slot.form
    role = slot.head if is_kin else "patient"
    label = language.label("kin_age" if is_kin else "age")

    def run(note: Note, out: list[Piece]) -> None:
        birth, day = note.person(role).birth, note.dates[anchor]
        out.append((age_text(birth, day, form, language, note.rng), label))

    return run


def age_text(birth: date, day: date, form: str, language: Language, rng: Random) -> str:
    """Write an age.

    >>> from innominate.synth.language import language
    >>> age_text(date(1960, 1, 1), date(2023, 5, 1), "", language("fr"), Random(1))
    '63 ans'
    """
    years = years_between(birth, day)
    if form == "baby" or (years < 2 and form != "n"):
        return _baby_age(max((day - birth).days, 1), form, language, rng)
    if form == "n":
        return str(years)
    number = _in_words(years, 0, language, rng) if form == "words" else str(years)
    singular, plural, _ = language.ages.units[0]
    return f"{number} {singular if years == 1 else plural}" if language.ages.whole else number


def _in_words(number: int, unit: int, language: Language, rng: Random) -> str:
    return language.ages.units[unit][2] if number == 1 else words(language.numbers.draw(rng))[number]


def _baby_age(days: int, form: str, language: Language, rng: Random) -> str:
    """Days up to two weeks, weeks up to two months, then months; now and then two units."""
    ages = language.ages
    in_words = form == "words" or rng.random() < 0.4
    if days < 14 or (days < 45 and rng.random() < 0.3):
        ending = ages.days_of_life if rng.random() < 0.3 else ""
        return _amount(days, 3, language, rng, in_words=in_words) + ending
    if days >= 730:
        return _amount(days // 365, 0, language, rng, in_words=in_words)
    size, unit = (7, 2) if days < 70 else (30, 1)
    count, rest = divmod(days, size)
    text = _amount(count, unit, language, rng, in_words=in_words)
    if unit == 2 and rest and rng.random() < 0.4:
        text += ages.conjunction + _amount(rest, 3, language, rng, in_words=in_words)
    return text


def _amount(count: int, unit: int, language: Language, rng: Random, *, in_words: bool) -> str:
    singular, plural, _ = language.ages.units[unit]
    number = _in_words(count, unit, language, rng) if in_words and count <= 40 else str(count)
    return f"{number} {singular if count == 1 else plural}"
