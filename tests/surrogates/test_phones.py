from random import Random

import phonenumbers
import pytest

from innominate.core import UsageError
from innominate.languages import language_codes, load_language
from innominate.surrogates.contacts import draw_phone


@pytest.mark.parametrize("lang", language_codes())
def test_numbers_are_valid_in_their_country(lang):
    rng = Random(1)
    for _ in range(500):
        text = draw_phone(lang, rng, fictional=False)
        number = phonenumbers.parse(text, load_language(lang).country)
        assert phonenumbers.is_valid_number(number), text
        assert phonenumbers.region_code_for_country_code(number.country_code) == load_language(lang).country


@pytest.mark.parametrize("lang", language_codes())
def test_fictional_numbers_are_possible(lang):
    rng = Random(2)
    for _ in range(300):
        text = draw_phone(lang, rng)
        assert phonenumbers.is_possible_number(phonenumbers.parse(text, load_language(lang).country)), text


def test_american_fiction_uses_555_01():
    rng = Random(3)
    assert all("55501" in "".join(c for c in draw_phone("en", rng) if c.isdigit()) for _ in range(100))


@pytest.mark.parametrize("lang", language_codes())
def test_numbers_are_written_in_many_ways(lang):
    rng = Random(4)
    shapes = {"".join("9" if c.isdigit() else c for c in draw_phone(lang, rng)) for _ in range(500)}
    assert len(shapes) >= 6


def test_an_unknown_language_is_refused():
    with pytest.raises(UsageError):
        draw_phone("xx_XX", Random(1))
