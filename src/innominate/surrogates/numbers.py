"""Numbers in words, for ages and times of the day."""

from __future__ import annotations

from functools import cache

from innominate.languages import load_language, read_lines


def ways_to_count(lang: str) -> tuple[str, ...]:
    """The columns of the words of a language: French has septante and soixante-dix.

    >>> ways_to_count("fr"), ways_to_count("sv")
    (('fr', 'fr_CH'), ('sv',))
    """
    return tuple(read_lines(lang, "numbers.tsv")[0].split("\t")[1:])


@cache
def words(lang: str) -> tuple[str, ...]:
    """The words for 0 to 110 in a language; `fr_CH` says septante, huitante, nonante.

    >>> words("fr")[92], words("fr_CH")[92], words("es")[31]
    ('quatre-vingt-douze', 'nonante-deux', 'treinta y un')
    """
    header, *rows = read_lines(lang[:2], "numbers.tsv")
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
    spoken = load_language(lang).calendar.spoken
    hours = [spoken.hour.format(number=word) for word in number[:13]]
    hours[1] = spoken.first_hour or hours[1]
    return spoken.quarters[quarter].format(this=hours[hour], next=hours[after])
