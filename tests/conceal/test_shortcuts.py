"""What is quick must say what the long way says."""

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.conceal.dates.forms import _same_class, date_forms
from innominate.conceal.guard import SHORTEST, Guard
from innominate.conceal.numbers.ids import _KINDS
from innominate.conceal.people.bank import bank
from innominate.conceal.plain_view import has_tags
from innominate.languages import language_codes
from innominate.text.accents import fold_word
from innominate.text.html import is_html

WORDS = ["Ann", "annette", "Lausanne", "Zoé", "12", "1234567", " ", "d'", "Saint-Anne-des-Monts", "ZOE"]
MARKUP = ["<", "</", "b", "br", "p", ">", "/>", " ", "\n", "5", "eva@x.org", 'a="1"', "o:p", "!--", "TA", "html"]


@given(st.lists(st.sampled_from(WORDS)), st.lists(st.sampled_from(WORDS)).map("".join))
def test_a_guard_refuses_what_holds_an_original(originals, surrogate):
    held = [fold_word(original.strip()) for original in originals]
    expected = not any(len(form) >= SHORTEST and form in fold_word(surrogate) for form in held)
    assert Guard.of(originals).allows(surrogate) == expected


@given(st.lists(st.sampled_from(MARKUP), max_size=12).map("".join))
def test_a_text_has_tags_if_it_is_html(text):
    assert has_tags(text) == is_html(text)


@pytest.mark.parametrize("number", range(len(_KINDS)))
@given(data=st.data())
def test_numbers_have_a_length_of_their_kind(number, data):
    lengths, pattern, _ = _KINDS[number]
    without_lookahead = re.sub(r"\(\?=[^)]*\)", "", pattern.pattern)
    assert len(data.draw(st.from_regex(without_lookahead, fullmatch=True))) in lengths


@pytest.mark.parametrize("lang", language_codes())
def test_digits_of_a_class_have_the_same_forms(lang):
    first = date(1899, 12, 25)
    for days in range(0, 52_000, 97):
        day = first + timedelta(days=days)
        for text in (f"{day:%d.%m.%Y}", f"{day:%Y-%m-%d}", f"{day:%d/%m/%y}", f"{day:%Y%m%d}", f"{day:%d%m%Y}", f"{day:%Y}"):
            named = [form.name for form in date_forms(lang) if form.pattern.fullmatch(text)]
            assert named == [form.name for form in date_forms(lang) if form.pattern.fullmatch(_same_class(text))]


@pytest.mark.parametrize(("locale", "gender"), [("sv", ""), ("en", "f")])
def test_a_drawer_holds_the_names_of_its_origin(locale, gender):
    filled, rows = bank(locale, gender), bank(locale, gender)._filed
    for number, origin in enumerate(rows.origins):
        drawer = filled._drawer(origin, "a")
        start, stop = rows.letters["a"]
        expected = [row for row in range(start, stop) if rows.drawn[row] and rows.origin[row] == number]
        assert (list(drawer.rows) if drawer else []) == expected[::-1]
