"""Numbers in words, for ages and times of the day."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def words(lang: str) -> tuple[str, ...]:
    """The words for 0 to 110 in a language; `fr_CH` says septante, huitante, nonante.

    >>> words("fr")[92], words("fr_CH")[92], words("es")[31]
    ('quatre-vingt-douze', 'nonante-deux', 'treinta y un')
    """
    text = (files("innominate.surrogates") / "data" / "numbers.tsv").read_text("utf-8")
    _, header, *rows = text.splitlines()
    column = header.split("\t").index(lang)
    return tuple(row.split("\t")[column] for row in rows)


def time_in_words(hour: int, minute: int, lang: str) -> str:
    """A time of the day in words, to the quarter of an hour.

    >>> time_in_words(19, 30, "fr"), time_in_words(14, 45, "sv"), time_in_words(14, 15, "es")
    ('sept heures et demie', 'kvart i tre', 'dos y cuarto')
    """
    quarter = round(minute / 15) % 4
    hour = (hour - 1) % 12 + 1
    after = hour % 12 + 1
    number = words(lang)
    this, following = _hour(number[hour], hour, lang), _hour(number[after], after, lang)
    return _PATTERNS[lang][quarter].format(this=this, next=following)


def _hour(word: str, hour: int, lang: str) -> str:
    """The word for an hour, which is feminine in French and Spanish."""
    if lang == "fr":
        return "une heure" if hour == 1 else f"{word} heures"
    return "una" if lang == "es" and hour == 1 else word


# by quarter of an hour: on the hour, quarter past, half past, quarter to
_PATTERNS: Mapping[str, tuple[str, str, str, str]] = {
    "fr": ("{this}", "{this} et quart", "{this} et demie", "{next} moins le quart"),
    "en": ("{this} o'clock", "quarter past {this}", "half past {this}", "quarter to {next}"),
    "sv": ("{this}", "kvart över {this}", "halv {next}", "kvart i {next}"),
    "es": ("{this} en punto", "{this} y cuarto", "{this} y media", "{next} menos cuarto"),
}
