from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shifting import shift_days

from innominate.conceal.dates import keeps_ages, possible_shifts
from innominate.core import UsageError
from innominate.surrogates.dates import age_on

births = st.dates(date(1905, 1, 1), date(2024, 12, 31))


def test_shifts_are_whole_weeks_in_the_range_and_even():
    counts = Counter(shift_days(number) for number in range(418 * 3))
    assert set(counts.values()) == {3}
    assert len(counts) == 418
    assert all(days % 7 == 0 and 364 <= abs(days) <= 1820 for days in counts)


@given(birth=births, number=st.integers(0, 2**64 - 1), later=st.integers(0, 40_000))
def test_no_age_changes_when_the_birth_date_is_known(birth, number, later):
    shift = timedelta(days=shift_days(number, births=[birth]))
    day = birth + timedelta(days=later)
    if day.year < 2090:
        assert age_on(birth, day) == age_on(birth + shift, day + shift)


@given(birth=births, number=st.integers(0, 2**64 - 1), age=st.integers(1, 100))
def test_birthdays_and_the_days_before_them_stay(birth, number, age):
    shift = timedelta(days=shift_days(number, births=[birth]))
    birthday = next(
        d for d in (date(birth.year + age, birth.month, 28) + timedelta(n) for n in range(-30, 9)) if age_on(birth, d) == age
    )
    if birthday.year < 2090:
        for day in (birthday, birthday - timedelta(days=1)):
            assert age_on(birth, day) == age_on(birth + shift, day + shift)


@given(birth=births)
def test_about_a_hundred_shifts_are_left_for_a_birth_date(birth):
    found = {shift_days(number, births=[birth]) for number in range(250)}
    assert 95 <= len(found) <= 110


def test_born_on_29_february():
    birth = date(1960, 2, 29)
    shift = timedelta(days=shift_days(7, births=[birth]))
    for day in (date(2021, 2, 28), date(2021, 3, 1), date(2020, 2, 28), date(2020, 2, 29)):
        assert age_on(birth, day) == age_on(birth + shift, day + shift)


def test_two_births_are_kept_where_that_can_be():
    one, other = date(1950, 3, 18), date(1980, 7, 1)
    days = shift_days(99, births=[one, other])
    assert keeps_ages(one, days)


def test_bad_ranges_are_refused():
    assert possible_shifts((), (1, 2)) == (-7, -14, 7, 14)
    for weeks in ((0, 5), (6, 5)):
        with pytest.raises(UsageError):
            possible_shifts((), weeks)
