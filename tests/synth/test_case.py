from datetime import date
from random import Random

import pytest

from innominate.languages import language_codes
from innominate.surrogates.dates import age_on
from innominate.synth.case import Fit, draw_case, fit_of, kin_groups
from innominate.synth.lexicon import parse_list, setting, write
from innominate.synth.note import abroad_share
from innominate.synth.slot import Offset
from innominate.synth.template import parse_template


@pytest.mark.parametrize("lang", language_codes())
def test_patients_fit_their_template(lang):
    rng = Random(1)
    for _ in range(60):
        baby = draw_case(setting(lang), rng, Fit(baby=True))
        assert baby.age(baby.episodes[0].admission) == 0
        adult = draw_case(setting(lang), rng, Fit(adult=True, oldest_anchor=40, gender="f"))
        assert adult.age(adult.episodes[0].admission) >= 40
        assert adult.patient.name.gender == "f"


def test_relatives_have_the_age_of_their_generation():
    rng = Random(2)
    groups = setting("fr").kin_groups
    for _ in range(200):
        case = draw_case(setting("fr"), rng, Fit())
        for kin in case.kin:
            older = case.patient.birth.year - kin.person.birth.year
            if groups.get(kin.word) == "parents":
                assert older >= 19
            if groups.get(kin.word) == "children":
                assert older <= -17
            assert age_on(kin.person.birth, case.episodes[0].admission) >= 1


def test_children_come_with_their_parents():
    assert set(kin_groups(4).values) == {"parents", "grandparents", "older"}


def test_what_a_template_asks_is_read_from_its_slots():
    assert fit_of(parse_template("{age:baby}")).baby
    assert fit_of(parse_template("{profession}")).adult
    assert fit_of(parse_template("{birth+40y:y}")).oldest_anchor == 40
    assert fit_of(parse_template("x", gender="m")) == Fit(gender="m")


def test_places_with_a_canton_are_at_home():
    assert abroad_share(parse_template("{place.city} {place.state}"), "place") == 0
    assert abroad_share(parse_template("{place.city}, {place.country}"), "place") > 0.5


def test_offsets():
    assert Offset(-3, "d").apply(date(2020, 3, 1)) == date(2020, 2, 27)
    assert Offset(2, "w").apply(date(2020, 3, 1)) == date(2020, 3, 15)
    assert Offset(-1, "m").apply(date(2020, 3, 31)) == date(2020, 2, 29)
    assert Offset(40, "y").apply(date(1980, 2, 29)) == date(2020, 2, 29)


def test_lexicon_entries_have_weights_ranges_and_comments():
    listed = parse_list("# note\n\nNa {135-145} mmol/l\t3\nK {3.5-3.5}\nCRP {1,5-1,5}\n", "fr")
    assert [round(weight) for weight in listed.weights()] == [3, 1, 1]
    rng = Random(1)
    assert 135 <= int(write(listed.values[0], rng).split()[1]) <= 145
    assert write(listed.values[1], rng) == "K 3.5"
    assert write(listed.values[2], rng) == "CRP 1,5"


@pytest.mark.parametrize("text", ["{town}", "{3-1}", "{open", "x\theavy", "# only a comment"])
def test_broken_lists_raise_with_their_place(text):
    with pytest.raises(Exception, match=r"fr/x\.txt"):
        parse_list(text, "fr", "fr/x.txt")


def test_french_places_join_their_preposition():
    listed = parse_list("Hôpital de {city}", "fr")
    names = {write(listed.values[0], Random(i)) for i in range(300)}
    assert not any(name.startswith(("Hôpital de A", "Hôpital de Le ", "Hôpital de É")) for name in names)
    assert any(name.startswith("Hôpital d'") for name in names)
