"""How each family of slots becomes text; names are in `names.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from random import Random

from innominate.surrogates import contacts
from innominate.surrogates.contacts import draw_phone
from innominate.surrogates.dates import age_on, format_date, format_time, holiday, range_around, time_in_words, words
from innominate.surrogates.ids import draw_id, id_kinds
from innominate.surrogates.names import draw_name
from innominate.surrogates.weighted import fill
from innominate.synth.lexicon import Setting
from innominate.synth.names import compile_kin_word, compile_person
from innominate.synth.note import Note, Op, Piece, sequence
from innominate.synth.slot import Slot

_SAME = 0.55  # a note mostly speaks of the hospital and the ward it was written in


def compile_age(slot: Slot, setting: Setting) -> Op:
    """An age; babies get months, weeks or days instead of years."""
    is_kin, anchor, form = slot.kind == "age" and slot.attr == "age", slot.at or "visit", slot.form
    role = slot.head if is_kin else "patient"
    label = setting.notes.label("kin_age" if is_kin else "age")

    def run(note: Note, out: list[Piece]) -> None:
        birth, day = note.person(role).birth, note.dates[anchor]
        out.append((write_age(birth, day, form, setting=setting, rng=note.rng), label))

    return run


def write_age(birth: date, day: date, form: str, *, setting: Setting, rng: Random) -> str:
    """Write an age.

    >>> from innominate.synth.lexicon import setting as load
    >>> write_age(date(1960, 1, 1), date(2023, 5, 1), "", setting=load("fr"), rng=Random(1))
    '63 ans'
    """
    years = age_on(birth, day)
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


def compile_contact(slot: Slot, setting: Setting) -> Op:
    """How to reach a hospital or somebody; new each time."""
    kind, label, lang = slot.head, setting.notes.label(slot.head), setting.lang

    def run(note: Note, out: list[Piece]) -> None:
        rng = note.rng
        if kind in ("phone", "fax"):
            text = draw_phone(lang, rng, fictional=rng.random() < setting.notes.fictional_phones)
        elif kind == "email":
            text = contacts.email(draw_name(lang, rng), lang, rng, work=rng.random() < 0.7)
        else:
            text = contacts.url(lang, rng) if kind == "url" else contacts.ip(rng)
        out.append((text, label))

    return run


def compile_id(slot: Slot, setting: Setting) -> Op:
    """An identifier of the patient, of the stay, or a new one."""
    kind, lang = slot.attr, setting.lang
    if kind not in setting.notes.ids or kind not in id_kinds(lang):
        raise ValueError(f"there is no slot {{id.{kind}}} in {setting.lang}; there are: {', '.join(setting.notes.ids)}")
    label, owner = setting.notes.ids[kind]

    def run(note: Note, out: list[Piece]) -> None:
        if owner == "patient":
            text = note.case.ids[kind]
        elif owner == "episode":
            text = note.episode.ids[kind]
        else:
            person = note.case.patient
            text = draw_id(lang, kind, note.rng, birth=person.birth, gender=person.name.gender)
        out.append((text, label))

    return run


def compile_date(slot: Slot, setting: Setting) -> Op:
    """A date in a form; the label depends on whether day, month and year are all there."""
    anchor, offset, form, lang = slot.head, slot.offset, slot.form or "num", setting.lang
    full, part = setting.notes.dates["full"], setting.notes.dates["part"]

    def run(note: Note, out: list[Piece]) -> None:
        day = note.dates[anchor]
        if offset:
            day = offset.apply(day)
        if form == "hol":
            out.append((holiday(day, lang, note.rng), part))
            return
        pattern = note.style[form]
        end = None
        if "{e" in pattern:
            day, end = range_around(day, note.rng)
        out.append((format_date(day, pattern, lang, end), full if is_full(pattern) else part))

    return run


@cache
def is_full(pattern: str) -> bool:
    """Whether a pattern shows day, month and year.

    >>> is_full("{dd}.{mm}.{yy}"), is_full("{M} {y}")
    (True, False)
    """
    return any(day in pattern for day in ("{d}", "{dd}", "{D}")) and "{y" in pattern


def compile_time(slot: Slot, setting: Setting) -> Op:
    """A time of the day, new each time; most things happen by day."""
    label, lang, in_words = setting.notes.label("time"), setting.lang, slot.form == "words"

    def run(note: Note, out: list[Piece]) -> None:
        random = note.rng.random
        hour = int(7 + random() * 13) if random() < 0.8 else int(random() * 24)
        minute = int(random() * 12) * 5 if random() < 0.7 else int(random() * 60)
        if in_words:
            text = time_in_words(hour, minute, lang)
        else:
            pattern = note.style["time"]
            # a style without minutes fits full hours only, and tells them apart from a bare number
            text = format_time(hour, minute if "{mm}" in pattern else 0, pattern)
        out.append((text, label))

    return run


def compile_place(slot: Slot, setting: Setting) -> Op:
    """A place, or part of it: the layout of the language names the fields and their labels."""
    if slot.attr not in setting.layouts:
        raise ValueError(f"{setting.lang}/notes.toml has no layout for {slot.attr!r}")
    which = slot.head

    def field(inner: Slot) -> Op:
        attribute = inner.attr

        def run(note: Note, out: list[Piece]) -> None:
            out.append((getattr(note.places[which], attribute), ""))

        return run

    return sequence(setting.layouts[slot.attr], field)


def compile_word(slot: Slot, setting: Setting) -> Op:
    """Compile a slot whose words stand in a list; a list that is missing raises ValueError."""
    if slot.kind == "number":
        return _number
    if slot.head == "sex":
        return _sex(setting)
    if slot.kind == "trait":
        return _trait(slot.head, setting)
    kind = "lab" if slot.kind == "labs" else slot.head
    if kind not in setting.words:
        raise ValueError(f"{{{slot.head}}} needs the list {setting.lang}/lexicon/{kind}.txt")
    if slot.kind == "labs":
        return _labs(int(slot.form))
    label = setting.notes.label(kind)
    if kind in ("hospital", "department"):
        return _institution(kind, label)
    return lambda note, out: out.append((note.words.draw(kind, note.rng), label))


def _institution(kind: str, label: str) -> Op:
    """The hospital or ward of the stay, or another one: always the stay's at its first mention in a note."""

    def run(note: Note, out: list[Piece]) -> None:
        first = kind not in note.drawn
        note.drawn[kind] = 1
        same = first or note.rng.random() < _SAME
        text = getattr(note.episode, kind) if same else note.words.draw(kind, note.rng)
        out.append((text, label))

    return run


def _trait(trait: str, setting: Setting) -> Op:
    for gender in "mf":
        if f"{trait}_{gender}" not in setting.words:
            raise ValueError(f"{{{trait}}} needs the list {setting.lang}/lexicon/{trait}_{gender}.txt")
    label = setting.notes.label(trait)
    return lambda note, out: out.append((note.case.traits[trait], label))


def _sex(setting: Setting) -> Op:
    values, label, count = setting.notes.sexes, setting.notes.label("sex"), len(setting.notes.sexes)

    def run(note: Note, out: list[Piece]) -> None:
        out.append((values[note.once("sex", count)][note.case.patient.name.gender == "f"], label))

    return run


def _labs(count: int) -> Op:
    def run(note: Note, out: list[Piece]) -> None:
        out.append(("\n".join([note.words.draw("lab", note.rng) for _ in range(count)]), ""))

    return run


def _number(note: Note, out: list[Piece]) -> None:
    """Two to five digits."""
    out.append((fill("%" + "#" * (1 + int(note.rng.random() * 4)), note.rng), ""))


def compile_slot(slot: Slot, setting: Setting) -> Op:
    """Compile a slot for a language; one that the language lacks raises ValueError."""
    return _FAMILIES.get(slot.kind, compile_word)(slot, setting)


_FAMILIES: Mapping[str, Callable[[Slot, Setting], Op]] = {
    "person": compile_person,
    "kin": compile_kin_word,
    "date": compile_date,
    "time": compile_time,
    "age": compile_age,
    "place": compile_place,
    "contact": compile_contact,
    "id": compile_id,
}
