"""Dates and times of the day."""

from __future__ import annotations

from functools import cache

from innominate.surrogates.dates import format_date, format_time, holiday, range_around
from innominate.surrogates.numbers import time_in_words
from innominate.synth.note import Note, Piece
from innominate.synth.ops import Op
from innominate.synth.setting import Setting
from innominate.synth.slot import Slot


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
