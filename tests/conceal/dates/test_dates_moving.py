"""The dates of a note with the shift of its patient: what moves, what stays, and what has to be masked."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from conceal_cases import KEY

from innominate.conceal import conceal
from innominate.conceal.dates.moving import move_dates, patient_shift
from innominate.conceal.dates.shift import possible_shifts
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.core import annotated
from innominate.surrogates.dates import age_on


@pytest.mark.parametrize("weekdays", ["move", "keep"])
def test_every_shift_changes_months_and_years_that_stand_alone(weekdays):
    for days in possible_shifts(weekdays):
        moved = date(2020, 6, 15) + timedelta(days)
        assert moved.year != 2020
        assert moved.month != 6
        assert {found.text for found in move_dates(["juin 2020", "2017"], "fr", days)}.isdisjoint({"juin 2020", "2017", None})


@pytest.mark.parametrize(
    ("texts", "lang", "days", "moved"),
    [
        (["vendredi 18.03.2022", "lundi"], "fr", 400, ["samedi 22.04.2023", "mardi"]),
        (["Måndagen den 3 maj 2021", "tis 4/5"], "sv", -400, ["Söndagen den 29 mars 2020", "mån 30/3"]),
        (["LUNES, 3 DE MAYO DE 2021"], "es", 402, ["JUEVES, 9 DE JUNIO DE 2022"]),
        (["Mo. 03.05.2021", "montags"], "de", 1, ["Di. 04.05.2021", "dienstags"]),
        (["Monday 3 May 2021", "Mon-Fri"], "en", 399, ["Monday 6 June 2022", "Mon-Fri"]),
        (["jeudi 18.03.2022"], "fr", 400, ["vendredi 22.04.2023"]),  # it was a Friday: a slip stays one
    ],
)
def test_days_of_the_week_move_along(texts, lang, days, moved):
    assert [found.text for found in move_dates(texts, lang, days)] == moved


def test_the_policy_says_whether_days_of_the_week_stay():
    notes = [of_patient("[vendredi](DATE) [18.03.2022](DATE)", number) for number in range(40)]
    kept, moved = (Pseudo(KEY, weekdays=weekdays) for weekdays in ("keep", "move"))
    assert {conceal(note, kept).document.text.split()[0] for note in notes} == {"vendredi"}
    assert len({conceal(note, moved).document.text.split()[0] for note in notes}) == 7


def test_a_masked_range_does_not_decide_where_a_year_moves():
    texts = ["5 januari 2021", "28-31 december 2021", "2021"]
    assert [found.text for found in move_dates(texts, "sv", 397)] == ["6 februari 2022", None, "2022"]


def test_an_age_stays_whichever_way_a_birth_date_is_read():
    births = (date(1950, 2, 3), date(1950, 3, 2))  # 03.02.1950
    days = [f"{day:02}.{month:02}.2021" for month in (2, 3) for day in range(1, 5)]
    for shift in possible_shifts()[::16]:
        for old, new in zip(days, move_dates(days, "fr", shift, births=births), strict=True):
            if new.text:
                was, now = (date(*map(int, reversed(text.split(".")))) for text in (old, new.text))
                assert all(age_on(born, was) == age_on(born + timedelta(shift), now) for born in births)


@pytest.mark.parametrize(
    ("texts", "lang", "days", "moved"),
    [
        (["23-26 januari"], "sv", 7, [None]),
        (["23-26 januari"], "sv", 154, ["26-29 juni"]),
        (["23-26 januari 2021"], "sv", 7, [None]),
        (["March 5-9, 2021"], "en", -7, [None]),
        (["2/25-28"], "en", 7, ["3/4-7"]),
        (["5", "9 mars 2021"], "fr", -7, [None, "2 mars 2021"]),  # du 5 au 9 mars 2021
        (["5", "9 mars 2021"], "fr", 14, ["19", "23 mars 2021"]),
        (["26", "2 mars 2021"], "fr", 35, ["2", "6 avril 2021"]),  # du 26 (février) au 2 mars
    ],
)
def test_a_range_stays_in_order_or_is_masked(texts, lang, days, moved):
    assert [found.text for found in move_dates(texts, lang, days, followed={0})] == moved


def test_a_day_by_itself_may_go_over_the_end_of_a_month():
    assert [found.text for found in move_dates(["5", "9 mars 2021"], "fr", -7)] == ["26", "2 mars 2021"]


def test_a_range_of_two_spans_stays_in_order_or_is_masked():
    masked = 0
    for patient in range(40):
        concealed = conceal(of_patient("du [5](DATE) au [9 mars 2021](DATE)", patient), Pseudo(KEY)).document
        first, last = (span.of(concealed.text) for span in concealed.spans)
        masked += first == "<DATE>"
        assert first == "<DATE>" or int(first) < int(last.split()[0].removesuffix("er"))
    assert 0 < masked < 20


def note_next_to_birthday():
    """A note whose patient would be a year younger, and the patient."""
    born, day = date(1950, 5, 3), date(2021, 5, 2)
    for number in range(500):
        shift = timedelta(patient_shift(KEY, f"patient:{number}"))
        if age_on(born + shift, day + shift) != age_on(born, day):
            days = "née le [03.05.1950](DATE), vue le [02.05.2021](DATE) et le [14.06.2021](DATE)"
            return of_patient(f"{days}, [70 ans](ÂGE)", number)
    raise AssertionError


def of_patient(marked, patient):
    return replace(annotated(marked), meta={"patient": patient, "lang": "fr"})


def test_a_day_on_which_the_age_would_change_gets_its_class_and_the_others_move():
    note = note_next_to_birthday()
    concealed = conceal(note, Pseudo(KEY))
    strategies = [treated.strategy for treated in concealed.treated]
    assert strategies == ["pseudo", "class", "pseudo", "keep"]
    born, visit = (
        date(*map(int, reversed(treated.target.of(concealed.document.text).split(".")))) for treated in concealed.treated[:3:2]
    )
    assert visit - born == date(2021, 6, 14) - date(1950, 5, 3)


def test_an_age_that_the_note_does_not_state_may_change():
    note = note_next_to_birthday()
    stated = of_patient("née le [03.05.1950](DATE), vue le [02.05.2021](DATE), [12 ans](ÂGE)", note.meta["patient"])
    assert [treated.strategy for treated in conceal(stated, Pseudo(KEY)).treated] == ["pseudo", "pseudo", "keep"]
