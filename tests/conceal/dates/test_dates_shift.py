"""The shifts that patients may get: how many, how far, and each as often."""

from collections import Counter
from datetime import date, timedelta

import pytest
from conceal_cases import KEY

from innominate.conceal.dates import patient_shift, possible_shifts
from innominate.conceal.dates.shift import age_changes, check_shift
from innominate.core import UsageError
from innominate.surrogates.dates import age_on


@pytest.mark.parametrize(("weekdays", "furthest"), [("move", 1000), ("keep", 13 * 366)])
def test_there_are_a_thousand_shifts_as_short_as_can_be(weekdays, furthest):
    shifts = possible_shifts(weekdays)
    assert len(set(shifts)) == 1024
    assert {-days for days in shifts} == set(shifts)
    assert all(371 <= abs(days) <= furthest for days in shifts)


def test_shifts_of_whole_weeks_keep_the_days_of_the_week_and_others_do_not():
    assert all(days % 7 == 0 for days in possible_shifts("keep"))
    assert {days % 7 for days in possible_shifts("move")} == set(range(7))


@pytest.mark.parametrize("weekdays", ["move", "keep"])
def test_patients_get_each_shift_as_often(weekdays):
    counts = Counter(patient_shift(KEY, f"patient:{number}", weekdays) for number in range(20 * 1024))
    assert len(counts) == 1024
    assert max(counts.values()) <= 45  # 20 on average: more has a chance of one in thousands


def test_a_shift_that_moves_nothing_is_refused():
    with pytest.raises(UsageError, match="not 0"):
        check_shift(0)


def test_an_age_changes_on_few_days_of_a_life():
    born = date(1950, 5, 3)
    days = [born + timedelta(n) for n in range(70 * 365)]
    for shift in possible_shifts()[:40]:
        changed = [day for day in days if age_changes(born, day, shift)]
        assert len(changed) <= 70
        later = timedelta(shift)
        assert all(age_on(born, day) == age_on(born + later, day + later) for day in {*days} - {*changed})
