import gzip
from pathlib import Path
from random import Random

import pytest

from innominate.core import UsageError
from innominate.surrogates import places
from innominate.surrogates.places import country_name, draw_city, draw_place, draw_street

DATA = Path(places.__file__).parent / "data"
ZIP_LENGTH = {"fr": 4, "en": 5, "sv": 6, "es": 5}


@pytest.mark.parametrize("lang", ZIP_LENGTH)
def test_an_address_at_home_is_complete(lang):
    rng = Random(1)
    for _ in range(300):
        place = draw_place(lang, rng)
        assert all((place.street, place.number, place.zip, place.city, place.state, place.country))
        assert len(place.zip) == ZIP_LENGTH[lang]


def test_swiss_postal_codes_are_of_their_canton():
    rng = Random(2)
    drawn = [draw_place("fr", rng) for _ in range(2000)]
    assert all(place.zip[0] == "1" for place in drawn if place.state in ("VD", "GE"))
    assert {place.zip for place in drawn if place.city == "Nyon"} <= {"1260"}
    assert {place.zip for place in drawn if place.city == "Sion"} <= {"1950"}


def test_spanish_postal_codes_are_of_their_province():
    rng = Random(3)
    prefixes = {place.state: place.zip[:2] for place in (draw_place("es", rng) for _ in range(1000))}
    assert prefixes["Madrid"] == "28"
    assert prefixes["Barcelona"] == "08"


def test_a_real_code_is_known_for_at_least_120_swiss_towns():
    rows = gzip.decompress((DATA / "places_CH.tsv.gz").read_bytes()).decode().splitlines()
    assert sum("#" not in row.split("\t")[3] for row in rows) >= 120


def test_the_lists_are_small():
    assert sum(path.stat().st_size for path in DATA.glob("places_*.tsv.gz")) < 400_000


@pytest.mark.parametrize("lang", ZIP_LENGTH)
def test_places_abroad_have_a_country_and_no_street(lang):
    rng = Random(4)
    home = draw_place(lang, rng).code
    abroad = [draw_place(lang, rng, abroad=True) for _ in range(300)]
    assert all(place.code != home and place.country and not place.street for place in abroad)
    assert len({place.code for place in abroad}) > 20


def test_towns_and_countries_have_the_name_of_the_language():
    assert country_name("DE", "fr", Random(1)) == "Allemagne"
    assert "Gothenburg" not in {draw_city("sv", Random(i)) for i in range(200)}


def test_unknown_languages_are_refused():
    with pytest.raises(UsageError):
        draw_place("xx_XX", Random(1))
    with pytest.raises(UsageError):
        draw_street("xx_XX", Random(1))
