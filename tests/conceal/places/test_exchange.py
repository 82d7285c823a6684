"""Towns and regions that change places stay as common as they were, and streets sound like streets."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.conceal import conceal
from innominate.conceal.keys import Key
from innominate.conceal.places.atlas import atlas, balance_weights
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.core import annotated
from innominate.text.accents import fold_word

KEYS = [Key(bytes([number]) * 32) for number in range(60)]


def became(marked, key, lang="es"):
    concealed = conceal(annotated(marked, "n1"), Pseudo(key, lang=lang))
    return [treated.target.of(concealed.document.text) for treated in concealed.treated]


@given(st.lists(st.floats(0.01, 1), min_size=4, max_size=30))
def test_an_exchange_by_balanced_weights_keeps_the_shares(given_shares):
    total = sum(given_shares)
    shares = {str(i): share / total for i, share in enumerate(given_shares)}
    weights = balance_weights(shares)
    if max(weights.values()) >= 0.6:  # more than half of everything: cannot be kept
        return
    after = Counter()
    for x, share in shares.items():
        for y in shares:
            if y != x:
                after[y] += share * weights[y] / (1 - weights[x])
    for name, share in shares.items():
        assert abs(after[name] - share) < 0.01


def test_a_third_of_the_other_capitals_become_madrid_and_madrid_never_does():
    others = [became("vive en [Sevilla](TERRITORIO)", key)[0] for key in KEYS]
    assert 0.3 < others.count("Madrid") / len(others) < 0.75
    for key in KEYS:
        here, there = became("de [Madrid](TERRITORIO) a [Sevilla](TERRITORIO)", key)
        assert "Madrid" not in (here, there)


def test_no_town_becomes_a_quarter_of_a_city():
    known = atlas("es")
    made = {became(f"vive en [{town}](TERRITORIO)", key)[0] for key in KEYS for town in ("Getafe", "Bilbao", "Villamarciel")}
    assert len(made) > 40
    assert not [town for town in made if known.is_quarter(known.towns[fold_word(town)].town)]


@pytest.mark.parametrize(
    ("marked", "form"),
    [
        ("[28080](TERRITORIO) [Madrid](TERRITORIO)", r"\d\d080 [\w' -]+"),  # letter boxes stay letter boxes
        ("[E-28015](TERRITORIO)", r"E-\d{5}"),
        ("[C1059ABG](TERRITORIO)", r"[A-Z]\d{4}[A-Z]{3}"),
        ("[Extremadura](TERRITORIO)", r"(?!Extremadura)[\w -]+"),
        ("[C/ Mayor, 119-129](CALLE)", r"C/ (?!Mayor)[\w'·-]+, \d+-\d+"),
        ("[Calle San Roque, 5](CALLE)", r"Calle San (?!Roque)\w+, \d"),
        ("[Ctra. de Colmenar, km 12,500](CALLE)", r"Ctra\. de (?!Colmenar)[\w' -]+, km \d\d,\d00"),
        ("[Avda. Alfonso XII, 23 1oE](CALLE)", r"Avda\. [\w' ]+, \d\d \doE"),
        ("[Apartado de Correos 20134](CALLE)", r"Apartado de Correos \d{5}"),
    ],
)
def test_addresses_keep_what_says_nothing(marked, form):
    for key in KEYS[:12]:
        made = " ".join(became(marked, key))
        assert re.fullmatch(form, made), made


def test_a_range_of_houses_stays_one():
    for key in KEYS[:12]:
        first, last = map(int, re.findall(r"\d+", became("[C/ Mayor, 119-129](CALLE)", key)[0]))
        assert last - first == 10
        assert first != 119


def test_a_community_goes_where_its_provinces_go():
    for key in KEYS[:12]:
        community, province = became("en [Extremadura](TERRITORIO), [Badajoz](TERRITORIO)", key)
        known = atlas("es")
        assert known.community(known.towns[fold_word(province)].town.region) == community


@pytest.mark.parametrize(
    ("marked", "form"),
    [
        ("en el [Hospital Reina Sofía](HOSPITAL)", r"Hospital (?!Reina Sofía)[\w' ]+"),
        ("[Complejo Hospitalario de La Coruña](HOSPITAL)", r"Complejo Hospitalario de (?!La Coruña)[\w' -]+"),
        ("[Hospital Universitario 12 de octubre](HOSPITAL)", r"Hospital Universitario [A-ZÁÉÍ]\w+(?: [\w']+){2}"),
        ("[Facultad de Medicina](INSTITUCION)", r"(?:Escuela|Academia) de Medicina"),
        ("[Centro Penitenciario de Zuera](INSTITUCION)", r"Centro Penitenciario de (?!Zuera)[\w' -]+"),
    ],
)
def test_hospitals_are_called_like_hospitals(marked, form):
    for key in KEYS[:12]:
        (made,) = became(marked, key)
        assert re.fullmatch(form, made), made
