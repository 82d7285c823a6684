"""Ages of the patient and of relatives, on the day of the note or at another date."""

from __future__ import annotations

from datetime import date
from random import Random

from innominate.surrogates.numbers import words
from innominate.synth.note import Note, Piece
from innominate.synth.ops import Op
from innominate.synth.person import years_between
from innominate.synth.setting import Setting
from innominate.synth.slot import Slot


def compile_age(slot: Slot, setting: Setting) -> Op:
    """An age; babies get months, weeks or days instead of years."""
    is_kin, anchor, form = slot.kind == "age" and slot.attr == "age", slot.at or "visit", slot.form
    role = slot.head if is_kin else "patient"
    label = setting.notes.label("kin_age" if is_kin else "age")

    def run(note: Note, out: list[Piece]) -> None:
        birth, day = note.person(role).birth, note.dates[anchor]
        out.append((age_text(birth, day, form, setting, note.rng), label))

    return run


def age_text(birth: date, day: date, form: str, setting: Setting, rng: Random) -> str:
    """Write an age.

    >>> from innominate.synth.setting import setting as load
    >>> age_text(date(1960, 1, 1), date(2023, 5, 1), "", load("fr"), Random(1))
    '63 ans'
    """
    years = years_between(birth, day)
    if form == "baby" or (years < 2 and form != "n"):
        return _baby_age(max((day - birth).days, 1), form, setting, rng)
    if form == "n":
        return str(years)
    number = _in_words(years, 0, setting, rng) if form == "words" else str(years)
    singular, plural = setting.notes.age.year
    return f"{number} {singular if years == 1 else plural}" if setting.notes.age.whole else number


def _in_words(number: int, unit: int, setting: Setting, rng: Random) -> str:
    return setting.notes.age.one[unit] if number == 1 else words(setting.numbers.draw(rng))[number]


def _baby_age(days: int, form: str, setting: Setting, rng: Random) -> str:
    """Days up to two weeks, weeks up to two months, then months; now and then two units."""
    ages = setting.notes.age
    in_words = form == "words" or rng.random() < 0.4
    if days < 14 or (days < 45 and rng.random() < 0.3):
        ending = ages.days_of_life if rng.random() < 0.3 else ""
        return _amount(days, 3, setting, rng, in_words=in_words) + ending
    if days >= 730:
        return _amount(days // 365, 0, setting, rng, in_words=in_words)
    size, unit = (7, 2) if days < 70 else (30, 1)
    count, rest = divmod(days, size)
    text = _amount(count, unit, setting, rng, in_words=in_words)
    if unit == 2 and rest and rng.random() < 0.4:
        text += ages.conjunction + _amount(rest, 3, setting, rng, in_words=in_words)
    return text


def _amount(count: int, unit: int, setting: Setting, rng: Random, *, in_words: bool) -> str:
    singular, plural = setting.notes.age.units[unit]
    number = _in_words(count, unit, setting, rng) if in_words and count <= 40 else str(count)
    return f"{number} {singular if count == 1 else plural}"
