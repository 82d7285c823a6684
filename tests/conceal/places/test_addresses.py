"""Addresses go where their towns go: streets, house numbers, postal codes, and the hospitals that stand there."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.conceal import conceal
from innominate.conceal.guard import Guard
from innominate.conceal.keys import Key
from innominate.conceal.places.addresses import Hospital, HospitalAddresses, hospitals_by_town
from innominate.conceal.places.atlas import atlas
from innominate.conceal.places.places import own_codes
from innominate.conceal.places.streets import draw_house_number
from innominate.conceal.scope import Scope
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.core import annotated
from innominate.text.accents import fold_word

KEYS = [Key(bytes([number]) * 32) for number in range(40)]
KNOWN = atlas("es")


def became(marked, key, lang="es"):
    concealed = conceal(annotated(marked, "n1"), Pseudo(key, lang=lang))
    return [treated.target.of(concealed.document.text) for treated in concealed.treated]


def town(name):
    return KNOWN.towns[fold_word(name)].town


@pytest.mark.parametrize(
    "marked",
    [
        "[Hospital La Paz](HOSPITAL). [Paseo de la Castellana, 261](CALLE). [28046](TERRITORIO) [Madrid](TERRITORIO)",
        "[Clínica Gil](HOSPITAL) Urología [Avda. Valdecilla s/n](CALLE). [39008](TERRITORIO) [Santander](TERRITORIO)",
        "[Eva Gil](NOMBRE_PERSONAL_SANITARIO). [C/ Piqueras, 98](CALLE). [E-26006](TERRITORIO) [Logroño](TERRITORIO)",
    ],
)
def test_the_address_of_an_institution_becomes_that_of_a_hospital_in_the_new_town(marked):
    for key in KEYS:
        _, street, code, city = became(marked, key)
        assert code.startswith("E-") == ("E-" in marked)
        code = code.removeprefix("E-")
        assert code[:2] == town(city).zips[0][:2]
        standing = hospitals_by_town("es")["ES", town(city).name].values
        (there,) = {one.zip for one in standing if one.zip == code and one.number in street}
        assert there not in marked


def test_an_address_with_a_floor_and_that_of_the_patient_are_nobodys_hospital():
    streets = {one.name for among in hospitals_by_town("es").values() for one in among.values}
    for key in KEYS[:12]:
        *_, office, _, home, _ = became(
            "[Eva Gil](NOMBRE_PERSONAL_SANITARIO), [C/ Piqueras, 98, 3º B](CALLE), [Logroño](TERRITORIO). "
            "Vive en [C/ Labradores, 12](CALLE), [Logroño](TERRITORIO).",
            key,
        )
        assert re.fullmatch(r"C/ .+, \d\d, \dº B", office), office
        assert re.fullmatch(r"C/ [^,]+, \d\d", home), home
        assert home[3:].split(",")[0] not in streets - {"Serrano", "Villarroel"}  # which other streets are called too


def test_the_street_of_an_institution_is_the_same_where_it_stands_alone():
    for key in KEYS[:12]:
        _, street, _, again, _ = became(
            "[Hospital San Pedro](HOSPITAL). [C/ Piqueras, 98](CALLE), [Logroño](TERRITORIO). "
            "Acude a [C/ Piqueras, 98](CALLE), [Logroño](TERRITORIO).",
            key,
        )
        assert street == again


@pytest.mark.parametrize(
    ("hospital", "street", "made"),
    [
        (Hospital("Paseo", "de la Castellana", "261", "28046"), "C/ Irunlarrea 3", "Paseo de la Castellana 261"),
        (Hospital("Paseo", "de la Castellana", "261", "28046"), "Irunlarrea, 3", "Castellana, 261"),
        (Hospital("Calle", "Villarroel", "170", "08036"), "Avda. Pío XII nº 36", "C/ Villarroel nº 170"),
        (Hospital("Calle", "Villarroel", "170", "08036"), "Avenida Barber, s/n", "Calle Villarroel, 170"),
        (Hospital("Avenida", "de Elvas", "s/n", "06080"), "c/ piqueras, 98", "avda. de elvas, s/n"),
        (Hospital("Avenida", "de Elvas", "s/n", "06080"), "Av. Barber nº 30", "Av. de Elvas, s/n"),
        (Hospital("", "Altos de Nava", "s/n", "24071"), "C/ Piqueras, 98", "Altos de Nava, s/n"),
        (Hospital("Calle", "Villarroel", "170", "08036"), "C/ Piqueras, 98, 3º B", ""),
        (Hospital("Calle", "Villarroel", "170", "08036"), "Apartado de Correos 993", ""),
    ],
)
def test_the_street_of_a_hospital_is_written_like_the_original(hospital, street, made):
    assert HospitalAddresses(Scope(KEYS[0], "p"), "es", Guard.of([])).written(hospital, street) == made


def test_every_hospital_stands_in_a_town_of_the_lists_and_has_a_code_of_its_province():
    for (_, name), among in hospitals_by_town("es").items():
        for one in among.values:
            assert re.fullmatch(town(name).zips[0][:2] + r"\d{3}", one.zip), one
            assert re.fullmatch(r"s/n|km \d+(,\d+)?|\d+(-\d+)?", one.number), one
    firsts = {KNOWN.seats["ES", region].town.name for region in KNOWN.large_regions("ES")}
    assert not firsts - {name for _, name in hospitals_by_town("es")}


@given(st.integers(1, 99999), st.randoms(use_true_random=False))
def test_a_house_number_becomes_a_near_one_of_as_many_digits(number, rng):
    made = draw_house_number(str(number), rng)
    assert len(made) == len(str(number))
    zeros = len(str(number)) - len(str(number).rstrip("0")) if number >= 100 else 0
    assert 0 < abs(int(made) - number) <= max(2 * 10**zeros, 0.4 * number)


def test_codes_are_those_of_the_town():
    assert own_codes(town("Madrid"))[0] == "28001"
    assert own_codes(town("Pamplona"))[-1] == "31016"
    for key in KEYS[:20]:
        code, city = became("[39770](TERRITORIO), [Laredo](TERRITORIO)", key)
        assert code[:2] == town(city).zips[0][:2]
        assert not own_codes(town(city)) or code in own_codes(town(city))


def test_a_code_of_another_region_does_not_follow_the_town_beside_it():
    for key in KEYS[:12]:
        code, _, alone = became("[41003](TERRITORIO), [Bilbao](TERRITORIO) y [Sevilla](TERRITORIO)", key)
        assert code[:2] == town(alone).zips[0][:2]


def test_granada_is_a_city_of_spain_unless_it_is_marked_as_a_country():
    for key in KEYS[:12]:
        here, island, france = became("De [Granada](TERRITORIO), no de [Granada](PAIS) ni de [Francia](TERRITORIO)", key)
        assert here not in ("Granada", "Francia")
        assert (island, france) == ("Granada", "Francia")


PLAIN = ("[Calle Miguel Hernandez, 3](CALLE)", "[Avenida de la Ilustracion 5](CALLE)", "[Mostoles](TERRITORIO)")


@pytest.mark.parametrize("marked", PLAIN)
def test_a_place_without_its_accents_becomes_one_without(marked):
    assert not re.search("[áéíóúàèòü]", "".join(became(marked, key)[0] for key in KEYS))


def test_a_place_with_its_accents_may_become_one_with_them():
    assert not all(became("[Móstoles](TERRITORIO)", key)[0].isascii() for key in KEYS)


def test_names_of_streets_begin_with_a_capital_and_a_main_street_is_one_name():
    for key in KEYS[:12]:
        assert became("[C/ Los Alisos, 10](CALLE)", key)[0].startswith("C/ Los ")
        assert not became("[Gran Vía, 85](CALLE)", key)[0].split(",")[0].endswith("Vía")
        assert became("[Passeig de Gràcia, 85](CALLE)", key)[0].startswith("Passeig de ")
        assert became("[Carretera Nacional 330 km 539](CALLE)", key)[0].startswith("Carretera Nacional ")


def test_two_first_towns_of_a_region_do_not_become_one():
    made = [became("de [Pontevedra](TERRITORIO) a [Vigo](TERRITORIO)", key) for key in KEYS]
    assert all(one != other for one, other in made)
    seats = {became("[Sevilla](TERRITORIO)", Key(bytes([n, 7]) * 16))[0] for n in range(250)}
    assert {"Vigo", "Oviedo", "Palma de Mallorca"} <= seats


def test_small_regions_are_named_more_often_than_their_people_tell():
    named = KNOWN.large_regions("ES")
    total = sum(named.values())
    assert 0.25 < named["Madrid"] / total < 0.45
    assert named["Navarra"] > named["Murcia"] > named["Soria"] > named["Murcia"] / 20
