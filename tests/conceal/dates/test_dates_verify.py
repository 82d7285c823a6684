from datetime import date

import pytest

from innominate.conceal.dates import learn_context
from innominate.conceal.dates.verify import DatesChangedError, verify_dates

GOOD = [("18.03.2022", "16.04.2021"), ("1er mars 2022", "30 mars 2021"), ("mars 2022", "mars 2021"), ("lundi", "lundi")]


def test_a_good_note_passes():
    verify_dates(GOOD, "fr")
    verify_dates([("18/03/22", "16/04/21"), ("Noël 2021", "23 janvier 2021"), ("22.03", "20.04")], "fr")


@pytest.mark.parametrize(
    ("original", "concealed", "reason"),
    [
        ("20.03.2022", "19.04.2021", "interval"),
        ("20.03.2022", "18/04/2021", "form"),
        ("20.03.2022", "18.04.21", "form"),
        ("20.03.2022", "18.04-2021", "form"),
        ("20.03.2022", "18.04.1721", "form"),
        ("05.03.2022", "3.04.2021", "form"),
        ("5 mars 2022", "3 AVRIL 2021", "form"),
        ("5 sept. 2022", "4 octobre 2021", "form"),
        ("20.03.2022", "31.02.2021", "real date"),
        ("20.03.20222", "18.04.2021", "masked"),
        ("mars 2022", "juin 2021", "contradicts"),
        ("2022", "2020", "contradicts"),
        ("Noël 2021", "Noël 2020", "holiday"),
    ],
)
def test_what_changed_is_found(original, concealed, reason):
    with pytest.raises(DatesChangedError, match=reason):
        verify_dates([*GOOD, (original, concealed)], "fr")


def test_a_range_over_the_end_of_a_february_is_read_in_the_moved_year():
    verify_dates([("04.12.2018", "26.05.2020"), ("8-11 septembre", "29-3 mars")], "fr")
    verify_dates([("8-11 septembre", "29-3 mars")], "fr")


def test_a_full_date_that_did_not_move_is_found():
    with pytest.raises(DatesChangedError, match="stood"):
        verify_dates([("18.03.2022", "18.03.2022")], "fr")


def test_ages_are_checked_at_birthdays():
    birth = date(1950, 3, 18)
    pairs = [("18.03.1950", "17.03.1951"), ("18.03.2020", "17.03.2021")]  # 364 days later
    verify_dates(pairs, "fr")
    verify_dates(pairs, "fr", births=[birth])
    changed = [("18.03.1950", "19.03.1949"), ("18.03.2020", "20.03.2019"), ("17.03.2020", "19.03.2019")]  # 364 days before
    with pytest.raises(DatesChangedError, match="age"):
        verify_dates(changed, "fr", births=[birth])


def test_a_changed_age_is_found_and_only_stated_ages_count():
    birth = date(1949, 2, 10)  # on 10 February 2020 there have been 17 leap days; 400 days later 18
    pairs = [("10.02.2020", "16.03.2021")]
    verify_dates(pairs, "fr", births=[birth], ages=[30])
    with pytest.raises(DatesChangedError, match="age") as error:
        verify_dates(pairs, "fr", births=[birth], ages=[71])
    assert "2020" not in str(error.value)


def test_the_order_of_the_original_decides():
    context = learn_context(["05/04/2022", "18/03/2022"], "en")
    verify_dates([("05/04/2022", "12/04/2022"), ("18/03/2022", "25/03/2022")], "en", context=context)


def test_a_day_of_the_week_that_did_not_move_along_is_found():
    verify_dates([("vendredi 18.03.2022", "samedi 22.04.2023")], "fr")
    for pairs in ([("vendredi 18.03.2022", "vendredi 22.04.2023")], [("18.03.2022", "22.04.2023"), ("lundi", "lundi")]):
        with pytest.raises(DatesChangedError, match="week"):
            verify_dates(pairs, "fr")
