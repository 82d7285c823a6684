from random import Random

import pytest

from innominate.core import UsageError
from innominate.languages import language_codes
from innominate.surrogates.names import Name, draw_name, mix, rarity, relative, split_name


@pytest.mark.parametrize("lang", language_codes())
def test_names_are_drawn_in_latin_script_from_every_origin(lang):
    rng = Random(1)
    for origin in mix(lang).values:
        for _ in range(40):
            name = draw_name(lang, rng, birth_year=rng.randrange(1920, 2020), origin=origin)
            assert name.gender in ("m", "f")
            assert name.firsts.strip() == name.firsts != ""
            assert name.lasts.strip() == name.lasts != ""
            assert all(ord(c) < 0x250 or c in "’'" for c in name.firsts + name.lasts), name


@pytest.mark.parametrize("lang", language_codes())
def test_names_vary(lang):
    rng = Random(2)
    names = {draw_name(lang, rng).lasts for _ in range(1000)}
    assert len(names) > 400


def test_the_same_generator_gives_the_same_name():
    assert draw_name("fr", Random(5)) == draw_name("fr", Random(5))


def test_spaniards_have_two_surnames():
    assert len(draw_name("es", Random(1), origin="spanish").last) == 2


def test_first_names_follow_the_year_of_birth():
    old = {draw_name("fr", Random(i), gender="m", birth_year=1925, origin="french").first[0] for i in range(300)}
    young = {draw_name("fr", Random(i), gender="m", birth_year=2012, origin="french").first[0] for i in range(300)}
    assert "Marcel" in old - young
    assert young & {"Lucas", "Nathan", "Enzo", "Louis"}


def test_relatives_share_the_surname_unless_they_do_not():
    ana = Name(("Ana",), ("García", "López"), "f", "spanish")
    assert relative(ana, "es", Random(1), gender="m").last[0] == "García"


def test_rarity_orders_names():
    assert rarity("Smith", "en") < rarity("Thornwick", "en") < 1
    assert rarity("Nobodyhasthisname", "en") == 1.0
    assert rarity("Maria", "sv", gender="f") < 0.2


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Valentin Oliver Loftsson", ["Valentin", "Oliver", "Loftsson"]),
        ("DEL BAGNO GIAN MARIO", ["DEL BAGNO", "GIAN", "MARIO"]),
        ("D'ETERNOD PAULINE", ["D'ETERNOD", "PAULINE"]),
        ("de la Garma", ["de la Garma"]),
        ("von der Weid", ["von der Weid"]),
        ("Marie-Laure", ["Marie-Laure"]),
    ],
)
def test_particles_stay_with_their_name(text, parts):
    assert split_name(text) == parts


def test_an_unknown_language_is_refused():
    with pytest.raises(UsageError, match="no language 'xx'; there are: "):
        draw_name("xx", Random(1))
