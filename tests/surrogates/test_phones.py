from random import Random

import phonenumbers
import pytest

from innominate.core import UsageError
from innominate.surrogates.phones import draw_phone

REGIONS = {"fr_CH": "CH", "en_US": "US", "sv_SE": "SE", "es_ES": "ES"}


@pytest.mark.parametrize("locale", REGIONS)
def test_numbers_are_valid_in_their_country(locale):
    rng = Random(1)
    for _ in range(500):
        text = draw_phone(locale, rng, fictional=False)
        number = phonenumbers.parse(text, REGIONS[locale])
        assert phonenumbers.is_valid_number(number), text
        assert phonenumbers.region_code_for_country_code(number.country_code) == REGIONS[locale]


@pytest.mark.parametrize("locale", REGIONS)
def test_fictional_numbers_are_possible(locale):
    rng = Random(2)
    for _ in range(300):
        text = draw_phone(locale, rng)
        assert phonenumbers.is_possible_number(phonenumbers.parse(text, REGIONS[locale])), text


def test_american_fiction_uses_555_01():
    rng = Random(3)
    assert all("55501" in "".join(c for c in draw_phone("en_US", rng) if c.isdigit()) for _ in range(100))


@pytest.mark.parametrize("locale", REGIONS)
def test_numbers_are_written_in_many_ways(locale):
    rng = Random(4)
    shapes = {"".join("9" if c.isdigit() else c for c in draw_phone(locale, rng)) for _ in range(500)}
    assert len(shapes) >= 6


def test_an_unknown_locale_is_refused():
    with pytest.raises(UsageError):
        draw_phone("xx_XX", Random(1))
