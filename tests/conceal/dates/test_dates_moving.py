"""The dates of a note with the shift of its patient: what moves, what stays, and what has to be masked."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from conceal_cases import KEY

from innominate.conceal import conceal
from innominate.conceal.dates.moving import move_dates, patient_shift
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.core import annotated
from innominate.surrogates.dates import age_on


@pytest.mark.parametrize(
    "births",
    [(), (date(1950, 3, 18),), (date(1950, 2, 3), date(1950, 3, 2))],  # 03.02.1950 and 02.03.1950
    ids=["no birth date", "one", "one that is read in two ways"],
)
def test_every_shift_changes_months_and_years_that_stand_alone(births):
    for patient in range(300):
        days = patient_shift(KEY, f"patient:{patient}", births)
        moved = date(2020, 6, 15) + timedelta(days)
        assert days % 7 == 0
        assert moved.year != 2020
        assert moved.month != 6


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
