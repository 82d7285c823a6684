from datetime import date
from random import Random

import pytest
from stdnum import luhn as stdnum_luhn
from stdnum.ch import ssn as avs
from stdnum.es import dni, nie
from stdnum.se import personnummer
from stdnum.us import ssn

from innominate.core import UsageError
from innominate.languages import language_codes
from innominate.surrogates.ids import draw_id, id_kinds

BIRTHS = [date(1931, 12, 1), date(1960, 2, 29), date(1999, 7, 31), date(2015, 1, 9)]


def drawn(lang, kind, n=100, **options):
    rng = Random(1)
    return [(birth, draw_id(lang, kind, rng, birth=birth, **options)) for birth in BIRTHS for _ in range(n)]


def test_swiss_insurance_numbers_are_valid():
    assert all(avs.is_valid(number) for _, number in drawn("fr", "avs"))


@pytest.mark.parametrize("gender", ["m", "f"])
def test_swedish_numbers_carry_birth_date_and_gender(gender):
    for birth, number in drawn("sv", "personnummer", gender=gender):
        digits = number.replace("-", "")
        assert stdnum_luhn.is_valid(digits[-10:])
        assert digits[-10:-4] == f"{birth:%y%m%d}"
        assert int(digits[-2]) % 2 == (gender == "m")
        if len(number) == 13:
            assert personnummer.get_birth_date(number) == birth
            assert personnummer.get_gender(number) == gender.upper()


def test_coordination_numbers_add_sixty_to_the_day():
    for birth, number in drawn("sv", "samordningsnummer", n=20):
        digits = number.replace("-", "")[-10:]
        assert int(digits[4:6]) == birth.day + 60
        assert stdnum_luhn.is_valid(digits)


def test_spanish_identity_numbers_are_valid():
    numbers = [number for _, number in drawn("es", "dni")]
    assert all(dni.is_valid(number) or nie.is_valid(number) for number in numbers)
    assert any(nie.is_valid(number) for number in numbers)


def test_spanish_social_security_control_is_modulo_97():
    for _, number in drawn("es", "nass"):
        digits = number.replace(" ", "").replace("/", "")
        assert len(digits) == 12
        assert int(digits[:-2]) % 97 == int(digits[-2:])


def test_american_numbers_were_never_issued():
    assert not any(ssn.is_valid(number) for _, number in drawn("en", "ssn"))


def test_provider_numbers_have_a_luhn_digit():
    assert all(stdnum_luhn.is_valid("80840" + number) for _, number in drawn("en", "npi", n=20))


def test_every_kind_of_every_language_can_be_drawn():
    for lang in language_codes():
        for kind in id_kinds(lang):
            number = draw_id(lang, kind, Random(1), birth=BIRTHS[0], last="García López")
            assert number == number.strip() != ""


def test_an_unknown_kind_is_refused():
    with pytest.raises(UsageError, match="passport"):
        draw_id("fr", "passport", Random(1), birth=BIRTHS[0])
