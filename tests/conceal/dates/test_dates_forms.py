from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shifting import shift_all

from innominate.conceal.dates import UnwritableError, learn_context, parse_date
from innominate.core import UsageError
from innominate.surrogates.dates import calendar, format_date, range_around

GOLDEN = [
    line.split("\t")
    for line in (Path(__file__).parent / "golden.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
LANGS = ("en", "fr", "sv", "es")


@pytest.mark.parametrize(("lang", "text", "days", "moved"), GOLDEN, ids=[f"{case[0]} {case[1]}" for case in GOLDEN])
def test_golden_cases(lang, text, days, moved):
    found = shift_all([text], lang, int(days))
    assert found == [None if moved == "-" else moved]


def patterns(lang):
    """Every pattern with which synthetic notes write a date, but for those of weekdays and times."""
    known = calendar(lang)
    forms = ("long", "dlong", "my", "m", "wdd", "range")
    yield from (pattern for form in forms for pattern in known.forms[form].values)
    yield from sorted({pattern for family in known.families.values for pattern in family.values()})


AMBIGUOUS = ("en", "{mm}/{yy}")  # 03/22 is read as a day, unless the second number can be none
PATTERNS = sorted({(lang, pattern) for lang in LANGS for pattern in patterns(lang)} - {AMBIGUOUS})


@pytest.mark.parametrize(("lang", "pattern"), PATTERNS)
def test_moving_and_writing_is_writing_the_moved_date(lang, pattern):
    """A note of dates in one pattern: what is written is what the pattern would write for the moved day."""
    rng = Random(f"{lang}/{pattern}")
    shown = [date(2020, month, day) for month, day in ((3, 4), (9, 8), (1, 2), (12, 30))]
    for _ in range(60):
        day = date(2000, 1, 1) + timedelta(days=rng.randrange(9000))
        days = 7 * rng.choice((-1, 1)) * rng.randrange(52, 260)
        day, end = range_around(day, rng) if "{e" in pattern else (day, None)
        moved, moved_end = day + timedelta(days=days), end and end + timedelta(days=days)
        if "{e" in pattern and moved.month != moved_end.month:
            continue  # the pattern cannot write it; see the golden cases
        text = format_date(day, pattern, lang, end)
        anchor = f"{day.isoformat()}"  # the note tells which year, and which day of a month
        context = learn_context([*(format_date(other, pattern, lang, other) for other in shown), text], lang)
        context = replace(context, reference=day, days=tuple(sorted({*context.days, day})), inferred=(), months=())
        expression = parse_date(text, lang, context=context)
        assert expression, text
        expected = format_date(moved, pattern, lang, moved_end)
        if "{d}" in pattern and "{M}" in pattern and lang == "fr":
            expected = expected.replace("1 ", "1er ", 1) if expected.startswith("1 ") and "-" not in expected else expected
        assert _alike(expression.shifted(days), expected, lang), (anchor, text)


def _alike(found, expected, lang):
    """Swedish synthetic notes write 1:e where Swedish has 1:a; French ones `1 nov.` beside `1er novembre`."""
    if lang == "sv":
        found = found.replace(":a ", ":e ")
    if lang == "fr":
        found, expected = found.replace("1er ", "1 "), expected.replace("1er ", "1 ")
    return found == expected


@pytest.mark.parametrize("lang", LANGS)
@given(text=st.text(alphabet="0123456789./-# aemrsjuinot'’", max_size=20), days=st.integers(-4800, 4800).filter(bool))
def test_any_text_is_moved_or_refused_but_never_an_error(lang, text, days):
    expression = parse_date(text, lang)
    if expression:
        try:
            moved = expression.shifted(days)
        except UnwritableError:
            return
        assert moved
        if expression.full:
            assert moved != text


@given(day=st.dates(date(1914, 3, 1), date(2086, 1, 1)), days=st.integers(-4800, 4800).filter(bool))
def test_there_and_back_is_the_same(day, days):
    for lang, pattern in (("fr", "{dd}.{mm}.{y}"), ("en", "{M} {D}, {y}"), ("sv", "{y}{mm}{dd}"), ("es", "{d} de {M} de {y}")):
        text = format_date(day, pattern, lang)
        moved = parse_date(text, lang).shifted(days)
        assert moved == format_date(day + timedelta(days), pattern, lang)
        assert parse_date(moved, lang).shifted(-days) == text


def test_a_shift_moves_something():
    with pytest.raises(UsageError):
        parse_date("18.03.2022", "fr").shifted(0)


def test_an_unknown_language_is_refused():
    with pytest.raises(UsageError):
        parse_date("18.03.2022", "xx")
