from datetime import date
from random import Random

import pytest

from innominate.surrogates.dates import (
    calendar,
    draw_style,
    format_date,
    format_time,
    holiday,
    range_around,
    time_in_words,
    words,
)

FORMS = ["num", "num2", "iso", "long", "dlong", "dm", "mynum", "my", "m", "y", "wd", "wdd", "range", "rangenum", "time"]
DAY = date(2022, 3, 18)


@pytest.mark.parametrize("lang", ["fr", "en", "sv", "es"])
def test_a_style_has_every_form(lang):
    for seed in range(50):
        style = draw_style(lang, Random(seed))
        assert sorted(style) == sorted(FORMS)
        assert all(format_date(DAY, style[form], lang, date(2022, 3, 20)) for form in FORMS if form != "time")
        assert format_time(9, 5, style["time"])


@pytest.mark.parametrize(
    ("lang", "pattern", "text"),
    [
        ("fr", "{D} {M} {y}", "18 mars 2022"),
        ("fr", "{dd}.{mm}.{yy}", "18.03.22"),
        ("en", "{M} {D}, {y}", "March 18th, 2022"),
        ("sv", "{W} {d}/{m}", "fredag 18/3"),
        ("es", "{d} de {M} de {y}", "18 de marzo de 2022"),
    ],
)
def test_dates_are_written(lang, pattern, text):
    assert format_date(DAY, pattern, lang) == text


def test_the_first_of_the_month():
    assert format_date(date(2022, 5, 1), "{D} {M}", "fr") == "1er mai"
    assert calendar("en").ordinals[22] == "22nd"


def test_ranges_stay_in_their_month():
    for seed in range(100):
        start, end = range_around(date(2021, 2, 27), Random(seed))
        assert (start.year, start.month) == (end.year, end.month)
        assert start < end


@pytest.mark.parametrize("lang", ["fr", "en", "sv", "es"])
@pytest.mark.parametrize("year", [1955, 1998, 2020])
def test_there_is_a_holiday_in_every_year(lang, year):
    assert holiday(date(year, 12, 24), lang, Random(1))


def test_numbers_and_times_in_words():
    assert words("fr")[71] == "soixante et onze"
    assert words("en")[63] == "sixty-three"
    assert words("sv")[88] == "åttioåtta"
    assert time_in_words(7, 30, "fr") == "sept heures et demie"
    assert time_in_words(14, 30, "sv") == "halv tre"
    assert time_in_words(0, 45, "en") == "quarter to one"
    assert time_in_words(13, 0, "es") == "una en punto"
